// The figure that the code editor shows beside every line.
#pragma once

#include "sim/Simulator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace playground {

enum class GutterMetric : uint8_t { Executions, ActiveLanes, SectorsPerRequest, BankConflicts, None };
inline constexpr int kGutterMetricCount = 5;

struct GutterFigure {
    uint32_t line = 0;
    std::string text;     ///< "4.5"
    double magnitude = 0; ///< 0..1 for the colour scale.
    bool excess = false;  ///< Worse than it needs to be: drawn in the colour of excess.
};

/// One figure for each line that executed and has the metric.
std::vector<GutterFigure> gutterFigures(const sim::LaunchReport& report, GutterMetric metric);

} // namespace playground
