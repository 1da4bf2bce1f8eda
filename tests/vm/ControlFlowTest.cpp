// One control-flow shape per test: which lanes run what, where they meet again, and how often each block runs.
#include "VmTest.h"

#include <algorithm>

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

/// A kernel kernel(int *out) under construction whose threads write `value` to out[tid] at the end.
struct Shape : Builder {
    Shape() : Builder("shape") {
        out = pointer("out", ElementType::I32);
        tid = special(TidX);
        value = slot32();
        at = slot64();
        condition = predicate();
    }
    Slot constant(uint32_t v) { return constant32(v); }
    void set(uint32_t v) { emit(Mov32, value, constant32(v)); }
    void add(uint32_t v) { emit(AddI32, value, value, constant32(v)); }
    /// condition = tid < v
    void tidBelow(uint32_t v) { emit(LtU32, condition, tid, constant32(v)); }
    void finishThread() {
        emit(AddressS32, at, out, tid, kNoSlot, 0, 4);
        store(at, value);
        exit();
    }
    Slot out, tid, value, at, condition;
};

struct Outcome {
    RunResult result;
    std::vector<int32_t> out;
};
Outcome runShape(const Program& program, unsigned threads = 32, std::vector<Observer*> observers = {}, LaunchOptions options = {}) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(threads, -1))};
    RunResult r = launchProgram(program, {1}, {threads}, {argument(0)}, buffers, options, 0, std::move(observers));
    return {std::move(r), valuesOf<int32_t>(buffers[0])};
}
std::pair<uint64_t, uint64_t> counts(const Outcome& o, size_t block) { return {o.result.blocks[block].warps, o.result.blocks[block].threads}; }
using Counts = std::pair<uint64_t, uint64_t>;

TEST(ControlFlow, IfElse) {
    Shape s;
    const auto a = s.label(), b = s.label(), end = s.label();
    s.tidBelow(8);
    s.branch(s.condition, a, b, end);
    s.place(a);
    s.set(1);
    s.jump(end);
    s.place(b);
    s.set(2);
    s.jump(end);
    s.place(end);
    s.finishThread();
    Recorder recorder;
    const Outcome o = runShape(s.build(), 32, {&recorder});
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 8 ? 1 : 2);
    EXPECT_EQ(counts(o, 1), Counts(1, 8));
    EXPECT_EQ(counts(o, 2), Counts(1, 24));
    EXPECT_EQ(counts(o, 3), Counts(1, 32));
    ASSERT_EQ(recorder.branches.size(), 1u);
    EXPECT_EQ(recorder.branches[0].active.bits, 0xffffffffu);
    EXPECT_EQ(recorder.branches[0].taken.bits, 0xffu);
    ASSERT_EQ(recorder.accesses.size(), 1u);
    EXPECT_TRUE(recorder.accesses[0].event.contiguous);
}

TEST(ControlFlow, NestedIfsMeetAtTheSamePlace) {
    // if (tid < 16) { if (tid < 4) v = 1; else v = 2; } else v = 3;  -- all paths meet at `end`
    Shape s;
    const auto outer = s.label(), a = s.label(), b = s.label(), c = s.label(), end = s.label();
    s.tidBelow(16);
    s.branch(s.condition, outer, c, end);
    s.place(outer);
    s.tidBelow(4);
    s.branch(s.condition, a, b, end);
    s.place(a);
    s.set(1);
    s.jump(end);
    s.place(b);
    s.set(2);
    s.jump(end);
    s.place(c);
    s.set(3);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 4 ? 1 : t < 16 ? 2 : 3);
    EXPECT_EQ(counts(o, 5), Counts(1, 32));
}

TEST(ControlFlow, NestedIfMeetsBeforeTheOuterOne) {
    Shape s;
    const auto outer = s.label(), a = s.label(), inner = s.label(), end = s.label();
    s.set(0);
    s.tidBelow(16);
    s.branch(s.condition, outer, end, end);
    s.place(outer);
    s.tidBelow(4);
    s.branch(s.condition, a, inner, inner);
    s.place(a);
    s.add(1);
    s.jump(inner);
    s.place(inner);
    s.add(10);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 4 ? 11 : t < 16 ? 10 : 0);
    EXPECT_EQ(counts(o, 2), Counts(1, 4));
    EXPECT_EQ(counts(o, 3), Counts(1, 16)); // met before `inner`, once
    EXPECT_EQ(counts(o, 4), Counts(1, 32));
}

