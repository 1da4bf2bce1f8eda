// Running blocks: warps in order until each waits or ends, barriers, and what to do when nothing can run.
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

void LaunchContext::stop(LaunchStatus why, std::string what) {
    const std::lock_guard lock(stopMutex);
    if (stopped) return;
    status = why;
    error = std::move(what);
    stopped = true;
}

Worker::Worker(LaunchContext& launch, std::vector<Observer*> observers)
    : launch_(launch), observers_(std::move(observers)), regions_(launch.memory.regions()), infos_(launch.memory.infos()),
      counters_(launch.linked.emptyCounters()) {
    if (observers_.size() == 1) observer_ = observers_[0];
    if (observers_.size() > 1) {
        fanOut_ = std::make_unique<FanOut>(observers_);
        observer_ = fanOut_.get();
    }
    for (const Observer* o : observers_) wantsHostBytes_ |= o->wantsHostBytes();
    uint64_t sharedBytes = 0;
    for (const RegionInfo& r : infos_)
        if (r.space == MemorySpace::Shared) sharedBytes = std::max(sharedBytes, r.sharedOffset + r.bytes);
    shared_.resize(sharedBytes);
    for (size_t r = 0; r < regions_.size(); ++r)
        if (regions_[r].space == MemorySpace::Shared) regions_[r].host = shared_.data() + infos_[r].sharedOffset;
    firstHeapRegion_ = uint32_t(regions_.size());
    createWarps();
}

