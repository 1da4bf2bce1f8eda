// Icons from a few lines and triangles, so that no icon font is needed.
#include "playground/widgets/Draw.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct Pen {
    ImDrawList* list;
    float x, y, s; ///< Centre and half size.
    ImU32 colour;
    float stroke;

    ImVec2 at(float dx, float dy) const { return {x + dx * s, y + dy * s}; }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const { list->AddTriangleFilled(a, b, c, colour); }
    void line(float x0, float y0, float x1, float y1) const { list->AddLine(at(x0, y0), at(x1, y1), colour, stroke); }
    void box(float x0, float y0, float x1, float y1) const { list->AddRectFilled(at(x0, y0), at(x1, y1), colour); }
    void frame(float x0, float y0, float x1, float y1) const {
        list->AddRect(at(x0, y0), at(x1, y1), colour, 0, 0, stroke);
    }
    void right(float x0, float x1) const { triangle(at(x0, -0.8f), at(x1, 0), at(x0, 0.8f)); }
    void left(float x0, float x1) const { triangle(at(x1, -0.8f), at(x1, 0.8f), at(x0, 0)); }
};

void transport(Icon icon, const Pen& p) {
    switch (icon) {
    case Icon::First: p.box(-0.8f, -0.8f, -0.55f, 0.8f), p.left(-0.45f, 0.8f); break;
    case Icon::Last: p.right(-0.8f, 0.45f), p.box(0.55f, -0.8f, 0.8f, 0.8f); break;
    case Icon::Back: p.left(-0.7f, 0.6f); break;
    case Icon::Forward: p.right(-0.6f, 0.7f); break;
    case Icon::Play:
    case Icon::Run: p.right(-0.6f, 0.8f); break;
    case Icon::Pause: p.box(-0.6f, -0.8f, -0.15f, 0.8f), p.box(0.15f, -0.8f, 0.6f, 0.8f); break;
    case Icon::Stop: p.box(-0.7f, -0.7f, 0.7f, 0.7f); break;
    default: break;
    }
}

void marks(Icon icon, const Pen& p) {
    switch (icon) {
    case Icon::Divergence:
        p.line(0, 0.9f, 0, 0.1f), p.line(0, 0.1f, -0.75f, -0.8f), p.line(0, 0.1f, 0.75f, -0.8f);
        break;
    case Icon::Conflict: p.triangle(p.at(0, -0.8f), p.at(0.85f, 0.75f), p.at(-0.85f, 0.75f)); break;
    case Icon::Barrier:
        p.box(-0.9f, -0.15f, 0.9f, 0.15f), p.line(-0.6f, -0.9f, -0.6f, 0.9f), p.line(0.6f, -0.9f, 0.6f, 0.9f);
        break;
    case Icon::Finding: p.box(-0.16f, -0.9f, 0.16f, 0.3f), p.box(-0.16f, 0.55f, 0.16f, 0.9f); break;
    default: break;
    }
}

void tools(Icon icon, const Pen& p) {
    switch (icon) {
    case Icon::Close: p.line(-0.6f, -0.6f, 0.6f, 0.6f), p.line(-0.6f, 0.6f, 0.6f, -0.6f); break;
    case Icon::Up: p.line(-0.6f, 0.3f, 0, -0.4f), p.line(0, -0.4f, 0.6f, 0.3f); break;
    case Icon::Down: p.line(-0.6f, -0.3f, 0, 0.4f), p.line(0, 0.4f, 0.6f, -0.3f); break;
    case Icon::Search:
        p.list->AddCircle(p.at(-0.2f, -0.2f), 0.55f * p.s, p.colour, 0, p.stroke), p.line(0.2f, 0.2f, 0.8f, 0.8f);
        break;
    case Icon::Undo:
        p.list->PathArcTo(p.at(0, 0.1f), 0.65f * p.s, -2.4f, 2.2f, 16);
        p.list->PathStroke(p.colour, 0, p.stroke);
        p.triangle(p.at(-0.95f, -0.15f), p.at(-0.75f, -0.85f), p.at(-0.15f, -0.25f));
        break;
    case Icon::Theme:
        p.list->AddCircle(p.at(0, 0), 0.75f * p.s, p.colour, 0, p.stroke);
        p.list->PathArcTo(p.at(0, 0), 0.7f * p.s, -1.5708f, 1.5708f, 16);
        p.list->PathFillConvex(p.colour);
        break;
    case Icon::Projector:
        p.frame(-0.9f, -0.7f, 0.9f, 0.4f), p.line(0, 0.4f, 0, 0.7f), p.line(-0.5f, 0.8f, 0.5f, 0.8f);
        break;
    case Icon::OneView: p.frame(-0.8f, -0.7f, 0.8f, 0.7f); break;
    case Icon::TwoViews: p.frame(-0.8f, -0.7f, 0.8f, 0.7f), p.line(-0.8f, 0, 0.8f, 0); break;
    case Icon::Lesson:
        for (float y : {-0.6f, -0.1f, 0.4f}) p.line(-0.8f, y, y > 0.3f ? 0.2f : 0.8f, y);
        break;
    default: break;
    }
}

} // namespace

void drawIcon(Icon icon, const Rect& box, ImU32 colour) {
    const float half = std::floor(std::min(box.width(), box.height()) * 0.5f);
    const Pen pen{
        ImGui::GetWindowDrawList(),  std::round((box.x0 + box.x1) / 2), std::round((box.y0 + box.y1) / 2), half, colour,
        std::max(1.5f, half * 0.26f)};
    transport(icon, pen);
    marks(icon, pen);
    tools(icon, pen);
    if (icon == Icon::Help) drawText(fonts().bold, box, colour, "?", Align::Centre);
}

} // namespace playground
