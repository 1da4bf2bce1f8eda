// What the machine tells its observers: one event per warp, never one per thread.
#pragma once

#include "sim/core/Ids.h"
#include "sim/core/LaneMask.h"
#include "sim/core/MemorySpace.h"

#include <cstdint>
#include <span>

namespace sim {

/// Where an event happened.
struct WarpPosition {
    BlockId block;
    WarpId warp;
    Pc pc;
};

/// One load, store or atomic instruction as one warp executes it. Emitted after the bounds check; lanes whose
/// access was refused (out of bounds, misaligned) are not in `active`. A warp whose lanes address different
/// spaces through generic pointers emits one access per space, as hardware splits it.
struct MemoryAccess {
    WarpPosition at;
    LaneMask active;             ///< Never empty.
    MemorySpace space;
    AccessKind kind;
    uint8_t bytes;               ///< Per lane: 1, 2, 4, 8 or 16.
    bool contiguous;             ///< All 32 lanes active and address[i] == address[0] + i * bytes.
    const uint64_t* address;     ///< [32], device addresses; meaningful for active lanes only.
    const void* const* host;     ///< [32] host location of each active lane's bytes, or nullptr unless an observer
                                 ///< wants steps of this warp or wantsHostBytes(). Loads are told before the
                                 ///< destination is written, stores and atomics after memory was.
};

/// A conditional branch as one warp executes it.
struct BranchEvent {
    WarpPosition at;
    LaneMask active;
    LaneMask taken;              ///< Subset of active for which the condition was true. Divergent: neither empty nor active.
};

/// All lanes of a split arrive at __syncthreads() or __syncwarp().
struct BarrierEvent {
    WarpPosition at;
    LaneMask active;
    bool wholeBlock;             ///< True for __syncthreads(), false for __syncwarp().
};

/// One executed instruction; emitted only to observers of traced warps.
struct StepEvent {
    WarpPosition at;
    LaneMask active;             ///< Lanes that executed it.
    LaneMask live;               ///< Lanes that have not exited yet.
    const void* result;          ///< The destination slot(s) after execution (layout: RegisterFile), or nullptr.
    uint32_t resultBytes;        ///< 128 per 32-bit slot; 0 when there is no destination.
};

/// Watches a launch. All calls for one block come from one host thread, in execution order; blocks of one host thread
/// may take turns between their begin and their end. With several host threads each gets its own observer, merged
/// afterwards by their owner. The default of every hook is nothing.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void onBlockBegin(BlockId) {}
    virtual void onBlockEnd(BlockId) {}
    virtual void onMemoryAccess(const MemoryAccess&) {}
    virtual void onBranch(const BranchEvent&) {}
    virtual void onBarrier(const BarrierEvent&) {}
    /// The block's barrier completed: every live thread has arrived.
    virtual void onBarrierRelease(BlockId) {}
    virtual void onStep(const StepEvent&) {}
    /// Whether MemoryAccess::host has to be filled for every warp, not only for those it wants steps of.
    virtual bool wantsHostBytes() const { return false; }
    /// Which warps get onStep.
    virtual bool wantsSteps(BlockId, WarpId) const { return false; }
};

} // namespace sim
