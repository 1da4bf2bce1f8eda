// Fills buffers by formula, so that every machine and every program gets the same bytes.
#pragma once

#include "playground/session/Expression.h"
#include "sim/core/LaunchConfig.h"

#include <string>
#include <string_view>

namespace playground {

/// Allocates buffer.bytes for buffer.count elements and fills element i by the formula `init`:
///
///     const:k   k                      hash     h(i) >> 8, with h(i) = (i * 2654435761 + 12345) mod 2^32;
///     iota      i                               as a float divided by 2^24, as u8 h(i) >> 24
///     linear:k  i * k                  hash:k   (h(i) >> 8) mod k
///     mod:k     i mod k                file:1,2,3   the listed values, again and again
///     uninit    not written: buffer.initialised is false
///
/// k is an expression over `names`. Integers keep the low bits of what does not fit. Returns an empty string, or a
/// sentence that says what to write.
std::string fillBuffer(sim::Buffer& buffer, std::string_view init, const Names& names);

/// Element `index` as a number; exact but for 64-bit integers beyond 2^53.
double elementAt(const sim::Buffer& buffer, uint64_t index);
/// Stores a number as the buffer's type; integers keep the low bits, floats round to nearest even.
void setElement(sim::Buffer& buffer, uint64_t index, double value);

/// The little-endian bytes of one scalar of that type.
std::vector<std::byte> scalarBytes(sim::ElementType type, double value);

} // namespace playground
