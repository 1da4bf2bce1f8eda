// A mistake of the learner's kernel that the simulator saw, with every place and number that explains it.
#pragma once

#include "sim/core/Diagnostic.h"
#include "sim/core/Dim3.h"
#include "sim/core/MemorySpace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sim {

enum class FindingKind : uint8_t {
    OutOfBoundsGlobal, OutOfBoundsShared, OutOfBoundsLocal, OutOfBoundsConstant, UseAfterFree, NullPointer,
    Misaligned, UninitializedRead, SharedRace, GlobalRace, DivergentBarrier, MaskMismatch, AbsentLaneRead,
    Deadlock, Livelock, EndlessLoop, AssertFailed, Trap, IntegerDivisionByZero, InvalidLaunch, DeviceMemoryLeak,
    LimitExceeded,
};

/// The kind as reports spell it: "out-of-bounds-global", ...
const char* toString(FindingKind kind);

/// A thread at a line: the first party of a finding, or the other one (a race's second thread).
struct Party {
    SourceLoc at;
    Dim3 block{0, 0, 0}, thread{0, 0, 0};
};

/// One per kind, access and line; `count` adds up the accesses of single threads.
struct Finding {
    FindingKind kind{};
    AccessKind access = AccessKind::Load;
    uint64_t count = 0;
    Party first;
    uint64_t address = 0;            ///< Device address of the first access.
    uint32_t bytes = 0;              ///< Width of the first access.
    std::string allocation;          ///< Name of the allocation concerned, empty when there is none.
    int64_t offset = 0;              ///< Byte offset of the first access from that allocation's start.
    std::optional<Party> other;
    std::string message;             ///< What happened, in one sentence with the numbers filled in.
};

} // namespace sim
