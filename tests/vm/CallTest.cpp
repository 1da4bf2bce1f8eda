// Calls: arguments and results, recursion with divergent depth, function pointers, local memory of frames.
#include "VmTest.h"

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

/// unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }  -- at functions[1]
Function factorial() {
    Builder f("factorial", false);
    f.results({4});
    const auto n = f.scalar("n", "unsigned", 4);
    const auto one = f.constant32(1), two = f.constant32(2);
    const auto small = f.predicate(), copy = f.slot32();
    const uint16_t frame = f.slots(0);
    const auto base = f.label(), step = f.label();
    f.emit(LtU32, small, n, two);
    f.branch(small, base, step);
    f.place(base);
    f.emit(Mov32, kArgumentSlot, one);
    f.emit(Return);
    f.place(step);
    f.emit(Mov32, copy, n);
    f.slots(kArgumentSlot + 1); // room for the callee's specials and argument
    f.emit(SubI32, uint16_t(frame + kArgumentSlot), n, one);
    f.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 1);
    f.emit(MulI32, kArgumentSlot, copy, uint16_t(frame + kArgumentSlot));
    f.emit(Return);
    return f.finish();
}

std::vector<int32_t> runCalls(Builder& b, std::vector<Function> others, unsigned threads, RunResult* result = nullptr) {
    Program program = b.build();
    for (Function& f : others) program.functions.push_back(std::move(f));
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(threads, -1))};
    RunResult r = launchProgram(program, {1}, {threads}, {argument(0)}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Finished) << r.error;
    if (result) *result = std::move(r);
    return valuesOf<int32_t>(buffers[0]);
}

TEST(Call, RecursionWithDivergentDepth) {
    Builder b("kernel");
    const auto out = b.pointer("out"), at = b.slot64();
    const auto n = b.slot32();
    b.emit(AndI32, n, b.special(TidX), b.constant32(7));
    const uint16_t frame = b.slots(kArgumentSlot + 1);
    b.emit(Mov32, uint16_t(frame + kArgumentSlot), n);
    b.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 1);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, uint16_t(frame + kArgumentSlot));
    b.exit();
    RunResult r;
    const auto out32 = runCalls(b, {factorial()}, 40, &r);
    const int expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (int t = 0; t < 40; ++t) EXPECT_EQ(out32[size_t(t)], expected[t % 8]) << t;
    EXPECT_EQ(r.blocks[0].warps, 2u);
}

TEST(Call, FromOneArmWhileTheOthersCallSomethingElse) {
    // if (tid & 1) v = factorial(tid & 7); else v = twice(tid) with a 64-bit argument and result
    Builder twice("twice", false);
    twice.results({8});
    const auto x = twice.scalar("x", "long long", 8);
    const auto loop = twice.label(), done = twice.label();
    const auto k = twice.slot32(), more = twice.predicate();
    twice.emit(Mov32, k, twice.constant32(0));
    twice.jump(loop);
    twice.place(loop, 1); // long enough that the other arm runs in between
    twice.emit(AddI32, k, k, twice.constant32(1));
    twice.emit(LtU32, more, k, twice.constant32(20000));
    twice.branch(more, loop, done, done);
    twice.place(done);
    twice.emit(AddI64, kArgumentSlot, x, x);
    twice.emit(Return);

    Builder b("kernel");
    const auto out = b.pointer("out"), at = b.slot64();
    const auto n = b.slot32(), bit = b.slot32(), v = b.slot32(), odd = b.predicate();
    const auto a = b.label(), c = b.label(), end = b.label();
    b.emit(AndI32, n, b.special(TidX), b.constant32(7));
    b.emit(AndI32, bit, b.special(TidX), b.constant32(1));
    b.emit(I32ToP, odd, bit);
    const uint16_t frame = b.slots(kArgumentSlot + 2);
    b.branch(odd, a, c, end);
    b.place(a);
    b.emit(Mov32, uint16_t(frame + kArgumentSlot), n);
    b.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 1);
    b.emit(Mov32, v, uint16_t(frame + kArgumentSlot));
    b.jump(end);
    b.place(c);
    b.emit(SignExtend32To64, uint16_t(frame + kArgumentSlot), b.special(TidX));
    b.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 2);
    b.emit(Truncate64To32, v, uint16_t(frame + kArgumentSlot));
    b.jump(end);
    b.place(end);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.exit();
    const auto values = runCalls(b, {factorial(), twice.finish()}, 32);
    const int expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (int t = 0; t < 32; ++t) EXPECT_EQ(values[size_t(t)], t % 2 ? expected[t % 8] : 2 * t) << t;
}

