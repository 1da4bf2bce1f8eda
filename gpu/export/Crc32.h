// The checksum that zlib and Python's zlib.crc32 compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpu {

/// CRC-32 (reflected polynomial 0xEDB88320) of the bytes.
uint32_t crc32(std::span<const std::byte> bytes);

} // namespace gpu
