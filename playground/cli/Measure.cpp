// Options and exit codes of measured runs.
#include "playground/cli/Measure.h"

#include <array>
#include <ctime>

namespace playground::cli {

gpu::RunOptions measurementOptions(const GpuOptions& options) {
    gpu::RunOptions run;
    run.device = options.device;
    run.launches = options.launches;
    run.flushCache = options.flushCache;
    run.pinned = options.pinned;
    if (options.counters) run.counters = gpu::comparableCounters();
    return run;
}

int exitCodeOf(const gpu::RunResult& result) {
    switch (result.status) {
    case gpu::RunStatus::Finished: return kClean;
    case gpu::RunStatus::CompileFailed:
    case gpu::RunStatus::Rejected:
    case gpu::RunStatus::Unavailable: return kUsage;
    case gpu::RunStatus::TimeLimit: return kLimitExceeded;
    default: return kFindings;
    }
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d", &local);
    return text.data();
}

} // namespace playground::cli
