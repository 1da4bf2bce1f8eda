// What a launch refuses, what it reports about itself, printf and assert.
#include "VmTest.h"

#include "sim/vm/Printf.h"

namespace sim::vm::test {
namespace {

using enum Opcode;
using enum SpecialRegister;

Program emptyKernel(uint32_t sharedBytes = 0) {
    Builder b("empty");
    b.pointer("out", ElementType::F32);
    b.scalar("n", "int", 4);
    if (sharedBytes) b.shared("tile", sharedBytes);
    b.exit();
    return b.build();
}

RunResult launchEmpty(Dim3 grid, Dim3 block, uint32_t dynamicShared = 0, uint32_t staticShared = 0) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(1))};
    return launchProgram(emptyKernel(staticShared), grid, block, {argument(0), scalar(1)}, buffers, {}, dynamicShared);
}

void expectRejected(const RunResult& r, const std::string& part) {
    EXPECT_EQ(r.status, LaunchStatus::Rejected);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::InvalidLaunch);
    EXPECT_NE(r.error.find(part), std::string::npos) << r.error;
}

TEST(Launch, LimitsOfTheConfiguration) {
    EXPECT_EQ(launchEmpty({1}, {1024}).status, LaunchStatus::Finished);
    EXPECT_EQ(launchEmpty({1}, {16, 64}).status, LaunchStatus::Finished);
    EXPECT_EQ(launchEmpty({1}, {1, 1, 64}).status, LaunchStatus::Finished);
    EXPECT_EQ(launchEmpty({1, 65535, 1}, {1}).status, LaunchStatus::Finished);
    expectRejected(launchEmpty({1}, {1025}), "(1025, 1, 1)");
    expectRejected(launchEmpty({1}, {32, 33}), "1056 threads; at most 1024");
    expectRejected(launchEmpty({1}, {1, 1, 65}), "cudaErrorInvalidConfiguration, 9");
    expectRejected(launchEmpty({1, 65536, 1}, {1}), "larger than (2147483647, 65535, 65535)");
    expectRejected(launchEmpty({0, 1, 1}, {1}), "no blocks");
    expectRejected(launchEmpty({1}, {0, 1, 1}), "no threads");
}

TEST(Launch, LimitsOfSharedMemory) {
    EXPECT_EQ(launchEmpty({1}, {1}, 232448).status, LaunchStatus::Finished);
    EXPECT_EQ(launchEmpty({1}, {1}, 0, 49152).status, LaunchStatus::Finished);
    expectRejected(launchEmpty({1}, {1}, 232449), "cudaErrorInvalidValue (1)");
    expectRejected(launchEmpty({1}, {1}, 232448, 1024), "233472 bytes");
    expectRejected(launchEmpty({1}, {1}, 0, 49168), "at most 49152");
}

TEST(Launch, ArgumentsHaveToFit) {
    const Program program = emptyKernel();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(1))};
    expectRejected(launchProgram(program, {1}, {1}, {argument(0)}, buffers), "takes 2 arguments, but 1 are given");
    expectRejected(launchProgram(program, {1}, {1}, {argument(0), scalar(1.0)}, buffers), "takes 4 bytes, but 8");
    expectRejected(launchProgram(program, {1}, {1}, {argument(0), argument(0)}, buffers), "is no pointer");
    expectRejected(launchProgram(program, {1}, {1}, {argument(3), scalar(1)}, buffers), "does not exist");
    buffers[0].count = 2;
    expectRejected(launchProgram(program, {1}, {1}, {argument(0), scalar(1)}, buffers), "elements need 8");
}

TEST(Launch, MemoryLimit) {
    std::vector<Buffer> buffers{bufferOf("out", std::vector<float>(100))};
    LaunchOptions options;
    options.limits.maxBytes = 300;
    EXPECT_EQ(launchProgram(emptyKernel(), {1}, {1}, {argument(0), scalar(1)}, buffers, options).status, LaunchStatus::LimitExceeded);
}

TEST(Launch, SpecialRegistersInThreeDimensions) {
    // out[linear thread] = tid.x + 100 tid.y + 10000 tid.z + 1000000 (ctaid.x + 3 ctaid.y)
    Builder b("coordinates");
    const auto out = b.pointer("out"), at = b.slot64();
    const auto v = b.slot32(), i = b.slot32(), block = b.slot32();
    b.emit(MadI32, v, b.special(TidY), b.constant32(100), b.special(TidX));
    b.emit(MadI32, v, b.special(TidZ), b.constant32(10000), v);
    b.emit(MadI32, block, b.special(CtaidY), b.special(NctaidX), b.special(CtaidX));
    b.emit(MadI32, v, block, b.constant32(1000000), v);
    b.emit(MadI32, i, b.special(TidZ), b.special(NtidY), b.special(TidY));
    b.emit(MadI32, i, i, b.special(NtidX), b.special(TidX));
    b.emit(MadI32, i, block, b.constant32(60), i);
    b.emit(AddressS32, at, out, i, kNoSlot, 0, 4);
    b.store(at, v);
    b.exit();
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(6 * 60))};
    launchProgram(b.build(), {3, 2}, {5, 4, 3}, {argument(0)}, buffers);
    const auto values = valuesOf<int32_t>(buffers[0]);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[59], 20304);
    EXPECT_EQ(values[5 * 60 + 7], 5000102);
    EXPECT_EQ(values[4 * 60 + 33], 4010203);
}

