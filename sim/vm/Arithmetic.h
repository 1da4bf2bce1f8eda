// What the vector handlers call when a lane does something rare.
#pragma once

#include "sim/vm/Warp.h"

namespace sim::vm {

/// A finding for the lanes whose divisor is zero.
void reportZeroDivision(Warp& warp, const Instruction* at, uint32_t lanes);

} // namespace sim::vm
