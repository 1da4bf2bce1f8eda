// Names of run states and counters, and peaks that follow from a device's properties.
#include "gpu/Run.h"

#include <array>

namespace gpu {

const char* toString(RunStatus status) {
    constexpr std::array names{"finished",   "compile-failed", "rejected",      "failed",
                               "time-limit", "cancelled",      "worker-failed", "unavailable"};
    static_assert(names.size() == unsigned(RunStatus::Unavailable) + 1);
    return names[unsigned(status)];
}

int coresPerMultiprocessor(int computeMajor, int computeMinor) {
    switch (computeMajor) {
    case 5: return 128;
    case 6: return computeMinor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return computeMinor == 0 ? 64 : 128;
    case 9:
    case 10:
    case 11:
    case 12: return 128;
    default: return 0;
    }
}

double DeviceInfo::peakBandwidth() const {
    return 2.0 * memoryClockKHz * 1e3 * memoryBusBits / 8;
}

double DeviceInfo::peakFlops() const {
    return 2.0 * clockKHz * 1e3 * multiprocessors * coresPerMultiprocessor(computeMajor, computeMinor);
}

std::vector<std::string> comparableCounters() {
    std::vector<std::string> names;
    for (const char* kind : {"ld", "st", "atom", "red"}) {
        names.push_back(std::string("l1tex__t_requests_pipe_lsu_mem_global_op_") + kind + ".sum");
        names.push_back(std::string("l1tex__t_sectors_pipe_lsu_mem_global_op_") + kind + ".sum");
    }
    for (const char* kind : {"ld", "st"}) {
        names.push_back(std::string("l1tex__t_requests_pipe_lsu_mem_local_op_") + kind + ".sum");
        names.push_back(std::string("l1tex__t_sectors_pipe_lsu_mem_local_op_") + kind + ".sum");
        names.push_back(std::string("smsp__inst_executed_op_shared_") + kind + ".sum");
    }
    for (const char* kind : {"ld", "st", "atom"})
        names.push_back(std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + kind + ".sum");
    for (const char* name : {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum",
                             "smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__sass_branch_targets.sum",
                             "smsp__sass_branch_targets_threads_uniform.sum",
                             "smsp__sass_branch_targets_threads_divergent.sum", "gpu__time_duration.sum"})
        names.emplace_back(name);
    return names;
}

} // namespace gpu
