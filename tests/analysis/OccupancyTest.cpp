// The occupancy calculator against every answer of a GPU's occupancy API, and cases by hand.
#include "sim/analysis/Occupancy.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace sim {
namespace {

TEST(Occupancy, EqualsTheApiAtComputeCapability90) {
    std::ifstream file(PROJECT_ROOT "/tests/hardware/data/occupancy.json");
    const auto data = nlohmann::json::parse(file);
    const SmLimits* sm = findSmLimits(90);
    ASSERT_NE(sm, nullptr);
    size_t rows = 0;
    for (const auto& row : data["rows"]) {
        const OccupancyInput block{row[0].get<uint32_t>(), row[1].get<uint32_t>(), row[2].get<uint32_t>()};
        EXPECT_EQ(occupancy(*sm, block).blocks, row[3].get<uint32_t>()) << row.dump();
        ++rows;
    }
    EXPECT_EQ(rows, 5460u);
}

TEST(Occupancy, SharedMemoryLimitsToTwoBlocksOn86) {
    const Occupancy o = occupancy(*findSmLimits(86), {32, 256, 33 * 1024});
    EXPECT_EQ(o.blocks, 2u);
    EXPECT_EQ(o.limiter, OccupancyLimiter::SharedMemory);
    EXPECT_EQ(o.warps, 16u);
    EXPECT_NEAR(o.fraction, 16.0 / 48.0, 1e-12);
}

TEST(Occupancy, NamesTheLimiter) {
    const SmLimits& sm = *findSmLimits(80);
    EXPECT_EQ(occupancy(sm, {32, 1024, 0}).limiter, OccupancyLimiter::Warps);
    EXPECT_EQ(occupancy(sm, {32, 32, 0}).limiter, OccupancyLimiter::Blocks);
    EXPECT_EQ(occupancy(sm, {128, 256, 0}).limiter, OccupancyLimiter::Registers);
    EXPECT_EQ(occupancy(sm, {128, 256, 0}).blocks, 2u);
    EXPECT_EQ(occupancy(sm, {32, 2048, 0}).limiter, OccupancyLimiter::CannotLaunch);
    EXPECT_EQ(occupancy(sm, {32, 256, 200 * 1024}).blocks, 0u);
    EXPECT_EQ(occupancy(sm, {255, 1024, 0}).limiter, OccupancyLimiter::Registers);
}

TEST(Occupancy, KnowsTheCapabilitiesTheHelpPageNames) {
    for (const int cc : {75, 80, 86, 89, 90, 100, 120}) EXPECT_NE(findSmLimits(cc), nullptr) << cc;
    EXPECT_EQ(findSmLimits(35), nullptr);
}

} // namespace
} // namespace sim
