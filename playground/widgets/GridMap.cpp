// Folding and drawing of the block map.
#include "playground/widgets/GridMap.h"

#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct Folded {
    uint64_t columns = 1, rows = 1, perCell = 1, blocks = 1;
    float cell = 8;
};

/// Chooses cells of at least `smallest` pixels; a 2-D grid that fits keeps its shape.
Folded fold(const Rect& box, uint64_t columns, uint64_t rows) {
    Folded f;
    f.blocks = columns * rows;
    const float smallest = std::max(4.0f, snap(6)), largest = snap(24);
    if (rows > 1) {
        const float cell = std::floor(std::min({largest, box.width() / float(columns), box.height() / float(rows)}));
        if (cell >= smallest) return {columns, rows, 1, f.blocks, cell};
    }
    const uint64_t room = uint64_t(box.width() / smallest) * std::max<uint64_t>(1, uint64_t(box.height() / smallest));
    f.perCell = (f.blocks + room - 1) / std::max<uint64_t>(1, room);
    const uint64_t cells = (f.blocks + f.perCell - 1) / f.perCell;
    f.cell = largest;
    while (f.cell > smallest && uint64_t(box.width() / f.cell) * uint64_t(box.height() / f.cell) < cells) f.cell -= 1;
    f.columns = std::max<uint64_t>(1, std::min(cells, uint64_t(box.width() / f.cell)));
    f.rows = (cells + f.columns - 1) / f.columns;
    return f;
}

} // namespace

GridMapEvents drawGridMap(const char* id, const Rect& box, uint64_t columns, uint64_t rows, uint64_t selected,
                          const std::vector<uint64_t>& marked) {
    GridMapEvents events;
    const Folded f = fold(box, std::max<uint64_t>(1, columns), std::max<uint64_t>(1, rows));
    events.blocksPerCell = f.perCell;
    const uint64_t cells = (f.blocks + f.perCell - 1) / f.perCell;
    std::vector<bool> sign(cells, false);
    for (uint64_t block : marked)
        if (block / f.perCell < cells) sign[block / f.perCell] = true;
    ImGui::SetCursorScreenPos(box.min());
    ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    const bool over = ImGui::IsItemHovered();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (uint64_t c = 0; c < cells; ++c) {
        const float x = box.x0 + float(c % f.columns) * f.cell, y = box.y0 + float(c / f.columns) * f.cell;
        const Rect cell{x, y, x + f.cell - 1, y + f.cell - 1};
        const bool chosen = selected / f.perCell == c;
        fillRect(cell, chosen ? theme().neutral : theme().neutralSoft);
        if (sign[c])
            fillRect({cell.x0, cell.y0, cell.x1, cell.y1}, theme().excess),
                drawIcon(Icon::Finding, cell.inset(f.cell / 5), readableOn(theme().excess));
        if (chosen) strokeRect({x - 1, y - 1, x + f.cell, y + f.cell}, theme().select, 2);
        if (!over || !cell.contains(mouse)) continue;
        fillRect(cell, theme().hover);
        events.hovered = int64_t(c * f.perCell);
        if (ImGui::IsItemClicked()) events.clicked = events.hovered;
    }
    layoutLog().add("map", id, box.min(), box.max());
    return events;
}

} // namespace playground
