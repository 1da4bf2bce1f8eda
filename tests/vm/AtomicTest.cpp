// Atomic operations: old values in lane order, all types, and sums that do not depend on the number of host threads.
#include "VmTest.h"

#include <algorithm>
#include <bit>

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

struct AtomicRun {
    std::vector<uint64_t> old;
    uint64_t final = 0;
};

/// Every thread of one block applies op with operand (tid + 1) to one location that starts as `start`.
AtomicRun apply(AtomicOp op, AtomicType type, uint64_t start, const std::vector<uint64_t>& operands) {
    Builder b("atomic");
    const bool wide = isWide(type);
    const auto out = b.pointer("out"), in = b.pointer("in"), cell = b.pointer("cell");
    const auto at = b.slot64(), value = b.slot64(), old = b.slot64();
    b.emit(AddressS32, at, in, b.special(TidX), kNoSlot, 0, 8);
    b.load(value, at, wide ? 8 : 4);
    b.emit(Atomic, old, cell, value, kNoSlot, packAtomic(op, type));
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 8);
    b.store(at, old, wide ? 8 : 4);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<uint64_t>(operands.size())), bufferOf("in", operands), bufferOf("cell", std::vector<uint64_t>{start})};
    const RunResult r = launchProgram(b.build(), {1}, {uint32_t(operands.size())}, {argument(0), argument(1), argument(2)}, buffers);
    EXPECT_TRUE(r.findings.empty());
    return {valuesOf<uint64_t>(buffers[0]), valuesOf<uint64_t>(buffers[2])[0]};
}

uint64_t bits(float f) { return std::bit_cast<uint32_t>(f); }
uint64_t bits(double d) { return std::bit_cast<uint64_t>(d); }

TEST(Atomic, Integers) {
    using V = std::vector<uint64_t>;
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::U32, 0xffffffff, {1, 2, 3}).old, (V{0xffffffff, 0, 2}));
    EXPECT_EQ(apply(AtomicOp::Sub, AtomicType::I32, 0, {1, 2, 3}).final, 0xfffffffau);
    EXPECT_EQ(apply(AtomicOp::Exchange, AtomicType::U64, 7, {10, 20}).old, (V{7, 10}));
    EXPECT_EQ(apply(AtomicOp::Min, AtomicType::I32, 5, {0xffffffffu, 3}).final, 0xffffffffu);
    EXPECT_EQ(apply(AtomicOp::Min, AtomicType::U32, 5, {0xffffffffu, 3}).final, 3u);
    EXPECT_EQ(apply(AtomicOp::Max, AtomicType::I64, 5, {~0ull, 30}).final, 30u);
    EXPECT_EQ(apply(AtomicOp::Max, AtomicType::U64, 5, {~0ull, 30}).final, ~0ull);
    EXPECT_EQ(apply(AtomicOp::And, AtomicType::U32, 0xff, {0x0f, 0x3c}).final, 0x0cu);
    EXPECT_EQ(apply(AtomicOp::Or, AtomicType::U32, 1, {2, 8}).final, 11u);
    EXPECT_EQ(apply(AtomicOp::Xor, AtomicType::U32, 1, {3, 8}).final, 10u);
    // ((old >= b) ? 0 : old + 1) and ((old == 0 || old > b) ? b : old - 1)
    EXPECT_EQ(apply(AtomicOp::Inc, AtomicType::U32, 1, {2, 2, 2, 2}).old, (V{1, 2, 0, 1}));
    EXPECT_EQ(apply(AtomicOp::Dec, AtomicType::U32, 1, {2, 2, 2, 2}).old, (V{1, 0, 2, 1}));
    EXPECT_EQ(apply(AtomicOp::Dec, AtomicType::U32, 9, {2}).final, 2u);
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::U16, 0x2ffff, {1}).final, 0x20000u); // its neighbour stays
}

TEST(Atomic, FloatingPoint) {
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F32, bits(1.0f), {bits(0.5f), bits(0.25f)}).old[1], bits(1.5f));
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F64, bits(1.0), {bits(0.5), bits(0.25)}).final, bits(1.75));
    // Additions to global memory flush subnormal numbers (an H200 gives the old value 1 and leaves 0).
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F32, 1, {2}).old[0], 1u);
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F32, 1, {2}).final, 0u);
    // In lane order: 2^24 + 1 rounds back to 2^24 each time.
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F32, bits(16777216.0f), {bits(1.0f), bits(1.0f)}).final, bits(16777216.0f));
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F16, 0x3c00, {0x3c00}).final, 0x4000u);
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::F16x2, 0x3c003c00, {0x40003c00}).final, 0x42004000u);
    EXPECT_EQ(apply(AtomicOp::Add, AtomicType::BF16, 0x3f80, {0x3f80}).final, 0x4000u);
}