/// do { ++v; } while (v < tid + 1): lane t runs the body t + 1 times.
Program loopByLane() {
    Shape s;
    const auto body = s.label(), end = s.label();
    const auto bound = s.slot32();
    s.set(0);
    s.emit(AddI32, bound, s.tid, s.constant(1));
    s.jump(body);
    s.place(body, 1);
    s.add(1);
    s.emit(LtU32, s.condition, s.value, bound);
    s.branch(s.condition, body, end, end);
    s.place(end);
    s.finishThread();
    return s.build();
}

TEST(ControlFlow, LoopWithDivergentTripCount) {
    const Outcome o = runShape(loopByLane());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t + 1);
    EXPECT_EQ(counts(o, 1), Counts(32, 32 * 33 / 2));
    EXPECT_EQ(counts(o, 2), Counts(1, 32));
}

TEST(ControlFlow, LoopInPartialWarp) {
    const Outcome o = runShape(loopByLane(), 45);
    for (int t = 0; t < 45; ++t) EXPECT_EQ(o.out[size_t(t)], t + 1);
    EXPECT_EQ(counts(o, 1), Counts(32 + 45, 45 * 46 / 2));
    EXPECT_EQ(counts(o, 2), Counts(2, 45));
}

TEST(ControlFlow, EarlyExitBeforeReconvergence) {
    // if (tid < 10) return;  v = 7;
    Shape s;
    const auto leave = s.label(), rest = s.label();
    s.tidBelow(10);
    s.branch(s.condition, leave, rest);
    s.place(leave);
    s.exit();
    s.place(rest);
    s.set(7);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 10 ? -1 : 7);
    EXPECT_EQ(counts(o, 2), Counts(1, 22));
}

TEST(ControlFlow, ExitInsideALoopReleasesTheOthers) {
    // Lanes below 8 leave the kernel inside the arm that the others wait for.
    Shape s;
    const auto arm = s.label(), leave = s.label(), stay = s.label(), end = s.label();
    s.set(0);
    s.tidBelow(16);
    s.branch(s.condition, arm, end, end);
    s.place(arm);
    s.tidBelow(8);
    s.branch(s.condition, leave, stay);
    s.place(leave);
    s.exit();
    s.place(stay);
    s.add(5);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 8 ? -1 : t < 16 ? 5 : 0);
    EXPECT_EQ(counts(o, 4), Counts(1, 24));
}

TEST(ControlFlow, AllLanesOfAnArmExit) {
    Shape s;
    const auto leave = s.label(), end = s.label();
    s.set(3);
    s.tidBelow(16);
    s.branch(s.condition, leave, end, end); // an entry is pushed although the arm never gets there
    s.place(leave);
    s.exit();
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 16 ? -1 : 3);
    EXPECT_EQ(counts(o, 2), Counts(1, 16));
}

TEST(ControlFlow, SwitchChain) {
    Shape s;
    const auto end = s.label();
    const auto kind = s.slot32();
    s.emit(AndI32, kind, s.tid, s.constant(3));
    for (uint32_t k = 0; k < 3; ++k) {
        const auto hit = s.label(), next = s.label();
        s.emit(EqI32, s.condition, kind, s.constant(k));
        s.branch(s.condition, hit, next, end);
        s.place(hit);
        s.set(100 + k);
        s.jump(end);
        s.place(next);
    }
    s.set(999);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t % 4 == 3 ? 999 : 100 + t % 4);
    EXPECT_EQ(o.result.blocks.back().warps, 1u);
}

