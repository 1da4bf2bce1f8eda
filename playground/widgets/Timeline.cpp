// Drawing of the scrub bar.
#include "playground/widgets/Timeline.h"

#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

/// The worst of a stretch of rows.
TimelineMark worstOf(uint32_t first, uint32_t end, const std::function<TimelineMark(uint32_t)>& mark) {
    TimelineMark worst = mark(first);
    for (uint32_t r = first + 1; r < end; ++r) {
        const TimelineMark m = mark(r);
        if (m.active < worst.active) worst.active = m.active, worst.pathColour = m.pathColour;
        worst.divergence |= m.divergence;
        worst.conflict |= m.conflict;
        worst.barrier |= m.barrier;
        worst.finding |= m.finding;
    }
    return worst;
}

void drawSigns(const TimelineMark& m, float centre, float y, float size, float& freeFrom) {
    struct Sign {
        bool on;
        Icon icon;
        ImU32 colour;
    };
    const Sign signs[] = {{m.finding, Icon::Finding, theme().excessText},
                          {m.conflict, Icon::Conflict, theme().excess},
                          {m.divergence, Icon::Divergence, theme().path[0]},
                          {m.barrier, Icon::Barrier, theme().link}};
    for (const Sign& sign : signs) {
        if (!sign.on || centre - size / 2 < freeFrom) continue;
        drawIcon(sign.icon, {centre - size / 2, y, centre + size / 2, y + size}, sign.colour);
        freeFrom = centre + size / 2 + 1;
        return;
    }
}

} // namespace

TimelineEvents drawTimeline(const char* id, const Rect& box, uint32_t total, uint32_t selected, bool focused,
                            const std::function<TimelineMark(uint32_t)>& mark) {
    TimelineEvents events;
    const Theme& t = theme();
    const float signSize = snap(12), barTop = box.y0 + signSize + snap(4);
    fillRect({box.x0, barTop, box.x1, box.y1}, t.sunken);
    strokeRect({box.x0, barTop, box.x1, box.y1}, focused ? t.link : t.line, focused ? 2.0f : 1.0f);
    layoutLog().add("timeline", id, box.min(), box.max());
    ImGui::SetCursorScreenPos(box.min());
    ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    if (total == 0) return events;
    const float step = box.width() / float(total);
    const int columns = int(std::min<float>(float(total), box.width()));
    float freeFrom = box.x0 - signSize;
    for (int c = 0; c < columns; ++c) {
        const uint32_t first = uint32_t(uint64_t(c) * total / uint64_t(columns)),
                       end = uint32_t(uint64_t(c + 1) * total / uint64_t(columns));
        const TimelineMark m = worstOf(first, std::max(end, first + 1), mark);
        const float x0 = std::floor(box.x0 + float(first) * step),
                    x1 = std::max(x0 + 1, std::floor(box.x0 + float(std::max(end, first + 1)) * step) -
                                              (step > 4 ? 1.0f : 0.0f));
        const float height = (box.y1 - barTop - snap(4)) * std::max(0.06f, m.active);
        const ImU32 colour = m.pathColour >= 0 ? t.path[size_t(m.pathColour) % t.path.size()] : t.neutral;
        fillRect({x0, box.y1 - snap(2) - height, x1, box.y1 - snap(2)}, colour);
        const std::string line = m.line > 0 && end - first <= 1 ? std::to_string(m.line) : "";
        if (textWidth(fonts().monoSmall, line) + snap(6) <= x1 - x0) {
            const float top = box.y1 - snap(2) - height;
            const float needed = fonts().monoSmall->FontSize - snap(2);
            const bool inside = height >= needed, above = !inside && top - barTop >= needed;
            if (inside)
                drawText(fonts().monoSmall, {x0, top, x1, box.y1 - snap(2)}, readableOn(colour), line, Align::Centre);
            if (above) drawText(fonts().monoSmall, {x0, barTop, x1, top}, t.textDim, line, Align::Centre);
        }
        drawSigns(m, (x0 + x1) / 2, box.y0, signSize, freeFrom);
    }
    const float cursor = box.x0 + (float(selected) + 0.5f) * step, half = std::max(step / 2, snap(2));
    strokeRect({std::floor(cursor - half), barTop - snap(2), std::ceil(cursor + half), box.y1}, t.select, 2);
    const int under = std::clamp(int((ImGui::GetIO().MousePos.x - box.x0) / step), 0, int(total) - 1);
    if (ImGui::IsItemHovered()) events.hovered = under;
    if (ImGui::IsItemActive()) events.scrubbedTo = under;
    return events;
}

} // namespace playground
