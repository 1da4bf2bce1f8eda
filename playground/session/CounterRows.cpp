// Rows of the counter table.
#include "playground/session/CounterRows.h"

#include "playground/session/Figures.h"
#include "sim/analysis/MetricCatalog.h"

#include <cmath>
#include <string_view>

namespace playground {
namespace {

/// True for metrics whose zero is an answer, not an absence.
bool meansSomethingAtZero(std::string_view id, const sim::Counters& c) {
    if (id == "divergent-branches") return c.branch.executed > 0;
    if (id == "shared-bank-conflicts") {
        for (const sim::AccessCounters& kind : c.access[unsigned(sim::MemorySpace::Shared)])
            if (kind.requests > 0) return true;
    }
    return false;
}

bool isWaste(std::string_view id) {
    return id.ends_with("conflicts") || id == "divergent-branches";
}

} // namespace

std::vector<CounterRow> counterRows(const sim::Counters& counters) {
    std::vector<CounterRow> rows;
    for (const sim::Metric& metric : sim::metricCatalog()) {
        const double value = metric.value(counters);
        if (value == 0 && !meansSomethingAtZero(metric.id, counters)) continue;
        CounterRow row;
        row.label = metric.name;
        row.name = metric.counterpart;
        row.unit = metric.unit;
        row.value = value == std::floor(value) && value >= 0 && value < 1e15 ? formatCount(uint64_t(value))
                                                                             : formatRatio(value);
        row.excess = value > 0 && isWaste(metric.id);
        row.help = metric.definition;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace playground
