// Knobs: a number between a smaller and a larger button.
#include "playground/widgets/Controls.h"

#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace playground {
namespace {

std::string show(const StepperValue& v) {
    char text[48];
    std::snprintf(text, sizeof text, v.real ? "%.4g" : "%.0f", v.value);
    return text;
}

double widest(const StepperValue& v) {
    double most = std::max(std::fabs(v.minimum), std::fabs(v.maximum));
    for (double c : v.choices) most = std::max(most, std::fabs(c));
    return most;
}

float numberWidth(const StepperValue& v) {
    StepperValue w = v;
    w.value = widest(v);
    return std::max(snap(44), textWidth(fonts().mono, show(w)) + snap(16));
}

/// The next value in a direction: the next choice, the double or half, or one further.
double stepped(const StepperValue& v, int direction) {
    if (!v.choices.empty()) {
        std::vector<double> sorted = v.choices;
        std::sort(sorted.begin(), sorted.end());
        for (size_t i = 0; i < sorted.size(); ++i) {
            const double c = direction > 0 ? sorted[i] : sorted[sorted.size() - 1 - i];
            if (direction > 0 ? c > v.value : c < v.value) return c;
        }
        return v.value;
    }
    double next = v.value + direction * (v.real ? (v.maximum - v.minimum) / 20 : 1);
    if (v.logarithmic && v.value > 0)
        next = direction > 0 ? v.value * 2 : v.real ? v.value / 2 : std::floor(v.value / 2);
    return std::clamp(next, v.minimum, v.maximum);
}

/// Value after dragging by `pixels` from the start of the drag.
double dragged(const StepperValue& v, double start, float pixels) {
    StepperValue at = v;
    at.value = start;
    for (int steps = int(std::fabs(pixels) / px(10)); steps > 0; --steps) at.value = stepped(at, pixels > 0 ? 1 : -1);
    return at.value;
}

struct Typing {
    ImGuiID id = 0;
    char text[32] = "";
    bool fresh = false;
};
Typing typing;
double dragStart = 0;

bool typeNumber(const Rect& box, StepperValue& v) {
    ImGui::SetCursorScreenPos({box.x0, box.y0 + (box.height() - ImGui::GetFrameHeight()) / 2});
    ImGui::SetNextItemWidth(box.width());
    if (typing.fresh) ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(fonts().mono);
    const bool entered = ImGui::InputText("##typed", typing.text, sizeof typing.text,
                                          ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_EnterReturnsTrue |
                                              ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    const bool left = !typing.fresh && !ImGui::IsItemActive();
    typing.fresh = false;
    if (!entered && !left) return false;
    typing.id = 0;
    char* end = nullptr;
    const double value = std::strtod(typing.text, &end);
    if (end == typing.text) return false;
    const bool changed = value != v.value;
    v.value = value;
    return changed;
}

bool middle(const Rect& box, StepperValue& v) {
    const ImGuiID id = ImGui::GetID("value");
    if (typing.id == id) return typeNumber(box, v);
    ImGui::SetCursorScreenPos(box.min());
    ImGui::InvisibleButton("value", {box.width(), box.height()});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) dragStart = v.value;
    if (hovered && ImGui::IsMouseDoubleClicked(0)) {
        typing = {id, "", true};
        std::snprintf(typing.text, sizeof typing.text, "%s", show(v).c_str());
        return false;
    }
    drawText(fonts().mono, box, theme().text, show(v), Align::Centre);
    if (!ImGui::IsItemActive()) return false;
    const double next = dragged(v, dragStart, ImGui::GetMouseDragDelta(0, 2).x);
    const bool changed = next != v.value;
    v.value = next;
    return changed;
}

bool end(const char* id, const Rect& box, StepperValue& v, int direction, std::string_view label) {
    ImGui::SetCursorScreenPos(box.min());
    ImGui::PushButtonRepeat(true);
    const bool clicked = ImGui::InvisibleButton(id, {box.width(), box.height()});
    ImGui::PopButtonRepeat();
    const double next = stepped(v, direction);
    const bool possible = next != v.value;
    if (ImGui::IsItemHovered() && possible)
        fillRect(box, ImGui::IsItemActive() ? theme().press : theme().hover, snap(3));
    const float y = std::round((box.y0 + box.y1) / 2), x = std::round((box.x0 + box.x1) / 2), s = snap(4),
                w = std::max(1.0f, snap(1.5f));
    const ImU32 colour = possible ? theme().text : withAlpha(theme().textDim, 0.4f);
    fillRect({x - s, y - w / 2, x + s, y + w / 2}, colour);
    if (direction > 0) fillRect({x - w / 2, y - s, x + w / 2, y + s}, colour);
    layoutLog().add("button", std::string(label) + (direction > 0 ? " +" : " -"), box.min(), box.max());
    if (!clicked || !possible) return false;
    v.value = next;
    return true;
}

} // namespace

float stepperWidth(std::string_view label, const StepperValue& value) {
    return textWidth(fonts().body, label) + snap(8) + 2 * snap(24) + numberWidth(value) + snap(16);
}

bool stepper(const char* id, ImVec2& at, const ControlText& text, StepperValue& value) {
    ImGui::PushID(id);
    const float h = controlHeight(), side = snap(24), x = at.x;
    const float labelWidth = textWidth(fonts().body, text.label);
    const Rect labelBox{x, at.y, x + labelWidth, at.y + h};
    drawText(fonts().body, labelBox, theme().textDim, text.label);
    const float left = x + labelWidth + snap(8), right = left + 2 * side + numberWidth(value);
    const Rect box{left, at.y, right, at.y + h};
    fillRect(box, theme().sunken, snap(3));
    strokeRect(box, theme().line, 1, snap(3));
    bool changed = end("less", {left, at.y, left + side, at.y + h}, value, -1, text.label);
    changed = middle({left + side, at.y, right - side, at.y + h}, value) || changed;
    changed = end("more", {right - side, at.y, right, at.y + h}, value, 1, text.label) || changed;
    layoutLog().add("knob", std::string(text.label), box.min(), box.max());
    if (mouseIn({x, at.y, right, at.y + h}) && !ImGui::IsMouseDown(0)) tooltip(text.label, text.help);
    at.x = right + snap(16);
    ImGui::PopID();
    return changed;
}

} // namespace playground
