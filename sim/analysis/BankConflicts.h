// How many passes over the 32 banks of shared memory one warp's access takes.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/core/Ids.h"
#include "sim/core/LaneMask.h"
#include "sim/core/MemorySpace.h"

#include <cstdint>
#include <vector>

namespace sim {

inline constexpr unsigned kBankCount = 32;
inline constexpr unsigned kBankBytes = 4;

/// What the banks do for an access; hardware treats these differently.
enum class SharedOperation : uint8_t {
    Load,
    Store,
    Increment,   ///< atomicAdd(&x, 1) whose result is unused: lanes of one word are counted first, then added once.
    Atomic,      ///< Every other atomic: lanes of one bank take turns, also when they share the word.
    CompareSwap, ///< As Atomic, twice over: compare operands, then values.
    OneLane,     ///< One lane acts for the warp (Function::aggregatedReductions), in global memory too.
};

struct WavefrontCount {
    uint32_t wavefronts = 0; ///< Passes over the banks: l1tex__data_pipe_lsu_wavefronts_mem_shared.
    uint32_t ideal = 0;      ///< Passes needed if no two lanes collided in a bank.
    /// n of the n-way conflict, 1 when there is none.
    uint32_t degree() const { return ideal ? (wavefronts + ideal - 1) / ideal : 0; }
};

/// Wavefronts of one warp request. `address` has 32 device addresses of which the active ones count; each access is
/// `bytes` wide (1, 2, 4, 8 or 16) and aligned to that. `contiguous`: all lanes active, address[i] == address[0] + i *
/// bytes.
///
/// A wavefront serves one word of each bank, to any number of lanes (CUDA C++ Programming Guide, "Shared Memory"). How
/// wide accesses are split was measured on an H200 with random patterns and masks, 1500 launches, none of which
/// differs from this rule (tests/analysis/data/shared-wavefronts.csv holds a part of them):
///
///     up to 4 bytes      the whole warp at once: most distinct words that any bank holds
///     8-byte loads       the same, over both words of each lane
///     8-byte stores      half-warps one after the other
///     16-byte loads      half-warps one after the other; a half-warp at once when each lane reads the same address as
///                        lane ^ 1, or each the same as lane ^ 2 (inactive lanes agree with any), else its two quarters
///     16-byte stores     quarter-warps one after the other
///     atomics            lanes take turns at a bank: most lanes that any bank serves; 8-byte ones by half-warps
WavefrontCount countWavefronts(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous,
                               SharedOperation operation);

/// What the instruction at `pc` asks of the banks.
SharedOperation sharedOperation(const Function& function, Pc pc);
/// The same for every pc; much faster than one by one.
std::vector<SharedOperation> sharedOperations(const Function& function);

} // namespace sim
