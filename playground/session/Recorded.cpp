// Reading, writing and finding of recorded figures.
#include "playground/session/Recorded.h"

#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace playground {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr size_t kValuesPerKnob = 8;

KnobValues usedKnobs(const Lesson& lesson, const Variant& variant, const KnobValues& knobs) {
    KnobValues used;
    for (const Knob& k : lesson.knobs)
        if (usesKnob(lesson, variant, k.name)) {
            const auto found = knobs.find(k.name);
            used[k.name] = found == knobs.end() ? k.value : found->second;
        }
    return used;
}

/// A knob's choices, or its range by doubling from its least positive value; thinned evenly, ends kept.
std::vector<double> valuesOf(const Knob& knob) {
    std::vector<double> all = knob.choices;
    if (all.empty()) {
        all.push_back(knob.minimum);
        for (double v = std::max(1.0, knob.minimum); v < knob.maximum; v *= 2)
            if (v > knob.minimum) all.push_back(v);
        if (knob.maximum > all.back()) all.push_back(knob.maximum);
    }
    if (all.size() <= kValuesPerKnob) return all;
    std::vector<double> some;
    for (size_t i = 0; i < kValuesPerKnob; ++i)
        some.push_back(all[size_t(std::lround(double(i) * double(all.size() - 1) / (kValuesPerKnob - 1)))]);
    return some;
}

/// Tenths of nanoseconds are below what events resolve.
double rounded(double microseconds) {
    return std::round(microseconds * 1e4) / 1e4;
}

Json toJson(const gpu::Samples& samples) {
    Json list = Json::array();
    for (const double us : samples.microseconds) list.push_back(rounded(us));
    return list;
}

gpu::Samples samplesFrom(const Json& list) {
    return {list.get<std::vector<double>>()};
}

Json toJson(const RecordedRun& r) {
    Json json{{"variant", r.variant}, {"knobs", r.knobs}, {"source_crc32", r.sourceCrc32}, {"outcome", r.outcome}};
    if (r.outcome != "finished") return json;
    json["kernel_us"] = toJson(r.kernel);
    json["copy_in_us"] = toJson(r.copyIn);
    json["copy_out_us"] = toJson(r.copyOut);
    json["first_kernel_us"] = rounded(r.firstKernel);
    json["bytes_in"] = r.bytesIn;
    json["bytes_out"] = r.bytesOut;
    json["registers"] = r.resources.registers;
    json["shared_bytes"] = r.resources.sharedBytes;
    json["local_bytes"] = r.resources.localBytes;
    json["resident_blocks"] = r.resources.residentBlocks;
    json["multiprocessor_mhz"] = r.clocks.multiprocessorMHz;
    json["memory_mhz"] = r.clocks.memoryMHz;
    json["counters"] = Json::object();
    for (const gpu::Counter& c : r.counters) json["counters"][c.name] = c.value;
    return json;
}

RecordedRun runFrom(const Json& json) {
    RecordedRun r;
    json.at("variant").get_to(r.variant);
    json.at("knobs").get_to(r.knobs);
    json.at("source_crc32").get_to(r.sourceCrc32);
    json.at("outcome").get_to(r.outcome);
    if (r.outcome != "finished") return r;
    r.kernel = samplesFrom(json.at("kernel_us"));
    r.copyIn = samplesFrom(json.at("copy_in_us"));
    r.copyOut = samplesFrom(json.at("copy_out_us"));
    json.at("first_kernel_us").get_to(r.firstKernel);
    json.at("bytes_in").get_to(r.bytesIn);
    json.at("bytes_out").get_to(r.bytesOut);
    json.at("registers").get_to(r.resources.registers);
    json.at("shared_bytes").get_to(r.resources.sharedBytes);
    json.at("local_bytes").get_to(r.resources.localBytes);
    json.at("resident_blocks").get_to(r.resources.residentBlocks);
    json.at("multiprocessor_mhz").get_to(r.clocks.multiprocessorMHz);
    json.at("memory_mhz").get_to(r.clocks.memoryMHz);
    for (const auto& [name, value] : json.at("counters").items()) r.counters.push_back({name, value.get<double>()});
    return r;
}

std::string digits(double value, int decimals) {
    std::array<char, 48> text;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

} // namespace

