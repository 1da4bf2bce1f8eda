// What one warp's access touches: words of shared memory by bank, or sectors and lines of global memory.
#pragma once

#include "sim/Simulator.h"
#include "sim/analysis/BankConflicts.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace playground {

/// Four bytes of memory and who touches them.
struct TouchedWord {
    sim::LaneMask lanes;
    uint8_t bytes = 0; ///< Bit i: byte i is touched.
};

/// 32 consecutive words: one row of banks, or one 128-byte line.
struct WordRow {
    uint64_t address = 0; ///< Of word 0: a device address (global), or an offset in shared memory.
    std::array<TouchedWord, 32> words{};
    std::string label;   ///< "tile[0][0]" or "in[32]": the element at word 0; empty outside allocations.
    uint8_t sectors = 0; ///< Global: bit i: sector i is fetched.
};

struct SharedPicture {
    std::vector<WordRow> rows;        ///< Rows that are touched, by address.
    std::array<uint32_t, 32> asked{}; ///< Per bank: distinct words asked of it; atomics that take turns: lanes.
    uint32_t crowded = 0;             ///< Bit i: bank i makes the access take more wavefronts than it needs.
    uint32_t wavefronts = 0, ideal = 0;
    uint32_t worst = 1; ///< n of "n-way conflict"; 1: none.
};

struct GlobalPicture {
    std::vector<WordRow> rows; ///< Lines that are touched, by address.
    uint32_t sectors = 0, ideal = 0;
    uint32_t usefulBytes = 0;  ///< Distinct bytes that lanes asked for.
    uint32_t fetchedBytes = 0; ///< 32 per sector.
};

/// The two pictures of an access of that space. Allocations give names and elements to addresses.
SharedPicture pictureShared(const sim::TracedAccess& access, sim::SharedOperation operation,
                            const std::vector<sim::PlacedAllocation>& allocations);
GlobalPicture pictureGlobal(const sim::TracedAccess& access, const std::vector<sim::PlacedAllocation>& allocations);

/// Wavefronts of a shared access and how many its width needs; sectors of a global or local one and its ideal: as
/// sim/analysis counts them.
struct AccessCost {
    uint32_t actual = 0, ideal = 0;
};
AccessCost costOf(const sim::TracedAccess& access, sim::SharedOperation operation);

/// "a[17]" or "tile[2][3]"; "" when no allocation holds the address.
std::string elementName(uint64_t address, const std::vector<sim::PlacedAllocation>& allocations);
/// The allocation that holds the address, or nullptr.
const sim::PlacedAllocation* allocationAt(uint64_t address, const std::vector<sim::PlacedAllocation>& allocations);

} // namespace playground
