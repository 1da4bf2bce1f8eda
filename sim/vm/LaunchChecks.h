// What has to hold before a kernel may start.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/core/Finding.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sim::vm {

/// A launch configuration that a device of compute capability 9.0 refuses, in CUDA's words; nothing when it is fine.
std::optional<std::string> checkConfiguration(const Program& program, const Function& kernel, const LaunchConfig& config);

/// Arguments or buffers that do not fit the kernel's parameters; nothing when they do.
std::optional<std::string> checkArguments(const Function& kernel, std::span<const Argument> arguments,
                                          const std::vector<Buffer>& buffers);

} // namespace sim::vm
