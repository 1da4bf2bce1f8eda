// Follows every action link of every text from top to bottom, as a reader does: the warp that it chooses is there, it
// executes the line that the link goes to, and there is a divergence, conflict, barrier or finding to step to.
#include "LessonRun.h"

#include "playground/session/Actions.h"
#include "playground/session/LaunchResolver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace {

using namespace playground;

/// Where the reader is: what the links so far have set.
struct Reader {
    const Lesson* lesson = nullptr;
    const Variant* variant = nullptr;
    KnobValues knobs;
    uint32_t block = 0, warp = 0;
};

tests::Outcome runAt(const Reader& reader) {
    sim::LaunchOptions options;
    options.traces.push_back({sim::BlockId{reader.block}, sim::WarpId{reader.warp}, 100'000});
    return tests::runCase({reader.lesson, reader.variant}, reader.knobs, options);
}

bool executes(const tests::Outcome& run, uint32_t line) {
    for (const sim::WarpTrace& trace : run.report.traces)
        for (const sim::TraceStep& step : trace.steps)
            if (run.kernel->locations[step.pc.value].line == line) return true;
    return false;
}

bool has(const tests::Outcome& run, const std::string& what) {
    if (what == "next-divergence") return run.report.total.branch.divergent > 0;
    if (what == "next-barrier") return run.report.total.barriers > 0;
    if (what == "next-finding") return !run.report.findings.empty();
    const sim::AccessCounters loads = run.report.total.of(sim::MemorySpace::Shared, sim::AccessKind::Load);
    const sim::AccessCounters stores = run.report.total.of(sim::MemorySpace::Shared, sim::AccessKind::Store);
    return loads.wavefronts > loads.idealWavefronts || stores.wavefronts > stores.idealWavefronts;
}

void follow(Reader& reader, const std::string& link) {
    SCOPED_TRACE("[...](action:" + link + ")");
    uint32_t line = 0;
    std::string step;
    for (const auto& [verb, argument] : splitAction(link)) {
        if (verb == "variant")
            for (const Variant& v : reader.lesson->variants)
                if (v.id == argument) reader.variant = &v;
        if (verb == "set")
            reader.knobs[argument.substr(0, argument.find('='))] = std::stod(argument.substr(argument.find('=') + 1));
        if (verb == "block") reader.block = uint32_t(std::stoul(argument));
        if (verb == "warp") reader.warp = uint32_t(std::stoul(argument));
        if (verb == "line") line = uint32_t(std::stoul(argument));
        if (verb == "step") step = argument;
    }
    const tests::Outcome run = runAt(reader);
    ASSERT_EQ(run.problem, "");
    ASSERT_EQ(run.report.traces.size(), 1u);
    EXPECT_FALSE(run.report.traces[0].steps.empty()) << "block " << reader.block << " has no warp " << reader.warp;
    if (line) {
        EXPECT_TRUE(executes(run, line)) << "warp " << reader.warp << " never gets to line " << line;
    }
    if (step.starts_with("next-")) {
        EXPECT_TRUE(has(run, step));
    }
}

class LessonLinks : public testing::TestWithParam<LoadedLesson> {};

TEST_P(LessonLinks, LeadSomewhere) {
    ASSERT_NE(GetParam().lesson, nullptr);
    const Lesson& lesson = *GetParam().lesson;
    for (const auto& [language, text] : lesson.text) {
        SCOPED_TRACE(language);
        Reader reader{&lesson, &lesson.variants.front(), defaultKnobs(lesson)};
        size_t links = 0;
        const std::string opening = "](action:";
        for (size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
            const size_t begin = at + opening.size();
            follow(reader, text.substr(begin, text.find(')', begin) - begin));
            ++links;
        }
        EXPECT_GE(links, 5u) << "the text should drive the picture";
    }
}

std::string nameOf(const testing::TestParamInfo<LoadedLesson>& info) {
    std::string name;
    for (char c : info.param.slug) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(Shipped, LessonLinks, testing::ValuesIn(tests::shippedLessons()), nameOf);

} // namespace
