// Lanes x steps of the traced warp.
#include "playground/panels/Panel.h"

#include <algorithm>

#include "playground/session/Captions.h"
#include "playground/session/Figures.h"
#include "playground/widgets/LaneStrip.h"

namespace playground {
namespace {

std::string trimmed(const std::vector<std::string>& lines, uint32_t line) {
    if (line == 0 || line > lines.size()) return "";
    const std::string& text = lines[line - 1];
    const size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// Lines of the source that the picture was made from (the editor may be ahead of it).
const std::vector<std::string>& sourceLines(const RunResult& picture) {
    static uint64_t id = 0;
    static std::vector<std::string> lines;
    if (id != picture.request.id) lines = split(picture.launch.source), id = picture.request.id;
    return lines;
}

LaneStripRow stripRow(const Session& s, uint32_t index, const std::vector<std::string>& source) {
    const TraceRow& row = s.rows().rows[index];
    LaneStripRow out;
    out.label = trimmed(source, row.line);
    out.line = row.line > 0 ? std::to_string(row.line) : "";
    out.active = std::to_string(row.active.count()) + "/32";
    out.on = row.active;
    out.live = row.live;
    if (row.path >= 0) {
        const BranchPath& path = s.rows().paths[size_t(row.path)];
        out.path = path.name;
        out.pathColour = path.colour;
    }
    out.divergent = row.divergent;
    out.reconverged = row.reconverged;
    out.barrier = row.barrier;
    out.finding = row.finding;
    return out;
}

void react(Session& s, const LaneStripEvents& e) {
    if (e.clickedRow >= 0) s.stepTo(uint32_t(e.clickedRow)), s.ui.focus = Pane::Timeline;
    if (e.clickedLane >= 0 && e.clickedLane != s.selection().lane) s.selectLane(e.clickedLane);
    if (e.hoveredLane >= 0) s.hover(sim::LaneMask{1u << e.hoveredLane});
    if (e.hoveredRow < 0) return;
    const TraceRow& row = s.rows().rows[size_t(e.hoveredRow)];
    s.hoverLine(row.line);
    if (e.hoveredLane < 0 || row.active.has(unsigned(e.hoveredLane))) return;
    const unsigned lane = unsigned(e.hoveredLane);
    if (uint32_t(e.hoveredRow) == s.selection().row)
        tooltip({}, whyMasked(s, lane));
    else {
        const int split = rowThatMasked(s.rows(), uint32_t(e.hoveredRow), lane);
        if (split >= 0)
            tooltip({}, fill(tr(Text::LaneMaskedBy),
                             {std::to_string(lane), std::to_string(s.rows().rows[size_t(split)].line),
                              std::to_string(split)}));
    }
}

} // namespace

void drawDivergencePanel(Session& s, const Rect& box) {
    const uint32_t total = uint32_t(s.rows().rows.size());
    if (total == 0) {
        drawEmpty(box, tr(Text::NoSteps), tr(Text::NoStepsTry));
        return;
    }
    const LaneAxis axis = makeLaneAxis(box.x0, box.width() - snap(14));
    const float header = snap(18);
    drawAxisHeader(axis, box.y0, header, tr(Text::Lane), s.selection().lit());
    drawText(fonts().small, {axis.right + snap(8), box.y0, axis.end, box.y0 + header}, theme().textDim,
             tr(Text::ActiveLanes));
    const std::vector<std::string>& source = sourceLines(*s.picture());
    const LaneStripEvents events =
        drawLaneStrip("strip", {box.x0, box.y0 + header, box.x1, box.y1}, axis, total, s.selection().row,
                      s.ui.revealRow, s.selection().lit(), [&](uint32_t r) { return stripRow(s, r, source); });
    react(s, events);
}

} // namespace playground
