// Grid, block, warps and lanes, and the chosen thread's indices and data.
#include "playground/panels/Panel.h"
#include "playground/session/Captions.h"
#include "playground/session/Figures.h"
#include "playground/session/ThreadPicture.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/GridMap.h"
#include "playground/widgets/LaneAxis.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

std::string n(uint64_t value) {
    return std::to_string(value);
}

std::vector<uint64_t> blocksWithFindings(const RunResult& p) {
    std::vector<uint64_t> blocks;
    for (const sim::Finding& f : p.report.findings) blocks.push_back(p.launch.config.grid.linear(f.first.block));
    return blocks;
}

/// The block map; returns the y below it.
float drawGrid(Session& s, const LaneAxis& axis, const Rect& box) {
    const RunResult& p = *s.picture();
    const sim::Dim3 grid = p.launch.config.grid;
    const float row = snap(20);
    const uint64_t folded = (grid.count() + 63) / 64;
    const float wanted = grid.y * grid.z > 1 ? float(grid.y) * grid.z * snap(20) : float(folded) * row;
    const float height = std::clamp(wanted, row, std::max(row, box.height() * 0.22f));
    const Rect map{axis.x0, box.y0, axis.right, box.y0 + height};
    drawText(fonts().small, {axis.left, box.y0, axis.x0 - snap(8), box.y0 + row}, theme().textDim,
             std::string(tr(Text::Grid)) + " " + formatCoordinate(grid, grid), Align::Right);
    const GridMapEvents e =
        drawGridMap("grid", map, grid.x, uint64_t{grid.y} * grid.z, s.selection().block.value, blocksWithFindings(p));
    if (e.blocksPerCell > 1)
        drawText(fonts().small, {axis.right + snap(8), box.y0, axis.end, box.y0 + row}, theme().textDim,
                 fill(tr(Text::BlocksPerCell), {n(e.blocksPerCell)}));
    if (e.clicked >= 0) s.selectWarp(sim::BlockId{uint32_t(e.clicked)}, s.selection().warp);
    if (e.hovered >= 0)
        tooltip(fill(tr(Text::BlockLabel), {formatCoordinate(grid.coordinate(uint64_t(e.hovered)), grid)}));
    return box.y0 + height + snap(10);
}

struct WarpRow {
    uint32_t warp, threads;
    bool traced;
};

/// Lanes of one warp: existing ones filled (bright when the selected step runs them), others outlined.
void drawWarp(Session& s, const LaneAxis& axis, const WarpRow& w, float y, float h) {
    const Theme& t = theme();
    const TraceRow* row = w.traced ? s.row() : nullptr;
    const sim::Dim3 dim = s.picture()->launch.config.block;
    if (w.traced) fillRect({axis.left, y, axis.end, y + h}, t.selectBand);
    drawText(fonts().mono, {axis.left, y, axis.x0 - snap(8), y + h}, w.traced ? t.text : t.textDim,
             fill(tr(Text::WarpLabel), {n(w.warp)}), Align::Right);
    const sim::LaneMask exists = sim::LaneMask::first(w.threads);
    for (unsigned lane = 0; lane < 32; ++lane) {
        Rect cell = axis.cellBox(lane, y + 1, y + h - 2);
        cell.x1 -= 1;
        if (!exists.has(lane)) {
            strokeRect(cell, t.absent);
            continue;
        }
        const uint32_t y2 = dim.coordinate(w.warp * 32 + lane).y;
        const ImU32 calm = dim.y > 1 && y2 % 2 == 1 ? withAlpha(t.neutral, 0.55f) : t.neutralSoft;
        if (row == nullptr)
            fillRect(cell, calm);
        else if (row->active.has(lane))
            fillRect(cell, row->path >= 0 ? t.path[size_t(s.rows().paths[size_t(row->path)].colour) % t.path.size()]
                                          : t.neutral);
        else if (row->live.has(lane))
            hatchRect(cell, t.hatch), strokeRect(cell, t.hatch);
        else
            strokeRect(cell, t.lineStrong);
        if (w.traced && s.selection().lane == int(lane))
            strokeRect({cell.x0 - 1, cell.y0 - 1, cell.x1 + 1, cell.y1 + 1}, t.select, 2);
    }
    const uint64_t first = uint64_t{w.warp} * 32, last = first + std::max(1u, w.threads) - 1;
    drawText(fonts().mono, {axis.right + snap(8), y, axis.end, y + h}, t.textDim,
             formatCoordinate(dim.coordinate(first), dim) + "\u2026" + formatCoordinate(dim.coordinate(last), dim));
}

