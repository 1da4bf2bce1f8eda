// A set of the 32 lanes of a warp.
#pragma once

#include <bit>
#include <cstdint>

namespace sim {

inline constexpr unsigned kWarpSize = 32;

/// Bit i stands for lane i, as in __activemask() and __ballot_sync().
struct LaneMask {
    uint32_t bits = 0;
    constexpr LaneMask() = default;
    constexpr explicit LaneMask(uint32_t b) : bits(b) {}

    static constexpr LaneMask full() { return LaneMask{0xffffffffu}; }
    /// The first n lanes, 0 <= n <= 32: the mask of a partial last warp.
    static constexpr LaneMask first(unsigned n) { return LaneMask{n >= 32 ? 0xffffffffu : (1u << n) - 1u}; }

    constexpr bool has(unsigned lane) const { return (bits >> lane) & 1u; }
    constexpr unsigned count() const { return unsigned(std::popcount(bits)); }
    constexpr bool empty() const { return bits == 0; }
    constexpr bool isFull() const { return bits == 0xffffffffu; }
    /// The lowest lane; undefined when empty.
    constexpr unsigned lowest() const { return unsigned(std::countr_zero(bits)); }
    constexpr bool operator==(const LaneMask&) const = default;
    constexpr LaneMask operator&(LaneMask o) const { return LaneMask{bits & o.bits}; }
    constexpr LaneMask operator|(LaneMask o) const { return LaneMask{bits | o.bits}; }
    constexpr LaneMask operator~() const { return LaneMask{~bits}; }
};

} // namespace sim