TEST(Launch, StructsByValue) {
    Builder b("struct");
    const auto out = b.pointer("out");
    const auto where = b.slot64(), v = b.slot32();
    b.load(v, where, 4, 1, 8);
    b.store(out, v);
    b.exit();
    Program program = b.build();
    Parameter p;
    p.name = "s";
    p.type = "Config";
    p.bytes = 12;
    p.byValueStruct = true;
    p.slot = where;
    program.functions[0].parameters.push_back(p);
    program.functions[0].parameterBytes = 12;
    std::vector<Buffer> buffers{bufferOf("out", std::vector<int32_t>(1))};
    const RunResult r = launchProgram(program, {1}, {1}, {argument(0), scalar(std::array<int32_t, 3>{7, 8, 9})}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Finished) << r.error;
    EXPECT_EQ(valuesOf<int32_t>(buffers[0])[0], 9);
}

TEST(Launch, ListsItsAllocations) {
    std::vector<Buffer> buffers{bufferOf("image", std::vector<float>(10))};
    const RunResult r = launchProgram(emptyKernel(256), {1}, {1}, {argument(0), scalar(1)}, buffers);
    ASSERT_EQ(r.allocations.size(), 2u);
    EXPECT_EQ(r.allocations[0].name, "image");
    EXPECT_EQ(r.allocations[0].buffer, 0);
    EXPECT_EQ(r.allocations[0].bytes, 40u);
    EXPECT_EQ(r.allocations[0].address % 256, 0u);
    EXPECT_EQ(r.allocations[1].space, MemorySpace::Shared);
    EXPECT_EQ(sharedOffset(r.allocations[1].address), 0u);
}

TEST(Printf, PrintsInLaneOrder) {
    Builder b("print");
    b.local(16);
    const auto* text = "thread %d: %5.2f|%s\n";
    std::vector<std::byte> bytes(std::strlen(text) + 1);
    std::memcpy(bytes.data(), text, bytes.size());
    const uint32_t format = b.global(".str", MemorySpace::Constant, bytes.size(), bytes);
    const uint32_t word = b.global(".str1", MemorySpace::Constant, 3, {std::byte{'o'}, std::byte{'k'}, std::byte{0}});
    b.local(24);
    const auto buffer = b.constant64(regionBase(kLocalRegion)), f = b.slot64();
    b.emit(S32ToF64, f, b.special(TidX));
    b.store(buffer, b.special(TidX));
    b.store(buffer, f, 8, 1, 8);
    b.store(buffer, b.addressOf(word), 8, 1, 16);
    b.emit(Printf, kNoSlot, b.addressOf(format), buffer);
    b.exit();
    std::vector<Buffer> buffers;
    const RunResult r = launchProgram(b.build(), {1}, {2}, {}, buffers);
    EXPECT_EQ(r.printed, "thread 0:  0.00|ok\nthread 1:  1.00|ok\n");
}

std::string format(const std::string& text, std::vector<uint64_t> arguments) {
    // 8 bytes each; 4-byte arguments therefore come in pairs in these tests.
    return formatPrintf(text, {[&](uint64_t offset, void* to, size_t n) {
                                   if (offset + n > arguments.size() * 8) return false;
                                   std::memcpy(to, reinterpret_cast<const char*>(arguments.data()) + offset, n);
                                   return true;
                               },
                               [](uint64_t address) { return "@" + std::to_string(address); }})
        .text;
}

TEST(Printf, Conversions) {
    EXPECT_EQ(format("100%%", {}), "100%");
    EXPECT_EQ(format("%d %u", {0x00000005'ffffffffull}), "-1 5");
    EXPECT_EQ(format("%lld", {uint64_t(-5)}), "-5");
    EXPECT_EQ(format("%d %lu", {3, 1ull << 40}), "3 1099511627776"); // aligned to 8
    EXPECT_EQ(format("%#x %o", {0x00000008'000000ffull}), "0xff 10");
    EXPECT_EQ(format("%-4d|%04d", {0x00000007'00000003ull}), "3   |0007");
    EXPECT_EQ(format("%*d", {0x00000009'00000005ull}), "    9");
    EXPECT_EQ(format("%c%c", {0x00000042'00000041ull}), "AB");
    EXPECT_EQ(format("%s", {12}), "@12");
    EXPECT_EQ(format("%p", {0xabc}), "0xabc");
    EXPECT_EQ(format("%e %g", {std::bit_cast<uint64_t>(1.5), std::bit_cast<uint64_t>(0.0001)}), "1.500000e+00 0.0001");
    EXPECT_EQ(format("%q", {}), "%q");
    EXPECT_EQ(format("%", {}), "%");
    EXPECT_EQ(format("%hhd", {0x1ff}), "-1");
}

TEST(Assert, StopsTheLaunchWithItsText) {
    Builder b("checks");
    const auto text = [&](const char* s) {
        std::vector<std::byte> bytes(std::strlen(s) + 1);
        std::memcpy(bytes.data(), s, bytes.size());
        const uint32_t index = b.global(s, MemorySpace::Constant, bytes.size(), bytes);
        return b.addressOf(index);
    };
    const auto bad = b.label(), good = b.label();
    const auto condition = b.predicate();
    b.emit(LtU32, condition, b.special(TidX), b.constant32(5));
    b.branch(condition, good, bad);
    b.place(bad);
    b.line(12);
    const auto expression = text("i < 5"), file = text("a.cu");
    b.emit(AssertFail, kNoSlot, expression, file, b.constant32(12));
    b.place(good);
    b.exit();
    Program program = b.build();
    program.functions[0].parameters.clear();
    std::vector<Buffer> buffers;
    const RunResult r = launchProgram(program, {1}, {8}, {}, buffers);
    EXPECT_EQ(r.status, LaunchStatus::Stopped);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::AssertFailed);
    EXPECT_EQ(r.findings[0].count, 3u);
    EXPECT_EQ(r.findings[0].message, "thread (5,0,0) of block (0,0,0): assertion `i < 5' failed (a.cu:12)");
}

} // namespace
} // namespace sim::vm::test
