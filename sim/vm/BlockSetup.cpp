// Contexts of warps and blocks, and filling them with what a block finds at its begin.
#include "sim/vm/Worker.h"

#include "sim/vm/Calls.h"
#include "sim/vm/Convergence.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sim::vm {

namespace {

/// What shared and local memory holds before it is written. A GPU gives what the last block left there (an H200's
/// outputs of shared_store_stride show it); this value is the same in every run, and neither zero nor a usual number,
/// so that reading too early shows.
constexpr unsigned char kUnwritten = 0xCD;

/// Passes every event on to several observers.
class FanOut final : public Observer {
public:
    explicit FanOut(std::vector<Observer*> to) : to_(std::move(to)) {}
    void onMemoryAccess(const MemoryAccess& e) override { for (Observer* o : to_) o->onMemoryAccess(e); }
    void onBranch(const BranchEvent& e) override { for (Observer* o : to_) o->onBranch(e); }
    void onBarrier(const BarrierEvent& e) override { for (Observer* o : to_) o->onBarrier(e); }
    void onStep(const StepEvent& e) override {
        for (Observer* o : to_) if (o->wantsSteps(e.at.block, e.at.warp)) o->onStep(e);
    }

private:
    std::vector<Observer*> to_;
};

void splat(std::byte* registers, const ResolvedConstant& constant) {
    std::byte* slot = registers + size_t{constant.slot} * kSlotBytes;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        if (constant.wide) std::memcpy(slot + l * 8, &constant.bits, 8);
        else std::memcpy(slot + l * 4, &constant.bits, 4);
    }
}

void splat(std::byte* registers, SpecialRegister special, uint32_t value) {
    splat(registers, ResolvedConstant{uint16_t(special), false, value});
}

} // namespace

Worker::Worker(LaunchContext& launch, std::vector<Observer*> observers)
    : launch_(launch), observers_(std::move(observers)), regions_(launch.memory.regions()), infos_(launch.memory.infos()),
      counters_(launch.linked.emptyCounters()) {
    if (observers_.size() == 1) observer_ = observers_[0];
    if (observers_.size() > 1) {
        fanOut_ = std::make_unique<FanOut>(observers_);
        observer_ = fanOut_.get();
    }
    for (const Observer* o : observers_) wantsHostBytes_ |= o->wantsHostBytes();
    for (const RegionInfo& r : infos_)
        if (r.space == MemorySpace::Shared) sharedBytes_ = std::max(sharedBytes_, r.sharedOffset + r.bytes);
    firstHeapRegion_ = uint32_t(regions_.size());
    random_ = launch_.schedule.seed;
}

std::unique_ptr<ThreadBlock> Worker::makeBlock() {
    auto block = std::make_unique<ThreadBlock>();
    block->shared.resize(sharedBytes_);
    block->regions = regions_;
    for (uint32_t r = 0; r < firstHeapRegion_; ++r)
        if (regions_[r].space == MemorySpace::Shared) block->regions[r].host = block->shared.data() + infos_[r].sharedOffset;
    const uint64_t count = (launch_.config.block.count() + kWarpSize - 1) / kWarpSize;
    for (uint64_t w = 0; w < count; ++w) block->warps.push_back(makeWarp(WarpId{uint32_t(w)}));
    blockBytes_ = sharedBytes_ + 1;
    for (const auto& warp : block->warps)
        blockBytes_ += sizeof(Warp) + size_t{warp->file.slots()} * kSlotBytes + warp->localStorage.size();
    return block;
}

std::unique_ptr<Warp> Worker::makeWarp(WarpId id) {
    const uint32_t localTop = (launch_.kernel.localBytes + 15) / 16 * 16;
    auto made = std::make_unique<Warp>();
    Warp& warp = *made;
    warp.id = id;
    warp.worker = this;
    warp.tables = &handlerTables();
    warp.code = launch_.linked.code().data();
    warp.branches = launch_.linked.branches().data();
    warp.counters = counters_.data();
    warp.observer = observer_;
    warp.atomicMemory = launch_.parallel;
    warp.file.grow(launch_.linked.functions()[0].frameSlots);
    warp.localStorage.resize(size_t{localTop} * kWarpSize);
    warp.frames.push_back({0, launch_.linked.functions()[0].frameSlots, 0, localTop, 0, &launch_.kernel, -1, true, true});
    enterFrame(warp, 0);
    fillKernelFrame(warp);
    return made;
}

