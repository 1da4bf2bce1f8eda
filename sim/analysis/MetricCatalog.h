// The one list of metrics: what each is called, means and is called by Nsight Compute, and how Counters give it.
#pragma once

#include "sim/core/Counters.h"

#include <span>
#include <string_view>

namespace sim {

struct Metric {
    const char* id;          ///< Stable: "global-load-sectors".
    const char* name;        ///< As views show it.
    const char* unit;        ///< "sectors", "%", "" for a plain ratio.
    const char* counterpart; ///< Nsight Compute's name; empty when it has no counter of its own for it.
    const char* definition;  ///< What it is, why it matters, what to try.
    bool higherIsWorse;      ///< Of two runs of the same work.
    double (*value)(const Counters&);
};

/// In the order in which views list them: global, local, shared, control flow, instructions.
std::span<const Metric> metricCatalog();
/// nullptr when there is none.
const Metric* findMetric(std::string_view id);

} // namespace sim
