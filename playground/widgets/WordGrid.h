// 32 words a row under the lanes that touch them: banks of shared memory, or sectors of 128-byte lines.
#pragma once

#include "playground/widgets/LaneAxis.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace playground {

struct WordCell {
    sim::LaneMask lanes;  ///< Who touches the word.
    uint8_t bytes = 0;    ///< Bit i: byte i is touched.
    bool fetched = false; ///< In a sector that moves, touched or not.
};

struct WordGridRow {
    std::string label, figures; ///< Left and right of the cells.
    std::array<WordCell, 32> words{};
};

struct WordGridStyle {
    const char* degreeName = ""; ///< Name of the row of counts under the lanes; empty: no such row.
    bool sectors = false;        ///< Frames around groups of eight words.
};

struct WordGridEvents {
    sim::LaneMask hovered; ///< Lanes of the word or lane under the mouse.
    int clickedLane = -1;
    int hoveredRow = -1, hoveredWord = -1; ///< hoveredRow -1 with a word: a lane or a bank's count.
};

/// Counts above the columns: how much is asked of each, and which ask too much (bit i of `crowded`).
struct WordGridCounts {
    std::array<uint32_t, 32> asked{};
    uint32_t crowded = 0;
};

/// Height that a grid of that many rows takes without scrolling.
float wordGridHeight(const WordGridStyle& style, size_t rows);

/// Lanes that take part, and those whose access was refused.
struct WordGridLanes {
    sim::LaneMask active, refused;
};

WordGridEvents drawWordGrid(const char* id, const Rect& box, const LaneAxis& axis, const WordGridStyle& style,
                            const WordGridLanes& lanes, const std::vector<WordGridRow>& rows,
                            const WordGridCounts& counts, sim::LaneMask lit);

} // namespace playground
