// The shared horizontal axis.
#include "playground/widgets/LaneAxis.h"

#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {

int LaneAxis::laneAt(float at) const {
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane)
        if (at >= x(lane) && at < x(lane) + cell) return int(lane);
    return -1;
}

LaneAxis makeLaneAxis(float left, float width) {
    LaneAxis axis;
    axis.left = std::round(left);
    axis.end = std::round(left + width);
    axis.gap = snap(3);
    const float digit = textWidth(fonts().mono, "0");
    const float figures = digit * 13 + snap(16);
    const float wantedLabel = std::clamp(width * 0.24f, digit * 13 + snap(12), digit * 40);
    const float room = width - wantedLabel - figures - 3 * axis.gap;
    const float smallest = std::max(6.0f, snap(7));
    axis.cell = std::clamp(std::floor(room / 32), smallest, snap(26));
    const float cells = 32 * axis.cell + 3 * axis.gap;
    axis.x0 = std::round(
        axis.left + std::max(0.0f, std::min(width - cells - figures, std::max(wantedLabel, width - cells - figures))));
    axis.right = axis.x0 + cells;
    return axis;
}

void drawAxisHeader(const LaneAxis& axis, float y, float height, const char* name, sim::LaneMask lit) {
    ImFont* font = fonts().monoSmall;
    drawText(fonts().small, {axis.left, y, axis.x0 - snap(8), y + height}, theme().textDim, name, Align::Right);
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        const bool fixed = lane % 8 == 0 || lane == 31;
        const bool on = lit.has(lane) && lit.count() <= 4;
        if (!fixed && !on) continue;
        if (fixed && !on && ((lane > 0 && lit.has(lane - 1)) || (lane < 31 && lit.has(lane + 1))) && lit.count() <= 4)
            continue;
        const std::string number = std::to_string(lane);
        const float w = std::max(axis.cell, textWidth(font, number));
        const float c = axis.centre(lane);
        drawText(font, {c - w / 2, y, c + w / 2 + 1, y + height}, on ? theme().select : theme().textDim, number,
                 Align::Centre);
    }
    layoutLog().add("axis", name, {axis.x0, y}, {axis.right, y + height});
}

void drawLaneColumns(const LaneAxis& axis, float y0, float y1, sim::LaneMask lit) {
    if (lit.count() > 8) return;
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane)
        if (lit.has(lane)) fillRect({axis.x(lane) - 1, y0, axis.x(lane) + axis.cell, y1}, theme().laneColumn);
}

void drawLaneEdges(const LaneAxis& axis, float y0, float y1, sim::LaneMask lit) {
    if (lit.count() > 8) return;
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        if (!lit.has(lane)) continue;
        vLine(axis.x(lane) - 1, y0, y1, theme().select);
        vLine(axis.x(lane) + axis.cell - 1, y0, y1, theme().select);
    }
}

} // namespace playground
