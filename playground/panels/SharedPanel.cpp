// One access to shared memory over the 32 banks.
#include "playground/panels/Legend.h"
#include "playground/panels/LineBars.h"
#include "playground/panels/Panel.h"
#include "playground/session/Captions.h"
#include "playground/session/Figures.h"
#include "playground/widgets/WordGrid.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

std::vector<WordGridRow> gridRows(const SharedPicture& picture) {
    std::vector<WordGridRow> rows;
    for (const WordRow& from : picture.rows) {
        WordGridRow row;
        row.label = from.label.empty() ? "+" + std::to_string(from.address) : from.label;
        for (unsigned w = 0; w < 32; ++w) row.words[w] = {from.words[w].lanes, from.words[w].bytes, false};
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Wavefronts as boxes: the ideal ones in grey, the others in vermilion.
void drawWavefronts(const Rect& box, const SharedPicture& picture) {
    float x = box.x0 + drawText(fonts().small, box, theme().textDim, tr(Text::LegendWavefronts)) + snap(8);
    const float room = box.x1 - x - snap(36),
                step = std::clamp(std::floor(std::max(1.0f, room) / float(std::max(1u, picture.wavefronts))), 2.0f,
                                  snap(16));
    const float y = std::round((box.y0 + box.y1 - snap(14)) / 2), gap = step > 6 ? snap(2) : 1.0f;
    for (uint32_t i = 0; room >= snap(16) && i < picture.wavefronts; ++i, x += step)
        fillRect({x, y, x + step - gap, y + snap(14)}, i < picture.ideal ? theme().neutral : theme().excess);
    const std::string figure = std::to_string(picture.wavefronts);
    drawText(fonts().mono, {x + snap(6), box.y0, box.x1, box.y1}, theme().text, figure);
}

void react(Session& s, const WordGridEvents& e, const ShownAccess& shown, const SharedPicture& picture) {
    if (!e.hovered.empty()) s.hover(e.hovered);
    if (e.clickedLane >= 0) s.selectLane(e.clickedLane);
    if (!e.hovered.empty()) s.hoverLine(s.rows().rows[shown.row].line);
    if (e.hoveredRow < 0 || e.hoveredWord < 0) return;
    const WordRow& row = picture.rows[size_t(e.hoveredRow)];
    const TouchedWord& word = row.words[size_t(e.hoveredWord)];
    if (word.bytes == 0) return;
    const uint64_t offset = row.address + uint64_t(e.hoveredWord) * 4;
    const uint64_t base = shown.access->address[shown.access->active.lowest()] -
                          sim::sharedOffset(shown.access->address[shown.access->active.lowest()]);
    const std::string element = elementName(base + offset, s.picture()->report.allocations);
    tooltip(element.empty() ? "+" + std::to_string(offset) : element,
            fill(tr(Text::BankTip), {std::to_string(e.hoveredWord), std::to_string(word.lanes.count()),
                                     std::to_string(picture.asked[size_t(e.hoveredWord)])}));
}

} // namespace

void drawSharedPanel(Session& s, const Rect& box) {
    const auto shown = shownAccess(s, sim::MemorySpace::Shared);
    if (!shown) {
        drawEmpty(box, tr(Text::SharedEmpty), tr(warpHasFindings(s) ? Text::AccessesRefused : Text::SharedEmptyTry));
        return;
    }
    const SharedPicture picture = pictureShared(*shown->access, shown->operation, s.picture()->report.allocations);
    const LaneAxis axis = makeLaneAxis(box.x0, box.width() - snap(14));
    const float header = snap(18), legend = box.height() > snap(170) ? legendHeight() : 0;
    const WordGridStyle style{tr(Text::WordsPerBank), false};
    const std::vector<WordGridRow> rows = gridRows(picture);
    const float bars = lineBarsHeight(s, sim::MemorySpace::Shared) + snap(4),
                wanted = wordGridHeight(style, rows.size()) + snap(4);
    const float room = box.height() - header - legend;
    const float grid = room - wanted >= std::min(bars, snap(76))
                           ? std::min(wanted + snap(56), room - std::min(bars, room - wanted))
                           : room;
    drawAxisHeader(axis, box.y0, header, tr(Text::Lane), s.selection().lit());
    const Rect gridBox{box.x0, box.y0 + header, axis.end, box.y0 + header + grid};
    const WordGridEvents events =
        drawWordGrid("banks", gridBox, axis, style, {shown->access->active, s.rows().rows[shown->row].refused}, rows,
                     {picture.asked, picture.crowded}, s.selection().lit());
    if (legend > 0) {
        const float y = gridBox.y1;
        drawLegend({axis.x0, y, box.x1, y + legend}, {{theme().neutral, false, tr(Text::LegendWord)},
                                                      {theme().path[1], false, tr(Text::LegendShared)},
                                                      {theme().excess, false, tr(Text::LegendConflict)}});
        drawWavefronts({axis.left, y, axis.x0 - snap(8), y + legend}, picture);
    }
    if (grid < room)
        drawLineBars(s, sim::MemorySpace::Shared, axis, {box.x0, gridBox.y1 + legend + snap(4), box.x1, box.y1});
    react(s, events, *shown, picture);
}

} // namespace playground
