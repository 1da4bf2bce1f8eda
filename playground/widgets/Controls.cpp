// Buttons and choices; Steppers.cpp has the knobs.
#include "playground/widgets/Controls.h"

#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct Pressed {
    bool hovered = false, held = false, clicked = false;
};

Pressed area(const char* id, const Rect& box, bool enabled) {
    ImGui::SetCursorScreenPos(box.min());
    Pressed p;
    ImGui::BeginDisabled(!enabled);
    p.clicked = ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())}) && enabled;
    p.hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    p.held = enabled && ImGui::IsItemActive();
    ImGui::EndDisabled();
    return p;
}

struct Colours {
    ImU32 fill, text;
};

Colours coloursOf(ButtonLook look, const Pressed& p, bool enabled) {
    const Theme& t = theme();
    Colours c{look == ButtonLook::Quiet     ? 0u
              : look == ButtonLook::Primary ? t.accent
              : look == ButtonLook::Toggled ? t.neutralSoft
                                            : t.raised,
              look == ButtonLook::Primary ? t.onAccent : t.text};
    if (!enabled) c.text = withAlpha(c.text, 0.4f);
    (void)p;
    return c;
}

void paint(const Rect& box, ButtonLook look, const Pressed& p, const Colours& c, bool enabled) {
    const float rounding = snap(3);
    if (c.fill != 0) fillRect(box, enabled ? c.fill : withAlpha(c.fill, 0.5f), rounding);
    if (look == ButtonLook::Plain) strokeRect(box, theme().line, 1, rounding);
    if (look == ButtonLook::Toggled) strokeRect(box, theme().lineStrong, 1, rounding);
    if (enabled && (p.hovered || p.held)) fillRect(box, p.held ? theme().press : theme().hover, rounding);
}

void help(const Pressed& p, const ControlText& text) {
    if (!p.hovered || p.held) return;
    std::string title(text.label);
    if (!text.shortcut.empty()) title += "  (" + std::string(text.shortcut) + ")";
    tooltip(title, text.help);
}

} // namespace

float controlHeight() {
    return snap(28);
}

bool button(const char* id, ImVec2& at, const ControlText& text, ButtonLook look, bool enabled) {
    ImFont* font = look == ButtonLook::Primary ? fonts().bold : fonts().body;
    const float width = textWidth(font, text.label) + snap(24);
    const Rect box{at.x, at.y, at.x + width, at.y + controlHeight()};
    const Pressed p = area(id, box, enabled);
    const Colours c = coloursOf(look, p, enabled);
    paint(box, look, p, c, enabled);
    drawText(font, box, c.text, text.label, Align::Centre);
    layoutLog().add("button", std::string(text.label), box.min(), box.max());
    help(p, text);
    at.x += width + snap(8);
    return p.clicked;
}

bool iconButton(const char* id, ImVec2& at, Icon icon, const ControlText& text, ButtonLook look, bool enabled) {
    const float size = controlHeight();
    const Rect box{at.x, at.y, at.x + size, at.y + size};
    const Pressed p = area(id, box, enabled);
    const Colours c = coloursOf(look, p, enabled);
    paint(box, look, p, c, enabled);
    drawIcon(icon, box.inset(snap(icon == Icon::Help ? 4 : 7)), c.text);
    layoutLog().add("button", std::string(text.label), box.min(), box.max());
    help(p, text);
    at.x += size + snap(2);
    return p.clicked;
}