void warpEvents(Session& s, const LaneAxis& axis, const WarpRow& w) {
    const int lane = axis.laneAt(ImGui::GetIO().MousePos.x);
    if (ImGui::IsItemHovered() && lane >= 0 && uint32_t(lane) < w.threads) {
        if (w.traced) s.hover(sim::LaneMask{1u << lane});
        const sim::Dim3 dim = s.picture()->launch.config.block;
        const std::string why = w.traced ? whyMasked(s, unsigned(lane)) : "";
        tooltip(fill(tr(Text::ThreadTip), {formatCoordinate(dim.coordinate(w.warp * 32 + unsigned(lane)), dim)}),
                why.empty()
                    ? fill(tr(Text::WarpAndLane), {n(w.warp * 32 + unsigned(lane)), n(w.warp), n(uint64_t(lane))})
                    : why);
    }
    if (!ImGui::IsItemClicked()) return;
    if (lane >= 0 && (!w.traced || s.selection().lane != lane)) s.selectLane(lane);
    s.selectWarp(s.selection().block, sim::WarpId{w.warp});
}

float drawBlock(Session& s, const LaneAxis& axis, const Rect& box, float roomBelow) {
    const sim::LaunchConfig& c = s.picture()->launch.config;
    const uint64_t threads = c.block.count(), warps = (threads + 31) / 32;
    const float h = snap(20), head = snap(18);
    const std::string label =
        fill(tr(Text::BlockLabel), {formatCoordinate(c.grid.coordinate(s.selection().block.value), c.grid)});
    drawAxisHeader(axis, box.y0, head, label.c_str(), s.selection().lit());
    const float room = std::max(h * 2, box.height() - head - roomBelow);
    const float height = std::min(float(warps) * h, std::floor(room / h) * h);
    const Rect list{box.x0, box.y0 + head, box.x1, box.y0 + head + height};
    beginScroll("warps", list);
    if (s.ui.revealWarp)
        ImGui::SetScrollY(std::max(0.0f, (float(s.picture()->request.warp.value) - 0.5f) * h - height / 2));
    s.ui.revealWarp = false;
    const float origin = ImGui::GetCursorScreenPos().y;
    ImGui::Dummy({1, float(warps) * h});
    drawLaneColumns(axis, list.y0, std::min(list.y1, origin + float(warps) * h), s.selection().lit());
    for (uint64_t w = 0; w < warps; ++w) {
        const float y = std::round(origin + float(w) * h);
        if (y + h < list.y0 || y > list.y1) continue;
        const WarpRow row{uint32_t(w), uint32_t(std::min<uint64_t>(32, threads - w * 32)),
                          s.picture()->request.warp.value == w};
        ImGui::SetCursorScreenPos({axis.left, y});
        ImGui::PushID(int(w));
        ImGui::InvisibleButton("warp", {axis.right - axis.left, h});
        layoutLog().add("warp", "warp " + n(w), {axis.x0, y}, {axis.right, y + h});
        warpEvents(s, axis, row);
        ImGui::PopID();
        drawWarp(s, axis, row, y, h);
    }
    drawLaneEdges(axis, list.y0, std::min(list.y1, origin + float(warps) * h), s.selection().lit());
    endScroll();
    return list.y1 + snap(10);
}

float drawIndices(const ThreadPicture& t, const Rect& box) {
    const float h = snap(22);
    float y = box.y0;
    ImFont* mono = fonts().mono;
    for (const IndexSum& sum : t.indices) {
        if (y + h > box.y1) return y;
        float x = box.x0;
        x += drawText(mono, {x, y, box.x1, y + h}, theme().textDim, sum.formula);
        x += drawText(mono, {x, y, box.x1, y + h}, theme().textDim, " = ");
        x += drawText(mono, {x, y, box.x1, y + h}, theme().text, sum.numbers);
        x += drawText(mono, {x, y, box.x1, y + h}, theme().textDim, " = ");
        drawText(mono, {x, y, box.x1, y + h}, theme().select, sum.value);
        y += h;
    }
    if (y + h > box.y1) return y;
    drawText(mono, {box.x0, y, box.x1, y + h}, theme().textDim,
             fill(tr(Text::WarpAndLane), {n(t.linearThread), n(t.warp), n(t.lane)}));
    return y + h + snap(6);
}

