// Lanes above, lines down to the words they touch, rows of words below.
#include "playground/widgets/WordGrid.h"

#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct Grid {
    const LaneAxis& axis;
    const WordGridStyle& style;
    const WordGridLanes& lanes;
    sim::LaneMask lit;
    const std::vector<WordGridRow>& rows;
    const WordGridCounts& counts;
    float rowHeight;
    bool touches(const WordCell& cell) const { return !(cell.lanes & lit).empty(); }
    bool conflicts(unsigned word) const { return (counts.crowded >> word & 1) != 0; }
};

ImU32 fillOf(const Grid& g, const WordCell& cell, unsigned word) {
    if (g.conflicts(word)) return theme().excess;
    return cell.lanes.count() > 1 ? theme().path[1] : theme().neutral;
}

void drawLanes(const Grid& g, float y0, float y1) {
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        Rect cell = g.axis.cellBox(lane, y0, y1);
        cell.x1 -= 1;
        if (g.lanes.active.has(lane))
            fillRect(cell, g.lit.has(lane) ? theme().select : theme().neutral);
        else if (g.lanes.refused.has(lane))
            fillRect(cell, theme().excessSoft), strokeRect(cell, theme().excess),
                drawIcon(Icon::Finding, cell.inset(snap(3)), theme().excessText);
        else
            hatchRect(cell, theme().hatch), strokeRect(cell, theme().hatch);
    }
}

void drawDegrees(const Grid& g, float y0, float y1) {
    drawText(fonts().small, {g.axis.left, y0, g.axis.x0 - snap(8), y1}, theme().textDim, g.style.degreeName,
             Align::Right);
    for (unsigned word = 0; word < 32; ++word) {
        const Rect cell = g.axis.cellBox(word, y0, y1);
        const uint32_t n = g.counts.asked[word];
        if (g.conflicts(word)) fillRect({cell.x0, cell.y0, cell.x1 - 1, cell.y1}, theme().excess);
        const ImU32 colour = g.conflicts(word) ? readableOn(theme().excess) : theme().text;
        const std::string number = n == 0 ? "" : std::to_string(n);
        ImFont* font = textWidth(fonts().monoSmall, number) <= cell.width() - 2 ? fonts().monoSmall : fonts().tiny;
        if (n != 1 || textWidth(font, number) + 4 <= cell.width())
            drawText(font, {cell.x0 - 2, cell.y0, cell.x1 + 2, cell.y1}, colour, number, Align::Centre);
    }
}

/// Lines from each lane to the columns of its words; lit lanes thick.
void drawFan(const Grid& g, float y0, float y1) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int pass = 0; pass < 2; ++pass) {
        for (const WordGridRow& row : g.rows) {
            for (unsigned word = 0; word < 32; ++word) {
                const sim::LaneMask lanes = row.words[word].lanes;
                for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
                    if (!lanes.has(lane) || g.lit.has(lane) != (pass == 1)) continue;
                    const ImU32 base = pass == 1           ? theme().select
                                       : g.conflicts(word) ? theme().excess
                                                           : theme().neutral;
                    list->AddLine({g.axis.centre(lane), y0}, {g.axis.centre(word), y1},
                                  pass == 1 ? base : withAlpha(base, 0.65f), pass == 1 ? 2.0f : 1.0f);
                }
            }
        }
    }
}

void drawCell(const Grid& g, const WordCell& cell, unsigned word, float y0, float y1) {
    const Theme& t = theme();
    const float margin = g.rowHeight >= snap(14) ? 2.0f : 0.0f;
    Rect box = g.axis.cellBox(word, y0 + margin, y1 - margin);
    box.x1 -= 1;
    if (cell.bytes == 0) {
        if (cell.fetched)
            fillRect(box, t.excessSoft), hatchRect(box, t.excess);
        else
            strokeRect(box, t.absent);
        return;
    }
    const ImU32 fill = fillOf(g, cell, word);
    if (cell.bytes == 0xf) {
        fillRect(box, fill);
    } else {
        if (cell.fetched) fillRect(box, t.excessSoft);
        strokeRect(box, t.lineStrong);
        const float part = box.width() / 4;
        for (int byte = 0; byte < 4; ++byte)
            if (cell.bytes >> byte & 1)
                fillRect({box.x0 + float(byte) * part, box.y0, box.x0 + float(byte + 1) * part, box.y1}, fill);
    }
    const bool many = cell.lanes.count() > 1;
    const std::string number = many ? std::to_string(cell.lanes.count()) : std::to_string(cell.lanes.lowest());
    ImFont* font = textWidth(fonts().monoSmall, number) <= box.width() - 3 ? fonts().monoSmall : fonts().tiny;
    const bool room = textWidth(font, "31") <= box.width() && font->FontSize <= box.height() + 4; // for all or for none
    if (room && cell.bytes == 0xf)
        drawText(font, {box.x0 - 1, box.y0, box.x1 + 2, box.y1}, readableOn(fill), number, Align::Centre);
    if (g.touches(cell)) strokeRect({box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1}, t.select, 2);
}

