// Bounds, alignment, spaces, and the words of the findings.
#include "VmTest.h"

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

/// out[tid] = in[index(tid)] with a chosen scale and offset in bytes.
struct Copy : Builder {
    Copy() : Builder("copy") {
        out = pointer("out", ElementType::F32);
        in = pointer("in", ElementType::F32);
        i = slot32();
        to = slot64();
        from = slot64();
        value = slots(8);
        emit(MadI32, i, special(CtaidX), special(NtidX), special(TidX));
        emit(AddressS32, to, out, i, kNoSlot, 0, 4);
    }
    Program copy(int32_t scale, int32_t offset) {
        line(5);
        emit(AddressS32, from, in, i, kNoSlot, 0, scale);
        load(value, from, 4, 1, offset);
        line(6);
        store(to, value);
        exit();
        return build();
    }
    Slot out, in, i, to, from, value;
};

std::vector<float> iota(size_t n) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), 0.0f);
    return v;
}

TEST(Memory, ReadsPastTheEnd) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(640, -1)), bufferOf("in", iota(600))};
    const RunResult r = launchProgram(Copy().copy(4, 0), {10}, {64}, {argument(0), argument(1)}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Finished);
    ASSERT_EQ(r.findings.size(), 1u);
    const Finding& f = r.findings[0];
    EXPECT_EQ(f.kind, FindingKind::OutOfBoundsGlobal);
    EXPECT_EQ(f.access, AccessKind::Load);
    EXPECT_EQ(f.count, 40u);
    EXPECT_EQ(f.first.at.line, 5u);
    EXPECT_EQ(f.first.block, (Dim3{9, 0, 0}));
    EXPECT_EQ(f.first.thread, (Dim3{24, 0, 0}));
    EXPECT_EQ(f.bytes, 4u);
    EXPECT_EQ(f.allocation, "in");
    EXPECT_EQ(f.offset, 2400);
    EXPECT_EQ(f.message, "thread (24,0,0) of block (9,0,0) reads 4 bytes at in[600], 0 bytes past its 600 elements");
    const auto out = valuesOf<float>(buffers[0]);
    EXPECT_EQ(out[599], 599.0f);
    EXPECT_EQ(out[600], 0.0f); // refused loads give 0
}

TEST(Memory, WritesBeforeTheStart) {
    Copy c;
    c.line(8);
    c.store(c.to, c.special(TidX), 4, 1, -8);
    c.exit();
    std::vector<Buffer> buffers{bufferOf("out", iota(32)), bufferOf("in", iota(1))};
    const RunResult r = launchProgram(c.build(), {1}, {32}, {argument(0), argument(1)}, buffers);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].count, 2u);
    EXPECT_EQ(r.findings[0].offset, -8);
    EXPECT_EQ(r.findings[0].message, "thread (0,0,0) of block (0,0,0) writes 4 bytes at out[-2], 8 bytes before the first of its 32 elements");
    EXPECT_EQ(valuesOf<uint32_t>(buffers[0])[0], 2u);
}

TEST(Memory, Misaligned) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(32)), bufferOf("in", iota(64))};
    const RunResult r = launchProgram(Copy().copy(4, 2), {1}, {32}, {argument(0), argument(1)}, buffers);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::Misaligned);
    EXPECT_EQ(r.findings[0].count, 32u);
    EXPECT_NE(r.findings[0].message.find("byte 2 of in"), std::string::npos) << r.findings[0].message;
}

TEST(Memory, NullPointer) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(32))};
    const RunResult r = launchProgram(Copy().copy(4, 0), {1}, {32}, {argument(0), scalar<uint64_t>(0)}, buffers);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::NullPointer);
    EXPECT_EQ(r.findings[0].count, 32u);
}

