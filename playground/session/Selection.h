// The one selection that every view shows: a warp, a step of it, a lane, a line, and what the mouse is over.
#pragma once

#include "sim/core/Ids.h"
#include "sim/core/LaneMask.h"

#include <cstdint>

namespace playground {

struct Selection {
    sim::BlockId block;
    sim::WarpId warp;
    uint32_t row = 0;         ///< Index into TraceRows::rows: the step shown.
    int lane = -1;            ///< 0..31, or -1 when no lane is chosen.
    sim::LaneMask hovered;    ///< Lanes under the mouse (several when it is over a word they share).
    uint32_t hoveredLine = 0; ///< Source line under the mouse, 0 for none.

    /// Lanes to be lit: the hovered ones, else the chosen one.
    sim::LaneMask lit() const {
        if (!hovered.empty()) return hovered;
        return lane >= 0 ? sim::LaneMask{1u << lane} : sim::LaneMask{};
    }
};

} // namespace playground
