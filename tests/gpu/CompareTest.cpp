// Samples, comparisons of buffers, and driver errors joined with findings.
#include "gpu/Compare.h"
#include "gpu/Explain.h"
#include "gpu/Samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace {

template <class T>
sim::Buffer buffer(sim::ElementType type, std::vector<T> values) {
    sim::Buffer made{"b", type, values.size(), std::vector<std::byte>(values.size() * sizeof(T)), true, {}};
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
}

sim::Buffer floats(std::vector<float> values) {
    return buffer(sim::ElementType::F32, std::move(values));
}

TEST(Samples, Statistics) {
    EXPECT_EQ(gpu::Samples{}.median(), 0);
    EXPECT_EQ(gpu::Samples{{5}}.median(), 5);
    const gpu::Samples four{{4, 1, 3, 10}};
    EXPECT_EQ(four.median(), 3.5);
    EXPECT_EQ(four.minimum(), 1);
    EXPECT_EQ(four.maximum(), 10);
    EXPECT_EQ(gpu::histogram(four, 3), (std::vector<unsigned>{2, 1, 1}));
    EXPECT_EQ(gpu::histogram({{2, 2}}, 2), (std::vector<unsigned>{2, 0}));
    EXPECT_TRUE(gpu::histogram(four, 0).empty());
    EXPECT_DOUBLE_EQ(gpu::perSecond(1000, 2), 5e8);
    EXPECT_EQ(gpu::perSecond(1000, 0), 0);
}

TEST(Compare, EqualToTheBit) {
    const gpu::Comparison c = gpu::compare(floats({1, 2, 3}), floats({1, 2, 3}));
    EXPECT_TRUE(c.equal());
    EXPECT_EQ(gpu::describe(c, "out"), "out: equal to the bit");
}

TEST(Compare, OneUlp) {
    const gpu::Comparison c = gpu::compare(floats({1, 2, 3}), floats({1, std::nextafter(2.0f, 3.0f), 3}));
    EXPECT_FALSE(c.equal());
    EXPECT_EQ(c.differentBits, 1u);
    EXPECT_EQ(c.first, 1u);
    EXPECT_EQ(c.largestUlp, 1u);
    EXPECT_TRUE(c.within(2e-7));
    EXPECT_FALSE(c.within(1e-8));
}

TEST(Compare, AcrossZeroAndInfinity) {
    const float tiny = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(gpu::compare(floats({-tiny}), floats({tiny})).largestUlp, 2u);
    const gpu::Comparison zeros = gpu::compare(floats({0.0f}), floats({-0.0f}));
    EXPECT_EQ(zeros.differentBits, 1u);
    EXPECT_EQ(zeros.largestUlp, 0u);
    EXPECT_TRUE(zeros.within(0));
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(gpu::compare(floats({std::numeric_limits<float>::max()}), floats({infinity})).largestUlp, 1u);
}

TEST(Compare, NotANumber) {
    const float nan = std::nanf("1"), other = std::nanf("2");
    EXPECT_TRUE(gpu::compare(floats({nan}), floats({other})).within(0));
    const gpu::Comparison c = gpu::compare(floats({nan}), floats({1}));
    EXPECT_FALSE(c.within(1e9));
    EXPECT_EQ(c.largestUlp, ~uint64_t{0});
}

TEST(Compare, IntegersHalvesAndSizes) {
    using sim::ElementType;
    const gpu::Comparison c =
        gpu::compare(buffer<int>(ElementType::I32, {1, -4}), buffer<int>(ElementType::I32, {1, -2}));
    EXPECT_EQ(c.firstLeft, -4);
    EXPECT_EQ(c.firstRight, -2);
    EXPECT_DOUBLE_EQ(c.largestRelative, 0.5);
    EXPECT_EQ(gpu::elementValue(buffer<uint16_t>(ElementType::F16, {0x3C00}), 0), 1.0);
    EXPECT_EQ(gpu::elementValue(buffer<uint16_t>(ElementType::F16, {0x8001}), 0), -std::ldexp(1.0, -24));
    EXPECT_TRUE(std::isinf(gpu::elementValue(buffer<uint16_t>(ElementType::F16, {0x7C00}), 0)));
    EXPECT_EQ(gpu::elementValue(buffer<uint16_t>(ElementType::BF16, {0xC040}), 0), -3.0);
    EXPECT_EQ(gpu::elementValue(buffer<int8_t>(ElementType::I8, {-3}), 0), -3.0);
    EXPECT_FALSE(gpu::compare(floats({1}), floats({1, 2})).comparable);
    EXPECT_FALSE(gpu::compare(floats({1}), buffer<int>(ElementType::I32, {1})).equal());
}

TEST(Explain, JoinsTheErrorWithTheFindingThatExplainsIt) {
    gpu::RunResult result;
    result.status = gpu::RunStatus::Failed;
    result.error.code = 700;
    result.reason = "The GPU stopped the kernel.";
    sim::Finding race, bounds;
    race.kind = sim::FindingKind::GlobalRace;
    bounds.kind = sim::FindingKind::OutOfBoundsGlobal;
    bounds.first = {{12, 9}, {0, 0, 0}, {38, 0, 0}};
    bounds.message = "writes 4 bytes past 'out'.";
    const std::vector<sim::Finding> findings{race, bounds};
    EXPECT_EQ(gpu::findCause(result, findings), &findings[1]);
    EXPECT_EQ(gpu::explain(result, findings),
              "The GPU stopped the kernel. The simulator saw it at line 12, thread (38,0,0) of block "
              "(0,0,0): writes 4 bytes past 'out'.");
    result.error.code = 716;
    EXPECT_EQ(gpu::findCause(result, findings), nullptr);
    EXPECT_EQ(gpu::explain(result, findings), result.reason);
    result.status = gpu::RunStatus::TimeLimit;
    sim::Finding endless;
    endless.kind = sim::FindingKind::EndlessLoop;
    EXPECT_NE(gpu::findCause(result, std::vector{endless}), nullptr);
    result.status = gpu::RunStatus::Finished;
    EXPECT_EQ(gpu::findCause(result, findings), nullptr);
}

} // namespace