void accessRow(Session& s, const ThreadAccess& a, const Rect& row, const float* columns) {
    const Theme& t = theme();
    ImGui::SetCursorScreenPos(row.min());
    ImGui::PushID(int(a.row));
    if (ImGui::InvisibleButton("access", {row.width(), row.height()})) s.stepTo(a.row);
    if (a.row == s.selection().row)
        fillRect(row, t.selectBand);
    else if (ImGui::IsItemHovered())
        fillRect(row, t.hover), s.hoverLine(a.line);
    ImGui::PopID();
    const std::string cells[] = {n(a.row), n(a.line), accessName(a.kind), a.element, a.value};
    for (int c = 0; c < 5; ++c)
        drawText(c == 2 ? fonts().body : fonts().mono, {columns[c], row.y0, columns[c + 1] - snap(8), row.y1}, t.text,
                 cells[c], c < 2 ? Align::Right : Align::Left);
    if (a.refused)
        drawText(fonts().body, {columns[3], row.y0, columns[5], row.y1}, t.excessText, tr(Text::AccessRefused));
}

void drawAccesses(Session& s, const ThreadPicture& t, const Rect& box) {
    if (t.accesses.empty()) {
        const bool found = warpHasFindings(s);
        drawText(fonts().body, {box.x0, box.y0, box.x1, box.y0 + snap(22)},
                 found ? theme().excessText : theme().textDim, tr(found ? Text::NoAccessesFinding : Text::NoAccesses));
        return;
    }
    const float h = snap(22), w = box.width();
    const float columns[] = {
        box.x0, box.x0 + snap(56), box.x0 + snap(112), box.x0 + snap(112) + w * 0.16f, box.x0 + snap(112) + w * 0.46f,
        box.x1};
    const Text heads[] = {Text::ColumnStep, Text::ColumnLine, Text::ColumnAccess, Text::ColumnElement,
                          Text::ColumnValue};
    for (int c = 0; c < 5; ++c)
        drawText(fonts().small, {columns[c], box.y0, columns[c + 1] - snap(8), box.y0 + snap(18)}, theme().textDim,
                 tr(heads[c]), c < 2 ? Align::Right : Align::Left);
    hLine(box.x0, box.x1, box.y0 + snap(19), theme().line);
    const Rect list{box.x0, box.y0 + snap(20), box.x1, box.y1};
    beginScroll("accesses", list);
    const float origin = ImGui::GetCursorScreenPos().y;
    ImGui::Dummy({1, float(t.accesses.size()) * h});
    for (size_t i = 0; i < t.accesses.size(); ++i) {
        const float y = std::round(origin + float(i) * h);
        if (y + h >= list.y0 && y <= list.y1)
            accessRow(s, t.accesses[i], {box.x0, y, box.x1 - snap(14), y + h}, columns);
    }
    endScroll();
}

void drawCard(Session& s, const Rect& box) {
    hLine(box.x0, box.x1, box.y0, theme().line);
    const RunResult& p = *s.picture();
    const sim::LaunchConfig& c = p.launch.config;
    if (s.selection().lane < 0) {
        drawText(fonts().body, {box.x0, box.y0 + snap(8), box.x1, box.y0 + snap(32)}, theme().textDim,
                 tr(Text::NoLane));
        return;
    }
    const ThreadPicture t = pictureThread(c, p.request.block, p.request.warp, unsigned(s.selection().lane), s.trace(),
                                          &s.rows(), &p.report, p.launch.buffers);
    float y = box.y0 + snap(8);
    if (!t.exists) {
        drawText(fonts().body, {box.x0, y, box.x1, y + snap(24)}, theme().textDim,
                 fill(tr(Text::ThreadMissing), {n(c.block.count())}));
        return;
    }
    drawText(fonts().bold, {box.x0, y, box.x1, y + snap(22)}, theme().text,
             fill(tr(Text::ThreadCard), {formatCoordinate(t.thread, c.block), formatCoordinate(t.block, c.grid)}));
    y = drawIndices(t, {box.x0, y + snap(24), box.x1, box.y1});
    if (box.y1 - y > snap(44)) drawAccesses(s, t, {box.x0, y, box.x1, box.y1});
}

} // namespace

void drawThreadsPanel(Session& s, const Rect& box) {
    const LaneAxis axis = makeLaneAxis(box.x0, box.width() - snap(14));
    float y = drawGrid(s, axis, box);
    const float card = s.selection().lane >= 0 ? std::min(snap(220), box.height() * 0.5f) : snap(40);
    y = drawBlock(s, axis, {box.x0, y, box.x1, box.y1}, card);
    drawCard(s, {box.x0, y, box.x1, box.y1});
}

} // namespace playground
