// A block between its first and its last instruction: warps, shared memory, and who waits where.
#pragma once

#include "sim/core/Dim3.h"
#include "sim/vm/Warp.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sim::vm {

/// Owned by a Worker and used again for later blocks. Several may be resident at once, as on a multiprocessor; what
/// a block sees of memory differs from the next one's only in where its shared variables lie.
struct ThreadBlock {
    BlockId id;
    Dim3 index{0, 0, 0};
    uint32_t live = 0;        ///< Threads that have not ended.
    uint32_t waiting = 0;     ///< Threads at __syncthreads().
    uint32_t gridWaiting = 0; ///< Threads at the barrier of the whole grid.
    uint32_t votes = 0;       ///< Of those at __syncthreads(): threads whose predicate was true (_count and its kin).
    uint64_t started = 0;     ///< The worker's instruction count at its begin.
    std::vector<std::unique_ptr<Warp>> warps;
    std::vector<std::byte> shared;
    std::vector<Region> regions;

    /// Every live thread waits for the other blocks of the grid.
    bool atGridBarrier() const { return live > 0 && gridWaiting == live; }
};

} // namespace sim::vm