uint32_t textCrc32(const std::string& text) {
    return uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

std::vector<KnobValues> recordingPlan(const Lesson& lesson, const Variant& variant) {
    std::vector<KnobValues> plan{usedKnobs(lesson, variant, {})};
    for (const Knob& knob : lesson.knobs) {
        if (!usesKnob(lesson, variant, knob.name)) continue;
        for (const double value : valuesOf(knob)) {
            KnobValues moved = plan.front();
            moved[knob.name] = value;
            if (std::find(plan.begin(), plan.end(), moved) == plan.end()) plan.push_back(std::move(moved));
        }
    }
    return plan;
}

RecordedRun recordedRun(const Lesson& lesson, const Variant& variant, const KnobValues& knobs,
                        const std::string& source, const gpu::RunResult& result) {
    RecordedRun r;
    r.variant = variant.id;
    r.knobs = usedKnobs(lesson, variant, knobs);
    r.sourceCrc32 = textCrc32(source);
    r.outcome = result.status == gpu::RunStatus::Failed ? result.error.name : gpu::toString(result.status);
    r.kernel = result.timings.kernel;
    r.copyIn = result.timings.copyIn;
    r.copyOut = result.timings.copyOut;
    r.firstKernel = result.timings.firstKernel;
    r.bytesIn = result.timings.bytesIn;
    r.bytesOut = result.timings.bytesOut;
    r.resources = result.resources;
    r.clocks = result.timings.after;
    r.counters = result.counters;
    return r;
}

std::optional<RecordedFigures> recordedFromText(const std::string& text, std::string& problem) {
    try {
        const Json json = Json::parse(text);
        if (const int format = json.at("format").get<int>(); format != kFormat) {
            problem = "has format " + std::to_string(format) + ", this program reads format " +
                      std::to_string(kFormat) + "; measure again with 'playground-cli record'";
            return std::nullopt;
        }
        RecordedFigures figures;
        json.at("device").get_to(figures.device);
        json.at("compute_capability").get_to(figures.computeCapability);
        json.at("driver").get_to(figures.driver);
        json.at("nvrtc").get_to(figures.nvrtc);
        json.at("date").get_to(figures.date);
        json.at("peak_bytes_per_second").get_to(figures.peakBandwidth);
        json.at("peak_flops").get_to(figures.peakFlops);
        for (const Json& run : json.at("runs")) figures.runs.push_back(runFrom(run));
        return figures;
    } catch (const nlohmann::json::exception& e) {
        problem = std::string("is damaged (") + e.what() + "); measure again with 'playground-cli record'";
        return std::nullopt;
    }
}

std::optional<RecordedFigures> readRecorded(const std::filesystem::path& file, std::string& problem) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    const auto text = readFile(file, problem);
    if (!text) return std::nullopt;
    auto figures = recordedFromText(*text, problem);
    if (!figures) problem = file.string() + " " + problem;
    return figures;
}

std::string toText(const RecordedFigures& f) {
    // One run a line, so that a diff shows which launches changed.
    const Json head{{"format", kFormat},
                    {"device", f.device},
                    {"compute_capability", f.computeCapability},
                    {"driver", f.driver},
                    {"nvrtc", f.nvrtc},
                    {"date", f.date},
                    {"peak_bytes_per_second", f.peakBandwidth},
                    {"peak_flops", f.peakFlops}};
    std::string text = head.dump(1);
    text.erase(text.size() - 2); // "\n}"
    text += ",\n \"runs\": [";
    for (const RecordedRun& r : f.runs) text += (&r == &f.runs.front() ? "\n  " : ",\n  ") + toJson(r).dump();
    return text + "\n ]\n}\n";
}

const RecordedRun* findRecorded(const RecordedFigures& figures, const Lesson& lesson, const Variant& variant,
                                const KnobValues& knobs, const std::string& source) {
    const KnobValues used = usedKnobs(lesson, variant, knobs);
    const uint32_t crc = textCrc32(source);
    const auto found = std::find_if(figures.runs.begin(), figures.runs.end(), [&](const RecordedRun& r) {
        return r.variant == variant.id && r.sourceCrc32 == crc && r.knobs == used;
    });
    return found == figures.runs.end() ? nullptr : &*found;
}

std::string toSentence(const RecordedRun& run, const RecordedFigures& figures) {
    const std::string origin = "recorded on " + figures.device + ", " + figures.date;
    if (run.outcome != "finished") return run.outcome + " (" + origin + ")";
    return digits(run.kernel.median(), 2) + " us (" + origin + "; median of " + std::to_string(run.kernel.count()) +
           ", " + digits(run.kernel.minimum(), 2) + " to " + digits(run.kernel.maximum(), 2) + ")";
}

} // namespace playground
