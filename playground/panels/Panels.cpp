// The one list of panels, and the frame that all of them share.
#include "playground/panels/Panel.h"

#include "playground/session/Captions.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <array>

namespace playground {
namespace {

std::string captionCode(const Session& s);

constexpr std::array<Panel, 8> kPanels = {{
    {"lesson", Text::LessonTitle, Text::LessonHelp, false, nullptr, drawLessonPanel},
    {"code", Text::CodeTitle, Text::CodeHelp, false, captionCode, drawCodePanel},
    {"threads", Text::ThreadsTitle, Text::ThreadsHelp, true, captionThreads, drawThreadsPanel},
    {"divergence", Text::DivergenceTitle, Text::DivergenceHelp, true, captionDivergence, drawDivergencePanel},
    {"shared", Text::SharedTitle, Text::SharedHelp, true, captionShared, drawSharedPanel},
    {"global", Text::GlobalTitle, Text::GlobalHelp, true, captionGlobal, drawGlobalPanel},
    {"timeline", Text::TimelineTitle, Text::TimelineHelp, false, nullptr, drawTimelinePanel},
    {"console", Text::ConsoleTitle, Text::ConsoleHelp, false, nullptr, drawConsolePanel},
}};

std::string captionCode(const Session& s) {
    const Variant* v = s.variant();
    return v == nullptr ? "" : v->file;
}

void frame(const Rect& box, const char* id) {
    fillRect(box, theme().panel);
    layoutLog().add("panel", id, box.min(), box.max());
}

void helpButton(const Panel& panel, const Rect& header) {
    ImVec2 at{header.x1 - controlHeight(), header.y0};
    iconButton((std::string("help-") + panel.id).c_str(), at, Icon::Help, {tr(panel.title), tr(panel.help), {}});
}

/// The line that says what is shown now, with the badge of simulated figures. Returns the y below it.
float nowLine(const Panel& panel, const Session& s, const Rect& box, float y) {
    const std::string now = panel.now ? panel.now(s) : "";
    const float height = snap(22);
    if (now.empty()) return y + snap(4);
    float x = box.x0 + snap(12);
    if (panel.view) x += drawBadge({x, y + snap(2)}, "S", tr(Text::SimulatedHelp)) + snap(8);
    const ImU32 colour = s.stale() && panel.view ? theme().textDim : theme().text;
    const float right = box.x1 - snap(12);
    if (textWidth(fonts().body, now) <= right - x || box.height() < snap(200)) {
        drawText(fonts().body, {x, y, right, y + height}, colour, now);
        return y + height + snap(6);
    }
    const size_t colon = now.find(": "); // where it is, then what happens there
    const size_t cut = colon == std::string::npos ? 0 : colon + 2;
    if (cut > 0) drawText(fonts().body, {x, y, right, y + height}, theme().textDim, now.substr(0, colon + 1));
    drawText(fonts().body, {x, y + height, right, y + 2 * height}, colour, now.substr(cut));
    return y + 2 * height + snap(6);
}

} // namespace

std::span<const Panel> panels() {
    return kPanels;
}

const Panel* findPanel(std::string_view id) {
    for (const Panel& panel : kPanels)
        if (panel.id == id) return &panel;
    return nullptr;
}

void drawEmpty(const Rect& box, const char* what, const char* tryThis) {
    const float y = box.y0 + box.height() * 0.36f;
    drawText(fonts().bold, {box.x0 + snap(16), y, box.x1 - snap(16), y + snap(24)}, theme().text, what, Align::Centre);
    drawText(fonts().body, {box.x0 + snap(16), y + snap(26), box.x1 - snap(16), y + snap(50)}, theme().textDim, tryThis,
             Align::Centre);
}

void drawPanel(const Panel& panel, Session& session, const Rect& box) {
    frame(box, panel.id);
    ImGui::PushID(panel.id);
    ImGui::PushClipRect(box.min(), box.max(), true);
    panel.draw(session, box);
    ImGui::PopClipRect();
    ImGui::PopID();
}

void drawViewSlot(Session& session, int slot, const Rect& box) {
    std::string& id = session.ui.views[size_t(slot)];
    const Panel* panel = findPanel(id);
    if (panel == nullptr || !panel->view) panel = findPanel(id = slot == 0 ? "threads" : "global");
    std::vector<std::string> labels, helps;
    std::vector<const Panel*> choices;
    int chosen = 0;
    for (const Panel& p : kPanels) {
        if (!p.view) continue;
        if (&p == panel) chosen = int(choices.size());
        choices.push_back(&p);
        labels.emplace_back(tr(p.title));
        helps.emplace_back(tr(p.help));
    }
    ImGui::PushID(slot);
    frame(box, panel->id);
    ImGui::PushClipRect(box.min(), box.max(), true);
    const Rect header{box.x0 + snap(8), box.y0 + snap(6), box.x1 - snap(8), box.y0 + snap(6) + controlHeight()};
    ImVec2 at = header.min();
    const int picked = segments("views", at, labels, chosen, header.width() - controlHeight() - snap(16), helps);
    helpButton(*panel, header);
    const float y = nowLine(*panel, session, box, header.y1 + snap(4));
    const Rect body{box.x0 + snap(12), y, box.x1 - snap(8), box.y1 - snap(8)};
    if (session.picture() == nullptr)
        drawEmpty(body, tr(Text::NoPicture), tr(Text::NoPictureTry));
    else if (body.height() > snap(40))
        panel->draw(session, body);
    ImGui::PopClipRect();
    ImGui::PopID();
    if (picked >= 0) session.showView(choices[size_t(picked)]->id, slot);
}

} // namespace playground
