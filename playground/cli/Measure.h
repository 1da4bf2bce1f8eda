// Runs a prepared launch on the GPU with the options of the command line.
#pragma once

#include "playground/cli/Commands.h"
#include "playground/session/GpuLaunch.h"

namespace playground::cli {

/// What to measure; counters are those that the simulator counts too.
gpu::RunOptions measurementOptions(const GpuOptions& options);

/// The exit code that a GPU's result asks for.
int exitCodeOf(const gpu::RunResult& result);

/// 2026-12-01, local time.
std::string today();

} // namespace playground::cli
