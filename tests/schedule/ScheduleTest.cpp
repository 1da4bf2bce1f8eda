// Orders of blocks, warps and lanes: what depends on them differs, what must not does not, nothing waits for ever.
#include "sim/Explore.h"
#include "sim/Simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace {

using namespace sim;

std::shared_ptr<const Program> compiled(const std::string& source) {
    const CompileResult result = compile(source);
    for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << d.rendered;
    return result.program;
}

/// Zeroed int arrays of the given lengths, and the arguments that point to them.
struct Ints {
    explicit Ints(std::initializer_list<size_t> counts) {
        for (const size_t n : counts) {
            buffers.push_back({.name = "b" + std::to_string(buffers.size()), .type = ElementType::I32, .count = n,
                               .bytes = std::vector<std::byte>(n * 4), .initialised = true, .written = {}});
            Argument a;
            a.buffer = int(buffers.size()) - 1;
            arguments.push_back(a);
        }
    }
    std::vector<int32_t> of(size_t buffer) const { return of(buffers, buffer); }
    static std::vector<int32_t> of(const std::vector<Buffer>& all, size_t buffer) {
        std::vector<int32_t> values(all[buffer].count);
        std::memcpy(values.data(), all[buffer].bytes.data(), all[buffer].bytes.size());
        return values;
    }

    std::vector<Buffer> buffers;
    std::vector<Argument> arguments;
};

LaunchOptions under(const Schedule& schedule, unsigned hostThreads = 0) {
    LaunchOptions options;
    options.schedule = schedule;
    options.hostThreads = hostThreads;
    options.limits.maxWarpInstructions = 10'000'000;
    return options;
}

constexpr auto kIncrement = "__global__ void increment(int* count) { *count = *count + 1; }";

/// count after `grid` blocks of two warps under a seed.
int incremented(const Program& program, uint64_t seed, unsigned hostThreads, uint32_t grid = 64) {
    Ints data({1});
    const LaunchReport r = launch(program, "increment", {{grid}, {64}}, data.arguments, data.buffers, under(scheduleOfSeed(seed), hostThreads));
    EXPECT_EQ(r.status, LaunchStatus::Finished) << r.error;
    return data.of(0)[0];
}

TEST(Schedule, WarpsThatTakeTurnsLoseIncrements) {
    const auto program = compiled(kIncrement);
    // One block at a time, each warp to its end: every warp's 32 lanes store the same sum.
    EXPECT_EQ(incremented(*program, 0, 1, 4), 8);
    EXPECT_EQ(incremented(*program, 1, 1, 4), 8);
    // One instruction of each warp in turn, four blocks at a time: both warps of a block read before either writes.
    EXPECT_LT(incremented(*program, 2, 1, 4), 8);
}

TEST(Schedule, ASeedIsOneOrderWhateverTheHostThreads) {
    const auto program = compiled(kIncrement);
    std::vector<int> counts;
    for (uint64_t seed = 1; seed < 12; ++seed) {
        const int one = incremented(*program, seed, 1);
        EXPECT_EQ(incremented(*program, seed, 2), one) << "seed " << seed;
        EXPECT_EQ(incremented(*program, seed, 5), one) << "seed " << seed;
        EXPECT_EQ(incremented(*program, seed, 1), one) << "seed " << seed;
        counts.push_back(one);
    }
    std::sort(counts.begin(), counts.end());
    EXPECT_GT(std::unique(counts.begin(), counts.end()) - counts.begin(), 3) << "seeds are hardly different orders";
}

// atomicExch comes after the loop: lanes that wait at the loop's end keep the winner from its unlock in lockstep.
constexpr auto kSpinLock = "__global__ void add(int* lock, volatile int* count) {\n"
                           "  while (atomicCAS(lock, 0, 1) != 0) { }\n"
                           "  __threadfence();\n"
                           "  *count = *count + 1;\n"
                           "  __threadfence();\n"
                           "  atomicExch(lock, 0);\n}";

TEST(Schedule, ASpinLockFinishesWithIndependentThreads) {
    const auto program = compiled(kSpinLock);
    for (uint64_t seed = 0; seed < 8; ++seed) {
        Ints data({1, 1});
        const LaunchReport r = launch(*program, "add", {{2}, {64}}, data.arguments, data.buffers, under(scheduleOfSeed(seed)));
        EXPECT_EQ(r.status, LaunchStatus::Finished) << "seed " << seed << ": " << r.error;
        EXPECT_EQ(data.of(1)[0], 128) << "seed " << seed;
    }
}

TEST(Schedule, ASpinLockIsALivelockInLockstep) {
    const auto program = compiled(kSpinLock);
    for (uint64_t seed = 0; seed < 4; ++seed) {
        Schedule schedule = scheduleOfSeed(seed);
        schedule.lockstep = true;
        Ints data({1, 1});
        const LaunchReport r = launch(*program, "add", {{1}, {32}}, data.arguments, data.buffers, under(schedule));
        ASSERT_EQ(r.findings.size(), 1u) << "seed " << seed;
        EXPECT_EQ(r.findings[0].kind, FindingKind::Livelock);
        EXPECT_EQ(r.findings[0].first.at.line, 2u);
        EXPECT_EQ(data.of(1)[0], 0);
    }
}