int segments(const char* id, ImVec2& at, const std::vector<std::string>& labels, int chosen, float maxWidth,
             const std::vector<std::string>& helps) {
    ImFont* font = fonts().body;
    float total = 0;
    std::vector<float> widths;
    for (const std::string& label : labels) widths.push_back(textWidth(font, label) + snap(20)), total += widths.back();
    if (total > maxWidth)
        for (float& w : widths) w = w * maxWidth / total;
    int clicked = -1;
    const float start = at.x;
    ImGui::PushID(id);
    for (size_t i = 0; i < labels.size(); ++i) {
        const Rect box{std::round(at.x), at.y, std::round(at.x + widths[i]), at.y + controlHeight()};
        const Pressed p = area(labels[i].c_str(), box, true);
        const bool on = int(i) == chosen;
        fillRect(box, on ? theme().neutralSoft : theme().sunken);
        if (p.hovered) fillRect(box, p.held ? theme().press : theme().hover);
        if (on) fillRect({box.x0, box.y1 - snap(2), box.x1, box.y1}, theme().link);
        if (i > 0) vLine(box.x0, box.y0, box.y1, theme().line);
        drawText(font, {box.x0 + snap(6), box.y0, box.x1 - snap(6), box.y1}, on ? theme().text : theme().textDim,
                 labels[i], Align::Centre);
        layoutLog().add("segment", labels[i], box.min(), box.max());
        if (i < helps.size()) help(p, {labels[i], helps[i], {}});
        if (p.clicked) clicked = int(i);
        at.x += widths[i];
    }
    ImGui::PopID();
    strokeRect({start, at.y, std::round(at.x), at.y + controlHeight()}, theme().line, 1);
    at.x += snap(8);
    return clicked;
}

int dropDown(const char* id, ImVec2& at, float width, const std::vector<std::string>& labels, int chosen,
             const ControlText& text) {
    const Rect box{at.x, at.y, std::round(at.x + width), at.y + controlHeight()};
    const Pressed p = area(id, box, !labels.empty());
    const std::string popup = std::string(id) + "-list";
    paint(box, ButtonLook::Plain, p, coloursOf(ButtonLook::Plain, p, true), true);
    fillRect(box, theme().sunken, snap(3));
    strokeRect(box, p.hovered ? theme().lineStrong : theme().line, 1, snap(3));
    const std::string shown = chosen >= 0 && size_t(chosen) < labels.size() ? labels[size_t(chosen)] : "";
    drawText(fonts().body, {box.x0 + snap(8), box.y0, box.x1 - snap(24), box.y1}, theme().text, shown);
    drawIcon(Icon::Down, {box.x1 - snap(20), box.y0 + snap(10), box.x1 - snap(8), box.y1 - snap(10)}, theme().textDim);
    layoutLog().add("dropdown", std::string(text.label), box.min(), box.max());
    if (p.clicked)
        ImGui::OpenPopup(popup.c_str());
    else
        help(p, text);
    int picked = -1;
    ImGui::SetNextWindowPos({box.x0, box.y1 + snap(2)});
    ImGui::SetNextWindowSizeConstraints({box.width(), 0}, {px(560), px(520)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(4), px(4)));
    if (ImGui::BeginPopup(popup.c_str())) {
        for (size_t i = 0; i < labels.size(); ++i) {
            ImGui::PushID(int(i));
            if (ImGui::Selectable(labels[i].c_str(), int(i) == chosen, 0, {0, px(22)})) picked = int(i);
            layoutLog().add("option", labels[i], ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
            ImGui::PopID();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    at.x = box.x1 + snap(8);
    return picked;
}

bool splitter(const char* id, const Rect& bar, bool vertical, double& share, double preset, float extent, double low,
              double high) {
    const Rect grab = vertical ? Rect{bar.x0 - snap(3), bar.y0, bar.x1 + snap(3), bar.y1}
                               : Rect{bar.x0, bar.y0 - snap(3), bar.x1, bar.y1 + snap(3)};
    const Pressed p = area(id, grab, true);
    const bool lit = p.hovered || p.held;
    if (lit) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (lit) fillRect(bar, theme().link);
    layoutLog().add("splitter", id, grab.min(), grab.max());
    if (p.hovered && ImGui::IsMouseDoubleClicked(0)) share = preset;
    if (!p.held) return false;
    const ImVec2 d = ImGui::GetIO().MouseDelta;
    share = std::clamp(share + double(vertical ? d.x : -d.y) / double(extent), low, high);
    return true;
}

bool beginScroll(const char* id, const Rect& box, bool horizontal) {
    ImGui::SetCursorScreenPos(box.min());
    const bool open = ImGui::BeginChild(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, false,
                                        horizontal ? ImGuiWindowFlags_HorizontalScrollbar : 0);
    ++layoutLog().scrollDepth;
    return open;
}

void endScroll() {
    --layoutLog().scrollDepth;
    ImGui::EndChild();
}

} // namespace playground
