// The recorder fed with events by hand.
#include "sim/analysis/TraceRecorder.h"

#include <gtest/gtest.h>

#include <array>

namespace sim {
namespace {

Function program() {
    Function f;
    f.code.resize(5);
    f.code[0].op = Opcode::Block;
    f.code[1].op = Opcode::Load;
    f.code[2].op = Opcode::Mov32;
    f.code[3].op = Opcode::Jump;
    f.code[4].op = Opcode::Exit;
    f.blocks.push_back({2, 3, true, 0});
    return f;
}

struct Feeder {
    TraceRecorder& recorder;
    std::array<uint32_t, 32> result{};

    void step(uint32_t pc, uint32_t block = 1, uint32_t warp = 2) {
        recorder.onStep(
            {{BlockId{block}, WarpId{warp}, Pc{pc}}, LaneMask::first(20), LaneMask::first(24), result.data(), 128});
    }
    void load(const std::array<uint64_t, 32>& address, const void* const* host, AccessKind kind = AccessKind::Load) {
        recorder.onMemoryAccess({{BlockId{1}, WarpId{2}, Pc{1}},
                                 LaneMask::first(20),
                                 MemorySpace::Global,
                                 kind,
                                 4,
                                 false,
                                 address.data(),
                                 host});
    }
};

TEST(TraceRecorder, RecordsStepsAccessesAndValuesOfTheAskedWarpOnly) {
    TraceRecorder recorder(program(), {{BlockId{1}, WarpId{2}, 100}});
    EXPECT_TRUE(recorder.wantsSteps(BlockId{1}, WarpId{2}));
    EXPECT_FALSE(recorder.wantsSteps(BlockId{2}, WarpId{1}));
    Feeder feed{recorder};
    std::array<uint64_t, 32> address{};
    std::array<uint32_t, 32> memory{};
    std::array<const void*, 32> host{};
    for (uint32_t i = 0; i < 32; ++i) {
        address[i] = regionBase(1) + 4 * i;
        memory[i] = 100 + i;
        host[i] = &memory[i];
        feed.result[i] = 100 + i;
    }
    feed.step(0);
    feed.load(address, host.data());
    feed.step(1);
    feed.step(2); // synthetic
    feed.step(3);
    feed.step(4, 9, 9);
    feed.step(4);
    const auto traces = recorder.take();
    ASSERT_EQ(traces.size(), 1u);
    const WarpTrace& t = traces[0];
    ASSERT_EQ(t.steps.size(), 2u);
    EXPECT_EQ(t.steps[0].pc, Pc{1});
    EXPECT_EQ(t.steps[1].pc, Pc{4});
    EXPECT_EQ(t.initial, LaneMask::first(24));
    EXPECT_EQ(t.steps[0].accessCount, 1u);
    ASSERT_EQ(t.steps[0].access, 0);
    EXPECT_EQ(t.accesses[0].address[3], address[3]);
    EXPECT_EQ(t.accesses[0].value[3][0], 103);
    EXPECT_EQ(t.steps[1].access, -1);
    ASSERT_EQ(t.steps[0].valueSlots, 1u);
    EXPECT_EQ(t.values[t.steps[0].valueOffset][5], 105u);
    EXPECT_FALSE(t.truncated);
}

TEST(TraceRecorder, AtomicsKeepTheOldValue) {
    TraceRecorder recorder(program(), {{BlockId{1}, WarpId{2}, 100}});
    Feeder feed{recorder};
    std::array<uint64_t, 32> address{};
    std::array<uint32_t, 32> memory{};
    std::array<const void*, 32> host{};
    for (uint32_t i = 0; i < 32; ++i) {
        memory[i] = 8;
        host[i] = &memory[i];
        feed.result[i] = 7;
    }
    feed.load(address, host.data(), AccessKind::Atomic);
    feed.step(1);
    EXPECT_EQ(recorder.take()[0].accesses[0].value[0][0], 7);
}

TEST(TraceRecorder, StopsAtTheLimitAndSaysSo) {
    TraceRecorder recorder(program(), {{BlockId{1}, WarpId{2}, 3}});
    Feeder feed{recorder};
    std::array<uint64_t, 32> address{};
    for (int i = 0; i < 5; ++i) {
        feed.load(address, nullptr);
        feed.step(1);
    }
    const auto traces = recorder.take();
    EXPECT_EQ(traces[0].steps.size(), 3u);
    EXPECT_EQ(traces[0].accesses.size(), 3u);
    EXPECT_TRUE(traces[0].truncated);
}

TEST(TraceRecorder, MergesTheThreadThatRanTheWarp) {
    TraceRecorder a(program(), {{BlockId{1}, WarpId{2}, 9}}), b(program(), {{BlockId{1}, WarpId{2}, 9}});
    Feeder{b}.step(4);
    a.merge(std::move(b));
    EXPECT_EQ(a.take()[0].steps.size(), 1u);
}

} // namespace
} // namespace sim
