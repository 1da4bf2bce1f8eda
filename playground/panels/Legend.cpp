// Drawing of legends and share bars.
#include "playground/panels/Legend.h"

#include <algorithm>
#include <cmath>

namespace playground {

float legendHeight() {
    return snap(20);
}

void drawLegend(const Rect& box, std::initializer_list<LegendSample> samples) {
    float x = box.x0;
    const float size = snap(12), y = std::round((box.y0 + box.y1 - size) / 2);
    for (const LegendSample& sample : samples) {
        const float width = textWidth(fonts().small, sample.text);
        if (x + size + width > box.x1) break;
        const Rect cell{x, y, x + size, y + size};
        fillRect(cell, sample.hatched ? theme().excessSoft : sample.fill);
        if (sample.hatched) hatchRect(cell, sample.fill);
        x += size + snap(6);
        drawText(fonts().small, {x, box.y0, x + width + 1, box.y1}, theme().textDim, sample.text);
        x += width + snap(20);
    }
}

void drawShareBar(const Rect& box, double useful, double total, const std::string& usefulText,
                  const std::string& totalText) {
    const Theme& t = theme();
    const float split = std::round(box.x0 + box.width() * float(total > 0 ? std::min(1.0, useful / total) : 1.0));
    fillRect({box.x0, box.y0, split, box.y1}, t.neutral);
    if (split < box.x1) {
        const Rect rest{split + 1, box.y0, box.x1, box.y1};
        fillRect(rest, t.excessSoft);
        hatchRect(rest, t.excess);
        strokeRect(rest, t.excess);
    }
    drawText(fonts().small, {box.x0 + snap(8), box.y0, split - snap(4), box.y1}, readableOn(t.neutral), usefulText);
    if (textWidth(fonts().small, totalText) + snap(16) < box.x1 - split)
        fillRect({split + snap(5), box.y0 + 2, split + snap(11) + textWidth(fonts().small, totalText), box.y1 - 2},
                 t.panel),
            drawText(fonts().small, {split + snap(8), box.y0, box.x1 - snap(4), box.y1}, t.text, totalText);
}

} // namespace playground
