// One allocation as the machine checks accesses against it.
#pragma once

#include "sim/core/MemorySpace.h"

#include <cstddef>
#include <cstdint>

namespace sim::vm {

/// Indexed by regionOf(address). Local memory has an entry too, but without bytes: each lane has its own.
struct Region {
    uint64_t start = 0;          ///< Device address of the first byte.
    uint64_t bytes = 0;          ///< 0 once freed.
    std::byte* host = nullptr;   ///< Of the first byte.
    MemorySpace space = MemorySpace::Invalid;
    bool freed = false;
};

} // namespace sim::vm