TEST(Memory, WildIndexDoesNotReachAnotherBuffer) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(32)), bufferOf("in", iota(32))};
    const RunResult r = launchProgram(Copy().copy(0x7ffffffc, 0), {1}, {32}, {argument(0), argument(1)}, buffers);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].allocation, "in");
    EXPECT_EQ(r.findings[0].count, 31u);
}

TEST(Memory, WidthsAndVectors) {
    // Copies 16 bytes per thread in every shape; the bytes must survive.
    struct Case { unsigned bytes, count; };
    for (const Case& shape : {Case{1, 1}, {2, 1}, {4, 1}, {8, 1}, {4, 2}, {4, 4}, {8, 2}, {2, 2}, {2, 4}, {1, 4}, {1, 2}, {2, 8}, {1, 8}})
        for (unsigned threads : {32u, 20u})
            for (int32_t stride : {1, 2}) {
                const int32_t width = int32_t(shape.bytes * shape.count);
                Builder b("copy");
                const auto out = b.pointer("out"), in = b.pointer("in");
                const auto to = b.slot64(), from = b.slot64(), value = b.slots(16);
                b.emit(AddressS32, to, out, b.special(TidX), kNoSlot, 0, width);
                b.emit(AddressS32, from, in, b.special(TidX), kNoSlot, 0, width * stride);
                b.load(value, from, shape.bytes, shape.count);
                b.store(to, value, shape.bytes, shape.count);
                b.exit();
                std::vector<uint8_t> source(32 * size_t(width) * size_t(stride)), target(32 * size_t(width), 0xee);
                for (size_t k = 0; k < source.size(); ++k) source[k] = uint8_t(k * 37 + 11);
                std::vector<Buffer> buffers{bufferOf("out", target), bufferOf("in", source)};
                const RunResult r = launchProgram(b.build(), {1}, {threads}, {argument(0), argument(1)}, buffers);
                EXPECT_TRUE(r.findings.empty());
                target = valuesOf<uint8_t>(buffers[0]);
                for (size_t k = 0; k < target.size(); ++k) {
                    const size_t t = k / size_t(width);
                    ASSERT_EQ(target[k], t < threads ? source[t * size_t(width * stride) + k % size_t(width)] : 0xee) << shape.bytes << "x" << shape.count << " byte " << k;
                }
            }
}

TEST(Memory, UniformLoadIntoTheAddressItself) {
    // p = *p for a chain of two pointers, with d being the address slot.
    Builder b("chase");
    const auto out = b.pointer("out"), p = b.slot64(), to = b.slot64();
    const uint32_t target = b.global("target", MemorySpace::Global, 256);
    const auto base = b.addressOf(target);
    b.emit(AddressS32, p, base, b.special(TidX), kNoSlot, 0, 8);
    b.store(p, p, 8); // target[tid] = &target[tid]
    b.load(p, p, 8);
    b.load(p, p, 8);
    b.emit(SubI64, p, p, base);
    b.emit(AddressS32, to, out, b.special(TidX), kNoSlot, 0, 8);
    b.store(to, p, 8);
    b.exit();
    for (unsigned threads : {32u, 7u}) {
        std::vector<Buffer> buffers{bufferOf("out", std::vector<uint64_t>(32))};
        const RunResult r = launchProgram(b.build(), {1}, {threads}, {argument(0)}, buffers);
        EXPECT_TRUE(r.findings.empty());
        for (unsigned t = 0; t < threads; ++t) EXPECT_EQ(valuesOf<uint64_t>(buffers[0])[t], t * 8);
    }
}

