// The occupancy calculation and the table of compute capabilities.
#include "sim/analysis/Occupancy.h"

#include <algorithm>
#include <array>

namespace sim {
namespace {

constexpr uint32_t kKiB = 1024;
//                                        cc  warps blocks  regs  r/t  unit w  shared       per block  reserved unit
//                                        threads
constexpr std::array<SmLimits, 7> kKnown{{{75, 32, 16, 65536, 255, 256, 4, 64 * kKiB, 64 * kKiB, 0, 256, 1024},
                                          {80, 64, 32, 65536, 255, 256, 4, 164 * kKiB, 163 * kKiB, kKiB, 128, 1024},
                                          {86, 48, 16, 65536, 255, 256, 4, 100 * kKiB, 99 * kKiB, kKiB, 128, 1024},
                                          {89, 48, 24, 65536, 255, 256, 4, 100 * kKiB, 99 * kKiB, kKiB, 128, 1024},
                                          {90, 64, 32, 65536, 255, 256, 4, 228 * kKiB, 227 * kKiB, kKiB, 128, 1024},
                                          {100, 64, 32, 65536, 255, 256, 4, 228 * kKiB, 227 * kKiB, kKiB, 128, 1024},
                                          {120, 48, 24, 65536, 255, 256, 4, 100 * kKiB, 99 * kKiB, kKiB, 128, 1024}}};

constexpr uint32_t roundUp(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

std::span<const SmLimits> knownSmLimits() {
    return kKnown;
}

const SmLimits* findSmLimits(int computeCapability) {
    const auto found = std::find_if(kKnown.begin(), kKnown.end(),
                                    [&](const SmLimits& sm) { return sm.computeCapability == computeCapability; });
    return found == kKnown.end() ? nullptr : &*found;
}

const char* toString(OccupancyLimiter limiter) {
    constexpr std::array names{"warps", "blocks", "registers", "shared memory", "cannot launch"};
    return names[unsigned(limiter)];
}

Occupancy occupancy(const SmLimits& sm, const OccupancyInput& block) {
    Occupancy o;
    if (block.threadsPerBlock == 0 || block.threadsPerBlock > sm.threadsPerBlock ||
        block.registersPerThread > sm.registersPerThread || block.sharedBytes > sm.sharedBytesPerBlock)
        return o;
    const uint32_t warpsPerBlock = (block.threadsPerBlock + 31) / 32;
    o.byWarps = sm.warps / warpsPerBlock;
    o.byBlocks = sm.blocks;

    // A scheduler holds whole warps only, so the warps that the registers allow come in multiples of the schedulers.
    const uint32_t registersPerWarp =
        std::max(sm.registerUnit, roundUp(block.registersPerThread * 32, sm.registerUnit));
    const uint32_t warpsByRegisters = sm.registers / registersPerWarp / sm.warpGranularity * sm.warpGranularity;
    o.byRegisters = warpsByRegisters / warpsPerBlock;

    const uint32_t shared = roundUp(block.sharedBytes + sm.sharedReserved, sm.sharedUnit);
    o.byShared = shared ? sm.sharedBytes / shared : sm.blocks;

    o.blocks = std::min({o.byWarps, o.byBlocks, o.byRegisters, o.byShared});
    o.warps = o.blocks * warpsPerBlock;
    o.fraction = double(o.warps) / sm.warps;
    if (o.blocks == 0)
        o.limiter = o.byRegisters == 0 ? OccupancyLimiter::Registers : OccupancyLimiter::SharedMemory;
    else if (o.blocks == o.byWarps)
        o.limiter = OccupancyLimiter::Warps;
    else if (o.blocks == o.byRegisters)
        o.limiter = OccupancyLimiter::Registers;
    else if (o.blocks == o.byShared)
        o.limiter = OccupancyLimiter::SharedMemory;
    else
        o.limiter = OccupancyLimiter::Blocks;
    return o;
}

} // namespace sim
