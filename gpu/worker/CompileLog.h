// NVRTC's log read: diagnostics with line and column, and what the assembler says of registers and spills.
#pragma once

#include "sim/core/Diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpu {

/// What ptxas reports of one kernel with --verbose; -1 where it says nothing.
struct AssemblerReport {
    int stackBytes = -1, spillStoreBytes = -1, spillLoadBytes = -1, registers = -1, sharedBytes = -1;
};

/// Diagnostics of the log, in its order. Those in `fileName` carry their line and, from the caret, their column;
/// those elsewhere (headers) have line 0 and name the place in the message. `kernel` is the name expression that
/// was looked up: NVRTC reports a wrong one in a file of its own, which is put in the learner's words here.
std::vector<sim::Diagnostic> parseCompileLog(std::string_view log, std::string_view fileName, std::string_view kernel);

/// The report on the function with that lowered name; all -1 when the log has none.
AssemblerReport parseAssemblerReport(std::string_view log, std::string_view loweredName);

} // namespace gpu
