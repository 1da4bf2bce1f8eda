// playground-cli run: a lesson's kernel with its knobs, checked against the lesson's reference.
#include "gpu/Explain.h"
#include "gpu/GpuBackend.h"
#include "playground/cli/GpuText.h"
#include "playground/cli/Measure.h"
#include "playground/cli/ReportText.h"
#include "playground/cli/Simulate.h"
#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"
#include "playground/session/LessonLoader.h"
#include "playground/session/Outputs.h"
#include "playground/session/Recorded.h"
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
                                      const RunOptions& options, KnobValues& knobs, std::string& problem) {
    for (const std::string& setting : options.settings)
        if (problem = applySetting(lesson, setting, knobs); !problem.empty()) return std::nullopt;
    const auto source = readKernel(content, variant, problem);
    if (!source) return std::nullopt;
    return resolveLaunch(lesson, variant, knobs, *source, problem);
}

/// Everything that one run of a lesson gave, on one backend or two.
struct Outcome {
    const Lesson& lesson;
    const Variant& variant;
    KnobValues knobs;
    ResolvedLaunch before; ///< As resolved.
    ResolvedLaunch after;  ///< With the buffers that the simulator left, when it ran.
    std::optional<sim::LaunchReport> simulated;
    std::optional<gpu::RunResult> measured;
};

std::vector<std::string> differencesFromReference(const Outcome& o, const std::vector<sim::Buffer>& buffers) {
    std::vector<std::string> sentences;
    for (const OutputDifference& d : compareWithReference(referenceOf(o.lesson, o.variant), o.before, buffers))
        for (const sim::Buffer& b : o.before.buffers)
            if (b.name == d.buffer) sentences.push_back(toSentence(d, b.count));
    return sentences;
}

/// The kernel's recorded time in a sentence; empty where nothing fitting was recorded.
std::string recordedSentence(const CommonOptions& common, const Outcome& o, nlohmann::ordered_json& json) {
    std::string problem;
    const auto figures = readRecorded(o.lesson.folder / "recorded.json", problem);
    if (!problem.empty()) std::cerr << "playground-cli: " << problem << "\n";
    if (!figures) return {};
    const RecordedRun* run = findRecorded(*figures, o.lesson, o.variant, o.knobs, o.before.source);
    if (!run) return {};
    if (common.json)
        json["recorded"] = {{"device", figures->device},
                            {"date", figures->date},
                            {"outcome", run->outcome},
                            {"kernel_us", run->kernel.median()},
                            {"samples", run->kernel.microseconds}};
    return toSentence(*run, *figures);
}

nlohmann::ordered_json agreementJson(const std::vector<OutputAgreement>& outputs) {
    auto list = nlohmann::ordered_json::array();
    for (const OutputAgreement& o : outputs)
        list.push_back({{"buffer", o.buffer},
                        {"equal", o.comparison.equal()},
                        {"different", o.comparison.differentBits},
                        {"first", o.comparison.first},
                        {"largest_ulp", o.comparison.largestUlp},
                        {"largest_relative", o.comparison.largestRelative},
                        {"sentence", gpu::describe(o.comparison, o.buffer)}});
    return list;
}

nlohmann::ordered_json pairsJson(const std::vector<CounterPair>& pairs) {
    auto list = nlohmann::ordered_json::array();
    for (const CounterPair& p : pairs)
        list.push_back({{"id", p.id},
                        {"counterpart", p.counterpart},
                        {"simulated", p.simulated},
                        {"measured", p.measured},
                        {"exact", p.exact}});
    return list;
}

int report(const CommonOptions& common, const Outcome& o) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    int code = kClean;
    const auto worse = [&](int other) { code = std::max(code, other); };
    const bool simulatedToEnd = o.simulated && o.simulated->status == sim::LaunchStatus::Finished;
    const bool measuredToEnd = o.measured && o.measured->status == gpu::RunStatus::Finished;
    if (o.simulated) {
        worse(exitCodeOf(*o.simulated));
        if (common.json) json = reportJson(o.after, *o.simulated);
        else printReport(std::cout, o.after, *o.simulated);
    }
    std::vector<std::string> differences;
    if (simulatedToEnd) differences = differencesFromReference(o, o.after.buffers);
    if (o.measured) {
        worse(exitCodeOf(*o.measured));
        if (common.json) json["gpu"] = gpuJson(*o.measured);
        else printGpuResult(std::cout, o.before, *o.measured);
        if (measuredToEnd && !o.simulated) differences = differencesFromReference(o, o.measured->buffers);
    }
    if (o.simulated && o.measured) {
        const auto outputs = simulatedToEnd && measuredToEnd
                                 ? compareOutputs(o.before, o.measured->buffers, o.after.buffers)
                                 : std::vector<OutputAgreement>{};
        const auto pairs = pairCounters(o.simulated->total, o.measured->counters);
        for (const OutputAgreement& a : outputs)
            if (!a.comparison.equal()) worse(kFindings);
        if (common.json) {
            json["agreement"] = agreementJson(outputs);
            json["counter_pairs"] = pairsJson(pairs);
            json["explanation"] = gpu::explain(*o.measured, o.simulated->findings);
        } else {
            printComparison(std::cout, *o.simulated, *o.measured, outputs, pairs);
        }
    }
    if (!differences.empty()) worse(kFindings);
    const std::string& reference = referenceOf(o.lesson, o.variant);
    const std::string recorded = o.measured ? std::string{} : recordedSentence(common, o, json);
    if (common.json) {
        json["reference"] = reference;
        json["differences"] = differences;
        std::cout << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return code;
    }
    for (const std::string& s : differences) std::cout << s << "\n";
    if (differences.empty() && !reference.empty() && (simulatedToEnd || measuredToEnd))
        std::cout << "Outputs equal the CPU reference bit by bit\n";
    printRecorded(std::cout, recorded);
    return code;
}

} // namespace

int runCommand(const CommonOptions& common, const SimulationOptions& simulation, const GpuOptions& gpuOptions,
               const RunOptions& options) {
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
    KnobValues knobs = defaultKnobs(lesson);
    auto launch = prepare(content, lesson, *variant, options, knobs, problem);
    if (!launch) return refuse(common, problem);

    Outcome outcome{lesson, *variant, knobs, *launch, *launch, std::nullopt, std::nullopt};
    if (gpuOptions.backend != Backend::Gpu) {
        int code = kClean;
        const auto program = compileFor(common, simulation, *launch, code);
        if (!program) return code;
        launch->buffers = outcome.before.buffers; // Named after the lesson's buffers, not the parameters.
        if (simulation.explore) return exploreCommand(common, simulation, *program, *launch);
        outcome.simulated = simulate(simulation, *program, *launch);
        outcome.after = std::move(*launch);
    }
    if (gpuOptions.backend != Backend::Simulator)
        outcome.measured = gpu::Session().run(gpuRequest(outcome.before, measurementOptions(gpuOptions)));
    return report(common, outcome);
}

} // namespace playground::cli
