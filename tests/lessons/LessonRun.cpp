// Loads and runs the shipped lessons.
#include "LessonRun.h"

#include "playground/session/LaunchResolver.h"

#include <gtest/gtest.h>

#include <ostream>

namespace playground {
void PrintTo(const LoadedLesson& lesson, std::ostream* out) {
    *out << lesson.slug;
}
} // namespace playground

namespace tests {

using namespace playground;

Content shippedContent() {
    const std::filesystem::path root = PROJECT_ROOT;
    return {root / "lessons", root / "kernels", ""};
}

const std::vector<LoadedLesson>& shippedLessons() {
    static const std::vector<LoadedLesson> lessons = loadLessons(shippedContent());
    return lessons;
}

std::vector<Case> shippedCases() {
    std::vector<Case> cases;
    for (const LoadedLesson& loaded : shippedLessons())
        if (loaded.lesson)
            for (const Variant& variant : loaded.lesson->variants) cases.push_back({loaded.lesson.get(), &variant});
    return cases;
}

Case findCase(const std::string& slug, const std::string& variant) {
    for (const Case& c : shippedCases())
        if (c.lesson->slug == slug && c.variant->id == variant) return c;
    ADD_FAILURE() << "there is no " << slug << "/" << variant;
    return {};
}

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name();
}

sim::Counters Outcome::at(uint32_t line) const {
    for (const sim::LineCounters& l : report.byLine)
        if (l.line == line) return l.counters;
    return {};
}

Outcome runCase(const Case& c, const KnobValues& knobs, const sim::LaunchOptions& options) {
    Outcome result;
    const std::optional<std::string> source = readKernel(shippedContent(), *c.variant, result.problem);
    if (!source) return result;
    std::optional<ResolvedLaunch> launch = resolveLaunch(*c.lesson, *c.variant, knobs, *source, result.problem);
    if (!launch) return result;
    sim::CompileOptions compileOptions;
    compileOptions.fileName = c.variant->file;
    result.compiled = sim::compile(launch->source, compileOptions);
    if (!result.compiled.program) {
        result.problem = "it does not compile";
        return result;
    }
    result.kernel = result.compiled.program->findKernel(launch->kernel);
    std::vector<sim::Buffer> buffers = launch->buffers;
    result.report =
        sim::launch(*result.compiled.program, launch->kernel, launch->config, launch->arguments, buffers, options);
    result.differences = compareWithReference(referenceOf(*c.lesson, *c.variant), *launch, buffers);
    return result;
}

} // namespace tests