TEST(Memory, LocalMemoryIsPerThread) {
    // int a[4]; a[k] = tid * 10 + k; out[tid] = a[tid & 3]
    Builder b("local");
    b.local(16);
    const auto out = b.pointer("out"), base = b.constant64(regionBase(kLocalRegion)), at = b.slot64();
    const auto v = b.slot32(), k = b.slot32();
    for (int32_t e = 0; e < 4; ++e) {
        b.emit(MadI32, v, b.special(TidX), b.constant32(10), b.constant32(uint32_t(e)));
        b.store(base, v, 4, 1, e * 4);
    }
    b.emit(AndI32, k, b.special(TidX), b.constant32(3));
    b.emit(AddressS32, at, base, k, kNoSlot, 0, 4);
    b.load(v, at);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.line(9);
    b.load(v, base, 4, 1, 16);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(40))};
    Recorder recorder;
    const RunResult r = launchProgram(b.build(), {1}, {40}, {argument(0)}, buffers, {}, 0, {&recorder});
    for (int t = 0; t < 40; ++t) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(t)], t * 10 + t % 4);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::OutOfBoundsLocal);
    EXPECT_EQ(r.findings[0].count, 40u);
    EXPECT_EQ(recorder.accesses[0].event.space, MemorySpace::Local);
}

TEST(Memory, SharedIsPerBlockAndStartsPoisoned) {
    // out[block] = tile[0] before anything is written; then tile[0] = 1
    Builder b("poison");
    const auto out = b.pointer("out"), tile = b.addressOf(b.shared("tile", 4)), at = b.slot64();
    const auto v = b.slot32();
    b.load(v, tile);
    b.emit(AddressS32, at, out, b.special(CtaidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.store(tile, b.constant32(1));
    b.line(3);
    b.load(v, tile, 4, 1, 4);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<uint32_t>(3))};
    const RunResult r = launchProgram(b.build(), {3}, {1}, {argument(0)}, buffers);
    EXPECT_EQ(valuesOf<uint32_t>(buffers[0]), std::vector<uint32_t>(3, 0xcdcdcdcdu));
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::OutOfBoundsShared);
    EXPECT_EQ(r.findings[0].allocation, "tile");
}

TEST(Memory, DynamicSharedHasTheLaunchsSize) {
    Builder b("dynamic");
    const auto out = b.pointer("out"), tile = b.addressOf(b.shared("tile", 0)), at = b.slot64();
    const auto v = b.slot32();
    b.emit(AddressS32, at, tile, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, b.special(TidX));
    b.load(v, at);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<uint32_t>(32))};
    RunResult r = launchProgram(b.build(), {1}, {32}, {argument(0)}, buffers, {}, 128);
    EXPECT_TRUE(r.findings.empty());
    EXPECT_EQ(valuesOf<uint32_t>(buffers[0])[31], 31u);
    r = launchProgram(b.build(), {1}, {32}, {argument(0)}, buffers, {}, 100);
    ASSERT_EQ(r.findings.size(), 2u);
    EXPECT_EQ(r.findings[0].count, 7u);
}

TEST(Memory, MixedSpacesGiveOneAccessEach) {
    // Even lanes load from shared memory, odd ones from global, through one generic pointer.
    Builder b("generic");
    const auto out = b.pointer("out"), in = b.pointer("in"), tile = b.addressOf(b.shared("tile", 128)), at = b.slot64();
    const auto odd = b.predicate(), v = b.slot32(), bit = b.slot32();
    b.emit(AddressS32, at, tile, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, b.special(TidX));
    b.emit(AndI32, bit, b.special(TidX), b.constant32(1));
    b.emit(NeI32, odd, bit, b.constant32(0));
    b.emit(Select64, at, odd, in, tile);
    b.emit(AddressS32, at, at, b.special(TidX), kNoSlot, 0, 4);
    b.load(v, at);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(32)), bufferOf("in", std::vector<int32_t>(32, 500))};
    Recorder recorder;
    const RunResult r = launchProgram(b.build(), {1}, {32}, {argument(0), argument(1)}, buffers, {}, 0, {&recorder});
    EXPECT_TRUE(r.findings.empty());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(t)], t % 2 ? 500 : t);
    ASSERT_EQ(recorder.accesses.size(), 4u);
    EXPECT_EQ(recorder.accesses[1].event.space, MemorySpace::Shared);
    EXPECT_EQ(recorder.accesses[1].event.active.bits, 0x55555555u);
    EXPECT_EQ(recorder.accesses[2].event.space, MemorySpace::Global);
    EXPECT_EQ(recorder.accesses[2].event.active.bits, 0xaaaaaaaau);
}

