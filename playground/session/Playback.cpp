// Searching the rows of a trace.
#include "playground/session/Playback.h"

namespace playground {

bool isTarget(const TraceRow& row, StepTarget target) {
    switch (target) {
    case StepTarget::Divergence: return row.divergent;
    case StepTarget::Conflict: return row.wavefronts > row.idealWavefronts;
    case StepTarget::Barrier: return row.barrier;
    case StepTarget::Finding: return row.finding;
    }
    return false;
}

std::optional<uint32_t> findTarget(const TraceRows& rows, uint32_t from, StepTarget target, bool forwards) {
    const size_t n = rows.rows.size();
    for (size_t k = 1; k <= n; ++k) {
        const size_t at = forwards ? (from + k) % n : (from + n - k % n) % n;
        if (isTarget(rows.rows[at], target)) return uint32_t(at);
    }
    return std::nullopt;
}

std::optional<uint32_t> findLine(const TraceRows& rows, uint32_t from, uint32_t line) {
    const size_t n = rows.rows.size();
    for (size_t k = 1; k <= n; ++k)
        if (rows.rows[(from + k) % n].line == line) return uint32_t((from + k) % n);
    return std::nullopt;
}

std::optional<uint32_t> nearestAccess(const TraceRows& rows, const sim::WarpTrace& trace, uint32_t from,
                                      sim::MemorySpace space) {
    const auto fits = [&](int64_t row) {
        if (row < 0 || row >= int64_t(rows.rows.size())) return false;
        const int access = rows.rows[size_t(row)].access;
        return access >= 0 && trace.accesses[size_t(access)].space == space;
    };
    for (int64_t distance = 0; distance <= int64_t(rows.rows.size()); ++distance) {
        if (fits(int64_t(from) - distance)) return uint32_t(from - distance);
        if (fits(int64_t(from) + distance)) return uint32_t(from + distance);
    }
    return std::nullopt;
}

} // namespace playground
