// Every variant of every lesson compiles and runs at the default and the extreme values of all knobs. A variant gives
// what its reference gives and has no finding, unless it is wrong on purpose.
#include "LessonRun.h"

#include "playground/session/LaunchResolver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace {

using namespace playground;
using tests::Case;
using tests::Outcome;

/// What a variant that is wrong on purpose must show at the default knobs.
struct Mistake {
    std::string variant;
    std::set<sim::FindingKind> findings; ///< All that may appear, and all of them do.
    bool differs = false;                ///< From its reference.
};
const std::vector<Mistake> kMistakes{
    {"01-thread-indexing/no-guard", {sim::FindingKind::OutOfBoundsGlobal}, false},
    {"01-thread-indexing/off-by-one", {sim::FindingKind::OutOfBoundsGlobal}, false},
    {"01-thread-indexing/short-grid", {}, true},
};

const Mistake* mistakeOf(const Case& c) {
    const auto at =
        std::find_if(kMistakes.begin(), kMistakes.end(), [&](const Mistake& m) { return m.variant == c.name(); });
    return at == kMistakes.end() ? nullptr : &*at;
}

std::string describe(const KnobValues& knobs) {
    std::string text;
    for (const auto& [name, value] : knobs) text += " " + name + "=" + std::to_string(int64_t(value));
    return text;
}

std::pair<double, double> rangeOf(const Knob& knob) {
    if (knob.choices.empty()) return {knob.minimum, knob.maximum};
    const auto [low, high] = std::minmax_element(knob.choices.begin(), knob.choices.end());
    return {*low, *high};
}

/// The defaults; each knob of the variant at either end with the others at default; all at either end.
std::vector<KnobValues> settingsOf(const Case& c) {
    const KnobValues defaults = defaultKnobs(*c.lesson);
    std::vector<KnobValues> settings{defaults};
    KnobValues allLow = defaults, allHigh = defaults;
    for (const Knob& knob : c.lesson->knobs) {
        if (!usesKnob(*c.lesson, *c.variant, knob.name)) continue;
        const auto [low, high] = rangeOf(knob);
        for (double end : {low, high}) {
            settings.push_back(defaults);
            settings.back()[knob.name] = end;
        }
        allLow[knob.name] = low;
        allHigh[knob.name] = high;
    }
    settings.push_back(allLow);
    settings.push_back(allHigh);
    return settings;
}

std::set<sim::FindingKind> kindsOf(const Outcome& run) {
    std::set<sim::FindingKind> kinds;
    for (const sim::Finding& finding : run.report.findings) kinds.insert(finding.kind);
    return kinds;
}

class LessonVariants : public testing::TestWithParam<Case> {};

TEST_P(LessonVariants, CompileWithoutWarnings) {
    const Outcome run = tests::runCase(GetParam(), defaultKnobs(*GetParam().lesson));
    for (const sim::Diagnostic& d : run.compiled.diagnostics) ADD_FAILURE() << d.rendered;
    EXPECT_EQ(run.problem, "");
}

TEST_P(LessonVariants, RunAtDefaultAndExtremeKnobs) {
    const Mistake* mistake = mistakeOf(GetParam());
    for (const KnobValues& knobs : settingsOf(GetParam())) {
        SCOPED_TRACE(describe(knobs));
        const Outcome run = tests::runCase(GetParam(), knobs);
        ASSERT_EQ(run.problem, "");
        EXPECT_EQ(run.report.status, sim::LaunchStatus::Finished) << run.report.error;
        for (const sim::Finding& finding : run.report.findings)
            EXPECT_TRUE(mistake && mistake->findings.contains(finding.kind)) << finding.message;
        if (mistake && mistake->differs) continue;
        for (const OutputDifference& d : run.differences)
            ADD_FAILURE() << d.count << " elements of " << d.buffer << " differ, first [" << d.first << "]: " << d.got
                          << " instead of " << d.expected;
    }
}

TEST_P(LessonVariants, ThatAreWrongOnPurposeShowIt) {
    const Mistake* mistake = mistakeOf(GetParam());
    if (!mistake) return;
    const Outcome run = tests::runCase(GetParam(), defaultKnobs(*GetParam().lesson));
    EXPECT_EQ(kindsOf(run), mistake->findings);
    EXPECT_EQ(!run.differences.empty(), mistake->differs);
}

std::string nameOf(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.name();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Shipped, LessonVariants, testing::ValuesIn(tests::shippedCases()), nameOf);

TEST(Mistakes, BelongToVariants) {
    for (const Mistake& m : kMistakes) {
        const size_t slash = m.variant.find('/');
        tests::findCase(m.variant.substr(0, slash), m.variant.substr(slash + 1));
    }
}

} // namespace
