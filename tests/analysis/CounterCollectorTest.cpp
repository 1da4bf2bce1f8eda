// The collector fed with events by hand.
#include "sim/analysis/CounterCollector.h"

#include <gtest/gtest.h>

#include <array>

namespace sim {
namespace {

Function threeInstructions() {
    Function f;
    f.code.resize(3);
    f.code[0].op = Opcode::Load;
    f.code[1].op = Opcode::Branch;
    f.code[2].op = Opcode::Barrier;
    return f;
}

MemoryAccess access(const std::array<uint64_t, 32>& a, MemorySpace space, LaneMask active = LaneMask::full()) {
    return {{BlockId{0}, WarpId{0}, Pc{0}}, active, space, AccessKind::Load, 4, false, a.data(), nullptr};
}

TEST(CounterCollector, CountsAccessesBySpaceAndMergesThreads) {
    const Function f = threeInstructions();
    CounterCollector one(f), two(f);
    std::array<uint64_t, 32> a;
    for (unsigned i = 0; i < 32; ++i) a[i] = regionBase(1) + 8 * i;
    one.onMemoryAccess(access(a, MemorySpace::Global));
    one.onMemoryAccess(access(a, MemorySpace::Shared));
    two.onMemoryAccess(access(a, MemorySpace::Global, LaneMask::first(4)));
    two.onMemoryAccess(access(a, MemorySpace::Constant));
    one.merge(two);

    const AccessCounters& global = one.byPc()[0].of(MemorySpace::Global, AccessKind::Load);
    EXPECT_EQ(global.requests, 2u);
    EXPECT_EQ(global.threads, 36u);
    EXPECT_EQ(global.bytes, 144u);
    EXPECT_EQ(global.sectors, 9u);
    EXPECT_EQ(global.idealSectors, 5u);
    EXPECT_EQ(global.worstDegree, 8u);
    const AccessCounters& shared = one.byPc()[0].of(MemorySpace::Shared, AccessKind::Load);
    EXPECT_EQ(shared.wavefronts, 2u);
    EXPECT_EQ(shared.idealWavefronts, 1u);
    EXPECT_EQ(shared.worstDegree, 2u);
    EXPECT_EQ(one.byPc()[0].of(MemorySpace::Constant, AccessKind::Load).requests, 1u);
}

TEST(CounterCollector, CountsBranchesAndBarriers) {
    const Function f = threeInstructions();
    CounterCollector c(f);
    c.onBranch({{BlockId{0}, WarpId{0}, Pc{1}}, LaneMask::first(20), LaneMask::first(5)});
    c.onBranch({{BlockId{0}, WarpId{0}, Pc{1}}, LaneMask::full(), LaneMask::full()});
    c.onBranch({{BlockId{0}, WarpId{0}, Pc{1}}, LaneMask::full(), LaneMask{}});
    c.onBarrier({{BlockId{0}, WarpId{0}, Pc{2}}, LaneMask::full(), true});
    c.onBarrier({{BlockId{0}, WarpId{0}, Pc{2}}, LaneMask::full(), false});
    const BranchCounters& b = c.byPc()[1].branch;
    EXPECT_EQ(b.executed, 3u);
    EXPECT_EQ(b.divergent, 1u);
    EXPECT_EQ(b.takenThreads, 37u);
    EXPECT_EQ(b.notTakenThreads, 47u);
    EXPECT_EQ(c.byPc()[2].barriers, 1u);
}

TEST(CounterCollector, AggregatedReductionsAreOneLanes) {
    Function f = threeInstructions();
    f.code[0].op = Opcode::Atomic;
    f.code[0].aux = packAtomic(AtomicOp::Add, AtomicType::I32);
    std::array<uint64_t, 32> a;
    a.fill(regionBase(1));
    MemoryAccess red = access(a, MemorySpace::Global);
    red.kind = AccessKind::Reduction;
    CounterCollector each(f);
    each.onMemoryAccess(red);
    EXPECT_EQ(each.byPc()[0].of(MemorySpace::Global, AccessKind::Reduction).sectors, 32u);
    f.aggregatedReductions = {0};
    CounterCollector together(f);
    together.onMemoryAccess(red);
    red.space = MemorySpace::Shared;
    together.onMemoryAccess(red);
    EXPECT_EQ(together.byPc()[0].of(MemorySpace::Global, AccessKind::Reduction).sectors, 1u);
    EXPECT_EQ(together.byPc()[0].of(MemorySpace::Shared, AccessKind::Reduction).wavefronts, 1u);
}

TEST(CounterCollector, KeepsCalledCodeBehindTheKernel) {
    CounterCollector c(threeInstructions());
    c.cover(threeInstructions(), 3);
    c.onBarrier({{BlockId{0}, WarpId{0}, Pc{5}}, LaneMask::full(), true});
    ASSERT_EQ(c.byPc().size(), 6u);
    EXPECT_EQ(c.byPc()[5].barriers, 1u);
}

} // namespace
} // namespace sim
