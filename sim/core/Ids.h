// Strong identifiers: a block, a warp, a lane and a program counter never mix by accident.
#pragma once

#include <compare>
#include <cstdint>

namespace sim {

/// An index with a tag, so that a BlockId cannot be passed where a WarpId is meant.
template <class Tag>
struct Id {
    uint32_t value = 0;
    constexpr Id() = default;
    constexpr explicit Id(uint32_t v) : value(v) {}
    constexpr auto operator<=>(const Id&) const = default;
};

using BlockId = Id<struct BlockTag>; ///< Linear block index: x + y * gridDim.x + z * gridDim.x * gridDim.y.
using WarpId = Id<struct WarpTag>;   ///< Index of a warp inside its block; threads 32w..32w+31 in linear order.
using LaneId = Id<struct LaneTag>;   ///< 0..31 inside a warp.
using Pc = Id<struct PcTag>;         ///< Index into Function::code.

} // namespace sim
