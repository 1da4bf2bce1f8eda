// CPU references: what a lesson's outputs should be, computed plainly, one thread's work after the other.
#pragma once

#include "sim/core/LaunchConfig.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lessons {

/// One argument of the kernel: a buffer to read and to overwrite with what is expected, or a scalar.
struct ReferenceArgument {
    sim::Buffer* buffer = nullptr;
    double scalar = 0;
};

/// Turns initial buffers into expected ones, arguments in the kernel's order. A reference states the lesson's task, not
/// what a given kernel does: it does not depend on the launch unless the task does.
using Reference = void (*)(std::span<const ReferenceArgument> arguments, const sim::LaunchConfig& config);

/// nullptr when there is none of that name.
Reference findReference(std::string_view name);
/// Names of all references, sorted.
std::vector<std::string> referenceNames();

} // namespace lessons
