// A launch's report as JSON, for programs that read what the simulator counted.
#pragma once

#include "playground/session/Lesson.h"
#include "sim/Simulator.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace playground {

/// Keys: kernel, grid, block, shared_bytes, status, error, counters [{id, value, unit, counterpart}], lines [{line,
/// counters {id: value}}], outputs [{index, name, type, count, crc32, sum, head}], instructions {warp, thread},
/// wall_ms, host_threads, printed, findings. All counters are simulated; lines list only those that are not zero.
nlohmann::ordered_json reportJson(const ResolvedLaunch& launch, const sim::LaunchReport& report);

/// [{kind, access, line, column, count, first {block, thread, address, bytes, allocation, offset}, other {line, block,
/// thread}, message}]; other only where there is a second party.
nlohmann::ordered_json findingsJson(std::span<const sim::Finding> findings);

/// [{severity, line, column, message}].
nlohmann::ordered_json diagnosticsJson(std::span<const sim::Diagnostic> diagnostics);

/// "finished", "stopped", "limit-exceeded", "cancelled", "rejected".
const char* toString(sim::LaunchStatus status);

} // namespace playground
