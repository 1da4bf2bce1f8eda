// One warp while it runs: registers, active lanes, and the lanes that wait elsewhere.
#pragma once

#include "sim/core/LaneMask.h"
#include "sim/core/WarpEvents.h"
#include "sim/vm/Handlers.h"
#include "sim/vm/Region.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sim::vm {

class Worker;

inline constexpr unsigned kSlotBytes = 128;

/// Lanes that run together: a program counter of their own (independent thread scheduling, CUDA C++ Programming
/// Guide, "SIMT Architecture").
struct Split {
    uint32_t pc = 0;
    uint32_t mask = 0;
    int32_t entry = -1; ///< Innermost convergence entry that expects these lanes, or -1.
    int32_t frame = 0;
};

/// A place where lanes wait for each other, as Volta's BSSY/BSYNC do. Lanes of `arrived` wait; once it equals
/// `expected` they go on together at pc, under the parent entry.
struct ConvergenceEntry {
    uint32_t pc = 0;
    uint32_t expected = 0, arrived = 0;
    int32_t parent = -1;
    int32_t frame = 0;   ///< In which the lanes go on.
    int32_t callee = -1; ///< The frame that ends here, when this is the return from a call.
};

/// One activation of a function. Its registers start at `base` of the warp's register file.
struct Frame {
    uint32_t base = 0, slots = 0;
    uint32_t localBase = 0, localTop = 0; ///< Bytes of local memory, per thread.
    uint32_t argumentSlot = 0;            ///< Of the caller, relative to the register file: where results go.
    const Function* function = nullptr;
    int32_t parent = -1;
    bool overlaid = true;                 ///< Results need no copy: the frame lies over the caller's argument slots.
    bool used = false;
};

/// A split that waits at __syncthreads() or for other lanes of a member mask.
struct ParkedSplit {
    Split split;
    const Instruction* at = nullptr;
    uint32_t members = 0; ///< Of __syncwarp and of the _sync functions; unused at barriers.
};

/// Grows in units of slots, aligned for the widest vectors.
class RegisterFile {
public:
    std::byte* data() { return bytes_.get(); }
    uint32_t slots() const { return slots_; }
    /// Keeps the contents; pointers into it become invalid.
    void grow(uint32_t slots);

private:
    struct Release {
        void operator()(std::byte* p) const;
    };
    std::unique_ptr<std::byte[], Release> bytes_;
    uint32_t slots_ = 0;
};

/// Owned by a Worker and reused for the same warp of every block it runs. Between two instructions the running
/// split is described by (pc of the next instruction, active, entry, frame); all other lanes are in `ready`,
/// `atBarrier`, `atWarpSync` or arrived at an entry, or have ended.
struct Warp {
    // Read by nearly every handler.
    std::byte* registers = nullptr;        ///< Of the running frame.
    const HandlerTable* handlers = nullptr;///< Full or partial, as `active` demands.
    uint32_t active = 0;
    int32_t fuel = 0;                      ///< Instructions left of the time slice.
    int32_t granted = 0;                   ///< Instructions of the whole slice.
    const Instruction* code = nullptr;
    BlockCounter* counters = nullptr;
    const BranchTargets* branches = nullptr;
    const Region* regions = nullptr;
    uint32_t regionCount = 0;
    int32_t entry = -1;
    int32_t frame = 0;
    bool slowMemory = false;               ///< Every access takes the per-lane path: host addresses are asked for.
    bool atomicMemory = false;             ///< Other host threads run blocks of this launch.
    Observer* observer = nullptr;          ///< nullptr when nobody watches.
    std::byte* local = nullptr;            ///< 16-byte granules, the same granule of all lanes side by side.
    uint64_t localTop = 0;                 ///< Bytes of local memory in use, per thread.
    BlockId block;
    WarpId id;
    alignas(64) uint64_t address[kWarpSize] = {};

    // Divergence, barriers and calls.
    const HandlerTables* tables = nullptr;
    Worker* worker = nullptr;
    uint32_t live = 0, initial = 0;
    uint32_t gathered = 0;                 ///< Lanes for which the last instruction ran besides the active ones.
    uint32_t unsynced = 0;                 ///< Lanes whose next wait for a member mask was given up.
    std::vector<Split> ready;
    std::vector<ParkedSplit> atBarrier, atWarpSync;
    std::vector<ConvergenceEntry> entries;
    std::vector<int32_t> freeEntries;
    std::vector<Frame> frames;
    RegisterFile file;
    std::vector<std::byte> localStorage;
    uint32_t atomicsInSlice = 0;           ///< Returning atomics since the slice began: the sign of a spin lock.
    uint64_t stepped = 0;                  ///< Instructions of the current slice, when they come a few at a time.
    Observer* stepObserver = nullptr;

    uint32_t pcOf(const Instruction* i) const { return uint32_t(i - code); }
    WarpPosition at(const Instruction* i) const { return {block, id, Pc{pcOf(i)}}; }
    void setActive(uint32_t mask) {
        active = mask;
        handlers = mask == 0xffffffffu ? &tables->full : &tables->partial;
    }
};

/// Location of byte `offset` of one lane's local memory.
///
///     granule g of lane l at (g * 32 + l) * 16:  | l0: bytes 0-15 | l1: 0-15 | ... | l31: 0-15 | l0: 16-31 | ...
inline std::byte* localHost(std::byte* local, uint64_t offset, unsigned lane) {
    return local + (offset >> 4) * (16 * kWarpSize) + lane * 16 + (offset & 15);
}

} // namespace sim::vm
