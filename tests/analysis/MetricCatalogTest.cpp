// Every metric says what it is, and the derived ones compute what they say.
#include "sim/analysis/MetricCatalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sim {
namespace {

TEST(MetricCatalog, IdsAreUniqueAndEveryMetricIsExplained) {
    std::set<std::string> ids;
    for (const Metric& m : metricCatalog()) {
        EXPECT_TRUE(ids.insert(m.id).second) << m.id;
        EXPECT_FALSE(std::string(m.name).empty());
        EXPECT_GT(std::string(m.definition).size(), 40u) << m.id;
        EXPECT_EQ(m.value(Counters{}), 0.0) << m.id;
    }
    EXPECT_EQ(findMetric("no such metric"), nullptr);
}

TEST(MetricCatalog, DerivedMetrics) {
    Counters c;
    c.of(MemorySpace::Global, AccessKind::Load) = {2, 64, 64, 8, 0, 0, 256, 32};
    c.of(MemorySpace::Shared, AccessKind::Load) = {1, 32, 0, 0, 32, 1, 128, 32};
    c.of(MemorySpace::Shared, AccessKind::Store) = {1, 32, 0, 0, 1, 1, 128, 1};
    c.warpInstructions = 10;
    c.threadInstructions = 160;
    const auto value = [&](const char* id) { return findMetric(id)->value(c); };
    EXPECT_EQ(value("global-load-sectors-per-request"), 32.0);
    EXPECT_EQ(value("global-efficiency"), 12.5);
    EXPECT_EQ(value("global-bytes-moved"), 2048.0);
    EXPECT_EQ(value("global-bytes-useful"), 256.0);
    EXPECT_EQ(value("shared-bank-conflicts"), 31.0);
    EXPECT_EQ(value("shared-load-conflicts"), 31.0);
    EXPECT_EQ(value("shared-store-conflicts"), 0.0);
    EXPECT_EQ(value("shared-conflict-degree"), 16.5);
    EXPECT_EQ(value("shared-worst-conflict"), 32.0);
    EXPECT_EQ(value("active-lanes"), 16.0);
}

} // namespace
} // namespace sim
