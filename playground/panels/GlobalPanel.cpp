// One access to global memory over sectors and lines.
#include "playground/panels/Legend.h"
#include "playground/panels/LineBars.h"
#include "playground/panels/Panel.h"
#include "playground/session/Captions.h"
#include "playground/session/Figures.h"
#include "playground/widgets/WordGrid.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

namespace playground {
namespace {

std::string hex(uint64_t address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%" PRIx64, address);
    return text;
}

std::vector<WordGridRow> gridRows(const GlobalPicture& picture) {
    std::vector<WordGridRow> rows;
    for (const WordRow& from : picture.rows) {
        WordGridRow row;
        row.label = from.label.empty() ? hex(from.address) : from.label;
        row.figures =
            std::to_string(std::popcount(from.sectors)) + (std::popcount(from.sectors) == 1 ? " sector" : " sectors");
        for (unsigned w = 0; w < 32; ++w)
            row.words[w] = {from.words[w].lanes, from.words[w].bytes, (from.sectors >> (w / 8) & 1) != 0};
        rows.push_back(std::move(row));
    }
    return rows;
}

void react(Session& s, const WordGridEvents& e, const ShownAccess& shown, const GlobalPicture& picture) {
    if (!e.hovered.empty()) s.hover(e.hovered);
    if (e.clickedLane >= 0) s.selectLane(e.clickedLane);
    if (!e.hovered.empty()) s.hoverLine(s.rows().rows[shown.row].line);
    if (e.hoveredRow < 0 || e.hoveredWord < 0) return;
    const WordRow& row = picture.rows[size_t(e.hoveredRow)];
    const TouchedWord& word = row.words[size_t(e.hoveredWord)];
    const uint64_t address = row.address + uint64_t(e.hoveredWord) * 4;
    const std::string element = elementName(address, s.picture()->report.allocations);
    const Text says = word.bytes != 0                                 ? Text::SectorTip
                      : (row.sectors >> (e.hoveredWord / 8) & 1) != 0 ? Text::SectorWasteTip
                                                                      : Text::SectorIdleTip;
    tooltip(element.empty() ? hex(address) : element,
            fill(tr(says), {hex(address), std::to_string(e.hoveredWord / 8), std::to_string(word.lanes.count())}));
}

/// Bytes used against bytes fetched, and the legend.
void drawBytes(const LaneAxis& axis, const Rect& box, const GlobalPicture& picture) {
    const float y = box.y0 + snap(4);
    drawText(fonts().small, {axis.left, y, axis.x0 - snap(8), y + snap(20)}, theme().textDim, tr(Text::BytesMoved),
             Align::Right);
    drawShareBar({axis.x0, y, axis.right, y + snap(20)}, picture.usefulBytes, picture.fetchedBytes,
                 fill(tr(Text::BytesUsed), {formatBytes(picture.usefulBytes)}),
                 fill(tr(Text::BytesWasted),
                      {formatBytes(picture.fetchedBytes - std::min(picture.fetchedBytes, picture.usefulBytes))}));
    drawLegend({axis.x0, box.y1 - legendHeight(), box.x1, box.y1}, {{theme().neutral, false, tr(Text::LegendWord)},
                                                                    {theme().path[1], false, tr(Text::LegendShared)},
                                                                    {theme().excess, true, tr(Text::LegendUnused)}});
}

} // namespace

void drawGlobalPanel(Session& s, const Rect& box) {
    const auto shown = shownAccess(s, sim::MemorySpace::Global);
    if (!shown) {
        drawEmpty(box, tr(Text::GlobalEmpty), tr(warpHasFindings(s) ? Text::AccessesRefused : Text::GlobalEmptyTry));
        return;
    }
    const GlobalPicture picture = pictureGlobal(*shown->access, s.picture()->report.allocations);
    const LaneAxis axis = makeLaneAxis(box.x0, box.width() - snap(14));
    const float header = snap(18), foot = box.height() > snap(150) ? legendHeight() + snap(28) : 0;
    const WordGridStyle style{"", true};
    const std::vector<WordGridRow> rows = gridRows(picture);
    const float bars = lineBarsHeight(s, sim::MemorySpace::Global) + snap(4),
                wanted = wordGridHeight(style, rows.size()) + snap(4);
    const float room = box.height() - header - foot;
    const float grid = room - wanted >= std::min(bars, snap(76))
                           ? std::min(wanted + snap(56), room - std::min(bars, room - wanted))
                           : room;
    drawAxisHeader(axis, box.y0, header, tr(Text::Lane), s.selection().lit());
    const Rect gridBox{box.x0, box.y0 + header, axis.end, box.y0 + header + grid};
    const WordGridEvents events =
        drawWordGrid("sectors", gridBox, axis, style, {shown->access->active, s.rows().rows[shown->row].refused}, rows,
                     {}, s.selection().lit());
    if (foot > 0) drawBytes(axis, {box.x0, gridBox.y1, box.x1, gridBox.y1 + foot}, picture);
    if (grid < room)
        drawLineBars(s, sim::MemorySpace::Global, axis, {box.x0, gridBox.y1 + foot + snap(4), box.x1, box.y1});
    react(s, events, *shown, picture);
}

} // namespace playground
