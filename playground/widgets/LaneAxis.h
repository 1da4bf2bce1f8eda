// Where the 32 lanes, banks or words of a line stand: the same x in every view of a column.
#pragma once

#include "playground/widgets/Draw.h"
#include "sim/core/LaneMask.h"

#include <string>

namespace playground {

///   | label ......... |########|########|########|########| figures ... |
///   left             x0        gap                         right        end
struct LaneAxis {
    float left = 0, x0 = 0, cell = 10, gap = 2, right = 0, end = 0;

    float x(unsigned lane) const { return x0 + float(lane) * cell + float(lane / 8) * gap; }
    float centre(unsigned lane) const { return x(lane) + cell / 2; }
    Rect cellBox(unsigned lane, float y0, float y1) const { return {x(lane), y0, x(lane) + cell, y1}; }
    /// The lane at an x, or -1.
    int laneAt(float x) const;
};

/// The axis of a panel body of that width. Cells are whole pixels wide, at most `maxCell`.
LaneAxis makeLaneAxis(float left, float width);

/// Numbers 0, 8, 16, 24, 31 above the cells and a name left of them. Lit lanes get their number in the selection
/// colour.
void drawAxisHeader(const LaneAxis& axis, float y, float height, const char* name, sim::LaneMask lit);
/// A lit column over [y0, y1) for every lane of the mask: its ground, to be drawn before the cells, and its edges, to
/// be drawn after them, so that the cells keep their colours.
void drawLaneColumns(const LaneAxis& axis, float y0, float y1, sim::LaneMask lit);
void drawLaneEdges(const LaneAxis& axis, float y0, float y1, sim::LaneMask lit);

} // namespace playground
