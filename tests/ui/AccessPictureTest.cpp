// Pictures of accesses against counts by hand.
#include "playground/session/AccessPicture.h"

#include <gtest/gtest.h>

using namespace playground;

namespace {

constexpr uint64_t kTile = sim::regionBase(7), kIn = sim::regionBase(3);

template <class Address>
sim::TracedAccess access(sim::MemorySpace space, unsigned bytes, sim::LaneMask active, Address address) {
    sim::TracedAccess a;
    a.space = space;
    a.bytes = uint8_t(bytes);
    a.active = active;
    for (unsigned lane = 0; lane < 32; ++lane) a.address[lane] = address(lane);
    return a;
}

SharedPicture shared(unsigned stride, unsigned bytes = 4, sim::LaneMask active = sim::LaneMask::full()) {
    return pictureShared(access(sim::MemorySpace::Shared, bytes, active,
                                [=](unsigned lane) { return kTile + uint64_t{lane} * stride * bytes; }),
                         sim::SharedOperation::Load, {});
}

TEST(SharedPicture, UnitStrideIsFree) {
    const SharedPicture p = shared(1);
    EXPECT_EQ(p.wavefronts, 1u);
    EXPECT_EQ(p.rows.size(), 1u);
    EXPECT_EQ(p.crowded, 0u);
    for (uint32_t n : p.asked) EXPECT_EQ(n, 1u);
}

TEST(SharedPicture, StrideTwoCrowdsTheEvenBanks) {
    const SharedPicture p = shared(2);
    EXPECT_EQ(p.wavefronts, 2u);
    EXPECT_EQ(p.ideal, 1u);
    EXPECT_EQ(p.worst, 2u);
    EXPECT_EQ(p.crowded, 0x55555555u);
    EXPECT_EQ(p.asked[0], 2u);
    EXPECT_EQ(p.asked[1], 0u);
    EXPECT_EQ(p.rows[1].words[0].lanes.bits, 1u << 16); // lane 16 meets lane 0 in bank 0, one row below
}

TEST(SharedPicture, OneWordForAllIsABroadcast) {
    const SharedPicture p = shared(0);
    EXPECT_EQ(p.wavefronts, 1u);
    EXPECT_EQ(p.crowded, 0u);
    EXPECT_TRUE(p.rows[0].words[0].lanes.isFull());
}

TEST(SharedPicture, DoublesNeedTwoPassesAndThatIsNoConflict) {
    const SharedPicture p = shared(1, 8);
    EXPECT_EQ(p.wavefronts, p.ideal);
    EXPECT_EQ(p.crowded, 0u);
    EXPECT_EQ(p.rows.size(), 2u);
}

TEST(SharedPicture, MaskedLanesTouchNothing) {
    const SharedPicture p = shared(32, 4, sim::LaneMask::first(5));
    EXPECT_EQ(p.asked[0], 5u);
    EXPECT_EQ(p.wavefronts, 5u);
}

TEST(GlobalPicture, StridesAndOffsets) {
    const auto load = [](uint64_t offset, unsigned stride) {
        return pictureGlobal(access(sim::MemorySpace::Global, 4, sim::LaneMask::full(),
                                    [=](unsigned lane) { return kIn + offset + uint64_t{lane} * stride * 4; }),
                             {});
    };
    EXPECT_EQ(load(0, 1).sectors, 4u);
    EXPECT_EQ(load(0, 1).rows.size(), 1u);
    EXPECT_EQ(load(4, 1).sectors, 5u);
    EXPECT_EQ(load(4, 1).rows.size(), 2u);
    EXPECT_EQ(load(4, 1).rows[1].sectors, 1u);
    EXPECT_EQ(load(0, 2).sectors, 8u);
    EXPECT_EQ(load(0, 2).usefulBytes, 128u);
    EXPECT_EQ(load(0, 2).fetchedBytes, 256u);
    EXPECT_EQ(load(0, 32).sectors, 32u);
    EXPECT_EQ(load(0, 32).ideal, 4u);
}

TEST(GlobalPicture, BytesFillParts) {
    const GlobalPicture p = pictureGlobal(
        access(sim::MemorySpace::Global, 1, sim::LaneMask::first(6), [](unsigned lane) { return kIn + lane; }), {});
    EXPECT_EQ(p.rows[0].words[0].bytes, 0xf);
    EXPECT_EQ(p.rows[0].words[1].bytes, 0x3);
    EXPECT_EQ(p.usefulBytes, 6u);
}

TEST(ElementName, NamesElementsOfOneAndMoreDimensions) {
    const std::vector<sim::PlacedAllocation> allocations = {
        {"in", "float", sim::MemorySpace::Global, kIn, 4096, 0, 4, {}},
        {"tile", "float", sim::MemorySpace::Shared, kTile, 32 * 33 * 4, -1, 4, {32, 33}}};
    EXPECT_EQ(elementName(kIn + 68, allocations), "in[17]");
    EXPECT_EQ(elementName(kTile + (2 * 33 + 5) * 4, allocations), "tile[2][5]");
    EXPECT_EQ(elementName(kIn + 4096, allocations), "");
}

} // namespace
