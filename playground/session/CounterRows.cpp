// Rows of the counter table.
#include "playground/session/CounterRows.h"

#include "playground/session/Figures.h"
#include "playground/session/Strings.h"

namespace playground {
namespace {

using sim::AccessCounters;
using sim::AccessKind;
using sim::MemorySpace;

struct Builder {
    std::vector<CounterRow> rows;

    void add(Text label, const char* name, uint64_t value, Text help) {
        rows.push_back({tr(label), name, formatCount(value), "", false, tr(help)});
    }
    void addIdeal(Text label, const char* name, uint64_t value, uint64_t ideal, Text help) {
        rows.push_back({tr(label), name, formatCount(value), formatCount(ideal), value > ideal, tr(help)});
    }
    void addRatio(Text label, const char* name, double value, const char* ideal, bool excess, Text help) {
        rows.push_back({tr(label), name, formatRatio(value), ideal, excess, tr(help)});
    }
};

} // namespace

std::vector<CounterRow> counterRows(const sim::Counters& c) {
    Builder b;
    b.add(Text::CounterInstructions, "", c.warpInstructions, Text::CounterInstructionsHelp);
    if (c.warpInstructions > 0)
        b.addRatio(Text::CounterActiveLanes, "smsp__thread_inst_executed_per_inst_executed.ratio", c.activeLanes(), "32", c.branch.divergent > 0,
                   Text::CounterActiveLanesHelp);
    if (c.branch.executed > 0) b.addIdeal(Text::CounterDivergent, "", c.branch.divergent, 0, Text::CounterDivergentHelp);
    const AccessCounters& gl = c.of(MemorySpace::Global, AccessKind::Load);
    const AccessCounters& gs = c.of(MemorySpace::Global, AccessKind::Store);
    const AccessCounters& sl = c.of(MemorySpace::Shared, AccessKind::Load);
    const AccessCounters& ss = c.of(MemorySpace::Shared, AccessKind::Store);
    if (gl.requests > 0) {
        b.add(Text::CounterLoadRequests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", gl.requests, Text::CounterRequestsHelp);
        b.addIdeal(Text::CounterLoadSectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", gl.sectors, gl.idealSectors, Text::CounterSectorsHelp);
    }
    if (gs.requests > 0) {
        b.add(Text::CounterStoreRequests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", gs.requests, Text::CounterRequestsHelp);
        b.addIdeal(Text::CounterStoreSectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", gs.sectors, gs.idealSectors, Text::CounterSectorsHelp);
    }
    if (sl.requests > 0)
        b.addIdeal(Text::CounterSharedLoads, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", sl.wavefronts, sl.idealWavefronts, Text::CounterWavefrontsHelp);
    if (ss.requests > 0)
        b.addIdeal(Text::CounterSharedStores, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", ss.wavefronts, ss.idealWavefronts, Text::CounterWavefrontsHelp);
    if (c.barriers > 0) b.add(Text::CounterBarriers, "", c.barriers, Text::CounterBarriersHelp);
    return b.rows;
}

} // namespace playground
