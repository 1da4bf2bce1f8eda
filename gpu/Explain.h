// A fault as the GPU reports it, joined with where the simulator saw it happen.
#pragma once

#include "gpu/Run.h"
#include "sim/core/Finding.h"

#include <span>
#include <string>

namespace gpu {

/// The finding of the same launch that explains how the run ended, or nullptr: for "illegal address" one about
/// bounds or lifetime, for a run out of time one about deadlock or an endless loop, and so on.
const sim::Finding* findCause(const RunResult& result, std::span<const sim::Finding> findings);

/// "The GPU stopped the kernel: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700). The
/// simulator saw it at line 12, thread (38,0,0) of block (0,0,0): ..." Only the first sentence without a cause.
std::string explain(const RunResult& result, std::span<const sim::Finding> findings);

} // namespace gpu
