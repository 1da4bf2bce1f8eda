// Names and sizes of the core enumerations, and sums of counters.
#include "sim/core/Counters.h"
#include "sim/core/Finding.h"
#include "sim/core/LaunchConfig.h"
#include "sim/core/MemorySpace.h"

#include <algorithm>
#include <array>

namespace sim {

const char* toString(MemorySpace space) {
    constexpr std::array names{"global", "shared", "local", "constant", "invalid"};
    return names[unsigned(space)];
}

const char* toString(AccessKind kind) {
    constexpr std::array names{"read", "write", "atomic", "atomic"};
    return names[unsigned(kind)];
}

const char* toString(FindingKind kind) {
    constexpr std::array names{
        "out-of-bounds-global", "out-of-bounds-shared", "out-of-bounds-local", "out-of-bounds-constant",
        "use-after-free", "null-pointer", "misaligned", "uninitialized-read", "shared-race", "global-race",
        "divergent-barrier", "mask-mismatch", "absent-lane-read", "deadlock", "livelock", "endless-loop",
        "assert-failed", "trap", "integer-division-by-zero", "invalid-launch", "device-memory-leak",
        "limit-exceeded"};
    static_assert(names.size() == unsigned(FindingKind::LimitExceeded) + 1);
    return names[unsigned(kind)];
}

namespace {
struct ElementRow {
    const char* name;
    unsigned bytes;
};
constexpr std::array<ElementRow, 12> kElements{{{"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}, {"i32", 4}, {"u32", 4},
                                                {"i64", 8}, {"u64", 8}, {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}}};
static_assert(kElements.size() == unsigned(ElementType::F64) + 1);
} // namespace

unsigned bytesOf(ElementType type) { return kElements[unsigned(type)].bytes; }
const char* toString(ElementType type) { return kElements[unsigned(type)].name; }

std::optional<ElementType> elementTypeFromString(std::string_view name) {
    const auto row = std::find_if(kElements.begin(), kElements.end(), [&](const ElementRow& r) { return name == r.name; });
    if (row == kElements.end()) return std::nullopt;
    return ElementType(row - kElements.begin());
}

AccessCounters& AccessCounters::operator+=(const AccessCounters& o) {
    requests += o.requests;
    threads += o.threads;
    sectors += o.sectors;
    idealSectors += o.idealSectors;
    wavefronts += o.wavefronts;
    idealWavefronts += o.idealWavefronts;
    bytes += o.bytes;
    worstDegree = std::max(worstDegree, o.worstDegree);
    return *this;
}

BranchCounters& BranchCounters::operator+=(const BranchCounters& o) {
    executed += o.executed;
    divergent += o.divergent;
    takenThreads += o.takenThreads;
    notTakenThreads += o.notTakenThreads;
    return *this;
}

Counters& Counters::operator+=(const Counters& o) {
    warpInstructions += o.warpInstructions;
    threadInstructions += o.threadInstructions;
    for (unsigned s = 0; s < kCountedSpaces; ++s)
        for (unsigned k = 0; k < kAccessKinds; ++k) access[s][k] += o.access[s][k];
    branch += o.branch;
    barriers += o.barriers;
    return *this;
}

} // namespace sim
