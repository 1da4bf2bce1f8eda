// The blocks of a grid as a map; several to a cell when there are more blocks than room.
#pragma once

#include "playground/widgets/Draw.h"

#include <cstdint>
#include <vector>

namespace playground {

struct GridMapEvents {
    int64_t clicked = -1, hovered = -1; ///< Linear block indices; of a cell with several, the first.
    uint64_t blocksPerCell = 1;
};

/// Blocks of columns x rows (one-dimensional grids fold into rows). `marked` blocks carry a finding.
GridMapEvents drawGridMap(const char* id, const Rect& box, uint64_t columns, uint64_t rows, uint64_t selected,
                          const std::vector<uint64_t>& marked);

} // namespace playground
