// A launch's report as text for a terminal.
#pragma once

#include "playground/session/Lesson.h"
#include "sim/Simulator.h"

#include <iosfwd>

namespace playground::cli {

/// Aligned tables: counters, lines, outputs, findings. Every figure is labelled as simulated.
void printReport(std::ostream& out, const ResolvedLaunch& launch, const sim::LaunchReport& report);

/// Compiler messages with source line and caret.
void printDiagnostics(std::ostream& out, const std::vector<sim::Diagnostic>& diagnostics);

/// A number as a person reads it: no fraction where there is none, at most two digits otherwise.
std::string showNumber(double value);

} // namespace playground::cli
