// Text, hatching, badges and tooltips; Icons.cpp draws the icons.
#include "playground/widgets/Draw.h"

#include "playground/widgets/LayoutLog.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

ImDrawList* list() {
    return ImGui::GetWindowDrawList();
}

/// Longest prefix that fits with an ellipsis after it; never splits a character.
std::string shorten(ImFont* font, std::string_view text, float width) {
    const char* end = text.data() + text.size();
    const float dots = textWidth(font, "\u2026");
    const char* cut = text.data();
    font->CalcTextSizeA(font->FontSize, std::max(0.0f, width - dots), 0, text.data(), end, &cut);
    if (cut == text.data() || cut == nullptr) return width >= dots ? "\u2026" : "";
    std::string out(text.data(), cut);
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\u2026";
}

} // namespace

float textWidth(ImFont* font, std::string_view text) {
    if (text.empty()) return 0;
    return std::ceil(font->CalcTextSizeA(font->FontSize, 3.4e38f, 0, text.data(), text.data() + text.size()).x);
}

float lineHeight(ImFont* font) {
    return font->FontSize;
}

float drawTextAt(ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    if (text.empty()) return 0;
    const ImVec2 p{std::round(at.x), std::round(at.y)};
    list()->AddText(font, font->FontSize, p, colour, text.data(), text.data() + text.size());
    const float width = textWidth(font, text);
    layoutLog().add("text", std::string(text), p, {p.x + width, p.y + font->FontSize});
    return width;
}

float drawText(ImFont* font, const Rect& box, ImU32 colour, std::string_view text, Align align) {
    if (text.empty() || box.width() < 4) return 0;
    float width = textWidth(font, text);
    std::string cut;
    const bool shortened = width > box.width() + 0.5f;
    if (shortened) {
        cut = shorten(font, text, box.width());
        width = textWidth(font, cut);
        if (mouseIn(box)) tooltip({}, text);
    }
    const std::string_view shown = shortened ? std::string_view(cut) : text;
    if (shown.empty()) return 0;
    const float x = align == Align::Left    ? box.x0
                    : align == Align::Right ? box.x1 - width
                                            : box.x0 + (box.width() - width) / 2;
    const ImVec2 p{std::round(x), std::round(box.y0 + (box.height() - font->FontSize) / 2)};
    list()->AddText(font, font->FontSize, p, colour, shown.data(), shown.data() + shown.size());
    layoutLog().add("text", std::string(text), p, {p.x + width, p.y + font->FontSize}, shortened);
    return width;
}

void fillRect(const Rect& box, ImU32 colour, float rounding) {
    list()->AddRectFilled(box.min(), box.max(), colour, rounding);
}

void strokeRect(const Rect& box, ImU32 colour, float thickness, float rounding) {
    const float h = thickness / 2;
    list()->AddRect({box.x0 + h, box.y0 + h}, {box.x1 - h + 0.5f, box.y1 - h + 0.5f}, colour, rounding, 0, thickness);
}

void hLine(float x0, float x1, float y, ImU32 colour) {
    list()->AddRectFilled({x0, std::floor(y)}, {x1, std::floor(y) + 1}, colour);
}
void vLine(float x, float y0, float y1, ImU32 colour) {
    list()->AddRectFilled({std::floor(x), y0}, {std::floor(x) + 1, y1}, colour);
}

void hatchRect(const Rect& box, ImU32 colour) {
    const Fonts& f = fonts();
    if (f.hatchSize == 0) return;
    const int period = 8;
    const float room = float(f.hatchSize - period);
    for (float y = box.y0; y < box.y1; y += room) {
        for (float x = box.x0; x < box.x1; x += room) {
            const float w = std::min(room, box.x1 - x), h = std::min(room, box.y1 - y);
            const float phase = std::fmod(std::floor(x) + std::floor(y), float(period));
            const ImVec2 a{f.hatchUv.x + phase * f.hatchUvStep.x, f.hatchUv.y};
            const ImVec2 b{a.x + w * f.hatchUvStep.x, a.y + h * f.hatchUvStep.y};
            list()->AddImage(ImGui::GetIO().Fonts->TexID, {x, y}, {x + w, y + h}, a, b, colour);
        }
    }
}

float drawBadge(ImVec2 at, const char* badge, const char* help) {
    ImFont* font = fonts().monoSmall;
    const float width = textWidth(font, badge) + snap(8), height = font->FontSize + snap(2);
    const Rect box{std::round(at.x), std::round(at.y), std::round(at.x) + width, std::round(at.y) + height};
    strokeRect(box, theme().lineStrong, 1, snap(3));
    drawText(font, box, theme().textDim, badge, Align::Centre);
    if (mouseIn(box)) tooltip({}, help);
    return width;
}

bool mouseIn(const Rect& box) {
    return box.contains(ImGui::GetIO().MousePos) &&
           ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
           ImGui::IsMouseHoveringRect(box.min(), box.max());
}

void tooltip(std::string_view title, std::string_view body) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(8)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(px(360));
    if (!title.empty()) {
        ImGui::PushFont(fonts().bold);
        ImGui::TextUnformatted(title.data(), title.data() + title.size());
        ImGui::PopFont();
    }
    if (!body.empty()) {
        ImGui::PushFont(fonts().body);
        ImGui::TextUnformatted(body.data(), body.data() + body.size());
        ImGui::PopFont();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

} // namespace playground
