// Where a worker gets its blocks from.
#pragma once

#include <cstdint>
#include <optional>

namespace sim::vm {

/// One per worker. Blocks come in ascending order; no block comes twice, to whichever worker.
class BlockSource {
public:
    virtual ~BlockSource() = default;
    /// The next block to begin, or nothing when all have begun.
    virtual std::optional<uint32_t> next() = 0;
    /// A block that came from here has ended.
    virtual void ended() = 0;
};

} // namespace sim::vm