/// int f(int x) { return x * factor; }
Function scaled(const char* name, uint32_t factor) {
    Builder f(name, false);
    f.results({4});
    const auto x = f.scalar("x", "int", 4);
    f.emit(MulI32, kArgumentSlot, x, f.constant32(factor));
    f.emit(Return);
    return f.finish();
}

TEST(Call, FunctionPointersThatDiffer) {
    // tid % 3 chooses among three functions
    Builder b("kernel");
    const auto out = b.pointer("out"), at = b.slot64(), target = b.slot64();
    const auto r3 = b.slot32(), is = b.predicate();
    b.emit(RemU32, r3, b.special(TidX), b.constant32(3));
    b.emit(Mov64, target, b.functionPointer(1));
    b.emit(EqI32, is, r3, b.constant32(1));
    b.emit(Select64, target, is, b.functionPointer(2), target);
    b.emit(EqI32, is, r3, b.constant32(2));
    b.emit(Select64, target, is, b.functionPointer(3), target);
    const uint16_t frame = b.slots(kArgumentSlot + 1);
    b.emit(Mov32, uint16_t(frame + kArgumentSlot), b.special(TidX));
    b.emit(CallIndirect, kNoSlot, target, kNoSlot, kNoSlot, frame);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, uint16_t(frame + kArgumentSlot));
    b.exit();
    Recorder recorder;
    Program program = b.build();
    for (uint32_t k = 0; k < 3; ++k) program.functions.push_back(scaled("f", 10 + k));
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(32, -1))};
    const RunResult r = launchProgram(program, {1}, {32}, {argument(0)}, buffers, {}, 0, {&recorder});
    EXPECT_EQ(r.status, LaunchStatus::Finished) << r.error;
    for (int t = 0; t < 32; ++t) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(t)], t * (10 + t % 3));
    ASSERT_EQ(recorder.accesses.size(), 1u); // all lanes meet again behind the call
    EXPECT_TRUE(recorder.accesses[0].event.contiguous);
}

TEST(Call, BadFunctionPointerStopsTheLaunch) {
    Builder b("kernel");
    b.pointer("out");
    const uint16_t frame = b.slots(kArgumentSlot + 1);
    b.emit(CallIndirect, kNoSlot, b.constant64(0x77), kNoSlot, kNoSlot, frame);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(1))};
    const RunResult r = launchProgram(b.build(), {1}, {32}, {argument(0)}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Stopped);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::Trap);
}

TEST(Call, EachFrameHasItsLocalMemory) {
    // callee: local = x; return local * 2. The caller's own local at the same offset survives.
    Builder f("callee", false);
    f.results({4});
    f.local(16);
    const auto x = f.scalar("x", "int", 4), at = f.slot64(), v = f.slot32();
    f.emit(AddressS32, at, f.constant64(regionBase(kLocalRegion)), f.special(LocalBase), kNoSlot, 0, 1);
    f.store(at, x);
    f.load(v, at);
    f.emit(AddI32, kArgumentSlot, v, v);
    f.emit(Return);

    Builder b("kernel");
    b.local(4);
    const auto out = b.pointer("out"), to = b.slot64(), mine = b.constant64(regionBase(kLocalRegion));
    const auto sum = b.slot32();
    b.store(mine, b.special(TidX));
    const uint16_t frame = b.slots(kArgumentSlot + 1);
    b.emit(Mov32, uint16_t(frame + kArgumentSlot), b.constant32(50));
    b.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 1);
    b.load(sum, mine);
    b.emit(AddI32, sum, sum, uint16_t(frame + kArgumentSlot));
    b.emit(AddressS32, to, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(to, sum);
    b.exit();
    const auto values = runCalls(b, {f.finish()}, 32);
    for (int t = 0; t < 32; ++t) EXPECT_EQ(values[size_t(t)], t + 100);
}

TEST(Call, EndlessRecursionIsReported) {
    Builder f("forever", false);
    const uint16_t frame = f.slots(kArgumentSlot);
    f.line(3);
    f.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, frame, 1);
    f.emit(Return);
    Builder b("kernel");
    b.pointer("out");
    const uint16_t outer = b.slots(kArgumentSlot);
    b.emit(Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, outer, 1);
    b.exit();
    Program program = b.build();
    program.functions.push_back(f.finish());
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(1))};
    const RunResult r = launchProgram(program, {1}, {32}, {argument(0)}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Stopped);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].first.at.line, 3u);
}

} // namespace
} // namespace sim::vm::test
