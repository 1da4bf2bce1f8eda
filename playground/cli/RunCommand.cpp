// playground-cli run: a lesson's kernel with its knobs, checked against the lesson's reference.
#include "playground/cli/ReportText.h"
#include "playground/cli/Simulate.h"
#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"
#include "playground/session/LessonLoader.h"
#include "playground/session/Outputs.h"
#include "playground/session/ReportJson.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace playground::cli {
namespace {

/// Applies NAME=VALUE to the knobs; a sentence when it cannot be.
std::string applySetting(const Lesson& lesson, const std::string& setting, KnobValues& knobs) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) return "--set '" + setting + "' is not NAME=VALUE";
    const std::string name = setting.substr(0, equals);
    const auto knob =
        std::find_if(lesson.knobs.begin(), lesson.knobs.end(), [&](const Knob& k) { return k.name == name; });
    if (knob == lesson.knobs.end()) {
        std::vector<std::string> names;
        for (const Knob& k : lesson.knobs) names.push_back(k.name);
        return "lesson " + lesson.slug + " has no knob '" + name + "'; " + suggest(name, names);
    }
    const Evaluated value = evaluate(std::string_view(setting).substr(equals + 1), {});
    if (!value.ok()) return "--set " + name + ": " + value.error;
    knobs[name] = value.value.number;
    return checkKnob(*knob, value.value.number);
}

/// The lesson's launch, or a sentence in `problem`.
std::optional<ResolvedLaunch> prepare(const Content& content, const Lesson& lesson, const Variant& variant,
                                      const RunOptions& options, std::string& problem) {
    KnobValues knobs = defaultKnobs(lesson);
    for (const std::string& setting : options.settings)
        if (problem = applySetting(lesson, setting, knobs); !problem.empty()) return std::nullopt;
    const auto source = readKernel(content, variant, problem);
    if (!source) return std::nullopt;
    return resolveLaunch(lesson, variant, knobs, *source, problem);
}

int report(const CommonOptions& common, const ResolvedLaunch& launch, const sim::LaunchReport& report,
           const std::string& reference, const std::vector<OutputDifference>& differences) {
    std::vector<std::string> sentences;
    for (const OutputDifference& d : differences)
        for (const sim::Buffer& b : launch.buffers)
            if (b.name == d.buffer) sentences.push_back(toSentence(d, b.count));
    if (common.json) {
        nlohmann::ordered_json json = reportJson(launch, report);
        json["reference"] = reference;
        json["differences"] = sentences;
        std::cout << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else {
        printReport(std::cout, launch, report);
        for (const std::string& s : sentences) std::cout << s << "\n";
        if (sentences.empty() && !reference.empty()) std::cout << "Outputs equal the CPU reference bit by bit\n";
    }
    const int code = exitCodeOf(report);
    return code == kClean && !sentences.empty() ? kFindings : code;
}

} // namespace

int runCommand(const CommonOptions& common, const SimulationOptions& simulation, const RunOptions& options) {
    const Content content = common.lessons.empty() ? findContent() : findContent(common.lessons);
    if (!content.problem.empty()) return refuse(common, content.problem);
    const auto lessons = loadLessons(content);
    const LoadedLesson* loaded = findLesson(lessons, options.lesson);
    if (!loaded) {
        std::vector<std::string> slugs;
        for (const LoadedLesson& l : lessons) slugs.push_back(l.slug);
        return refuse(common, "there is no lesson '" + options.lesson + "'; " + suggest(options.lesson, slugs));
    }
    if (!loaded->lesson) {
        std::string all = "lesson " + loaded->slug + " has problems:";
        for (const std::string& p : loaded->problems) all += "\n  " + p;
        return refuse(common, all);
    }
    const Lesson& lesson = *loaded->lesson;
    const Variant* variant = findVariant(lesson, options.variant);
    if (!variant) {
        std::vector<std::string> ids;
        for (const Variant& v : lesson.variants) ids.push_back(v.id);
        return refuse(common, "lesson " + lesson.slug + " has no variant '" + options.variant + "'; " +
                                  suggest(options.variant, ids));
    }
    std::string problem;
    auto launch = prepare(content, lesson, *variant, options, problem);
    if (!launch) return refuse(common, problem);

    int code = kClean;
    const auto names = launch->argumentNames;
    const ResolvedLaunch before = *launch;
    const auto program = compileFor(common, simulation, *launch, code);
    if (!program) return code;
    for (size_t b = 0; b < launch->buffers.size(); ++b) launch->buffers[b].name = before.buffers[b].name;
    if (simulation.explore) return exploreCommand(common, simulation, *program, *launch);
    const sim::LaunchReport result = simulate(simulation, *program, *launch);
    const std::string& reference = referenceOf(lesson, *variant);
    const auto differences = result.status == sim::LaunchStatus::Finished
                                 ? compareWithReference(reference, before, launch->buffers)
                                 : std::vector<OutputDifference>{};
    return report(common, *launch, result, reference, differences);
}

} // namespace playground::cli