TEST(Atomic, CompareAndSwap) {
    // Lane k swaps k for k + 1: all succeed in lane order.
    Builder b("cas");
    const auto out = b.pointer("out"), cell = b.pointer("cell"), at = b.slot64();
    const auto next = b.slot32(), old = b.slot32();
    b.emit(AddI32, next, b.special(TidX), b.constant32(1));
    b.emit(CompareSwap, old, cell, b.special(TidX), next, packAtomic(AtomicOp{}, AtomicType::U32));
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, old);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(40)), bufferOf("cell", std::vector<int32_t>{3})};
    launchProgram(b.build(), {1}, {40}, {argument(0), argument(1)}, buffers);
    EXPECT_EQ(valuesOf<int32_t>(buffers[1])[0], 40);
    for (int t = 0; t < 40; ++t) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(t)], std::max(t, 3));
}

TEST(Atomic, OutOfBoundsGivesZeroAndAFinding) {
    Builder b("bad");
    const auto out = b.pointer("out"), cell = b.pointer("cell"), at = b.slot64();
    const auto old = b.slot32();
    b.emit(AddressS32, at, cell, b.special(TidX), kNoSlot, 0, 4);
    b.emit(Atomic, old, at, b.constant32(1), kNoSlot, packAtomic(AtomicOp::Add, AtomicType::U32));
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, old);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(4, -1)), bufferOf("cell", std::vector<int32_t>{5, 6})};
    const RunResult r = launchProgram(b.build(), {1}, {4}, {argument(0), argument(1)}, buffers);
    EXPECT_EQ(valuesOf<int32_t>(buffers[0]), (std::vector<int32_t>{5, 6, 0, 0}));
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].access, AccessKind::Atomic);
    EXPECT_EQ(r.findings[0].message, "thread (2,0,0) of block (0,0,0) updates 4 bytes at cell[2], 0 bytes past its 2 elements");
}

/// Histogram by reduction (no old value): every host thread count must give the same result and findings.
TEST(Atomic, ResultsDoNotDependOnHostThreads) {
    Builder b("histogram");
    const auto bins = b.pointer("bins", ElementType::U32), at = b.slot64();
    const auto i = b.slot32(), bin = b.slot32();
    b.emit(MadI32, i, b.special(CtaidX), b.special(NtidX), b.special(TidX));
    b.emit(RemU32, bin, i, b.constant32(11)); // bin 10 is out of bounds
    b.line(3);
    b.emit(AddressS32, at, bins, bin, kNoSlot, 0, 4);
    b.emit(Atomic, kNoSlot, at, b.constant32(1), kNoSlot, packAtomic(AtomicOp::Add, AtomicType::U32));
    b.exit();
    const Program program = b.build();
    std::vector<std::vector<uint32_t>> results;
    for (unsigned threads : {1u, 2u, 5u}) {
        std::vector<Buffer> buffers{bufferOf("bins", std::vector<uint32_t>(10))};
        LaunchOptions options;
        options.hostThreads = threads;
        const RunResult r = launchProgram(program, {100}, {128}, {argument(0)}, buffers, options);
        EXPECT_EQ(r.hostThreads, threads);
        EXPECT_EQ(r.blocks[0].warps, 400u);
        ASSERT_EQ(r.findings.size(), 1u);
        EXPECT_EQ(r.findings[0].count, 1163u); // of 12800 numbers those that leave 10 modulo 11
        EXPECT_EQ(r.findings[0].first.block.x, 0u);
        results.push_back(valuesOf<uint32_t>(buffers[0]));
        EXPECT_EQ(results.back()[0], 1164u);
        EXPECT_EQ(results.back(), results.front());
    }
}

TEST(Atomic, OldValuesKeepBlocksInOrder) {
    // ticket = atomicAdd(&counter, 1) must follow the block order on any number of host threads.
    Builder b("ticket");
    const auto out = b.pointer("out"), counter = b.pointer("counter"), at = b.slot64();
    const auto old = b.slot32();
    b.emit(Atomic, old, counter, b.constant32(1), kNoSlot, packAtomic(AtomicOp::Add, AtomicType::U32));
    b.emit(AddressS32, at, out, b.special(CtaidX), kNoSlot, 0, 4);
    b.store(at, old);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(64)), bufferOf("counter", std::vector<int32_t>{0})};
    LaunchOptions options;
    options.hostThreads = 4;
    const RunResult r = launchProgram(b.build(), {64}, {1}, {argument(0), argument(1)}, buffers, options);
    EXPECT_EQ(r.hostThreads, 1u);
    for (int k = 0; k < 64; ++k) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(k)], k);
}

} // namespace
} // namespace sim::vm::test