TEST(Schedule, ABlockMayWaitForALaterOne) {
    const auto program = compiled("__global__ void hand(int* flag, int* out) {\n"
                                  "  if (blockIdx.x == 0) {\n"
                                  "    if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) { }\n"
                                  "    __syncthreads();\n    out[threadIdx.x] = 7;\n"
                                  "  } else if (threadIdx.x == 0) atomicExch(flag, 1);\n}");
    for (uint64_t seed = 0; seed < 6; ++seed) {
        Ints data({1, 64});
        const LaunchReport r = launch(*program, "hand", {{9}, {64}}, data.arguments, data.buffers, under(scheduleOfSeed(seed)));
        EXPECT_EQ(r.status, LaunchStatus::Finished) << "seed " << seed << ": " << r.error;
        EXPECT_EQ(data.of(1), std::vector<int32_t>(64, 7)) << "seed " << seed;
    }
}

constexpr auto kReverseGrid = "extern \"C\" __device__ void __playground_grid_sync();\n"
                              "__global__ void reverse(int* a, int* b) {\n"
                              "  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n"
                              "  a[i] = 3 * i;\n"
                              "  __playground_grid_sync();\n"
                              "  b[i] = a[n - 1 - i];\n}";

TEST(GridBarrier, HoldsTheWholeGridUnderEverySchedule) {
    const auto program = compiled(kReverseGrid);
    for (uint64_t seed = 0; seed < 6; ++seed) {
        Ints data({1280, 1280});
        const LaunchReport r = launch(*program, "reverse", {{20}, {64}, 0, true}, data.arguments, data.buffers, under(scheduleOfSeed(seed)));
        EXPECT_EQ(r.status, LaunchStatus::Finished) << r.error;
        const std::vector<int32_t> b = data.of(1);
        for (int i = 0; i < 1280; ++i) ASSERT_EQ(b[size_t(i)], 3 * (1279 - i)) << "seed " << seed;
    }
}

TEST(GridBarrier, NeedsACooperativeLaunchThatFits) {
    const auto program = compiled(kReverseGrid);
    Ints data({1280, 1280});
    LaunchReport r = launch(*program, "reverse", {{20}, {64}}, data.arguments, data.buffers);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::Trap);
    EXPECT_EQ(r.findings[0].first.at.line, 5u);
    // 132 multiprocessors of 32 blocks each: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
    r = launch(*program, "reverse", {{132 * 32 + 1}, {64}, 0, true}, data.arguments, data.buffers);
    EXPECT_EQ(r.status, LaunchStatus::Rejected);
    EXPECT_NE(r.error.find("cudaErrorCooperativeLaunchTooLarge (720)"), std::string::npos) << r.error;
}

TEST(GridBarrier, ABlockThatLeavesEarlyIsNamed) {
    const auto program = compiled("extern \"C\" __device__ void __playground_grid_sync();\n"
                                  "__global__ void leave() {\n"
                                  "  if (blockIdx.x == 1) return;\n"
                                  "  __playground_grid_sync();\n}");
    std::vector<Buffer> none;
    const LaunchReport r = launch(*program, "leave", {{3}, {32}, 0, true}, {}, none);
    EXPECT_EQ(r.status, LaunchStatus::Stopped);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::Deadlock);
    EXPECT_EQ(r.findings[0].first.at.line, 4u);
}

TEST(Explore, FindsTheReadWhereTwoOrdersPart) {
    const auto program = compiled(kIncrement);
    const Ints data({1});
    const Exploration e = explore(*program, "increment", {{4}, {64}}, data.arguments, data.buffers, {}, 8);
    ASSERT_TRUE(e.seed.has_value());
    EXPECT_EQ(*e.seed, 2u) << "in order and in reverse, no increment is lost";
    ASSERT_TRUE(e.element.has_value());
    EXPECT_EQ(e.element->element, 0u);
    ASSERT_TRUE(e.parting.has_value());
    EXPECT_EQ(e.parting->reader.at.line, 1u);
    EXPECT_EQ(e.parting->allocation, "b0");
    EXPECT_NE(e.parting->first, e.parting->second);
    EXPECT_EQ(Ints::of(e.outputs, 0)[0], 8) << "the outputs are those of seed 0";
}

TEST(Explore, ACorrectKernelIsTheSameInEveryOrder) {
    const auto program = compiled("__global__ void count(int* total) { atomicAdd(total, int(threadIdx.x)); }");
    const Ints data({1});
    const Exploration e = explore(*program, "count", {{16}, {96}}, data.arguments, data.buffers, {}, 20);
    EXPECT_EQ(e.runs, 20u);
    EXPECT_FALSE(e.seed.has_value()) << e.what;
    EXPECT_EQ(Ints::of(e.outputs, 0)[0], 16 * 95 * 96 / 2);
}

} // namespace
