// Lanes x steps: which lanes of a warp ran each row, in the colour of their branch path.
#pragma once

#include "playground/widgets/LaneAxis.h"

#include <cstdint>
#include <functional>
#include <string>

namespace playground {

struct LaneStripRow {
    std::string label;        ///< Source text, shown left of the lanes.
    std::string line, active; ///< "13", "16/32".
    std::string path;         ///< "A"; empty while the lanes are together.
    sim::LaneMask on, live;   ///< Lanes not live are drawn empty, live but not on hatched.
    int pathColour = -1;      ///< Index into Theme::path; -1 neutral.
    bool divergent = false, reconverged = false, barrier = false, finding = false;
};

struct LaneStripEvents {
    int clickedRow = -1, clickedLane = -1, hoveredRow = -1, hoveredLane = -1;
};

/// Draws the rows [first, first + count) of `total` inside a scrolling region. `row` makes the value of a row; only
/// visible ones are asked for. `selected` is banded and scrolled to when `reveal` is set.
LaneStripEvents drawLaneStrip(const char* id, const Rect& box, const LaneAxis& axis, uint32_t total, uint32_t selected,
                              bool reveal, sim::LaneMask lit, const std::function<LaneStripRow(uint32_t)>& row);

} // namespace playground
