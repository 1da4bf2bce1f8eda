// Whole small kernels: guarded elementwise work, tiles in shared memory, partial last warps.
#include "VmTest.h"

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

/// if (i < n) c[i] = a[i] + b[i];
Program vectorAdd() {
    Builder b("vector_add");
    const auto c = b.pointer("c", ElementType::F32), a = b.pointer("a", ElementType::F32), bb = b.pointer("b", ElementType::F32);
    const auto n = b.scalar("n", "int", 4);
    const auto i = b.slot32(), inside = b.predicate(), at = b.slot64(), x = b.slot32(), y = b.slot32();
    const auto then = b.label(), end = b.label();
    b.emit(MadI32, i, b.special(CtaidX), b.special(NtidX), b.special(TidX));
    b.line(2);
    b.emit(LtS32, inside, i, n);
    b.branch(inside, then, end, end);
    b.place(then);
    b.emit(AddressS32, at, a, i, kNoSlot, 0, 4);
    b.load(x, at);
    b.emit(AddressS32, at, bb, i, kNoSlot, 0, 4);
    b.load(y, at);
    b.emit(AddF32, x, x, y);
    b.emit(AddressS32, at, c, i, kNoSlot, 0, 4);
    b.store(at, x);
    b.jump(end);
    b.place(end);
    b.exit();
    return b.build();
}

TEST(Kernel, VectorAddWithPartialLastWarp) {
    const Program program = vectorAdd();
    for (unsigned n : {1u, 31u, 32u, 33u, 100u, 128u, 1000u}) {
        std::vector<float> a(n), b(n), c(n, -1.0f);
        for (unsigned k = 0; k < n; ++k) a[k] = float(k), b[k] = 0.5f * float(k);
        std::vector<Buffer> buffers{bufferOf("c", c), bufferOf("a", a), bufferOf("b", b)};
        const RunResult r = launchProgram(program, {(n + 47) / 48}, {48}, {argument(0), argument(1), argument(2), scalar<int>(int(n))}, buffers);
        EXPECT_EQ(r.status, LaunchStatus::Finished);
        EXPECT_TRUE(r.findings.empty());
        c = valuesOf<float>(buffers[0]);
        for (unsigned k = 0; k < n; ++k) EXPECT_EQ(c[k], 1.5f * float(k)) << k << " of " << n;
    }
}

TEST(Kernel, CountsBlocks) {
    std::vector<float> zero(40);
    std::vector<Buffer> buffers{bufferOf("c", zero), bufferOf("a", zero), bufferOf("b", zero)};
    const RunResult r = launchProgram(vectorAdd(), {1}, {64}, {argument(0), argument(1), argument(2), scalar<int>(40)}, buffers);
    ASSERT_EQ(r.blocks.size(), 3u);
    EXPECT_EQ(r.blocks[0].warps, 2u);
    EXPECT_EQ(r.blocks[0].threads, 64u);
    EXPECT_EQ(r.blocks[1].warps, 2u);
    EXPECT_EQ(r.blocks[1].threads, 40u);
    EXPECT_EQ(r.blocks[2].warps, 2u); // the lanes of the second warp meet again before it counts
    EXPECT_EQ(r.blocks[2].threads, 64u);
}

} // namespace
} // namespace sim::vm::test
