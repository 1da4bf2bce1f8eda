// Moves through the rows of a trace, forwards and backwards.
#pragma once

#include "playground/session/TraceRows.h"

#include <cstdint>
#include <optional>

namespace playground {

enum class StepTarget : uint8_t { Divergence, Conflict, Barrier, Finding };

/// True when the row is one that `target` names.
bool isTarget(const TraceRow& row, StepTarget target);

/// The nearest row after (or before) `from` that is a target; wraps around once; nullopt when there is none.
std::optional<uint32_t> findTarget(const TraceRows& rows, uint32_t from, StepTarget target, bool forwards = true);

/// The nearest row of `line`, looking forwards first and then from the start; nullopt when the warp never ran it.
std::optional<uint32_t> findLine(const TraceRows& rows, uint32_t from, uint32_t line);

/// The row with an access of `space` that is nearest to `from` (the row itself when it has one; ties look back);
/// nullopt when the warp made none.
std::optional<uint32_t> nearestAccess(const TraceRows& rows, const sim::WarpTrace& trace, uint32_t from,
                                      sim::MemorySpace space);

} // namespace playground
