// How many blocks of a launch fit on one streaming multiprocessor, and what limits them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sim {

/// What one SM of a compute capability offers (CUDA C++ Programming Guide, table "Technical Specifications per Compute
/// Capability"; allocation granularities from the CUDA Occupancy Calculator).
struct SmLimits {
    int computeCapability = 90; ///< 90 for 9.0.
    uint32_t warps = 64;
    uint32_t blocks = 32;
    uint32_t registers = 65536;
    uint32_t registersPerThread = 255;
    uint32_t registerUnit = 256;  ///< Registers are given to a warp in multiples of this.
    uint32_t warpGranularity = 4; ///< Schedulers of an SM: each holds a quarter of registers and warps.
    uint32_t sharedBytes = 228 * 1024;
    uint32_t sharedBytesPerBlock = 227 * 1024; ///< The most a block can opt in to.
    uint32_t sharedReserved = 1024;            ///< Taken by the system for each block.
    uint32_t sharedUnit = 128;
    uint32_t threadsPerBlock = 1024;
};

/// The known compute capabilities, ascending: 7.5, 8.0, 8.6, 8.9, 9.0, 10.0, 12.0.
std::span<const SmLimits> knownSmLimits();
/// nullptr when unknown.
const SmLimits* findSmLimits(int computeCapability);

enum class OccupancyLimiter : uint8_t { Warps, Blocks, Registers, SharedMemory, CannotLaunch };
/// "warps", "blocks", "registers", "shared memory", "cannot launch".
const char* toString(OccupancyLimiter limiter);

struct OccupancyInput {
    uint32_t registersPerThread = 32;
    uint32_t threadsPerBlock = 256;
    uint32_t sharedBytes = 0; ///< Static and dynamic together.
};

/// Blocks per SM that each resource alone would allow, and their minimum.
struct Occupancy {
    uint32_t blocks = 0; ///< 0: such a block cannot run at all.
    uint32_t warps = 0;  ///< Resident warps: blocks * warps per block.
    double fraction = 0; ///< Of the SM's warps, 0..1.
    uint32_t byWarps = 0, byBlocks = 0, byRegisters = 0, byShared = 0;
    OccupancyLimiter limiter = OccupancyLimiter::CannotLaunch;
};

/// Theoretical occupancy, as cudaOccupancyMaxActiveBlocksPerMultiprocessor answers it.
Occupancy occupancy(const SmLimits& sm, const OccupancyInput& block);

} // namespace sim
