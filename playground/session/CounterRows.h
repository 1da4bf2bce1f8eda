// The counters of a run as rows of a table: name, value, what would be ideal.
#pragma once

#include "sim/core/Counters.h"

#include <string>
#include <vector>

namespace playground {

struct CounterRow {
    std::string label;             ///< In words.
    std::string name;              ///< As Nsight Compute calls it; empty when it has no such metric.
    std::string value, ideal;      ///< Formatted; ideal empty when there is none.
    bool excess = false;           ///< More than ideal.
    std::string help;
};

/// Rows for one kernel, line or instruction; those that do not apply are left out.
std::vector<CounterRow> counterRows(const sim::Counters& counters);

} // namespace playground
