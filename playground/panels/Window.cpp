// Where the panels stand, by the shares that the splitters set.
#include "playground/panels/Window.h"

#include "playground/panels/Panel.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

void panel(const char* id, Session& s, const Rect& box) {
    ImGui::SetCursorScreenPos(box.min());
    ImGui::BeginChild(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    drawPanel(*findPanel(id), s, box);
    ImGui::EndChild();
}

void slot(Session& s, int index, const Rect& box) {
    ImGui::SetCursorScreenPos(box.min());
    ImGui::BeginChild(index == 0 ? "view-0" : "view-1", {std::max(1.0f, box.width()), std::max(1.0f, box.height())},
                      false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    drawViewSlot(s, index, box);
    ImGui::EndChild();
}

float bar() {
    return std::max(4.0f, snap(4));
}

void views(Session& s, const Rect& box) {
    if (!s.ui.twoViews || s.ui.projector || box.height() < snap(560)) {
        slot(s, 0, box);
        return;
    }
    const float split = std::round(box.y0 + box.height() * float(1 - s.ui.viewShare));
    slot(s, 0, {box.x0, box.y0, box.x1, split});
    slot(s, 1, {box.x0, split + bar(), box.x1, box.y1});
    splitter("views-bar", {box.x0, split, box.x1, split + bar()}, false, s.ui.viewShare, 0.5, box.height(), 0.2, 0.8);
}

/// The timeline, and the console below it while there is room.
void bottom(Session& s, const Rect& box) {
    const float timeline = std::min(box.height(), snap(100));
    panel("timeline", s, {box.x0, box.y0, box.x1, box.y0 + timeline});
    if (box.height() - timeline > snap(60)) panel("console", s, {box.x0, box.y0 + timeline + bar(), box.x1, box.y1});
}

void desk(Session& s, const Rect& box) {
    const float lesson = s.ui.lessonShown ? std::round(box.width() * float(s.ui.lessonShare)) : 0;
    const float left = s.ui.lessonShown ? box.x0 + lesson + bar() : box.x0;
    const float floor = std::round(box.y1 - std::max(box.height() * float(s.ui.bottomShare), snap(170)));
    const float code = std::round(left + (box.x1 - left) * float(s.ui.codeShare));
    if (s.ui.lessonShown) panel("lesson", s, {box.x0, box.y0, box.x0 + lesson, box.y1});
    panel("code", s, {left, box.y0, code, floor});
    views(s, {code + bar(), box.y0, box.x1, floor});
    bottom(s, {left, floor + bar(), box.x1, box.y1});
    if (s.ui.lessonShown)
        splitter("lesson-bar", {box.x0 + lesson, box.y0, left, box.y1}, true, s.ui.lessonShare, 0.21, box.width(), 0.12,
                 0.45);
    splitter("code-bar", {code, box.y0, code + bar(), floor}, true, s.ui.codeShare, 0.40, box.x1 - left, 0.2, 0.7);
    splitter("bottom-bar", {left, floor, box.x1, floor + bar()}, false, s.ui.bottomShare, 0.26, box.height(), 0.16,
             0.6);
}

/// Text, code or console by tab.
void leftColumn(Session& s, const Rect& box) {
    const std::vector<std::string> tabs = {tr(Text::LessonTitle), tr(Text::CodeTitle), tr(Text::ConsoleTitle)};
    static constexpr const char* kPanels[] = {"lesson", "code", "console"};
    fillRect(box, theme().panel);
    ImVec2 at{box.x0 + snap(8), box.y0 + snap(6)};
    const int picked = segments("left", at, tabs, int(s.ui.left), box.width() - snap(16));
    if (picked >= 0) s.ui.left = LeftTab(picked);
    panel(kPanels[int(s.ui.left)], s, {box.x0, box.y0 + controlHeight() + snap(10), box.x1, box.y1});
}

/// Where there is little room: one of text, code and console left, the view right, the timeline below.
void compact(Session& s, const Rect& box) {
    const float timeline = snap(s.ui.projector ? 88 : 96);
    const float floor = box.y1 - timeline, split = std::round(box.x0 + box.width() * float(s.ui.compactShare));
    leftColumn(s, {box.x0, box.y0, split, floor});
    views(s, {split + bar(), box.y0, box.x1, floor});
    panel("timeline", s, {box.x0, floor + bar(), box.x1, box.y1});
    splitter("compact-bar", {split, box.y0, split + bar(), floor}, true, s.ui.compactShare, 0.34, box.width(), 0.15,
             0.7);
}

} // namespace

void drawWindow(Session& s, float width, float height) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("window", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    fillRect({0, 0, width, height}, theme().ground);
    s.ui.compact = s.ui.projector || width < px(1400);
    float y = drawToolbar(s, width);
    y = drawKnobBar(s, width, y);
    const Rect rest{0, y + bar(), width, height};
    if (s.ui.compact)
        compact(s, rest);
    else
        desk(s, rest);
    s.ui.revealRow = false;
    if (ImGui::IsMouseClicked(0) && !ImGui::IsAnyItemHovered() &&
        !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
        s.ui.focus = Pane::None;
    ImGui::End();
    if (s.ui.helpShown) drawHelpPage(s, width, height);
}

} // namespace playground
