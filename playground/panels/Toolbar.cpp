// Lesson, variant, run, window switches; below them the knobs, the launch and the state of the run.
#include "playground/panels/Window.h"
#include "playground/session/Figures.h"
#include "playground/session/Strings.h"
#include "playground/session/ThreadPicture.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>

namespace playground {
namespace {

std::string titleOf(const Lesson& lesson) {
    const auto own = lesson.title.find(languageCode());
    const auto english = lesson.title.find("en");
    const std::string title = own != lesson.title.end()       ? own->second
                              : english != lesson.title.end() ? english->second
                                                              : lesson.slug;
    return (lesson.number < 10 ? "0" : "") + std::to_string(lesson.number) + "  " + title;
}

void lessonChoice(Session& s, ImVec2& at, float width) {
    std::vector<std::string> titles;
    int chosen = -1;
    for (const auto& lesson : s.lessons()) {
        if (lesson.get() == s.lesson()) chosen = int(titles.size());
        titles.push_back(titleOf(*lesson));
    }
    const int picked =
        dropDown("lesson", at, width, titles, chosen, {tr(Text::ChooseLesson), tr(Text::ChooseLessonHelp), {}});
    if (picked >= 0) s.openLesson(s.lessons()[size_t(picked)]->slug);
}

void variantChoice(Session& s, ImVec2& at, float room) {
    if (s.lesson() == nullptr || s.lesson()->variants.size() < 2) return;
    std::vector<std::string> labels, helps;
    int chosen = 0;
    float wanted = 0;
    for (const Variant& v : s.lesson()->variants) {
        if (&v == s.variant()) chosen = int(labels.size());
        labels.push_back(v.label.empty() ? v.id : v.label);
        helps.push_back(v.help);
        wanted += textWidth(fonts().body, labels.back()) + snap(20);
    }
    const int picked = wanted <= room ? segments("variant", at, labels, chosen, room, helps)
                                      : dropDown("variant", at, std::min(room, snap(220)), labels, chosen,
                                                 {tr(Text::ChooseVariant), tr(Text::ChooseVariantHelp), {}});
    if (picked >= 0) s.chooseVariant(s.lesson()->variants[size_t(picked)].id);
}

void windowSwitches(Session& s, ImVec2 at) {
    const auto look = [](bool on) { return on ? ButtonLook::Toggled : ButtonLook::Quiet; };
    if (!s.ui.compact && iconButton("show-lesson", at, Icon::Lesson,
                                    {tr(Text::ShowLesson), tr(Text::ShowLessonHelp), "L"}, look(s.ui.lessonShown)))
        s.ui.lessonShown = !s.ui.lessonShown;
    if (iconButton("views", at, s.ui.twoViews ? Icon::TwoViews : Icon::OneView,
                   {tr(Text::OneOrTwoViews), tr(Text::OneOrTwoViewsHelp), "V"}))
        s.ui.twoViews = !s.ui.twoViews;
    if (iconButton("theme", at, Icon::Theme, {tr(Text::SwitchTheme), tr(Text::SwitchThemeHelp), "T"}))
        s.ui.dark = !s.ui.dark;
    if (iconButton("projector", at, Icon::Projector, {tr(Text::Projector), tr(Text::ProjectorHelp), "P"},
                   look(s.ui.projector))) {
        s.ui.projector = !s.ui.projector;
        s.ui.dark = !s.ui.projector;
    }
    if (iconButton("help", at, Icon::Help, {tr(Text::Help), tr(Text::HelpHelp), "F1"}, look(s.ui.helpShown)))
        s.ui.helpShown = !s.ui.helpShown;
}

bool knob(Session& s, const Knob& k, ImVec2& at) {
    StepperValue v;
    v.value = s.knobs().at(k.name);
    v.minimum = k.minimum;
    v.maximum = k.maximum;
    v.logarithmic = k.logarithmic;
    v.real = k.real;
    v.choices = k.choices;
    const std::string& label = k.label.empty() ? k.name : k.label;
    if (!stepper(k.name.c_str(), at, {label, k.help, {}}, v)) return false;
    return s.setKnob(k.name, v.value);
}

std::string launchText(const Session& s) {
    const RunResult* p = s.picture();
    if (p == nullptr) return "";
    const sim::LaunchConfig& c = p->launch.config;
    std::string text =
        fill(tr(Text::LaunchDims), {formatCoordinate(c.grid, c.grid), formatCoordinate(c.block, c.block)});
    if (c.dynamicSharedBytes > 0) text += fill(tr(Text::SharedBytes), {formatBytes(c.dynamicSharedBytes)});
    return text;
}

std::string statusText(const Session& s, ImU32& colour) {
    colour = theme().textDim;
    if (!s.ui.notice.empty() && s.ui.noticeIsProblem) {
        colour = theme().excessText;
        return s.ui.notice;
    }
    if (s.running() && s.progress() > 0)
        return fill(tr(Text::StatusRunning), {std::to_string(int(s.progress() * 100))});
    if (s.stale()) return tr(Text::StatusStale);
    const RunResult* r = s.result();
    if (r == nullptr) return "";
    if (!r->launched) {
        colour = theme().excessText;
        return tr(Text::StatusBroken);
    }
    if (r->report.status == sim::LaunchStatus::Stopped) {
        colour = theme().excessText;
        return tr(Text::StatusStopped);
    }
    if (r->report.status == sim::LaunchStatus::LimitExceeded) {
        colour = theme().excessText;
        return tr(Text::StatusLimit);
    }
    if (!s.ui.notice.empty()) return s.ui.notice;
    return fill(tr(Text::StatusDone), {formatMilliseconds(r->launchMs)});
}

} // namespace

float drawToolbar(Session& s, float width) {
    const float height = controlHeight() + snap(16);
    fillRect({0, 0, width, height}, theme().raised);
    ImVec2 at{snap(12), snap(8)};
    const float switches = 5 * (controlHeight() + snap(2)) + snap(12);
    lessonChoice(s, at, std::min(snap(260), width * 0.24f));
    const bool running = s.running() && s.progress() > 0;
    if (!running && button("run", at, {tr(Text::Run), tr(Text::RunHelp), "F5"}, ButtonLook::Primary)) s.run();
    if (running && button("stop", at, {tr(Text::Stop), tr(Text::StopHelp), "Esc"}, ButtonLook::Primary)) s.cancel();
    at.x += snap(8);
    const float reset = s.edited() ? textWidth(fonts().body, tr(Text::ResetCode)) + snap(40) : 0;
    variantChoice(s, at, std::max(snap(120), width - switches - reset - at.x - snap(16)));
    if (s.edited() && button("reset", at, {tr(Text::ResetCode), tr(Text::ResetCodeHelp), {}}, ButtonLook::Quiet))
        s.resetCode();
    windowSwitches(s, {width - switches + (s.ui.compact ? controlHeight() + snap(2) : 0), snap(8)});
    return height;
}

float drawKnobBar(Session& s, float width, float y) {
    const float height = controlHeight() + snap(12);
    ImU32 colour = 0;
    const std::string status = statusText(s, colour), launch = launchText(s);
    const float statusWidth = std::min(textWidth(fonts().body, status), width * 0.35f);
    const float launchWidth = textWidth(fonts().mono, launch);
    const float right = width - snap(12) - statusWidth - snap(24);
    std::vector<float> widths;
    float x = snap(12);
    float rows = 1;
    const std::vector<const Knob*> used = s.usedKnobs();
    for (const Knob* k : used) {
        StepperValue v;
        v.maximum = k->maximum, v.minimum = k->minimum, v.choices = k->choices, v.real = k->real;
        widths.push_back(stepperWidth(k->label.empty() ? k->name : k->label, v));
        if (x + widths.back() > right && x > snap(12)) x = snap(12), ++rows;
        x += widths.back();
    }
    const bool showLaunch = x + launchWidth <= right || (rows == 1 && !s.ui.compact);
    if (showLaunch && x + launchWidth > right) ++rows;
    fillRect({0, y, width, y + height * rows}, theme().panel);
    hLine(0, width, y + height * rows - 1, theme().line);
    ImVec2 at{snap(12), y + snap(6)};
    for (size_t i = 0; i < widths.size(); ++i) {
        if (at.x + widths[i] > right && at.x > snap(12)) at = {snap(12), at.y + height};
        knob(s, *used[i], at);
    }
    if (at.x + launchWidth > right && at.x > snap(12)) at = {snap(12), at.y + height};
    const Rect launchBox{at.x, at.y, at.x + launchWidth + 1, at.y + controlHeight()};
    if (showLaunch) drawText(fonts().mono, launchBox, theme().text, launch);
    if (showLaunch && mouseIn(launchBox)) tooltip("<<<grid, block>>>", tr(Text::LaunchDimsHelp));
    float sx = width - snap(12) - statusWidth;
    drawText(fonts().body, {sx, y + snap(6), width - snap(12), y + snap(6) + controlHeight()}, colour, status);
    if (s.result() && s.result()->launched && !s.stale() && colour == theme().textDim)
        drawBadge({sx - snap(24), y + snap(6) + snap(5)}, "S", tr(Text::SimulatedHelp));
    return y + height * rows;
}

} // namespace playground
