// What the device prints (printf, failed assertions) caught instead of reaching the terminal.
#pragma once

#include "gpu/protocol/UniqueFd.h"

#include <string>

namespace gpu {

/// Puts one of the process's standard streams into a memory file for good.
class OutputCapture {
public:
    /// `stream` is STDOUT_FILENO or STDERR_FILENO.
    explicit OutputCapture(int stream);
    /// Everything written since the last call, at most `kMaxBytes` of it, and starts afresh.
    std::string take();

    static constexpr size_t kMaxBytes = 1 << 20;

private:
    UniqueFd file_;
};

} // namespace gpu
