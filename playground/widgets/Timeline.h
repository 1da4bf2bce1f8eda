// The scrub bar: every row of the trace from left to right, with marks for what happens there.
#pragma once

#include "playground/widgets/Draw.h"

#include <cstdint>
#include <functional>

namespace playground {

struct TimelineMark {
    uint32_t line = 0; ///< Source line, written where there is room; 0 for none.
    float active = 1;  ///< Share of the 32 lanes that ran.
    int pathColour = -1;
    bool divergence = false, conflict = false, barrier = false, finding = false;
};

struct TimelineEvents {
    int scrubbedTo = -1, hovered = -1;
};

/// `mark` gives the value of a row. More rows than pixels are drawn as the worst of each pixel.
TimelineEvents drawTimeline(const char* id, const Rect& box, uint32_t total, uint32_t selected, bool focused,
                            const std::function<TimelineMark(uint32_t)>& mark);

} // namespace playground
