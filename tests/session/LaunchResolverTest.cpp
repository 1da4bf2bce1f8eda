// Launch expressions with knobs, overrides and impossible sizes.
#include "playground/session/LaunchResolver.h"

#include "playground/session/BufferContents.h"

#include <gtest/gtest.h>

namespace playground {
namespace {

Lesson lesson() {
    Lesson l;
    Knob n{"n", "", "", 1000, 1, 100000, false, false, {}},
        block{"block", "", "", 256, 32, 1024, false, false, {32, 256, 1024}};
    Knob alpha{"alpha", "", "", 1.5, 0, 2, false, true, {}};
    l.knobs = {n, block, alpha};
    l.gridX = "ceil_div(n, block)";
    l.blockX = "block";
    l.sharedBytes = "4 * block";
    l.buffers = {{"out", sim::ElementType::F32, "n", "const:0", true},
                 {"in", sim::ElementType::F32, "2 * n", "iota", false},
                 {"other", sim::ElementType::U8, "8", "uninit", false}};
    l.arguments = {
        {"out", {}, ""}, {"in", {}, ""}, {"", sim::ElementType::I32, "n"}, {"", sim::ElementType::F32, "alpha"}};
    Variant plain;
    plain.id = "plain";
    plain.file = "a/b.cu";
    plain.kernel = "k";
    Variant wide = plain;
    wide.overrides = {{"gridX", "n"}, {"gridY", "2"}, {"gridZ", "1"}, {"shared", "0"}};
    wide.arguments = std::vector<ArgumentSpec>{{"other", {}, ""}};
    wide.reference = "";
    l.variants = {plain, wide};
    l.reference = "copy";
    return l;
}

std::optional<ResolvedLaunch> resolve(const Lesson& l, size_t variant, const KnobValues& knobs, std::string& problem) {
    return resolveLaunch(l, l.variants[variant], knobs, "source", problem);
}

TEST(LaunchResolver, EvaluatesTheLaunchWithKnobs) {
    std::string problem;
    const auto launch = resolve(lesson(), 0, {{"n", 513}}, problem);
    ASSERT_TRUE(launch) << problem;
    EXPECT_EQ(launch->config.grid, (sim::Dim3{3, 1, 1}));
    EXPECT_EQ(launch->config.block, (sim::Dim3{256, 1, 1}));
    EXPECT_EQ(launch->config.dynamicSharedBytes, 1024u);
    ASSERT_EQ(launch->buffers.size(), 2u);
    EXPECT_EQ(launch->buffers[1].count, 1026u);
    EXPECT_EQ(elementAt(launch->buffers[1], 9), 9);
    EXPECT_EQ(launch->arguments[1].buffer, 1);
    EXPECT_EQ(launch->arguments[2].scalar, scalarBytes(sim::ElementType::I32, 513));
    EXPECT_EQ(launch->arguments[3].scalar, scalarBytes(sim::ElementType::F32, 1.5));
    EXPECT_EQ(launch->argumentNames[2], "n");
    EXPECT_TRUE(launch->output[0]);
    EXPECT_FALSE(launch->output[1]);
}

TEST(LaunchResolver, VariantsOverride) {
    const Lesson l = lesson();
    std::string problem;
    const auto launch = resolve(l, 1, {}, problem);
    ASSERT_TRUE(launch) << problem;
    EXPECT_EQ(launch->config.grid, (sim::Dim3{1000, 2, 1}));
    EXPECT_EQ(launch->config.dynamicSharedBytes, 0u);
    ASSERT_EQ(launch->buffers.size(), 1u);
    EXPECT_FALSE(launch->buffers[0].initialised);
    EXPECT_EQ(referenceOf(l, l.variants[0]), "copy");
    EXPECT_EQ(referenceOf(l, l.variants[1]), "");
}

TEST(LaunchResolver, KnowsWhichKnobsAVariantUses) {
    const Lesson l = lesson();
    EXPECT_TRUE(usesKnob(l, l.variants[0], "alpha"));
    EXPECT_FALSE(usesKnob(l, l.variants[1], "alpha"));
    EXPECT_TRUE(usesKnob(l, l.variants[1], "n"));
}

TEST(LaunchResolver, ImpossibleSizesAreRefusedWithASentence) {
    Lesson l = lesson();
    std::string problem;
    l.gridX = "n - 1000";
    EXPECT_FALSE(resolve(l, 0, {}, problem));
    EXPECT_NE(problem.find("grid.x = n - 1000 is 0 with these knobs"), std::string::npos) << problem;
    l = lesson();
    l.buffers[0].count = "n * 1000000";
    EXPECT_FALSE(resolve(l, 0, {}, problem));
    EXPECT_NE(problem.find("1 GiB"), std::string::npos) << problem;
    l = lesson();
    l.blockX = "block / 0";
    EXPECT_FALSE(resolve(l, 0, {}, problem));
    l = lesson();
    l.arguments[0].buffer = "nothing";
    EXPECT_FALSE(resolve(l, 0, {}, problem));
    EXPECT_NE(problem.find("[[buffer]]"), std::string::npos) << problem;
}

TEST(LaunchResolver, ChecksKnobValues) {
    const Lesson l = lesson();
    EXPECT_EQ(checkKnob(l.knobs[0], 5), "");
    EXPECT_NE(checkKnob(l.knobs[0], 0), "");
    EXPECT_NE(checkKnob(l.knobs[0], 2.5), "");
    EXPECT_EQ(checkKnob(l.knobs[1], 33), "block = 33 is not offered; choose one of 32, 256, 1024");
    EXPECT_EQ(checkKnob(l.knobs[2], 0.25), "");
}

} // namespace
} // namespace playground
