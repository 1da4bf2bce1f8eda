// Memory accesses lane by lane: the path for everything that the fast path of ExecMemory does not take.
#pragma once

#include "sim/vm/Warp.h"

namespace sim::vm {

/// Host locations of the lanes of one access.
struct LaneHosts {
    uint32_t allowed = 0;                   ///< Lanes whose access is in bounds and aligned.
    std::byte* host[kWarpSize] = {};        ///< Of allowed lanes.
};

/// Checks `lanes` one by one; refused ones become findings.
void resolveLanes(Warp& warp, const Instruction* at, const uint64_t* address, uint32_t lanes, unsigned bytes,
                  AccessKind kind, LaneHosts& out);

/// Tells the observer, one event for each memory space among the lanes.
void tellAccess(Warp& warp, const Instruction* at, const uint64_t* address, unsigned bytes, AccessKind kind,
                const LaneHosts& lanes);

/// Load and Store of any shape (elements per the instruction's aux) at `address`.
void loadLanes(Warp& warp, const Instruction* at, const uint64_t* address);
void storeLanes(Warp& warp, const Instruction* at, const uint64_t* address);

/// Reads up to `bytes` bytes as one thread sees them at an address; returns how many could be read. No findings.
size_t peek(const Warp& warp, unsigned lane, uint64_t address, void* to, size_t bytes);
/// The zero-terminated text at an address, at most 64 KiB of it.
std::string peekText(const Warp& warp, unsigned lane, uint64_t address);

} // namespace sim::vm
