// Drawing of the lanes x steps strip.
#include "playground/widgets/LaneStrip.h"

#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

float rowHeight() {
    return snap(22);
}

void drawCells(const LaneAxis& axis, const LaneStripRow& row, float y0, float y1) {
    const Theme& t = theme();
    const ImU32 fill = row.pathColour >= 0 ? t.path[size_t(row.pathColour) % t.path.size()] : t.neutral;
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        Rect cell = axis.cellBox(lane, y0 + 2, y1 - 2);
        cell.x1 -= 1;
        if (row.on.has(lane))
            fillRect(cell, fill);
        else if (row.live.has(lane))
            hatchRect(cell, t.hatch), strokeRect(cell, t.hatch);
        else
            strokeRect(cell, t.absent);
    }
}

/// Line number, path letter and active lanes, right of the cells.
void drawFigures(const LaneAxis& axis, const LaneStripRow& row, float y0, float y1) {
    const Theme& t = theme();
    ImFont* font = fonts().mono;
    const float digit = textWidth(font, "0");
    float x = axis.right + snap(8);
    drawText(font, {x, y0, x + digit * 4, y1}, t.textDim, row.line, Align::Right);
    x += digit * 4 + snap(8);
    drawText(font, {x, y0, x + digit * 5, y1}, row.path.empty() ? t.textDim : t.text, row.active, Align::Right);
    x += digit * 5 + snap(8);
    if (row.path.empty()) return;
    const ImU32 fill = t.path[size_t(std::max(0, row.pathColour)) % t.path.size()];
    const float w = std::max(digit * float(row.path.size()) + snap(6), snap(16));
    const Rect tag{x, y0 + snap(3), std::min(x + w, axis.end), y1 - snap(3)};
    fillRect(tag, fill, snap(2));
    drawText(fonts().monoSmall, tag, t.onMark, row.path, Align::Centre);
}

void drawSigns(const LaneAxis& axis, const LaneStripRow& row, float y0, float y1) {
    const Theme& t = theme();
    float x = axis.x0 - snap(20);
    const auto sign = [&](Icon icon, ImU32 colour) {
        drawIcon(icon, {x, y0 + snap(5), x + snap(12), y1 - snap(5)}, colour);
        x -= snap(16);
    };
    if (row.finding) sign(Icon::Finding, t.excessText);
    if (row.divergent) sign(Icon::Divergence, t.text);
    if (row.barrier) sign(Icon::Barrier, t.link);
    const float space = snap(4);
    const Rect label{axis.left + snap(8), y0, x + snap(12) - space, y1};
    const bool narrow = label.width() < textWidth(fonts().mono, "0") * 16;
    drawText(narrow ? fonts().monoSmall : fonts().mono, label, t.text, row.label);
}

void drawRow(const LaneAxis& axis, const LaneStripRow& row, float y0, float y1, bool selected, bool hovered) {
    const Theme& t = theme();
    if (selected)
        fillRect({axis.left, y0, axis.end, y1}, t.selectBand);
    else if (hovered)
        fillRect({axis.left, y0, axis.end, y1}, t.hover);
    drawCells(axis, row, y0, y1);
    drawSigns(axis, row, y0, y1);
    drawFigures(axis, row, y0, y1);
    if (selected) fillRect({axis.left, y0, axis.left + snap(3), y1}, t.select);
    if (row.reconverged) hLine(axis.x0, axis.right, y0, t.lineStrong);
}

} // namespace

LaneStripEvents drawLaneStrip(const char* id, const Rect& box, const LaneAxis& axis, uint32_t total, uint32_t selected,
                              bool reveal, sim::LaneMask lit, const std::function<LaneStripRow(uint32_t)>& row) {
    LaneStripEvents events;
    const float h = rowHeight();
    beginScroll(id, box);
    if (reveal) {
        const float top = float(selected) * h, scroll = ImGui::GetScrollY();
        if (top < scroll + h || top > scroll + box.height() - 2 * h)
            ImGui::SetScrollY(std::max(0.0f, top - box.height() * 0.4f));
    }
    const float origin = ImGui::GetCursorScreenPos().y;
    ImGui::InvisibleButton("rows", {std::max(1.0f, box.width() - snap(14)), std::max(1.0f, float(total) * h)});
    const bool over = ImGui::IsItemHovered();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (over) {
        events.hoveredRow = std::min(int(total) - 1, int((mouse.y - origin) / h));
        events.hoveredLane = axis.laneAt(mouse.x);
    }
    if (ImGui::IsItemActive() && over) events.clickedRow = events.hoveredRow;
    if (ImGui::IsItemClicked()) events.clickedLane = events.hoveredLane;
    const float top = std::max(box.y0, origin), floor = std::min(box.y1, origin + float(total) * h);
    drawLaneColumns(axis, top, floor, lit);
    const uint32_t first = uint32_t(std::max(0.0f, (box.y0 - origin) / h));
    const uint32_t last = std::min(total, uint32_t(std::max(0.0f, (box.y1 - origin) / h)) + 1);
    for (uint32_t r = first; r < last; ++r) {
        const float y0 = std::round(origin + float(r) * h);
        drawRow(axis, row(r), y0, y0 + h, r == selected, int(r) == events.hoveredRow);
    }
    drawLaneEdges(axis, top, floor, lit);
    layoutLog().add("strip", id, {axis.x0, box.y0}, {axis.right, box.y1});
    endScroll();
    return events;
}

} // namespace playground
