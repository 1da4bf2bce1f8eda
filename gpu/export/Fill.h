// Buffer contents as the short formula that makes them, so that an exported program need not carry the numbers.
#pragma once

#include "sim/core/LaunchConfig.h"

#include <cstdint>

namespace gpu {

/// How element i follows from i, with h(i) = (i * 2654435761 + 12345) mod 2^32:
///
///     Constant  k            Hash      h(i) >> 8; as a float divided by 2^24, as u8 h(i) >> 24
///     Linear    i * k        HashMod   (h(i) >> 8) mod k
///     Modulo    i mod k      Listed    no formula: the elements one by one
struct Fill {
    enum class Kind : uint8_t { Constant, Linear, Modulo, Hash, HashMod, Listed };
    Kind kind = Kind::Listed;
    double k = 0;
    bool operator==(const Fill&) const = default;
};

/// Allocates buffer.bytes and fills them; a Listed fill leaves them as they are.
void applyFill(sim::Buffer& buffer, const Fill& fill);

/// A fill that gives exactly these bytes; Listed when no formula does, and for 16-bit floats unless all are zero.
Fill recogniseFill(const sim::Buffer& buffer);

/// Whether the type is f32 or f64.
bool isReal(sim::ElementType type);

} // namespace gpu