TEST(ControlFlow, ContinueInALoopMeetsAtTheHead) {
    // for (i = 0; i < 4; ++i) { if (i < tid) continue; v += 1; }  -- both paths go to the latch
    Shape s;
    const auto head = s.label(), body = s.label(), work = s.label(), latch = s.label(), end = s.label();
    const auto i = s.slot32();
    s.set(0);
    s.emit(Mov32, i, s.constant(0));
    s.jump(head);
    s.place(head, 1);
    s.emit(LtU32, s.condition, i, s.constant(4));
    s.branch(s.condition, body, end, end);
    s.place(body, 1);
    s.emit(LtU32, s.condition, i, s.tid);
    s.branch(s.condition, latch, work, latch);
    s.place(work, 1);
    s.add(1);
    s.jump(latch);
    s.place(latch, 1);
    s.emit(AddI32, i, i, s.constant(1));
    s.jump(head);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 4 ? 4 - t : 0);
    EXPECT_EQ(counts(o, 1), Counts(5, 160));
    EXPECT_EQ(counts(o, 4), Counts(4, 128));
    EXPECT_EQ(counts(o, 5), Counts(1, 32));
}

TEST(ControlFlow, StepsSkipHeadsAndJumps) {
    Recorder recorder;
    recorder.stepping = true;
    const Outcome o = runShape(loopByLane(), 32, {&recorder});
    // 2 before the loop, 3 in each of 32 turns, 3 behind it.
    EXPECT_EQ(recorder.steps.size(), 2u + 32 * 3 + 3);
    EXPECT_EQ(recorder.steps[2].active.count(), 32u);
    EXPECT_EQ(recorder.steps[2 + 31 * 3].active.bits, 0x80000000u);
    ASSERT_EQ(recorder.accesses.size(), 1u);
    EXPECT_NE(recorder.accesses[0].event.host, nullptr);
    EXPECT_EQ(recorder.begun, 1);
    EXPECT_EQ(recorder.ended, 1);
}

/// Writes tile[tid], waits, reads tile[31 - tid + 32 * (warp)] of another warp: out[tid] = in another warp's slot.
TEST(Barrier, ExchangesBetweenWarps) {
    Shape s;
    const auto tile = s.addressOf(s.shared("tile", 64 * 4, ElementType::I32));
    const auto other = s.slot32();
    s.emit(AddressS32, s.at, tile, s.tid, kNoSlot, 0, 4);
    s.store(s.at, s.tid);
    s.sync();
    s.emit(SubI32, other, s.constant(63), s.tid);
    s.emit(AddressS32, s.at, tile, other, kNoSlot, 0, 4);
    s.load(s.value, s.at);
    s.finishThread();
    Recorder recorder;
    const Outcome o = runShape(s.build(), 64, {&recorder});
    for (int t = 0; t < 64; ++t) EXPECT_EQ(o.out[size_t(t)], 63 - t);
    EXPECT_EQ(recorder.barriers.size(), 2u);
    EXPECT_EQ(recorder.released, 1);
    EXPECT_TRUE(o.result.findings.empty());
}

TEST(Barrier, IgnoresThreadsThatHaveExited) {
    Shape s;
    const auto leave = s.label(), rest = s.label();
    s.tidBelow(40);
    s.branch(s.condition, leave, rest);
    s.place(leave);
    s.exit();
    s.place(rest);
    s.sync();
    s.set(1);
    s.finishThread();
    const Outcome o = runShape(s.build(), 64);
    EXPECT_EQ(o.result.status, LaunchStatus::Finished);
    EXPECT_TRUE(o.result.findings.empty());
    for (int t = 0; t < 64; ++t) EXPECT_EQ(o.out[size_t(t)], t < 40 ? -1 : 1);
}

TEST(Barrier, InOneArmIsReportedAndTheLaunchGoesOn) {
    Shape s;
    const auto arm = s.label(), end = s.label();
    s.set(1);
    s.tidBelow(16);
    s.branch(s.condition, arm, end, end);
    s.place(arm);
    s.line(7);
    s.sync();
    s.add(1);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build(), 32);
    EXPECT_EQ(o.result.status, LaunchStatus::Finished);
    ASSERT_EQ(o.result.findings.size(), 1u);
    const Finding& f = o.result.findings[0];
    EXPECT_EQ(f.kind, FindingKind::DivergentBarrier);
    EXPECT_EQ(f.first.at.line, 7u);
    EXPECT_NE(f.message.find("16 of 32 threads arrive at the __syncthreads()"), std::string::npos) << f.message;
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 16 ? 2 : 1);
    EXPECT_EQ(counts(o, 2), Counts(1, 32));
}