TEST(Memory, ConstantMemoryCannotBeWritten) {
    Builder b("constant");
    const auto out = b.pointer("out"), table = b.addressOf(b.global("table", MemorySpace::Constant, 4, {std::byte{9}}));
    const auto v = b.slot32();
    b.load(v, table);
    b.store(out, v);
    b.line(4);
    b.store(table, v);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(1))};
    const RunResult r = launchProgram(b.build(), {1}, {1}, {argument(0)}, buffers);
    EXPECT_EQ(valuesOf<int32_t>(buffers[0])[0], 9);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::OutOfBoundsConstant);
    EXPECT_NE(r.findings[0].message.find("constant memory cannot be written"), std::string::npos);
}

TEST(Memory, DeviceHeap) {
    // p = malloc(4 * (tid + 1)); p[tid] = tid; out = p[tid]; free(p) by even threads; p[0] again
    Builder b("heap");
    const auto out = b.pointer("out"), size = b.slot64(), p = b.slot64(), at = b.slot64();
    const auto bytes = b.slot32(), v = b.slot32(), bit = b.slot32(), even = b.predicate();
    const auto freeing = b.label(), end = b.label();
    b.emit(MadI32, bytes, b.special(TidX), b.constant32(4), b.constant32(4));
    b.emit(ZeroExtend32To64, size, bytes);
    b.line(2);
    b.emit(Malloc, p, size);
    b.emit(AddressS32, at, p, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, b.special(TidX));
    b.load(v, at);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.emit(AndI32, bit, b.special(TidX), b.constant32(1));
    b.emit(EqI32, even, bit, b.constant32(0));
    b.branch(even, freeing, end, end);
    b.place(freeing);
    b.emit(Free, kNoSlot, p);
    b.line(5);
    b.load(v, p);
    b.line(6);
    b.emit(Free, kNoSlot, p);
    b.jump(end);
    b.place(end);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(8))};
    const RunResult r = launchProgram(b.build(), {1}, {8}, {argument(0)}, buffers);
    for (int t = 0; t < 8; ++t) EXPECT_EQ(valuesOf<int32_t>(buffers[0])[size_t(t)], t);
    ASSERT_EQ(r.findings.size(), 3u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::DeviceMemoryLeak);
    EXPECT_EQ(r.findings[0].count, 4u);
    EXPECT_EQ(r.findings[1].kind, FindingKind::UseAfterFree);
    EXPECT_EQ(r.findings[1].first.at.line, 5u);
    EXPECT_EQ(r.findings[2].count, 4u); // freed twice
}

TEST(Memory, DivisionByZeroIsAFinding) {
    Builder b("divide");
    const auto out = b.pointer("out"), at = b.slot64();
    const auto v = b.slot32(), d = b.slot32();
    b.emit(AndI32, d, b.special(TidX), b.constant32(3));
    b.line(3);
    b.emit(DivU32, v, b.constant32(100), d);
    b.emit(AddressS32, at, out, b.special(TidX), kNoSlot, 0, 4);
    b.store(at, v);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<uint32_t>(32))};
    const RunResult r = launchProgram(b.build(), {1}, {32}, {argument(0)}, buffers);
    EXPECT_EQ(valuesOf<uint32_t>(buffers[0])[0], 0xffffffffu);
    EXPECT_EQ(valuesOf<uint32_t>(buffers[0])[3], 33u);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::IntegerDivisionByZero);
    EXPECT_EQ(r.findings[0].count, 8u);
    EXPECT_EQ(r.findings[0].first.at.line, 3u);
}

} // namespace
} // namespace sim::vm::test
