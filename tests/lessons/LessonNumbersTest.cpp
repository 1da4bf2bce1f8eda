// The numbers that the lessons' texts state, checked against a run with the values that the text sets.
#include "LessonRun.h"

#include "playground/session/LaunchResolver.h"

#include <gtest/gtest.h>

namespace {

using namespace playground;
using sim::AccessKind;
using sim::MemorySpace;

tests::Outcome runWith(const std::string& lesson, const std::string& variant, const KnobValues& changed = {}) {
    const tests::Case c = tests::findCase(lesson, variant);
    KnobValues knobs = defaultKnobs(*c.lesson);
    for (const auto& [name, value] : changed) knobs[name] = value;
    tests::Outcome run = tests::runCase(c, knobs);
    EXPECT_EQ(run.problem, "");
    return run;
}

uint64_t accused(const tests::Outcome& run, AccessKind access) {
    uint64_t count = 0;
    for (const sim::Finding& f : run.report.findings)
        if (f.access == access) count += f.count;
    return count;
}

TEST(ThreadIndexing, SpareThreadsRunPastTheEnd) {
    const tests::Outcome run = runWith("01-thread-indexing", "no-guard");
    EXPECT_EQ(accused(run, AccessKind::Load), 48u);
    EXPECT_EQ(accused(run, AccessKind::Store), 24u);
}

TEST(ThreadIndexing, OffByOneLetsOneThreadThroughUnlessTheBlockDivides) {
    const tests::Outcome run = runWith("01-thread-indexing", "off-by-one");
    ASSERT_FALSE(run.report.findings.empty());
    EXPECT_EQ(accused(run, AccessKind::Load), 2u);
    EXPECT_EQ(accused(run, AccessKind::Store), 1u);
    EXPECT_EQ(run.report.findings[0].first.block.x, 3u);
    EXPECT_EQ(run.report.findings[0].first.thread.x, 232u);
    EXPECT_TRUE(runWith("01-thread-indexing", "off-by-one", {{"n", 1024}}).report.findings.empty());
}

TEST(ThreadIndexing, RoundingDownLeavesTheTailUndone) {
    const tests::Outcome run = runWith("01-thread-indexing", "short-grid");
    ASSERT_EQ(run.differences.size(), 1u);
    EXPECT_EQ(run.differences[0].count, 232u);
    EXPECT_EQ(run.differences[0].first, 768u);
    EXPECT_EQ(run.differences[0].got, 0);
}

/// Sectors per request of the kernel's loads or stores in global memory.
double sectorsPerRequest(const std::string& variant, const KnobValues& knobs = {}, AccessKind kind = AccessKind::Load) {
    const auto access = runWith("07-coalescing", variant, knobs).report.total.of(MemorySpace::Global, kind);
    EXPECT_EQ(access.requests, 128u);
    return double(access.sectors) / double(access.requests);
}

TEST(Coalescing, StridesTouchTheStatedSectors) {
    EXPECT_EQ(sectorsPerRequest("copy"), 4);
    const std::map<double, double> sectorsByStride{{1, 4}, {2, 8}, {3, 12}, {4, 16}, {8, 32}, {16, 32}, {32, 32}};
    for (const auto& [stride, sectors] : sectorsByStride) {
        EXPECT_EQ(sectorsPerRequest("load-stride", {{"stride", stride}}), sectors) << stride;
        EXPECT_EQ(sectorsPerRequest("store-stride", {{"stride", stride}}, AccessKind::Store), sectors) << stride;
        EXPECT_EQ(sectorsPerRequest("store-stride", {{"stride", stride}}), 4) << stride;
    }
}

TEST(Coalescing, OrderDoesNotMatterButAlignmentDoes) {
    EXPECT_EQ(sectorsPerRequest("reversed"), 4);
    EXPECT_EQ(sectorsPerRequest("shuffled"), 4);
    EXPECT_EQ(sectorsPerRequest("offset", {{"offset", 1}}), 5);
    EXPECT_EQ(sectorsPerRequest("offset", {{"offset", 8}}), 4);
}

TEST(Coalescing, WidthDecidesTheIdeal) {
    EXPECT_EQ(sectorsPerRequest("f64"), 8);
    EXPECT_EQ(sectorsPerRequest("f32x4"), 16);
    EXPECT_EQ(sectorsPerRequest("u8"), 1);
}

/// Wavefronts per request of the shared-memory loads on one line.
double wavefrontsPerLoad(const std::string& variant, uint32_t line, const KnobValues& knobs = {}) {
    const auto load = runWith("10-bank-conflicts", variant, knobs).at(line).of(MemorySpace::Shared, AccessKind::Load);
    EXPECT_GT(load.requests, 0u);
    return double(load.wavefronts) / double(load.requests);
}

TEST(BankConflicts, StridesNeedTheStatedWavefronts) {
    const std::map<double, double> wavefrontsByStride{{0, 1}, {1, 1}, {2, 2}, {3, 1}, {8, 8}, {32, 32}, {33, 1}};
    for (const auto& [stride, wavefronts] : wavefrontsByStride)
        EXPECT_EQ(wavefrontsPerLoad("stride", 8, {{"stride", stride}}), wavefronts) << stride;
    EXPECT_EQ(wavefrontsPerLoad("stride-f64", 8, {{"stride", 1}}), 2);
    EXPECT_EQ(wavefrontsPerLoad("stride-f64", 8, {{"stride", 2}}), 4);
    EXPECT_EQ(wavefrontsPerLoad("stride-f32x4", 8, {{"stride", 1}}), 4);
    EXPECT_EQ(wavefrontsPerLoad("stride-f32x4", 8, {{"stride", 2}}), 8);
}

TEST(BankConflicts, TransposesDoAsTheTextSays) {
    EXPECT_EQ(wavefrontsPerLoad("tiled", 15), 32);
    EXPECT_EQ(wavefrontsPerLoad("padded", 15), 1);
    EXPECT_EQ(wavefrontsPerLoad("swizzled", 15), 1);
    EXPECT_EQ(wavefrontsPerLoad("padded", 15, {{"n", 50}}), 1);
    const auto stores = runWith("10-bank-conflicts", "swizzled").at(9).of(MemorySpace::Shared, AccessKind::Store);
    EXPECT_EQ(stores.wavefronts, stores.requests);
    const auto naive = runWith("10-bank-conflicts", "naive").at(7).of(MemorySpace::Global, AccessKind::Store);
    EXPECT_EQ(naive.sectors, 32 * naive.requests);
    const auto tiled = runWith("10-bank-conflicts", "tiled").at(15).of(MemorySpace::Global, AccessKind::Store);
    EXPECT_EQ(tiled.sectors, 4 * tiled.requests);
}

TEST(WarpDivergence, BothPathsAreWalkedByHalfTheLanes) {
    for (const char* variant : {"even-odd", "half-warp"}) {
        const tests::Outcome run = runWith("11-warp-divergence", variant);
        for (uint32_t line : {6u, 8u}) EXPECT_EQ(run.at(line).activeLanes(), 16) << variant << " line " << line;
        EXPECT_EQ(run.at(10).activeLanes(), 32) << variant;
        EXPECT_EQ(run.report.total.branch.divergent, 8u) << variant;
    }
    const tests::Outcome whole = runWith("11-warp-divergence", "by-warp");
    EXPECT_EQ(whole.report.total.branch.divergent, 0u);
    for (uint32_t line : {6u, 8u}) EXPECT_EQ(whole.at(line).activeLanes(), 32) << line;
}

TEST(WarpDivergence, TidierHalvesCostTheSame) {
    const auto instructions = [](const char* variant) { return runWith("11-warp-divergence", variant).report.total; };
    EXPECT_EQ(instructions("even-odd").threadInstructions, instructions("half-warp").threadInstructions);
    EXPECT_EQ(instructions("even-odd").branch.divergent, instructions("half-warp").branch.divergent);
    EXPECT_LT(instructions("by-warp").warpInstructions, instructions("even-odd").warpInstructions);
}

TEST(WarpDivergence, FourPathsHaveEightLanesEach) {
    const tests::Outcome run = runWith("11-warp-divergence", "nested");
    for (uint32_t line : {8u, 10u, 14u, 16u}) EXPECT_EQ(run.at(line).activeLanes(), 8) << line;
    EXPECT_EQ(run.at(19).activeLanes(), 32);
}

TEST(WarpDivergence, LoopsLastAsLongAsTheSlowestLane) {
    const tests::Outcome run = runWith("11-warp-divergence", "loop");
    EXPECT_EQ(run.at(7).activeLanes(), 496.0 / 31);
}

} // namespace
