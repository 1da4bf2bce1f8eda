// Frames: what a call sets up and a return takes down.
#pragma once

#include "sim/vm/Warp.h"

namespace sim::vm {

/// Points the warp's registers and local memory at a frame.
void enterFrame(Warp& warp, int32_t frame);
/// Hands the results of `lanes` to the caller and frees the frame.
void finishCall(Warp& warp, int32_t frame, uint32_t lanes);

} // namespace sim::vm
