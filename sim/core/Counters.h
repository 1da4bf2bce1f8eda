// What a launch counted: per instruction, and rolled up by source line or for the whole kernel.
#pragma once

#include "sim/core/MemorySpace.h"

#include <array>
#include <cstdint>

namespace sim {

/// Counts of one kind of access to one space.
struct AccessCounters {
    uint64_t requests = 0;       ///< Warp instructions with at least one lane taking part (l1tex__t_requests).
    uint64_t threads = 0;        ///< Lanes taking part, summed over requests.
    uint64_t sectors = 0;        ///< Distinct 32-byte sectors, summed over requests (l1tex__t_sectors). Global, local.
    uint64_t idealSectors = 0;   ///< Sectors the distinct bytes would fill if packed.
    uint64_t wavefronts = 0;     ///< Passes over the 32 banks (l1tex__data_pipe_lsu_wavefronts_mem_shared). Shared.
    uint64_t idealWavefronts = 0;///< Passes that the width of the access needs without conflicts.
    uint64_t bytes = 0;          ///< Bytes the lanes asked for: threads * width.
    uint32_t worstDegree = 0;    ///< Shared: most wavefronts of one request (n-way conflict). Global: most sectors.
    AccessCounters& operator+=(const AccessCounters& o);
};

struct BranchCounters {
    uint64_t executed = 0;       ///< Warp-level executions (smsp__sass_branch_targets, as written).
    uint64_t divergent = 0;      ///< Executions whose active lanes went both ways.
    uint64_t takenThreads = 0, notTakenThreads = 0;
    BranchCounters& operator+=(const BranchCounters& o);
};

inline constexpr unsigned kAccessKinds = 4;      // Load, Store, Atomic, Reduction
inline constexpr unsigned kCountedSpaces = 4;    // Global, Shared, Local, Constant

/// Everything counted for one instruction, one line or one kernel.
struct Counters {
    uint64_t warpInstructions = 0;   ///< Instructions issued, one per warp (bytecode as written; Block heads, Jumps
                                     ///< and compiler-made copies do not count).
    uint64_t threadInstructions = 0; ///< The same, times active lanes.
    std::array<std::array<AccessCounters, kAccessKinds>, kCountedSpaces> access{};
    BranchCounters branch;
    uint64_t barriers = 0;           ///< Warp-level arrivals at __syncthreads().
    Counters& operator+=(const Counters& o);

    const AccessCounters& of(MemorySpace s, AccessKind k) const { return access[unsigned(s)][unsigned(k)]; }
    AccessCounters& of(MemorySpace s, AccessKind k) { return access[unsigned(s)][unsigned(k)]; }
    /// Active lanes per issued instruction, 0..32 (smsp__thread_inst_executed_per_inst_executed).
    double activeLanes() const { return warpInstructions ? double(threadInstructions) / double(warpInstructions) : 0.0; }
};

} // namespace sim
