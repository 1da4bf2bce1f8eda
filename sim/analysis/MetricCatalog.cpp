// The rows of the metric catalog.
#include "sim/analysis/MetricCatalog.h"

#include <algorithm>
#include <array>

namespace sim {
namespace {

using Space = MemorySpace;
using Kind = AccessKind;

template <Space S, Kind K>
double requests(const Counters& c) {
    return double(c.of(S, K).requests);
}
template <Space S, Kind K>
double sectors(const Counters& c) {
    return double(c.of(S, K).sectors);
}
template <Kind K>
double wavefronts(const Counters& c) {
    return double(c.of(Space::Shared, K).wavefronts);
}

/// A sum over all kinds of access to one space.
template <class Field>
uint64_t sum(const Counters& c, Space space, Field field) {
    uint64_t total = 0;
    for (unsigned k = 0; k < kAccessKinds; ++k) total += c.of(space, Kind(k)).*field;
    return total;
}

double ratio(uint64_t part, uint64_t whole) {
    return whole ? double(part) / double(whole) : 0.0;
}

template <Kind K>
double sectorsPerRequest(const Counters& c) {
    const AccessCounters& a = c.of(Space::Global, K);
    return ratio(a.sectors, a.requests);
}
double bytesUseful(const Counters& c) {
    return double(sum(c, Space::Global, &AccessCounters::idealSectors) * 32);
}
double bytesMoved(const Counters& c) {
    return double(sum(c, Space::Global, &AccessCounters::sectors) * 32);
}
double efficiency(const Counters& c) {
    return 100.0 *
           ratio(sum(c, Space::Global, &AccessCounters::idealSectors), sum(c, Space::Global, &AccessCounters::sectors));
}

double sharedAtomicRequests(const Counters& c) {
    return requests<Space::Shared, Kind::Atomic>(c) + requests<Space::Shared, Kind::Reduction>(c);
}
double sharedAtomicWavefronts(const Counters& c) {
    return wavefronts<Kind::Atomic>(c) + wavefronts<Kind::Reduction>(c);
}
double idealWavefronts(const Counters& c) {
    return double(sum(c, Space::Shared, &AccessCounters::idealWavefronts));
}
double bankConflicts(const Counters& c) {
    return double(sum(c, Space::Shared, &AccessCounters::wavefronts)) - idealWavefronts(c);
}
template <Kind K>
double bankConflictsOf(const Counters& c) {
    const AccessCounters& a = c.of(Space::Shared, K);
    return double(a.wavefronts) - double(a.idealWavefronts);
}
double conflictDegree(const Counters& c) {
    return ratio(sum(c, Space::Shared, &AccessCounters::wavefronts),
                 sum(c, Space::Shared, &AccessCounters::idealWavefronts));
}
double worstConflict(const Counters& c) {
    uint32_t worst = 0;
    for (unsigned k = 0; k < kAccessKinds; ++k) worst = std::max(worst, c.of(Space::Shared, Kind(k)).worstDegree);
    return worst;
}

double branches(const Counters& c) {
    return double(c.branch.executed);
}
double divergentBranches(const Counters& c) {
    return double(c.branch.divergent);
}
double activeLanes(const Counters& c) {
    return c.activeLanes();
}
double warpInstructions(const Counters& c) {
    return double(c.warpInstructions);
}
double threadInstructions(const Counters& c) {
    return double(c.threadInstructions);
}
double barriers(const Counters& c) {
    return double(c.barriers);
}

constexpr auto kCatalog = std::to_array<Metric>({
    {"global-load-requests", "Global load requests", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "Load instructions that a warp sent to global memory, one for all its active lanes. Fewer means less work for the "
     "memory pipeline: load wider types (float4) or keep values in registers and shared memory.",
     true, requests<Space::Global, Kind::Load>},
    {"global-load-sectors", "Global load sectors", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "32-byte sectors that global loads touched; each distinct sector of a request counts once. This is the traffic "
     "that coalescing saves: let neighbouring lanes read neighbouring addresses.",
     true, sectors<Space::Global, Kind::Load>},
    {"global-load-sectors-per-request", "Sectors per global load", "sectors/request",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     "Average sectors that one warp's load touched. 32 aligned neighbouring floats need 4; 32 lanes far apart need 32. "
     "Far above 4 for 4-byte elements, change which element each lane reads, or the data's layout.",
     true, sectorsPerRequest<Kind::Load>},
    {"global-store-requests", "Global store requests", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "Store instructions that a warp sent to global memory. Fewer, wider stores do the same work in fewer steps.", true,
     requests<Space::Global, Kind::Store>},
    {"global-store-sectors", "Global store sectors", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     "32-byte sectors that global stores touched. A sector written in part costs as much as a whole one: let "
     "neighbouring lanes write neighbouring addresses.",
     true, sectors<Space::Global, Kind::Store>},
    {"global-store-sectors-per-request", "Sectors per global store", "sectors/request",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
     "Average sectors that one warp's store touched; 4 is ideal for 4-byte elements. When a transposed write spreads, "
     "turn the tile in shared memory first.",
     true, sectorsPerRequest<Kind::Store>},
    {"global-atomic-requests", "Global atomic requests", "requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     "Atomic instructions on global memory whose old value is used. Combine within a warp or block first to need "
     "fewer.",
     true, requests<Space::Global, Kind::Atomic>},
    {"global-atomic-sectors", "Global atomic sectors", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
     "Sectors that those atomics sent; lanes on one address go one after the other and send it again each time. Spread "
     "the addresses, or combine in shared memory first.",
     true, sectors<Space::Global, Kind::Atomic>},
    {"global-reduction-requests", "Global reduction requests", "requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     "Atomic instructions on global memory whose old value nobody uses, so that none returns. Combine within a warp or "
     "block first to need fewer.",
     true, requests<Space::Global, Kind::Reduction>},
    {"global-reduction-sectors", "Global reduction sectors", "sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
     "Sectors that those reductions sent; lanes on one address go one after the other and send it again each time. "
     "Give each block its own copy in shared memory and merge at the end.",
     true, sectors<Space::Global, Kind::Reduction>},
    {"global-bytes-useful", "Global bytes needed", "bytes", "",
     "Bytes of the sectors that would do if each request's bytes lay side by side: the least traffic for this work.",
     true, bytesUseful},
    {"global-bytes-moved", "Global bytes moved", "bytes", "",
     "Bytes of all sectors that global accesses touched: 32 for each. What exceeds the bytes needed is fetched for "
     "nothing.",
     true, bytesMoved},
    {"global-efficiency", "Global access efficiency", "%", "smsp__sass_average_data_bytes_per_sector_mem_global.pct",
     "Bytes needed as a share of bytes moved. 100 % is perfectly coalesced; at 12.5 % seven of eight bytes are fetched "
     "for nothing.",
     false, efficiency},
    {"local-load-requests", "Local load requests", "requests", "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
     "Loads from a thread's local memory, where arrays go that are indexed by a variable and registers that ran out. "
     "It "
     "is as slow as global memory: index with constants or use shared memory.",
     true, requests<Space::Local, Kind::Load>},
    {"local-load-sectors", "Local load sectors", "sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
     "32-byte sectors that local loads touched. Local memory is interleaved, so lanes that use the same index share "
     "sectors.",
     true, sectors<Space::Local, Kind::Load>},
    {"local-store-requests", "Local store requests", "requests", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
     "Stores to a thread's local memory: see local loads.", true, requests<Space::Local, Kind::Store>},
    {"local-store-sectors", "Local store sectors", "sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
     "32-byte sectors that local stores touched.", true, sectors<Space::Local, Kind::Store>},
    {"shared-load-requests", "Shared load requests", "requests", "smsp__sass_inst_executed_op_shared_ld.sum",
     "Load instructions that a warp sent to shared memory.", true, requests<Space::Shared, Kind::Load>},
    {"shared-load-wavefronts", "Shared load wavefronts", "wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "Passes over the 32 banks that shared loads took. One pass serves one word of each bank, to any number of lanes; "
     "lanes that want different words of one bank wait for further passes.",
     true, wavefronts<Kind::Load>},
    {"shared-load-conflicts", "Shared load bank conflicts", "wavefronts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     "Wavefronts of loads beyond those needed without conflicts. Pad the rows of a tile by one word or swizzle its "
     "columns, so that lanes spread over the banks.",
     true, bankConflictsOf<Kind::Load>},
    {"shared-store-requests", "Shared store requests", "requests", "smsp__sass_inst_executed_op_shared_st.sum",
     "Store instructions that a warp sent to shared memory.", true, requests<Space::Shared, Kind::Store>},
    {"shared-store-wavefronts", "Shared store wavefronts", "wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "Passes over the 32 banks that shared stores took; see shared load wavefronts.", true, wavefronts<Kind::Store>},
    {"shared-store-conflicts", "Shared store bank conflicts", "wavefronts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     "Wavefronts of stores beyond those needed without conflicts. Pad or swizzle the tile.", true,
     bankConflictsOf<Kind::Store>},
    {"shared-atomic-requests", "Shared atomic requests", "requests", "",
     "Atomic instructions that a warp sent to shared memory.", true, sharedAtomicRequests},
    {"shared-atomic-wavefronts", "Shared atomic wavefronts", "wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
     "Passes over the banks that shared atomics took. Lanes of one bank take turns, also on the same word; only adding "
     "a "
     "constant 1 without using the result is counted up first. Spread the addresses, or combine within the warp.",
     true, sharedAtomicWavefronts},
    {"shared-ideal-wavefronts", "Shared wavefronts needed", "wavefronts", "",
     "Passes over the banks that all shared accesses would take without conflicts.", true, idealWavefronts},
    {"shared-bank-conflicts", "Shared bank conflicts", "wavefronts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     "Wavefronts beyond those needed: each is a pass that the warp waited for because two lanes wanted different words "
     "of "
     "one bank. Zero is the goal: pad or swizzle.",
     true, bankConflicts},
    {"shared-conflict-degree", "Shared conflict degree", "", "",
     "Wavefronts per wavefront needed: 1 is free of conflicts, 32 is the worst.", true, conflictDegree},
    {"shared-worst-conflict", "Worst shared conflict", "-way", "",
     "The n of the worst n-way bank conflict of one request.", true, worstConflict},
    {"branches", "Branches", "branches", "smsp__sass_branch_targets.sum",
     "Conditional branches that warps executed, as the source has them. A compiler turns small ones into predicated "
     "instructions, so a GPU may count fewer.",
     true, branches},
    {"divergent-branches", "Divergent branches", "branches", "smsp__sass_branch_targets_threads_divergent.sum",
     "Branches at which the lanes of a warp went both ways, so that both paths run one after the other. Branch on "
     "something that all lanes of a warp share, such as threadIdx.x / 32.",
     true, divergentBranches},
    {"active-lanes", "Active lanes per instruction", "lanes", "smsp__thread_inst_executed_per_inst_executed.ratio",
     "Average lanes that took part in an instruction, of 32. Below 32 the rest waited: masked off by divergence, ended "
     "early, or never there in a partial warp.",
     false, activeLanes},
    {"warp-instructions", "Warp instructions", "instructions", "smsp__inst_executed.sum",
     "Instructions issued, one for a whole warp. They are those of the source as written; a GPU's own instructions "
     "differ "
     "in number.",
     true, warpInstructions},
    {"thread-instructions", "Thread instructions", "instructions", "smsp__thread_inst_executed.sum",
     "The same, counted once for each active lane.", true, threadInstructions},
    {"barriers", "Barrier arrivals", "arrivals", "",
     "Times that a warp arrived at __syncthreads(). Each makes the block wait for its slowest warp: drop those that no "
     "shared data needs, and none more.",
     true, barriers},
});

} // namespace

std::span<const Metric> metricCatalog() {
    return kCatalog;
}

const Metric* findMetric(std::string_view id) {
    const auto found = std::find_if(kCatalog.begin(), kCatalog.end(), [&](const Metric& m) { return id == m.id; });
    return found == kCatalog.end() ? nullptr : &*found;
}

} // namespace sim
