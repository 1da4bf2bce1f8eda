// A GPU's result as text for a terminal. Every figure is labelled as measured or recorded.
#pragma once

#include "playground/session/GpuLaunch.h"
#include "sim/Simulator.h"

#include <iosfwd>

namespace playground::cli {

/// How the run ended, times, resources and, where there were any, counters.
void printGpuResult(std::ostream& out, const ResolvedLaunch& launch, const gpu::RunResult& result);

/// What the two backends say of each other: outputs, counters, throughput, and the cause of a fault.
void printComparison(std::ostream& out, const sim::LaunchReport& report, const gpu::RunResult& result,
                     const std::vector<OutputAgreement>& outputs, const std::vector<CounterPair>& counters);

/// "Recorded: ..." where the lesson holds figures of this launch; nothing otherwise.
void printRecorded(std::ostream& out, const std::string& sentence);

} // namespace playground::cli
