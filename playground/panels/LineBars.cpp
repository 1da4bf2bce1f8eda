// Collecting and drawing of per-line costs.
#include "playground/panels/LineBars.h"

#include "playground/session/Captions.h"
#include "playground/session/Figures.h"
#include "playground/session/Strings.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct LineBar {
    uint32_t line = 0;
    sim::AccessKind kind{};
    uint64_t actual = 0, ideal = 0, requests = 0;
};

std::vector<LineBar> barsOf(const Session& s, sim::MemorySpace space) {
    std::vector<LineBar> bars;
    if (s.picture() == nullptr) return bars;
    const bool shared = space == sim::MemorySpace::Shared;
    for (const sim::LineCounters& line : s.picture()->report.byLine)
        for (unsigned k = 0; k < sim::kAccessKinds; ++k) {
            const sim::AccessCounters& a = line.counters.access[unsigned(space)][k];
            if (a.requests == 0) continue;
            bars.push_back({line.line, sim::AccessKind(k), shared ? a.wavefronts : a.sectors,
                            shared ? a.idealWavefronts : a.idealSectors, a.requests});
        }
    return bars;
}

float rowHeight() {
    return snap(22);
}
float headHeight() {
    return snap(28);
}

void drawBar(Session& s, const LineBar& bar, uint64_t most, const LaneAxis& axis, float y, float h, bool shared) {
    const Theme& t = theme();
    const Rect row{axis.left, y, axis.end, y + h};
    ImGui::SetCursorScreenPos(row.min());
    ImGui::PushID(int(bar.line * 8 + unsigned(bar.kind)));
    if (ImGui::InvisibleButton("line", {row.width(), h})) s.goToLine(bar.line);
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (hovered) fillRect(row, t.hover), s.hoverLine(bar.line);
    drawText(fonts().mono, {axis.left, y, axis.x0 - snap(8), y + h}, t.text,
             fill(tr(Text::LineAccess), {std::to_string(bar.line), accessName(bar.kind)}), Align::Right);
    const float full = axis.right - axis.x0, scale = most ? full / float(most) : 0;
    const float ideal = std::round(float(std::min(bar.ideal, bar.actual)) * scale),
                whole = std::max(2.0f, std::round(float(bar.actual) * scale));
    const float y0 = y + snap(4), y1 = y + h - snap(4);
    fillRect({axis.x0, y0, axis.x0 + std::max(1.0f, ideal), y1}, t.neutral);
    if (whole > ideal + 1) fillRect({axis.x0 + ideal + 1, y0, axis.x0 + whole, y1}, t.excess);
    const double perRequest = double(bar.actual) / double(bar.requests);
    drawText(fonts().mono, {axis.right + snap(8), y, axis.end, y + h},
             bar.actual > bar.ideal ? t.excessText : t.textDim,
             formatShort(double(bar.actual)) + " / " + formatShort(double(bar.ideal)));
    if (hovered)
        tooltip(fill(tr(Text::LineAccess), {std::to_string(bar.line), accessName(bar.kind)}),
                fill(tr(shared ? Text::LineWavefronts : Text::LineSectors),
                     {formatCount(bar.actual), formatCount(bar.ideal), formatCount(bar.requests),
                      formatRatio(perRequest)}));
}

} // namespace

float lineBarsHeight(const Session& session, sim::MemorySpace space) {
    const size_t count = barsOf(session, space).size();
    return count == 0 ? 0 : headHeight() + float(count) * rowHeight();
}

void drawLineBars(Session& session, sim::MemorySpace space, const LaneAxis& axis, const Rect& box) {
    const std::vector<LineBar> bars = barsOf(session, space);
    uint64_t most = 0;
    for (const LineBar& bar : bars) most = std::max(most, bar.actual);
    const bool shared = space == sim::MemorySpace::Shared;
    hLine(box.x0, axis.end, box.y0 + snap(3), theme().line);
    const Rect head{axis.x0, box.y0 + snap(6), axis.right, box.y0 + headHeight()};
    drawText(fonts().small, head, theme().textDim, tr(shared ? Text::WholeLaunchWavefronts : Text::WholeLaunchSectors));
    drawText(fonts().small, {axis.right + snap(8), head.y0, axis.end, head.y1}, theme().textDim, tr(Text::ActualIdeal));
    float y = box.y0 + headHeight();
    for (const LineBar& bar : bars) {
        if (y + rowHeight() > box.y1 + 1) break;
        drawBar(session, bar, most, axis, y, rowHeight(), shared);
        y += rowHeight();
    }
}

} // namespace playground
