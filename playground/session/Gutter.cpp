// Per-line figures from a report's counters.
#include "playground/session/Gutter.h"

#include "playground/session/Figures.h"

#include <algorithm>

namespace playground {
namespace {

using sim::AccessCounters;

AccessCounters allKinds(const sim::Counters& c, sim::MemorySpace space) {
    AccessCounters sum;
    for (const AccessCounters& kind : c.access[unsigned(space)]) {
        sum.requests += kind.requests;
        sum.sectors += kind.sectors;
        sum.idealSectors += kind.idealSectors;
        sum.wavefronts += kind.wavefronts;
        sum.idealWavefronts += kind.idealWavefronts;
    }
    return sum;
}

bool figureOf(const sim::Counters& c, GutterMetric metric, uint64_t most, GutterFigure& out) {
    const AccessCounters global = allKinds(c, sim::MemorySpace::Global), shared = allKinds(c, sim::MemorySpace::Shared);
    switch (metric) {
    case GutterMetric::Executions:
        out.text = formatShort(double(c.warpInstructions));
        out.magnitude = most ? double(c.warpInstructions) / double(most) : 0;
        return c.warpInstructions > 0;
    case GutterMetric::ActiveLanes:
        out.text = formatRatio(c.activeLanes());
        out.magnitude = c.activeLanes() / 32.0;
        out.excess = c.branch.divergent > 0;
        return c.warpInstructions > 0;
    case GutterMetric::SectorsPerRequest: {
        if (global.requests == 0) return false;
        const double perRequest = double(global.sectors) / double(global.requests);
        out.text = formatRatio(perRequest);
        out.magnitude = perRequest / 32.0;
        out.excess = global.sectors > global.idealSectors;
        return true;
    }
    case GutterMetric::BankConflicts: {
        if (shared.requests == 0) return false;
        const uint64_t extra = shared.wavefronts - std::min(shared.wavefronts, shared.idealWavefronts);
        out.text = formatShort(double(extra));
        out.magnitude = shared.wavefronts ? double(extra) / double(shared.wavefronts) : 0;
        out.excess = extra > 0;
        return true;
    }
    case GutterMetric::None: return false;
    }
    return false;
}

} // namespace

std::vector<GutterFigure> gutterFigures(const sim::LaunchReport& report, GutterMetric metric) {
    uint64_t most = 0;
    for (const sim::LineCounters& line : report.byLine) most = std::max(most, line.counters.warpInstructions);
    std::vector<GutterFigure> figures;
    for (const sim::LineCounters& line : report.byLine) {
        GutterFigure figure;
        figure.line = line.line;
        if (line.line > 0 && figureOf(line.counters, metric, most, figure)) figures.push_back(figure);
    }
    return figures;
}

} // namespace playground
