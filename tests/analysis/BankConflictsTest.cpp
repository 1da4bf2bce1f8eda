// Wavefronts by hand, and against single requests measured on a GPU.
#include "sim/analysis/BankConflicts.h"

#include "tests/analysis/MeasuredRequests.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

constexpr uint64_t kBase = regionBase(3);

std::array<uint64_t, 32> strided(int64_t step) {
    std::array<uint64_t, 32> a;
    for (unsigned i = 0; i < 32; ++i) a[i] = kBase + uint64_t(step * i);
    return a;
}

uint32_t loads(const std::array<uint64_t, 32>& a, unsigned bytes, LaneMask active = LaneMask::full()) {
    return countWavefronts(active, a.data(), bytes, false, SharedOperation::Load).wavefronts;
}

TEST(BankConflicts, StridesOfWords) {
    for (const auto& [stride, wavefronts] : {std::pair{0, 1u},
                                             {1, 1u},
                                             {2, 2u},
                                             {3, 1u},
                                             {4, 4u},
                                             {6, 2u},
                                             {16, 16u},
                                             {31, 1u},
                                             {32, 32u},
                                             {33, 1u},
                                             {64, 32u}})
        EXPECT_EQ(loads(strided(4 * stride), 4), wavefronts) << stride;
    EXPECT_EQ(countWavefronts(LaneMask::full(), strided(-8).data(), 4, false, SharedOperation::Load).wavefronts, 2u);
}

TEST(BankConflicts, BytesOfOneWordAreBroadcast) {
    EXPECT_EQ(loads(strided(1), 1), 1u);
    EXPECT_EQ(loads(strided(2), 2), 1u);
    EXPECT_EQ(loads(strided(128), 1), 32u);
}

TEST(BankConflicts, PartialWarpsConflictLess) {
    EXPECT_EQ(loads(strided(128), 4, LaneMask::first(8)), 8u);
    EXPECT_EQ(loads(strided(8), 4, LaneMask::first(16)), 1u);
    EXPECT_EQ(loads(strided(128), 4, LaneMask{}), 0u);
}

TEST(BankConflicts, WideConflictFreeAccessesNeedOnePassPer128Bytes) {
    const auto f64 = strided(8), f32x4 = strided(16);
    for (const bool contiguous : {false, true}) {
        const auto a = countWavefronts(LaneMask::full(), f64.data(), 8, contiguous, SharedOperation::Load);
        EXPECT_EQ(a.wavefronts, 2u);
        EXPECT_EQ(a.ideal, 2u);
        const auto b = countWavefronts(LaneMask::full(), f32x4.data(), 16, contiguous, SharedOperation::Store);
        EXPECT_EQ(b.wavefronts, 4u);
        EXPECT_EQ(b.degree(), 1u);
    }
}

TEST(BankConflicts, TheBitmapIsClearedBetweenCalls) {
    const auto a = strided(12);
    const LaneMask odd{0x55555555};
    EXPECT_EQ(loads(a, 4, odd), loads(a, 4, odd));
    EXPECT_EQ(loads(strided(64), 4, odd), 16u);
}

TEST(BankConflicts, EqualsMeasuredRequests) {
    const auto requests = test::readMeasuredRequests(TEST_DATA "/shared-wavefronts.csv");
    ASSERT_GT(requests.size(), 700u);
    for (size_t i = 0; i < requests.size(); ++i) {
        auto r = requests[i];
        for (auto& o : r.offset) o += kBase;
        const SharedOperation operation = r.operation == "load"        ? SharedOperation::Load
                                          : r.operation == "store"     ? SharedOperation::Store
                                          : r.operation == "increment" ? SharedOperation::Increment
                                          : r.operation == "atomic"    ? SharedOperation::Atomic
                                                                       : SharedOperation::CompareSwap;
        const WavefrontCount c = countWavefronts(r.active, r.offset.data(), r.bytes, false, operation);
        EXPECT_EQ(c.wavefronts, r.counted) << r.operation << " " << r.bytes << ", row " << i;
        EXPECT_LE(c.ideal, c.wavefronts) << r.operation << " " << r.bytes << ", row " << i;
        EXPECT_GE(c.ideal, 1u);
    }
}

Function atomicFunction(uint16_t aux, uint16_t d, uint64_t operand) {
    Function f;
    Instruction i;
    i.op = Opcode::Atomic;
    i.aux = aux;
    i.d = d;
    i.a = 20;
    i.b = 22;
    f.code.push_back(i);
    f.image.push_back({22, false, false, operand, -1, -1});
    return f;
}

TEST(BankConflicts, OnlyAddingOneWithoutUsingTheResultIsAnIncrement) {
    const uint16_t add = packAtomic(AtomicOp::Add, AtomicType::U32);
    EXPECT_EQ(sharedOperation(atomicFunction(add, kNoSlot, 1), Pc{0}), SharedOperation::Increment);
    EXPECT_EQ(sharedOperation(atomicFunction(add, kNoSlot, 2), Pc{0}), SharedOperation::Atomic);
    EXPECT_EQ(sharedOperation(atomicFunction(add, 24, 1), Pc{0}), SharedOperation::Atomic);
    EXPECT_EQ(sharedOperation(atomicFunction(packAtomic(AtomicOp::Max, AtomicType::U32), kNoSlot, 1), Pc{0}),
              SharedOperation::Atomic);
    EXPECT_EQ(sharedOperation(atomicFunction(packAtomic(AtomicOp::Add, AtomicType::F32), kNoSlot, 1), Pc{0}),
              SharedOperation::Atomic);
}

} // namespace
} // namespace sim
