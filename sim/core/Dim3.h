// Three extents or coordinates, as CUDA's dim3 and uint3.
#pragma once

#include <compare>
#include <cstdint>

namespace sim {

/// Extents of a grid or block (defaults 1,1,1) or a coordinate inside one.
struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;
    constexpr auto operator<=>(const Dim3&) const = default;

    /// Number of elements of an extent.
    constexpr uint64_t count() const { return uint64_t{x} * y * z; }

    /// The coordinate of a linear index inside this extent, x fastest (CUDA C++ Programming Guide, "Thread Hierarchy").
    constexpr Dim3 coordinate(uint64_t linear) const {
        return {uint32_t(linear % x), uint32_t(linear / x % y), uint32_t(linear / (uint64_t{x} * y))};
    }

    /// The linear index of a coordinate inside this extent.
    constexpr uint64_t linear(const Dim3& c) const { return c.x + uint64_t{x} * (c.y + uint64_t{y} * c.z); }
};

} // namespace sim