TEST(Barrier, InBothArmsCountsThreads) {
    // Volta and later count threads, wherever they call it from.
    Shape s;
    const auto a = s.label(), b = s.label(), end = s.label();
    s.tidBelow(16);
    s.branch(s.condition, a, b, end);
    s.place(a);
    s.sync();
    s.set(1);
    s.jump(end);
    s.place(b);
    s.sync();
    s.set(2);
    s.jump(end);
    s.place(end);
    s.finishThread();
    const Outcome o = runShape(s.build(), 32);
    EXPECT_TRUE(o.result.findings.empty());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[size_t(t)], t < 16 ? 1 : 2);
}

TEST(Barrier, CountsPredicates) {
    for (const auto& [op, want] : {std::pair{BarrierOp::Count, 20}, {BarrierOp::And, 0}, {BarrierOp::Or, 1}}) {
        Shape s;
        s.tidBelow(20);
        s.emit(Barrier, s.value, s.condition, kNoSlot, kNoSlot, uint16_t(op));
        s.finishThread();
        const Outcome o = runShape(s.build(), 48);
        for (int t = 0; t < 48; ++t) EXPECT_EQ(o.out[size_t(t)], want);
    }
}

TEST(Progress, SpinLockBetweenLanesOfAWarp) {
    // while (atomicCAS(&lock, 0, 1) != 0); ++counter; lock = 0;  -- needs independent thread scheduling
    Shape s;
    const auto spin = s.label(), got = s.label();
    const auto lock = s.addressOf(s.global("lock", MemorySpace::Global, 4)), counter = s.addressOf(s.global("counter", MemorySpace::Global, 4));
    const auto old = s.slot32(), zero = s.constant(0), one = s.constant(1);
    s.jump(spin);
    s.place(spin, 1);
    s.emit(CompareSwap, old, lock, zero, one, packAtomic(AtomicOp{}, AtomicType::U32));
    s.emit(NeI32, s.condition, old, zero);
    s.branch(s.condition, spin, got, got);
    s.place(got);
    s.load(s.value, counter);
    s.add(1);
    s.store(counter, s.value);
    s.emit(Atomic, old, lock, zero, kNoSlot, packAtomic(AtomicOp::Exchange, AtomicType::U32));
    s.finishThread();
    const Outcome o = runShape(s.build(), 64);
    EXPECT_EQ(o.result.status, LaunchStatus::Finished) << o.result.error;
    std::vector<int32_t> sorted = o.out;
    std::sort(sorted.begin(), sorted.end());
    for (int t = 0; t < 64; ++t) EXPECT_EQ(sorted[size_t(t)], t + 1);
}

TEST(Progress, EndlessLoopHitsTheLimit) {
    Shape s;
    const auto loop = s.label();
    s.jump(loop);
    s.line(9);
    s.place(loop, 1);
    s.add(1);
    s.jump(loop);
    LaunchOptions options;
    options.limits.maxWarpInstructions = 1'000'000;
    const Outcome o = runShape(s.build(), 32, {}, options);
    EXPECT_EQ(o.result.status, LaunchStatus::LimitExceeded);
    ASSERT_EQ(o.result.findings.size(), 1u);
    EXPECT_EQ(o.result.findings[0].kind, FindingKind::EndlessLoop);
    EXPECT_EQ(o.result.findings[0].first.at.line, 9u);
}

TEST(Progress, CancelStopsAnEndlessLoop) {
    Shape s;
    const auto loop = s.label();
    s.jump(loop);
    s.place(loop, 1);
    s.jump(loop);
    std::atomic<bool> cancel{true};
    LaunchOptions options;
    options.cancel = &cancel;
    EXPECT_EQ(runShape(s.build(), 32, {}, options).result.status, LaunchStatus::Cancelled);
}

TEST(Fault, TrapStopsTheLaunch) {
    Shape s;
    s.line(4);
    s.emit(Trap);
    const Outcome o = runShape(s.build());
    EXPECT_EQ(o.result.status, LaunchStatus::Stopped);
    ASSERT_EQ(o.result.findings.size(), 1u);
    EXPECT_EQ(o.result.findings[0].kind, FindingKind::Trap);
    EXPECT_EQ(o.result.findings[0].count, 32u);
}

} // namespace
} // namespace sim::vm::test
