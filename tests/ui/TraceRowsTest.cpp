// Rows and branch paths from masks that were worked out by hand.
#include "playground/session/TraceRows.h"
#include "playground/session/Playback.h"

#include <gtest/gtest.h>

using namespace playground;
using sim::LaneMask;

namespace {

struct Step {
    uint32_t line;
    uint32_t active;
    sim::Opcode op = sim::Opcode::AddI32;
    uint32_t live = ~0u;
};

/// A trace of these steps, and its kernel.
struct Made {
    sim::WarpTrace trace;
    sim::Function function;
    TraceRows rows;
    explicit Made(const std::vector<Step>& steps) {
        trace.initial = LaneMask::full();
        for (const Step& s : steps) {
            sim::Instruction instruction;
            instruction.op = s.op;
            sim::TraceStep step;
            step.pc = sim::Pc{uint32_t(function.code.size())};
            step.active = LaneMask{s.active};
            step.live = LaneMask{s.live};
            trace.steps.push_back(step);
            function.code.push_back(instruction);
            function.locations.push_back({s.line, 1});
        }
        rows = buildTraceRows(trace, function, {}, {});
    }
    std::string path(size_t row) const {
        return rows.rows[row].path < 0 ? "" : rows.paths[size_t(rows.rows[row].path)].name;
    }
};

constexpr auto kBranch = sim::Opcode::Branch;

TEST(TraceRows, StepsOfOneLineAndMaskAreOneRow) {
    const Made m({{3, ~0u}, {3, ~0u}, {4, ~0u}, {4, 0xff}, {0, 0xff}});
    ASSERT_EQ(m.rows.rows.size(), 3u);
    EXPECT_EQ(m.rows.rows[0].lastStep, 1u);
    EXPECT_EQ(m.rows.rows[2].lastStep, 4u); // a step without a line stays with the row before it
    EXPECT_EQ(m.rows.rowOfStep(1), 0u);
    EXPECT_EQ(m.rows.rowOfStep(99), 2u);
}

TEST(TraceRows, IfElseIsPathsAAndBAndMeetsAgain) {
    const Made m({{1, ~0u, kBranch}, {2, 0x0000ffff}, {4, 0xffff0000}, {5, ~0u}});
    EXPECT_EQ(m.path(0), "");
    EXPECT_EQ(m.path(1), "A");
    EXPECT_EQ(m.path(2), "B");
    EXPECT_EQ(m.path(3), "");
    EXPECT_TRUE(m.rows.rows[0].divergent);
    EXPECT_FALSE(m.rows.rows[1].divergent);
    EXPECT_TRUE(m.rows.rows[3].reconverged);
    EXPECT_NE(m.rows.paths[0].colour, m.rows.paths[1].colour);
    EXPECT_EQ(rowThatMasked(m.rows, 1, 20), 0);
    EXPECT_EQ(rowThatMasked(m.rows, 1, 3), -1);
}

TEST(TraceRows, NestedSplitsAppendLetters) {
    const Made m(
        {{1, ~0u, kBranch}, {2, 0xffff, kBranch}, {3, 0x00ff}, {4, 0xff00}, {5, 0xffff}, {6, 0xffff0000}, {7, ~0u}});
    EXPECT_EQ(m.path(1), "A");
    EXPECT_EQ(m.path(2), "AA");
    EXPECT_EQ(m.path(3), "AB");
    EXPECT_EQ(m.path(4), "A");
    EXPECT_EQ(m.path(5), "B");
    EXPECT_EQ(rowThatMasked(m.rows, 2, 9), 1);  // lane 9 left at the inner branch
    EXPECT_EQ(rowThatMasked(m.rows, 2, 30), 0); // lane 30 at the outer one
}

TEST(TraceRows, ALoopThatLanesLeaveOneByOneIsOnePath) {
    const Made m({{1, ~0u, kBranch},
                  {2, 0xfffffffe},
                  {1, 0xfffffffe, kBranch},
                  {2, 0xfffffffc},
                  {1, 0xfffffffc, kBranch},
                  {3, ~0u}});
    EXPECT_EQ(m.path(1), "A");
    EXPECT_EQ(m.path(3), "A");
    EXPECT_EQ(m.rows.paths[0].colour, m.rows.paths[1].colour);
    EXPECT_EQ(m.path(5), "");
}

TEST(TraceRows, LanesThatReturnedAreNotMissed) {
    const Made m({{1, ~0u, kBranch}, {2, 0x0f, sim::Opcode::Exit}, {3, 0xfffffff0, sim::Opcode::AddI32, 0xfffffff0}});
    EXPECT_EQ(m.path(1), "A");
    EXPECT_EQ(m.path(2), ""); // all that live are together
}

TEST(TraceRows, TwoBranchesInARowStartTheirLettersAnew) {
    const Made m({{1, ~0u, kBranch}, {2, 0xff}, {3, ~0u, kBranch}, {4, 0xf0}, {5, 0xffffff0f}, {6, ~0u}});
    EXPECT_EQ(m.path(1), "A");
    EXPECT_EQ(m.path(3), "A");
    EXPECT_EQ(m.path(4), "B");
}

TEST(TraceRows, LongLoopsStayFast) {
    std::vector<Step> steps;
    for (int i = 0; i < 20000; ++i) {
        steps.push_back({1, ~0u, kBranch});
        steps.push_back({2, 0x55555555});
        steps.push_back({3, 0xaaaaaaaa});
    }
    const Made m(steps);
    EXPECT_EQ(m.rows.rows.size(), steps.size());
    EXPECT_EQ(m.path(59999), "B");
}

TEST(TraceRows, LanesWhoseAccessWasNotMadeAreRefused) {
    Made m({{5, ~0u, sim::Opcode::Load}});
    sim::TracedAccess access;
    access.active = LaneMask::first(8);
    access.space = sim::MemorySpace::Global;
    access.bytes = 4;
    for (unsigned lane = 0; lane < 32; ++lane) access.address[lane] = sim::regionBase(2) + lane * 4;
    m.trace.accesses.push_back(access);
    m.trace.steps[0].access = 0;
    m.trace.steps[0].accessCount = 1;
    const TraceRows rows = buildTraceRows(m.trace, m.function, {}, {});
    EXPECT_EQ(rows.rows[0].refused, ~LaneMask::first(8));
    EXPECT_EQ(rows.rows[0].sectors, 1u);
}

TEST(Playback, FindsTargetsForwardsBackwardsAndAround) {
    const Made m({{1, ~0u, kBranch}, {2, 0xff}, {3, ~0u, sim::Opcode::Barrier}, {4, ~0u}});
    EXPECT_EQ(findTarget(m.rows, 0, StepTarget::Barrier), 2u);
    EXPECT_EQ(findTarget(m.rows, 2, StepTarget::Barrier), 2u);
    EXPECT_EQ(findTarget(m.rows, 3, StepTarget::Divergence), 0u);
    EXPECT_EQ(findTarget(m.rows, 3, StepTarget::Barrier, false), 2u);
    EXPECT_EQ(findTarget(m.rows, 0, StepTarget::Conflict), std::nullopt);
    EXPECT_EQ(findLine(m.rows, 3, 2), 1u);
    EXPECT_EQ(findLine(m.rows, 0, 9), std::nullopt);
    EXPECT_EQ(findTarget(TraceRows{}, 0, StepTarget::Barrier), std::nullopt);
}

} // namespace
