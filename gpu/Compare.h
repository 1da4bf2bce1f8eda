// The same buffer from two backends: equal to the bit, or how far apart and where.
#pragma once

#include "sim/core/LaunchConfig.h"

#include <cstdint>
#include <string>

namespace gpu {

/// `left` against `right`, element by element. Two NaNs are equal in value, whatever their bits.
struct Comparison {
    bool comparable = true; ///< Same type and count.
    uint64_t elements = 0;
    uint64_t differentBits = 0; ///< Elements whose bits differ.
    uint64_t first = 0;         ///< Index of the first of them.
    double firstLeft = 0, firstRight = 0;
    uint64_t largestUlp = 0;    ///< Floating point: representable values apart; ~0 when only one is NaN.
    double largestRelative = 0; ///< |left - right| / max(|left|, |right|); infinite when only one is NaN.
    uint64_t largestAt = 0;     ///< Index of the largest relative difference.

    bool equal() const { return comparable && differentBits == 0; }
    /// Whether every element is within that relative difference.
    bool within(double relative) const { return comparable && largestRelative <= relative; }
};

Comparison compare(const sim::Buffer& left, const sim::Buffer& right);

/// One sentence: "out: equal to the bit", "out: 3 of 1024 differ; first [7]: 0.5 and 0.25; at most 0.5 apart (8388608
/// ULP)".
std::string describe(const Comparison& comparison, const std::string& bufferName);

/// An element as a number; integers beyond 2^53 are rounded.
double elementValue(const sim::Buffer& buffer, uint64_t index);

} // namespace gpu
