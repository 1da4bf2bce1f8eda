// CRC-32 by table.
#include "gpu/export/Crc32.h"

#include <array>

namespace gpu {
namespace {

constexpr std::array<uint32_t, 256> makeTable() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1;
        table[i] = value;
    }
    return table;
}

} // namespace

uint32_t crc32(std::span<const std::byte> bytes) {
    static constexpr std::array<uint32_t, 256> kTable = makeTable();
    uint32_t crc = ~0u;
    for (const std::byte byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ uint32_t(byte)) & 255];
    return ~crc;
}

} // namespace gpu
