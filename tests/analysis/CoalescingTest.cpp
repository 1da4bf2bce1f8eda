// Sectors by hand, and against single requests measured on a GPU.
#include "sim/analysis/Coalescing.h"

#include "tests/analysis/MeasuredRequests.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sim {
namespace {

constexpr uint64_t kBase = uint64_t{7} << 36 | uint64_t{1} << 35;

std::array<uint64_t, 32> strided(uint64_t first, int64_t step) {
    std::array<uint64_t, 32> a;
    for (unsigned i = 0; i < 32; ++i) a[i] = first + uint64_t(step * i);
    return a;
}

TEST(Coalescing, ContiguousFloatsAreFourSectorsOrFiveWhenMisaligned) {
    const auto aligned = strided(kBase, 4), shifted = strided(kBase + 4, 4);
    EXPECT_EQ(countSectors(LaneMask::full(), aligned.data(), 4, true).sectors, 4u);
    EXPECT_EQ(countSectors(LaneMask::full(), shifted.data(), 4, true).sectors, 5u);
    EXPECT_EQ(countSectors(LaneMask::full(), shifted.data(), 4, true).ideal, 4u);
    EXPECT_EQ(countSectors(LaneMask::full(), shifted.data(), 4, false).sectors, 5u);
}

TEST(Coalescing, StridesFromTheBestPracticesGuide) {
    for (const auto& [stride, sectors] : {std::pair{1, 4u}, {2, 8u}, {3, 12u}, {4, 16u}, {8, 32u}, {33, 32u}}) {
        const auto up = strided(kBase, 4 * stride), down = strided(kBase + 0x10000, -4 * stride);
        EXPECT_EQ(countSectors(LaneMask::full(), up.data(), 4, false).sectors, sectors) << stride;
        EXPECT_EQ(countSectors(LaneMask::full(), up.data(), 4, false).ideal, 4u);
        EXPECT_EQ(countSectors(LaneMask::full(), down.data(), 4, false).ideal, 4u);
    }
}

TEST(Coalescing, InactiveLanesDoNotCount) {
    auto a = strided(kBase, 128);
    a[5] = 12345;
    EXPECT_EQ(countSectors(LaneMask{0b11}, a.data(), 4, false).sectors, 2u);
    EXPECT_EQ(countSectors(LaneMask{}, a.data(), 4, false).sectors, 0u);
    EXPECT_EQ(countSectors(LaneMask{1u << 31}, a.data(), 16, false).sectors, 1u);
}

TEST(Coalescing, SameWordForAllLanesIsOneSector) {
    const auto a = strided(kBase + 64, 0);
    const SectorCount c = countSectors(LaneMask::full(), a.data(), 4, false);
    EXPECT_EQ(c.sectors, 1u);
    EXPECT_EQ(c.ideal, 1u);
}

TEST(Coalescing, FarApartAndUnorderedAddressesUseTheTable) {
    std::array<uint64_t, 32> a;
    for (unsigned i = 0; i < 32; ++i) a[i] = kBase + uint64_t((i * 13 + 5) % 32 / 2) * 0x100000; // pairs, shuffled
    const SectorCount c = countSectors(LaneMask::full(), a.data(), 4, false);
    EXPECT_EQ(c.sectors, 16u);
    EXPECT_EQ(c.ideal, 2u);
}

TEST(Coalescing, EqualsMeasuredRequests) {
    const auto requests = test::readMeasuredRequests(TEST_DATA "/global-sectors.csv");
    ASSERT_GT(requests.size(), 300u);
    for (size_t i = 0; i < requests.size(); ++i) {
        auto r = requests[i];
        for (auto& o : r.offset) o += kBase;
        const bool atomic = r.operation == "atomic" || r.operation == "reduction";
        const SectorCount c = (atomic ? countAtomicSectors : countSectors)(r.active, r.offset.data(), r.bytes, false);
        EXPECT_EQ(c.sectors, r.counted) << r.operation << " " << r.bytes << ", row " << i;
        EXPECT_LE(c.ideal, c.sectors);
    }
}

TEST(Coalescing, LocalMemoryIsInterleaved) {
    const auto same = strided(kBase + 8, 0);
    EXPECT_EQ(countLocalSectors(LaneMask::full(), same.data(), 4).sectors, 4u);
    EXPECT_EQ(countLocalSectors(LaneMask::full(), same.data(), 8).sectors, 8u);
    EXPECT_EQ(countLocalSectors(LaneMask::first(9), same.data(), 4).sectors, 2u);
    const auto spread = strided(kBase, 4); // each lane another word: one sector each
    EXPECT_EQ(countLocalSectors(LaneMask::full(), spread.data(), 4).sectors, 32u);
}

} // namespace
} // namespace sim
