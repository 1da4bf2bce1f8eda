// Memory that the program and its GPU worker both see: buffers travel in it.
#pragma once

#include "gpu/protocol/UniqueFd.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpu {

/// A mapped, anonymous memory file of fixed size. The creator seals its size, so that neither side can make the
/// other fault by shrinking it.
class SharedRegion {
public:
    SharedRegion() = default;
    SharedRegion(SharedRegion&& other) noexcept;
    SharedRegion& operator=(SharedRegion&& other) noexcept;
    ~SharedRegion();

    /// A new region of that many bytes (at least one page). Not ok() when there is no memory for it.
    static SharedRegion create(uint64_t bytes);
    /// Maps a region that was received. Not ok() unless its size is sealed and at least `bytes`.
    static SharedRegion open(UniqueFd descriptor, uint64_t bytes);

    bool ok() const { return data_ != nullptr; }
    int descriptor() const { return descriptor_.get(); }
    std::span<std::byte> bytes() const { return {data_, size_}; }

private:
    bool map(uint64_t bytes);
    UniqueFd descriptor_;
    std::byte* data_ = nullptr;
    size_t size_ = 0;
};

} // namespace gpu
