// Counts distinct sectors: by formula for constant strides, in one pass when addresses rise or fall, else with a table.
#include "sim/analysis/Coalescing.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sim {
namespace {

constexpr unsigned kSectorShift = 5;
constexpr unsigned kTableSize = 64; // Twice the lanes: short probes; also the range that needs no probing at all.

constexpr uint32_t sectorsFor(uint32_t bytes) {
    return (bytes + kSectorBytes - 1) / kSectorBytes;
}

/// 1 when x is not zero, without a comparison: SSE2 has none for 64 bits, and these loops are to run in vectors.
constexpr uint64_t nonZero(uint64_t x) {
    return (x | (0 - x)) >> 63;
}

/// Distinct sectors and bytes of `count` addresses in any order. Each table entry holds the bytes touched in one
/// sector as a bit mask; zero means free.
SectorCount countUnordered(const uint64_t* address, unsigned count, unsigned bytes) {
    uint64_t low = address[0], high = address[0];
    for (unsigned i = 1; i < count; ++i) {
        low = std::min(low, address[i]);
        high = std::max(high, address[i]);
    }
    const uint64_t first = low >> kSectorShift;
    const bool direct = (high >> kSectorShift) - first < kTableSize;
    std::array<uint32_t, kTableSize> touched{};
    std::array<uint64_t, kTableSize> sectorOf;
    const uint32_t oneAccess = (1u << bytes) - 1;

    uint32_t sectors = 0, distinct = 0;
    for (unsigned i = 0; i < count; ++i) {
        const uint64_t sector = (address[i] >> kSectorShift) - first;
        // The multiplier of Fibonacci hashing (2^64 / golden ratio) spreads power-of-two strides over the table.
        uint64_t at = direct ? sector : (sector * 0x9E3779B97F4A7C15u) >> 58;
        if (!direct)
            while (touched[at] && sectorOf[at] != sector) at = (at + 1) % kTableSize;
        sectorOf[at] = sector;
        const uint32_t access = oneAccess << (address[i] & (kSectorBytes - 1));
        sectors += touched[at] == 0;
        distinct += (touched[at] & access) == 0;
        touched[at] |= access;
    }
    return {sectors, sectorsFor(distinct * bytes)};
}

/// One pass that is right when the addresses never fall or never rise, which covers every walk by rows or columns.
SectorCount countList(const uint64_t* address, unsigned count, unsigned bytes) {
    uint64_t sectors = 1, distinct = 1;
    uint64_t rises = 0, falls = 0; // The sign bit is set as soon as one step did.
    for (unsigned i = 1; i < count; ++i) {
        const uint64_t a = address[i - 1], b = address[i];
        sectors += nonZero((a ^ b) >> kSectorShift);
        distinct += nonZero(a ^ b);
        rises |= a - b;
        falls |= b - a;
    }
    if ((rises & falls) >> 63) return countUnordered(address, count, bytes);
    return {uint32_t(sectors), sectorsFor(uint32_t(distinct) * bytes)};
}

/// True when all 32 addresses are a fixed distance apart.
bool constantStride(const uint64_t* address) {
    const uint64_t stride = address[1] - address[0];
    uint64_t differs = 0;
    for (unsigned i = 2; i < kWarpSize; ++i) differs |= (address[i] - address[i - 1]) ^ stride;
    return differs == 0;
}

/// Steps of up to a sector leave no sector out; longer ones put each lane in a sector of its own.
SectorCount countStride(const uint64_t* address, unsigned bytes) {
    const uint64_t low = std::min(address[0], address[31]), high = std::max(address[0], address[31]);
    const uint64_t span = high - low;
    if (span == 0) return {1, 1};
    const uint64_t sectors = span > 31 * kSectorBytes ? kWarpSize : (high >> kSectorShift) - (low >> kSectorShift) + 1;
    return {uint32_t(sectors), sectorsFor(kWarpSize * bytes)};
}

} // namespace

SectorCount countSectors(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous) {
    if (contiguous) {
        const uint64_t last = address[0] + kWarpSize * bytes - 1;
        return {uint32_t((last >> kSectorShift) - (address[0] >> kSectorShift) + 1), bytes};
    }
    if (active.isFull())
        return constantStride(address) ? countStride(address, bytes) : countList(address, kWarpSize, bytes);
    std::array<uint64_t, kWarpSize> packed;
    unsigned count = 0;
    for (uint32_t rest = active.bits; rest; rest &= rest - 1) packed[count++] = address[std::countr_zero(rest)];
    return count ? countList(packed.data(), count, bytes) : SectorCount{};
}

SectorCount countAtomicSectors(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous) {
    if (contiguous) return countSectors(active, address, bytes, true);
    std::array<uint64_t, kWarpSize> sorted;
    unsigned count = 0;
    for (uint32_t rest = active.bits; rest; rest &= rest - 1) sorted[count++] = address[std::countr_zero(rest)];
    std::sort(sorted.begin(), sorted.begin() + count);

    SectorCount result;
    uint32_t distinct = 0;
    for (unsigned i = 0; i < count;) {
        const uint64_t sector = sorted[i] >> kSectorShift;
        uint32_t rounds = 0;
        while (i < count && sorted[i] >> kSectorShift == sector) {
            const uint64_t same = sorted[i];
            const unsigned begin = i;
            while (i < count && sorted[i] == same) ++i;
            rounds = std::max(rounds, i - begin);
            ++distinct;
        }
        result.sectors += rounds;
    }
    result.ideal = sectorsFor(distinct * bytes);
    return result;
}

SectorCount countLocalSectors(LaneMask active, const uint64_t* address, unsigned bytes) {
    constexpr unsigned kMaxWords = 4;
    std::array<uint64_t, kWarpSize * kMaxWords> sector; // word * 4 + which quarter of the line the lane is in
    const unsigned words = std::max(1u, bytes / 4);
    unsigned count = 0;
    for (uint32_t rest = active.bits; rest; rest &= rest - 1) {
        const unsigned lane = unsigned(std::countr_zero(rest));
        for (unsigned w = 0; w < words; ++w) sector[count++] = (address[lane] / 4 + w) * 4 + lane / 8;
    }
    std::sort(sector.begin(), sector.begin() + count);
    const auto distinct = std::unique(sector.begin(), sector.begin() + count) - sector.begin();
    return {uint32_t(distinct), sectorsFor(active.count() * bytes)};
}

} // namespace sim
