// The whole launch by source line: bars of what each line's accesses cost, the ideal part and the excess.
#pragma once

#include "playground/session/Session.h"
#include "playground/widgets/LaneAxis.h"
#include "sim/core/MemorySpace.h"

namespace playground {

/// Height that the bars of that space need; 0 when no line accesses it.
float lineBarsHeight(const Session& session, sim::MemorySpace space);
/// Draws them on the lanes' axis: line and access left, bar over the lanes, figures right. Clicking goes to the line.
void drawLineBars(Session& session, sim::MemorySpace space, const LaneAxis& axis, const Rect& box);

} // namespace playground
