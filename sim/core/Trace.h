// The recorded steps of one warp: what the window draws, steps through and looks values up in.
#pragma once

#include "sim/core/Ids.h"
#include "sim/core/LaneMask.h"
#include "sim/core/MemorySpace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sim {

/// One warp whose every step is to be recorded.
struct TraceRequest {
    BlockId block;
    WarpId warp;
    uint32_t maxSteps = 100'000;
};

/// The memory access of a step, with all addresses.
struct TracedAccess {
    LaneMask active;
    MemorySpace space{};
    AccessKind kind{};
    uint8_t bytes = 0;                     ///< Per lane.
    std::array<uint64_t, 32> address{};    ///< Device addresses of active lanes.
    std::array<std::array<uint8_t, 16>, 32> value{}; ///< What each active lane loaded, or stored (atomics: old value).
};

/// One executed instruction of the warp. Block heads, jumps and synthetic code are not steps.
struct TraceStep {
    Pc pc;
    LaneMask active;
    LaneMask live;                         ///< Lanes not exited yet.
    int32_t access = -1;                   ///< First index into WarpTrace::accesses, or -1.
    uint8_t accessCount = 0;               ///< More than 1 only when generic pointers mix spaces.
    uint32_t valueOffset = ~0u;            ///< Into WarpTrace::values, in slots, of the result; ~0u: none.
    uint8_t valueSlots = 0;                ///< 1, 2, or more for vector loads.
};

/// Complete history of one warp, up to the step limit.
struct WarpTrace {
    BlockId block;
    WarpId warp;
    LaneMask initial;                      ///< Lanes that exist (partial last warp).
    std::vector<TraceStep> steps;
    std::vector<TracedAccess> accesses;
    std::vector<std::array<uint32_t, 32>> values; ///< Result slots after each step that has one.
    bool truncated = false;                ///< The step limit was reached; later steps are not here.
};

} // namespace sim