/// Labels end above `floor`, the lower edge of what is seen.
void drawRow(const Grid& g, const WordGridRow& row, size_t index, float y0, float y1, float floor) {
    const float label = fonts().mono->FontSize;
    const size_t every = size_t(std::max(1.0f, std::ceil(label / g.rowHeight)));
    if (index % every == 0) {
        const float middle = (y0 + y1) / 2, top = every > 1 ? y0 : middle - label / 2;
        const Rect box{g.axis.left, top, g.axis.x0 - snap(8), top + label};
        const bool fits = textWidth(fonts().mono, row.label) <= box.width();
        if (top + label <= floor)
            drawText(fits ? fonts().mono : fonts().monoSmall, box, theme().text, row.label, Align::Right);
        if (every == 1)
            drawText(fonts().mono, {g.axis.right + snap(8), top, g.axis.end, top + label}, theme().textDim,
                     row.figures);
    }
    for (unsigned word = 0; word < 32; ++word) drawCell(g, row.words[word], word, y0, y1);
    if (!g.style.sectors || g.rowHeight < snap(10)) return;
    for (unsigned sector = 0; sector < 4; ++sector)
        if (row.words[sector * 8].fetched)
            strokeRect({g.axis.x(sector * 8) - 1, y0, g.axis.x(sector * 8 + 7) + g.axis.cell, y1}, theme().lineStrong);
}

void rowsRegion(const char* id, const Grid& g, const Rect& box, WordGridEvents& events) {
    beginScroll(id, box);
    const float origin = ImGui::GetCursorScreenPos().y;
    const float total = float(g.rows.size()) * g.rowHeight;
    ImGui::InvisibleButton("words", {std::max(1.0f, g.axis.right - box.x0), std::max(1.0f, total)});
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        events.hoveredRow = std::min(int(g.rows.size()) - 1, int((mouse.y - origin) / g.rowHeight));
        events.hoveredWord = g.axis.laneAt(mouse.x);
        if (events.hoveredWord >= 0)
            events.hovered = g.rows[size_t(events.hoveredRow)].words[size_t(events.hoveredWord)].lanes;
    }
    const size_t first = size_t(std::max(0.0f, (box.y0 - origin) / g.rowHeight));
    for (size_t r = first; r < g.rows.size(); ++r) {
        const float y = std::round(origin + float(r) * g.rowHeight);
        if (y > box.y1) break;
        drawRow(g, g.rows[r], r, y, y + g.rowHeight - (g.rowHeight >= snap(14) ? snap(2) : 1.0f), box.y1);
    }
    endScroll();
}

float rowHeight() {
    return snap(24);
}
float fanHeight() {
    return snap(56);
}

} // namespace

float wordGridHeight(const WordGridStyle& style, size_t rows) {
    return snap(16) + fanHeight() + (style.degreeName[0] != '\0' ? snap(22) : 0) + float(rows) * rowHeight();
}

WordGridEvents drawWordGrid(const char* id, const Rect& box, const LaneAxis& axis, const WordGridStyle& style,
                            const WordGridLanes& lanes, const std::vector<WordGridRow>& rows,
                            const WordGridCounts& counts, sim::LaneMask lit) {
    WordGridEvents events;
    const float laneHeight = snap(16);
    const bool counted = style.degreeName[0] != '\0';
    const bool fits = wordGridHeight(style, rows.size()) <= box.height();
    const float fan =
        fits ? std::min(box.height() - wordGridHeight(style, rows.size()) + fanHeight(), snap(112)) : snap(28);
    const float room = box.height() - laneHeight - fan - (counted ? snap(22) : 0);
    const float height =
        std::clamp(std::floor(room / float(std::max<size_t>(1, rows.size()))), std::max(5.0f, snap(6)), rowHeight());
    const Grid g{axis, style, lanes, lit, rows, counts, height};
    float y = box.y0;
    drawLanes(g, y, y + laneHeight);
    ImGui::SetCursorScreenPos({axis.x0, y});
    ImGui::InvisibleButton((std::string(id) + "-lanes").c_str(), {axis.right - axis.x0, laneHeight});
    if (const int lane = axis.laneAt(ImGui::GetIO().MousePos.x); lane >= 0) {
        if (ImGui::IsItemHovered()) events.hovered = sim::LaneMask{1u << lane}, events.hoveredWord = lane;
        if (ImGui::IsItemClicked()) events.clickedLane = lane;
    }
    y += laneHeight;
    ImGui::PushClipRect({axis.x0 - 2, y}, {axis.right + 2, y + fan}, true);
    drawFan(g, y, y + fan);
    ImGui::PopClipRect();
    y += fan;
    if (counted) drawDegrees(g, y, y + snap(20)), y += snap(22);
    rowsRegion(id, g, {axis.left, y, axis.end + snap(14), box.y1}, events);
    layoutLog().add("grid", id, {axis.x0, box.y0}, {axis.right, box.y1});
    return events;
}

} // namespace playground
