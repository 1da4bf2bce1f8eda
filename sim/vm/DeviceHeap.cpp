// malloc() and free() in device code: every allocation is a region of its own.
#include "sim/vm/Worker.h"

#include <algorithm>

namespace sim::vm {

namespace {
constexpr size_t kMaxAllocations = size_t{1} << 20;
constexpr unsigned char kPoison = 0xCD;
} // namespace

uint64_t Worker::allocate(const Warp& warp, const Instruction* at, unsigned lane, uint64_t bytes, uint64_t heapBytes) {
    if (bytes == 0 || bytes > heapBytes - heapBytes_ || heap_.size() >= kMaxAllocations) return 0;
    const uint64_t start = regionBase(uint32_t(regions_.size()));
    HeapBlock& block = heap_.emplace_back(HeapBlock{std::vector<std::byte>(bytes, std::byte{kPoison}), partyOf(warp, at, lane), block_->id.value});
    addRegion({start, bytes, block.bytes.data(), MemorySpace::Global, false});
    infos_.push_back({.name = "malloc#" + std::to_string(heap_.size()), .type = "void", .space = MemorySpace::Global, .bytes = bytes});
    heapBytes_ += bytes;
    return start;
}

const char* Worker::release(uint64_t address) {
    const uint32_t id = regionOf(address);
    if (id < firstHeapRegion_ || id >= regions_.size()) return "memory that did not come from malloc() in device code";
    if (regions_[id].freed) return "memory that was freed before";
    if (address != regions_[id].start) return "an address inside an allocation, not its start";
    heapBytes_ -= regions_[id].bytes;
    const auto free = [&](std::vector<Region>& table) {
        table[id].bytes = 0;
        table[id].freed = true;
    };
    free(regions_);
    for (auto* blocks : {&resident_, &spare_})
        for (auto& block : *blocks) free(block->regions);
    heap_[id - firstHeapRegion_].bytes = {};
    return nullptr;
}

void Worker::addRegion(const Region& region) {
    regions_.push_back(region);
    for (auto* blocks : {&resident_, &spare_})
        for (auto& block : *blocks) {
            block->regions.push_back(region);
            for (auto& warp : block->warps) {
                warp->regions = block->regions.data();
                warp->regionCount = uint32_t(block->regions.size());
            }
        }
}

void Worker::reportLeaks() {
    for (size_t k = 0; k < heap_.size(); ++k) {
        const Region& region = regions_[firstHeapRegion_ + k];
        if (region.freed) continue;
        Finding f;
        f.kind = FindingKind::DeviceMemoryLeak;
        f.count = 1;
        f.first = heap_[k].by;
        f.address = region.start;
        f.bytes = uint32_t(std::min<uint64_t>(region.bytes, 0xffffffffu));
        f.message = std::to_string(region.bytes) + " bytes allocated here with malloc() are never freed; they stay taken after the kernel ends";
        findings_.add(std::move(f), heap_[k].order);
    }
}

} // namespace sim::vm
