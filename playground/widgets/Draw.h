// Small drawing helpers: text that ends in an ellipsis, hatching, badges, tooltips, icons.
#pragma once

#include "playground/widgets/Theme.h"

#include <imgui.h>

#include <string>
#include <string_view>

namespace playground {

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    ImVec2 min() const { return {x0, y0}; }
    ImVec2 max() const { return {x1, y1}; }
    bool contains(ImVec2 p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
    Rect inset(float d) const { return {x0 + d, y0 + d, x1 - d, y1 - d}; }
};

enum class Align : uint8_t { Left, Centre, Right };

float textWidth(ImFont* font, std::string_view text);
/// Height of one line of the font.
float lineHeight(ImFont* font);
/// Draws one line inside `box`, vertically centred, shortened with an ellipsis when it does not fit; then hovering
/// shows the whole text. Returns the width drawn.
float drawText(ImFont* font, const Rect& box, ImU32 colour, std::string_view text, Align align = Align::Left);
/// Draws one line at a point; no shortening. Returns its width.
float drawTextAt(ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);

void fillRect(const Rect& box, ImU32 colour, float rounding = 0);
void strokeRect(const Rect& box, ImU32 colour, float thickness = 1, float rounding = 0);
void hLine(float x0, float x1, float y, ImU32 colour);
void vLine(float x, float y0, float y1, ImU32 colour);
/// Diagonal hatching from the font texture: one quad, always crisp.
void hatchRect(const Rect& box, ImU32 colour);

/// A figure's kind: "S", "M", "R" or "~" in a small frame. Returns its width.
float drawBadge(ImVec2 at, const char* badge, const char* tooltip);

/// Tooltip at the mouse: a bold first line, then wrapped text.
void tooltip(std::string_view title, std::string_view body = {});
/// True while the mouse is inside and no popup is over it.
bool mouseIn(const Rect& box);

enum class Icon : uint8_t {
    First,
    Back,
    Play,
    Pause,
    Forward,
    Last,
    Divergence,
    Conflict,
    Barrier,
    Finding,
    Undo,
    Help,
    Close,
    Search,
    Up,
    Down,
    Run,
    Stop,
    Theme,
    Projector,
    OneView,
    TwoViews,
    Lesson
};
void drawIcon(Icon icon, const Rect& box, ImU32 colour);

} // namespace playground
