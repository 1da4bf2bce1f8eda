// The kernels that the fake device knows, by name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fake {

struct Launch {
    unsigned gridX = 1, blockX = 1;
    std::vector<void*> parameters; ///< Pointers to each parameter's bytes, which outlive the launch.
};

struct Kernel {
    std::string name;
    std::vector<size_t> parameterBytes;
    /// Runs the kernel; returns 0 or the driver's error code that the fault gives. May not return at all.
    int (*run)(const Launch& launch);
};

/// nullptr for a name the fake does not know.
const Kernel* findKernel(const std::string& name);

} // namespace fake
