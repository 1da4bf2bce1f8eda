// How many 32-byte sectors the global or local accesses of one warp touch.
#pragma once

#include "sim/core/LaneMask.h"

#include <cstdint>

namespace sim {

inline constexpr unsigned kSectorBytes = 32;

struct SectorCount {
    uint32_t sectors = 0; ///< Distinct sectors that the active lanes touch: l1tex__t_sectors.
    uint32_t ideal = 0;   ///< Sectors that the distinct bytes would fill if they lay side by side.
};

/// Sectors of one warp request. `address` has 32 entries of which the active ones count; each access is `bytes` wide
/// (1, 2, 4, 8 or 16) and aligned to that, so that two lanes touch the same bytes or none in common, and no access
/// crosses a sector. `contiguous`: all lanes active and address[i] == address[0] + i * bytes.
///
/// Hardware moves whole sectors, each distinct one once per request (CUDA C++ Best Practices Guide, "Coalesced Access
/// to Global Memory"; equal to an H200's counters in tests/hardware).
SectorCount countSectors(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous);

/// The same for atomics and reductions: lanes that update the same address go one after the other, and each round
/// sends its sectors again. So a sector counts as often as its most wanted address (measured on an H200: 32 lanes on
/// one address are 32 sectors; tests/analysis/data/global-sectors.csv).
SectorCount countAtomicSectors(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous);

/// The same for local memory, whose addresses count from the start of each thread's own. Hardware interleaves it by
/// 32-bit words, so that the same word of 32 lanes is one 128-byte line (CUDA C++ Programming Guide, "Local Memory"):
///
///     word 0 of lane 0 | word 0 of lane 1 | ... | word 0 of lane 31 | word 1 of lane 0 | ...
SectorCount countLocalSectors(LaneMask active, const uint64_t* address, unsigned bytes);

} // namespace sim
