// playground-cli record: measures lessons on this machine's GPU and keeps the figures beside their texts.
#include "gpu/GpuBackend.h"
#include "playground/cli/Measure.h"
#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"
#include "playground/session/LessonLoader.h"
#include "playground/session/Recorded.h"
#include "playground/session/Settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace playground::cli {
namespace {

class Recorder {
public:
    Recorder(const CommonOptions& common, const GpuOptions& options, const RecordOptions& record, Content content)
        : common_(common), measurement_(measurementOptions(options)), output_(record.output),
          content_(std::move(content)) {
        // The figures of a lesson stand beside its counters, so that both can be compared without a GPU.
        measurement_.counters = gpu::comparableCounters();
    }

    /// Measures and writes one lesson; false when it has to stop altogether.
    bool record(const Lesson& lesson) {
        RecordedFigures figures;
        figures.date = today();
        size_t bad = 0;
        for (const Variant& variant : lesson.variants) {
            std::string problem;
            const auto source = readKernel(content_, variant, problem);
            if (!source) return stop(problem, kUsage);
            for (const KnobValues& knobs : recordingPlan(lesson, variant)) {
                const auto launch = resolveLaunch(lesson, variant, knobs, *source, problem);
                if (!launch) continue; // These knobs do not go together.
                const gpu::RunResult result = session_.run(gpuRequest(*launch, measurement_));
                if (result.status == gpu::RunStatus::Unavailable)
                    return stop(result.reason + " " + result.whatToDo, kUsage);
                describeDevice(result, figures);
                figures.runs.push_back(recordedRun(lesson, variant, knobs, *source, result));
                if (result.status == gpu::RunStatus::Finished) continue;
                ++bad;
                if (!common_.json)
                    std::cout << "  " << lesson.slug << " " << variant.id << ": " << figures.runs.back().outcome
                              << (result.reason.empty() ? "" : ": " + result.reason) << "\n";
            }
        }
        const std::filesystem::path folder =
            output_.empty() ? lesson.folder : std::filesystem::path(output_) / lesson.slug;
        std::string problem;
        if (!writeAtomically(folder / "recorded.json", toText(figures), problem)) return stop(problem, kUsage);
        list_.push_back({{"lesson", lesson.slug},
                         {"runs", figures.runs.size()},
                         {"not_finished", bad},
                         {"file", (folder / "recorded.json").string()}});
        if (!common_.json)
            std::cout << lesson.slug << ": " << figures.runs.size() << " launches recorded on " << figures.device
                      << "\n";
        return true;
    }

    int finish() {
        if (common_.json) std::cout << nlohmann::ordered_json{{"recorded", list_}}.dump(1) << "\n";
        return code_;
    }
    int code() const { return code_; }

private:
    bool stop(const std::string& sentence, int code) {
        refuse(common_, sentence);
        code_ = code;
        return false;
    }

    static void describeDevice(const gpu::RunResult& result, RecordedFigures& figures) {
        figures.device = result.device.name;
        figures.computeCapability =
            std::to_string(result.device.computeMajor) + "." + std::to_string(result.device.computeMinor);
        figures.driver = result.platform.driverVersion;
        figures.nvrtc = std::to_string(result.platform.nvrtcMajor) + "." + std::to_string(result.platform.nvrtcMinor);
        figures.peakBandwidth = result.device.peakBandwidth();
        figures.peakFlops = result.device.peakFlops();
    }

    const CommonOptions& common_;
    gpu::RunOptions measurement_;
    std::string output_;
    Content content_;
    gpu::Session session_;
    nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
    int code_ = kClean;
};

} // namespace

int recordCommand(const CommonOptions& common, const GpuOptions& gpuOptions, const RecordOptions& options) {
    const Content content = common.lessons.empty() ? findContent() : findContent(common.lessons);
    if (!content.problem.empty()) return refuse(common, content.problem);
    const auto lessons = loadLessons(content);
    std::vector<const Lesson*> chosen;
    std::vector<std::string> slugs;
    for (const LoadedLesson& l : lessons) {
        slugs.push_back(l.slug);
        if (options.lessons.empty() && l.lesson) chosen.push_back(l.lesson.get());
    }
    for (const std::string& name : options.lessons) {
        const LoadedLesson* found = findLesson(lessons, name);
        if (!found) return refuse(common, "there is no lesson '" + name + "'; " + suggest(name, slugs));
        if (!found->lesson) return refuse(common, "lesson " + found->slug + " has problems: " + found->problems.front());
        chosen.push_back(found->lesson.get());
    }
    Recorder recorder(common, gpuOptions, options, content);
    for (const Lesson* lesson : chosen)
        if (!recorder.record(*lesson)) return recorder.code();
    return recorder.finish();
}

} // namespace playground::cli