void Worker::createWarps() {
    const uint64_t count = (launch_.config.block.count() + kWarpSize - 1) / kWarpSize;
    const uint32_t localTop = (launch_.kernel.localBytes + 15) / 16 * 16;
    for (uint64_t w = 0; w < count; ++w) {
        Warp& warp = *warps_.emplace_back(std::make_unique<Warp>());
        warp.id = WarpId{uint32_t(w)};
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
    }
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

void Worker::beginBlock(BlockId block) {
    const uint64_t threads = launch_.config.block.count();
    block_ = {block, launch_.config.grid.coordinate(block.value), uint32_t(threads), 0, 0, instructions_};
    if (!shared_.empty()) std::memset(shared_.data(), kUnwritten, shared_.size());
    std::copy_n(launch_.sharedBefore.begin(), std::min(launch_.sharedBefore.size(), shared_.size()), shared_.begin());
    for (auto& warp : warps_) {
        Warp& w = *warp;
        w.block = block;
        w.regions = regions_.data();
        w.regionCount = uint32_t(regions_.size());
        if (!w.localStorage.empty()) std::memset(w.localStorage.data(), kUnwritten, size_t{w.frames[0].localTop} * kWarpSize);
        resetWarp(w, LaneMask::first(unsigned(std::min<uint64_t>(threads - uint64_t{w.id.value} * kWarpSize, kWarpSize))).bits);
        splat(w.registers, SpecialRegister::CtaidX, block_.index.x);
        splat(w.registers, SpecialRegister::CtaidY, block_.index.y);
        splat(w.registers, SpecialRegister::CtaidZ, block_.index.z);
        w.stepObserver = nullptr;
        for (const Observer* o : observers_)
            if (o->wantsSteps(block, w.id)) w.stepObserver = fanOut_ ? fanOut_.get() : observer_;
        w.slowMemory = wantsHostBytes_ || w.stepObserver;
    }
}

bool Worker::runBlock(BlockId block) {
    beginBlock(block);
    for (Observer* o : observers_) o->onBlockBegin(block);
    bool going = true;
    while (going && block_.live > 0) {
        bool progressed = false;
        going = runToBarrier(progressed);
        if (!going || block_.live == 0) break;
        if (block_.waiting == block_.live) releaseBarrier();
        else if (!progressed) going = resolveStuck();
    }
    for (Observer* o : observers_) o->onBlockEnd(block);
    if (block.value + 1 == launch_.config.grid.count()) launch_.sharedAfter = shared_;
    return going && (unreported_ < uint64_t{kSlice} || withinLimits());
}

bool Worker::runToBarrier(bool& progressed) {
    for (auto& warp : warps_) {
        if (warp->ready.empty()) continue;
        progressed = true;
        runWarp(*warp);
        if (launch_.stopped.load(std::memory_order_relaxed)) return false;
    }
    return true;
}

void Worker::runWarp(Warp& warp) {
    warp.fuel = kSlice;
    const Instruction* next = nextSplit(warp);
    if (warp.stepObserver) runTraced(warp, next);
    else
        while (next) next = (*warp.handlers)[uint16_t(next->op)](warp, next);
    account(kSlice - warp.fuel);
}

namespace {
/// Slots that an instruction has written to from d on.
uint32_t resultSlots(const Instruction& i, Opcode op) {
    const char kind = formatOf(op)[0];
    if (i.d == kNoSlot || kind == '-') return 0;
    switch (op) {
    case Opcode::Load: return ((i.aux & 15u) > 4 ? 2u : 1u) * (i.aux >> 4);
    case Opcode::Atomic: case Opcode::CompareSwap: return isWide(AtomicType(i.aux >> 8)) ? 2 : 1;
    case Opcode::ReadSpecial: {
        const SpecialRegister r = SpecialRegister(i.aux);
        return r == SpecialRegister::Clock64 || r == SpecialRegister::GlobalTimer || r == SpecialRegister::GridId ? 2 : 1;
    }
    default: return kind == 'D' ? 2 : 1;
    }
}
} // namespace

void Worker::runTraced(Warp& warp, const Instruction* next) {
    while (next) {
        const Instruction* const i = next;
        const uint32_t active = warp.active, live = warp.live;
        const std::byte* const registers = warp.registers;
        const size_t parked = warp.atWarpSync.size();
        warp.gathered = 0;
        next = (*warp.handlers)[uint16_t(i->op)](warp, i);
        if (warp.atWarpSync.size() > parked) continue; // waits for other lanes; will run later
        const uint32_t pc = warp.pcOf(i);
        if (launch_.linked.hiddenAt(pc)) continue;
        const uint32_t slots = resultSlots(*i, launch_.linked.opcodeAt(pc));
        const void* result = slots ? registers + size_t{i->d} * kSlotBytes : nullptr;
        warp.stepObserver->onStep({warp.at(i), LaneMask{active | warp.gathered}, LaneMask{live}, result, slots * kSlotBytes});
    }
}

const Instruction* Worker::endSlice(Warp& warp, const Instruction* next) {
    account(kSlice - warp.fuel);
    warp.fuel = kSlice;
    if (!withinLimits()) {
        if (launch_.status == LaunchStatus::LimitExceeded) reportEndlessLoop(warp, next);
        return nullptr;
    }
    if (warp.atomicsInSlice > 0) releaseArrived(warp);
    warp.atomicsInSlice = 0;
    warp.ready.insert(warp.ready.begin(), Split{warp.pcOf(next), warp.active, warp.entry, warp.frame});
    return nullptr;
}

void Worker::releaseBarrier() {
    const uint32_t votes = block_.votes, waiting = block_.waiting;
    block_.waiting = block_.votes = 0;
    for (auto& warp : warps_) {
        for (const ParkedSplit& parked : warp->atBarrier) {
            if (parked.at->d != kNoSlot && parked.at->aux != unsigned(BarrierOp::Sync)) {
                const uint32_t result = parked.at->aux == unsigned(BarrierOp::Count) ? votes
                                        : parked.at->aux == unsigned(BarrierOp::And) ? votes == waiting : votes > 0;
                std::byte* d = warp->file.data() + (size_t{warp->frames[size_t(parked.split.frame)].base} + parked.at->d) * kSlotBytes;
                for (unsigned l = 0; l < kWarpSize; ++l)
                    if (parked.split.mask >> l & 1u) std::memcpy(d + l * 4, &result, 4);
            }
            const auto same = [&](const Split& s) {
                return s.pc == parked.split.pc && s.entry == parked.split.entry && s.frame == parked.split.frame;
            };
            const auto twin = std::find_if(warp->ready.begin(), warp->ready.end(), same);
            if (twin != warp->ready.end()) twin->mask |= parked.split.mask;
            else warp->ready.insert(warp->ready.begin(), parked.split);
        }
        warp->atBarrier.clear();
    }
    for (Observer* o : observers_) o->onBarrierRelease(block_.id);
}

/// Lanes that wait for a member mask although nothing else can run: when the missing ones have ended meanwhile they
/// try again, else they go on without them.
bool Worker::releaseWarpSyncs(Warp& warp) {
    if (warp.atWarpSync.empty()) return false;
    uint32_t waiting = 0;
    for (const ParkedSplit& parked : warp.atWarpSync) waiting |= parked.split.mask;
    for (const ParkedSplit& parked : warp.atWarpSync) {
        if (parked.members & warp.live & ~waiting) {
            report(warp, parked.at, FindingKind::MaskMismatch, parked.split.mask,
                   "waits for lanes of the member mask that never execute this");
            warp.unsynced |= parked.split.mask;
        }
        warp.ready.push_back(parked.split);
    }
    warp.atWarpSync.clear();
    return true;
}

bool Worker::resolveStuck() {
    bool released = false;
    for (auto& warp : warps_) released |= releaseWarpSyncs(*warp);
    if (released) return true;
    for (auto& warp : warps_)
        for (const ParkedSplit& parked : warp->atBarrier) {
            report(*warp, parked.at, FindingKind::DivergentBarrier, parked.split.mask,
                   std::to_string(block_.waiting) + " of " + std::to_string(block_.live) +
                       " threads arrive at the __syncthreads(); all threads of a block have to");
            released = true;
        }
    if (released) {
        releaseBarrier();
        return true;
    }
    for (auto& warp : warps_)
        for (const ConvergenceEntry& entry : warp->entries)
            if (warp->live & entry.arrived)
                report(*warp, warp->code + entry.pc, FindingKind::Deadlock, warp->live & entry.arrived, "waits here for lanes that never come");
    launch_.stop(LaunchStatus::Stopped, "The threads of a block wait for each other for ever.");
    return false;
}

void Worker::account(int32_t instructions) {
    instructions_ += uint64_t(instructions);
    unreported_ += uint64_t(instructions);
}

bool Worker::withinLimits() {
    const uint64_t total = launch_.instructions.fetch_add(unreported_) + unreported_;
    unreported_ = 0;
    if (launch_.cancel && launch_.cancel->load(std::memory_order_relaxed))
        launch_.stop(LaunchStatus::Cancelled, "The launch was cancelled.");
    else if (total > launch_.limits.maxWarpInstructions)
        launch_.stop(LaunchStatus::LimitExceeded, "The launch executed more than " + std::to_string(launch_.limits.maxWarpInstructions) +
                         " warp instructions. Launch fewer threads, look for a loop that does not end, or raise the limit.");
    else if (std::chrono::duration<double>(std::chrono::steady_clock::now() - launch_.started).count() > launch_.limits.maxSeconds)
        launch_.stop(LaunchStatus::LimitExceeded, "The launch ran longer than its time limit. Launch fewer threads, look for a loop that "
                                                  "does not end, or raise the limit.");
    return !launch_.stopped.load(std::memory_order_relaxed);
}

void Worker::reportEndlessLoop(const Warp& warp, const Instruction* at) {
    const BasicBlock& block = launch_.linked.blockAt(warp.pcOf(at));
    if (block.loopDepth == 0) return;
    report(warp, at, FindingKind::EndlessLoop, warp.active, "the loop at this line was still running when the launch reached its limit");
}

Party Worker::partyOf(const Warp& warp, const Instruction* at, unsigned lane) const {
    return {launch_.linked.locationAt(warp.pcOf(at)), block_.index,
            launch_.config.block.coordinate(uint64_t{warp.id.value} * kWarpSize + lane)};
}

void Worker::report(const Warp& warp, const Instruction* at, FindingKind kind, uint32_t lanes, const std::string& message) {
    const LaneMask mask{lanes};
    Finding finding;
    finding.kind = kind;
    finding.count = mask.count();
    finding.first = partyOf(warp, at, mask.lowest());
    if (findings_.repeat(kind, finding.access, finding.first.at, finding.count)) return;
    const auto triple = [](const Dim3& d) {
        return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
    };
    finding.message = "thread " + triple(finding.first.thread) + " of block " + triple(finding.first.block) + ": " + message;
    findings_.add(std::move(finding), block_.id.value);
}

const Instruction* Worker::stop(LaunchStatus why, std::string what) {
    launch_.stop(why, std::move(what));
    return nullptr;
}

} // namespace sim::vm
