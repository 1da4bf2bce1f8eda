// Every recorded launch on the simulator: counters and outputs must equal what the GPU counted and computed.
#include "playground/session/CaseRunner.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace playground {
namespace {

CaseRunner& runner() {
    static std::string problem;
    static auto loaded = CaseRunner::load(TEST_DATA, problem);
    if (!loaded) throw std::runtime_error(problem);
    return *loaded;
}

/// Numbers that differ for a known reason: the case, what, and why.
struct Expected {
    const char* name;
    const char* what;
    const char* why;
};
constexpr const char* kScan =
    "nvcc unrolls the loops, joins s[2t] and s[2t + 1] into 8-byte accesses and keeps s[b] in a register "
    "instead of loading it again: 72 load instructions per block instead of 116";
constexpr Expected kExpected[] = {
    {"matmul_tiled_16", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "nvcc merges four neighbouring loads of a tile's row into one 16-byte load; as written there are 32 per tile "
     "step"},
    {"matmul_tiled_32", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "nvcc merges four neighbouring loads of a tile's row into one 16-byte load; as written there are 64 per tile "
     "step"},
    {"loop_by_lane", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "nvcc unrolls the loop by four and does the up to three rounds that are left afterwards, for all lanes at once; "
     "there "
     "the lanes' k differ, so their loads spread over more sectors"},
    {"scan_blelloch", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", kScan},
    {"scan_blelloch", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", kScan},
    {"scan_blelloch", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", kScan},
    {"scan_blelloch", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", kScan},
};

const char* reasonFor(const std::string& name, const std::string& what) {
    for (const Expected& e : kExpected)
        if (name == e.name && what == e.what) return e.why;
    return nullptr;
}

class Hardware : public testing::TestWithParam<size_t> {};

TEST_P(Hardware, EqualsTheGpu) {
    const CaseResult result = runner().run(GetParam());
    EXPECT_EQ(result.error, "");
    EXPECT_GT(result.compared, 10u);
    for (const CaseDifference& d : result.differences) {
        if (reasonFor(result.name, d.what)) continue;
        ADD_FAILURE() << d.what << ": measured " << std::int64_t(d.measured) << ", simulated "
                      << std::int64_t(d.simulated);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Hardware, testing::Range(size_t{0}, runner().size()),
                         [](const auto& index) { return runner().name(index.param); });

TEST(HardwareData, AllCasesAreThere) {
    EXPECT_EQ(runner().size(), 119u);
}

} // namespace
} // namespace playground
