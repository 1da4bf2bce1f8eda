// Step buttons, the choice of warp and block, and the scrub bar.
#include "playground/panels/Panel.h"

#include <algorithm>

#include "playground/session/Figures.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/Timeline.h"

namespace playground {
namespace {

void stepButtons(Session& s, ImVec2& at) {
    const bool any = !s.rows().rows.empty();
    const char* help = tr(Text::StepHelp);
    if (iconButton("first", at, Icon::First, {tr(Text::First), help, "Home"}, ButtonLook::Quiet, any))
        s.stepToEnd(false);
    if (iconButton("back", at, Icon::Back, {tr(Text::Back), help, "Shift+F10"}, ButtonLook::Quiet, any)) s.stepBy(-1);
    const bool playing = s.ui.playing;
    if (iconButton("play", at, playing ? Icon::Pause : Icon::Play,
                   {tr(playing ? Text::Pause : Text::Play), help, "Space"}, ButtonLook::Quiet, any))
        s.togglePlay();
    if (iconButton("forward", at, Icon::Forward, {tr(Text::Forward), help, "F10"}, ButtonLook::Quiet, any)) s.stepBy(1);
    if (iconButton("last", at, Icon::Last, {tr(Text::Last), help, "End"}, ButtonLook::Quiet, any)) s.stepToEnd(true);
    at.x += snap(8);
}

void jumpButtons(Session& s, ImVec2& at) {
    struct Jump {
        const char* id;
        StepTarget target;
        Icon icon;
        Text name, help;
        const char* key;
    };
    static constexpr Jump kJumps[] = {
        {"divergence", StepTarget::Divergence, Icon::Divergence, Text::NextDivergence, Text::NextDivergenceHelp, "D"},
        {"conflict", StepTarget::Conflict, Icon::Conflict, Text::NextConflict, Text::NextConflictHelp, "C"},
        {"barrier", StepTarget::Barrier, Icon::Barrier, Text::NextBarrier, Text::NextBarrierHelp, "B"},
        {"finding", StepTarget::Finding, Icon::Finding, Text::NextFinding, Text::NextFindingHelp, "F"}};
    for (const Jump& j : kJumps) {
        const bool any = findTarget(s.rows(), s.selection().row, j.target).has_value();
        if (iconButton(j.id, at, j.icon, {tr(j.name), tr(j.help), j.key}, ButtonLook::Quiet, any))
            s.stepTo(j.target, !ImGui::GetIO().KeyShift);
    }
    at.x += snap(8);
}

void warpChoice(Session& s, ImVec2& at) {
    const RunResult* p = s.picture();
    if (p == nullptr) return;
    const sim::LaunchConfig& c = p->launch.config;
    StepperValue block{double(s.selection().block.value), 0, double(c.grid.count() - 1), false, false, {}};
    if (stepper("block", at, {tr(Text::Block), tr(Text::BlockHelp), {}}, block))
        s.selectWarp(sim::BlockId{uint32_t(std::clamp(block.value, 0.0, block.maximum))}, s.selection().warp);
    StepperValue warp{double(s.selection().warp.value), 0, double((c.block.count() + 31) / 32 - 1), false, false, {}};
    if (stepper("warp", at, {tr(Text::Warp), tr(Text::WarpHelp), {}}, warp))
        s.selectWarp(s.selection().block, sim::WarpId{uint32_t(std::clamp(warp.value, 0.0, warp.maximum))});
}

TimelineMark markOf(const Session& s, uint32_t index) {
    const TraceRow& row = s.rows().rows[index];
    TimelineMark mark;
    mark.line = row.line;
    mark.active = float(row.active.count()) / 32.0f;
    mark.pathColour = row.path >= 0 ? s.rows().paths[size_t(row.path)].colour : -1;
    mark.divergence = row.divergent;
    mark.conflict = isTarget(row, StepTarget::Conflict);
    mark.barrier = row.barrier;
    mark.finding = row.finding;
    return mark;
}

} // namespace

void drawTimelinePanel(Session& s, const Rect& box) {
    ImVec2 at{box.x0 + snap(8), box.y0 + snap(6)};
    stepButtons(s, at);
    const std::string total = std::to_string(s.rows().rows.empty() ? 0 : s.rows().rows.size() - 1);
    const bool cut = s.trace() != nullptr && s.trace()->truncated;
    const std::string where =
        fill(tr(cut ? Text::StepTruncated : Text::StepOf), {std::to_string(s.selection().row), total});
    const float width = textWidth(fonts().mono, where);
    drawText(fonts().mono, {at.x, at.y, at.x + width + 1, at.y + controlHeight()}, theme().text, where);
    at.x += width + snap(16);
    jumpButtons(s, at);
    warpChoice(s, at);
    const float top = box.y0 + snap(6) + controlHeight() + snap(4);
    const Rect bar{box.x0 + snap(12), top, box.x1 - snap(12), box.y1 - snap(8)};
    if (bar.height() < snap(20)) return;
    const TimelineEvents e = drawTimeline("scrub", bar, uint32_t(s.rows().rows.size()), s.selection().row,
                                          s.ui.focus == Pane::Timeline, [&](uint32_t r) { return markOf(s, r); });
    if (e.scrubbedTo >= 0) {
        s.stepTo(uint32_t(e.scrubbedTo));
        s.ui.focus = Pane::Timeline;
    }
    if (e.hovered >= 0 && e.scrubbedTo < 0) {
        const TraceRow& row = s.rows().rows[size_t(e.hovered)];
        s.hoverLine(row.line);
        tooltip(fill(tr(Text::StepTip),
                     {std::to_string(e.hovered), std::to_string(row.line), std::to_string(row.active.count())}));
    }
}

} // namespace playground
