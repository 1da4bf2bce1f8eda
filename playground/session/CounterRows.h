// The counters of a run as rows of a table, from the simulator's metric catalog.
#pragma once

#include "sim/core/Counters.h"

#include <string>
#include <vector>

namespace playground {

struct CounterRow {
    std::string label; ///< In words.
    std::string name;  ///< As Nsight Compute calls it; empty when it has no such metric.
    std::string value, unit;
    bool excess = false; ///< It counts waste, and there is some.
    std::string help;
};

/// Rows for one kernel, line or instruction; metrics of accesses and branches that it never made are left out.
std::vector<CounterRow> counterRows(const sim::Counters& counters);

} // namespace playground