void Worker::fillKernelFrame(Warp& warp) {
    const LaunchConfig& c = launch_.config;
    std::byte* r = warp.registers;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const Dim3 tid = c.block.coordinate(uint64_t{warp.id.value} * kWarpSize + l);
        const uint32_t values[] = {tid.x, tid.y, tid.z};
        for (unsigned k = 0; k < 3; ++k)
            std::memcpy(r + (unsigned(SpecialRegister::TidX) + k) * kSlotBytes + l * 4, &values[k], 4);
        std::memcpy(r + unsigned(SpecialRegister::LaneId) * kSlotBytes + l * 4, &l, 4);
    }
    splat(r, SpecialRegister::NtidX, c.block.x);
    splat(r, SpecialRegister::NtidY, c.block.y);
    splat(r, SpecialRegister::NtidZ, c.block.z);
    splat(r, SpecialRegister::NctaidX, c.grid.x);
    splat(r, SpecialRegister::NctaidY, c.grid.y);
    splat(r, SpecialRegister::NctaidZ, c.grid.z);
    splat(r, SpecialRegister::WarpId, warp.id.value);
    splat(r, SpecialRegister::DynamicSharedBytes, c.dynamicSharedBytes);
    splat(r, SpecialRegister::LocalBase, 0);
    for (const ResolvedConstant& constant : launch_.parameters) splat(r, constant);
    for (const ResolvedConstant& constant : launch_.images[0]) splat(r, constant);
}

void Worker::fillFrame(Warp& warp, const Frame& frame, const LinkedFunction& function) {
    std::byte* r = warp.file.data() + size_t{frame.base} * kSlotBytes;
    std::memcpy(r, warp.file.data(), size_t{kArgumentSlot} * kSlotBytes);
    splat(r, SpecialRegister::LocalBase, frame.localBase);
    for (const ResolvedConstant& constant : launch_.images[size_t(&function - launch_.linked.functions().data())])
        splat(r, constant);
}

void Worker::beginBlock(BlockId id) {
    const uint64_t threads = launch_.config.block.count();
    ThreadBlock& block = *block_;
    block.id = id;
    block.index = launch_.config.grid.coordinate(id.value);
    block.live = uint32_t(threads);
    block.waiting = block.gridWaiting = block.votes = 0;
    block.started = instructions_;
    std::fill(block.shared.begin(), block.shared.end(), std::byte{kUnwritten});
    std::copy_n(launch_.sharedBefore.begin(), std::min(launch_.sharedBefore.size(), block.shared.size()), block.shared.begin());
    for (auto& warp : block.warps) {
        Warp& w = *warp;
        w.block = id;
        w.regions = block.regions.data();
        w.regionCount = uint32_t(block.regions.size());
        if (!w.localStorage.empty()) std::memset(w.localStorage.data(), kUnwritten, size_t{w.frames[0].localTop} * kWarpSize);
        resetWarp(w, LaneMask::first(unsigned(std::min<uint64_t>(threads - uint64_t{w.id.value} * kWarpSize, kWarpSize))).bits);
        splat(w.registers, SpecialRegister::CtaidX, block.index.x);
        splat(w.registers, SpecialRegister::CtaidY, block.index.y);
        splat(w.registers, SpecialRegister::CtaidZ, block.index.z);
        w.stepObserver = nullptr;
        for (const Observer* o : observers_)
            if (o->wantsSteps(id, w.id)) w.stepObserver = fanOut_ ? fanOut_.get() : observer_;
        w.slowMemory = wantsHostBytes_ || w.stepObserver;
    }
    for (Observer* o : observers_) o->onBlockBegin(id);
}

void Worker::endBlock(BlockSource& source) {
    for (Observer* o : observers_) o->onBlockEnd(block_->id);
    if (block_->id.value + 1 == launch_.config.grid.count()) launch_.sharedAfter = block_->shared;
    const auto at = std::find_if(resident_.begin(), resident_.end(), [&](const auto& b) { return b.get() == block_; });
    spare_.push_back(std::move(*at));
    resident_.erase(at);
    block_ = nullptr;
    source.ended();
}

} // namespace sim::vm
