// Requests for the GPU backend, and comparison of its results with the simulator's.
#include "playground/session/GpuLaunch.h"

#include "sim/analysis/MetricCatalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace playground {
namespace {

using Json = nlohmann::ordered_json;

Json samplesJson(const gpu::Samples& samples) {
    if (samples.empty()) return nullptr;
    return {{"median", samples.median()},
            {"minimum", samples.minimum()},
            {"maximum", samples.maximum()},
            {"samples", samples.microseconds}};
}

Json clocksJson(const gpu::Clocks& clocks) {
    return {{"multiprocessor_mhz", clocks.multiprocessorMHz},
            {"memory_mhz", clocks.memoryMHz},
            {"temperature_c", clocks.temperatureC}};
}

Json timingsJson(const gpu::Timings& t) {
    return {{"kernel_us", samplesJson(t.kernel)},
            {"copy_in_us", samplesJson(t.copyIn)},
            {"copy_out_us", samplesJson(t.copyOut)},
            {"launch_call_us", samplesJson(t.launchCall)},
            {"empty_launch_us", samplesJson(t.emptyLaunch)},
            {"first_kernel_us", t.firstKernel},
            {"first_launch_call_us", t.firstLaunchCall},
            {"compile_us", t.compile},
            {"compiled_before", t.compiledBefore},
            {"bytes_in", t.bytesIn},
            {"bytes_out", t.bytesOut},
            {"flushed_cache", t.flushedCache},
            {"pinned", t.pinned},
            {"gated", t.gated},
            {"warm_ups", t.warmUps},
            {"clocks_before", clocksJson(t.before)},
            {"clocks_after", clocksJson(t.after)}};
}

/// Instruction counts depend on the compiler; what reaches memory does not.
bool dependsOnCompiler(std::string_view counterpart) {
    return counterpart.starts_with("smsp__inst_executed") || counterpart.starts_with("smsp__thread_inst") ||
           counterpart.starts_with("smsp__sass_branch");
}

} // namespace

gpu::RunRequest gpuRequest(const ResolvedLaunch& launch, gpu::RunOptions options) {
    gpu::RunRequest request;
    request.source = launch.source;
    request.fileName = launch.fileName;
    request.kernel = launch.kernel;
    request.config = launch.config;
    request.arguments = launch.arguments;
    request.buffers = launch.buffers;
    request.output = launch.output;
    for (sim::Buffer& buffer : request.buffers)
        if (!buffer.initialised) buffer.bytes.clear();
    request.options = std::move(options);
    return request;
}

std::vector<OutputAgreement> compareOutputs(const ResolvedLaunch& launch, const std::vector<sim::Buffer>& left,
                                            const std::vector<sim::Buffer>& right) {
    std::vector<OutputAgreement> all;
    for (size_t b = 0; b < launch.buffers.size() && b < left.size() && b < right.size(); ++b)
        if (launch.output[b]) all.push_back({launch.buffers[b].name, gpu::compare(left[b], right[b])});
    return all;
}

std::vector<CounterPair> pairCounters(const sim::Counters& simulated, std::span<const gpu::Counter> measured) {
    std::vector<CounterPair> pairs;
    for (const sim::Metric& metric : sim::metricCatalog()) {
        const auto counter = std::find_if(measured.begin(), measured.end(), [&](const gpu::Counter& c) {
            return !std::string_view(metric.counterpart).empty() && c.name == metric.counterpart;
        });
        if (counter == measured.end()) continue;
        CounterPair pair{metric.id, metric.name, metric.counterpart, metric.value(simulated), counter->value,
                         !dependsOnCompiler(metric.counterpart)};
        if (pair.simulated != 0 || pair.measured != 0) pairs.push_back(std::move(pair));
    }
    return pairs;
}

Throughput throughput(double usefulBytes, double kernelMicroseconds, const gpu::DeviceInfo& device) {
    Throughput t;
    t.bytesPerSecond = gpu::perSecond(usefulBytes, kernelMicroseconds);
    if (const double peak = device.peakBandwidth(); peak > 0) t.ofPeak = t.bytesPerSecond / peak;
    return t;
}

Json gpuJson(const gpu::RunResult& r) {
    Json json{{"status", gpu::toString(r.status)}};
    if (!r.reason.empty()) json["reason"] = r.reason;
    if (!r.whatToDo.empty()) json["what_to_do"] = r.whatToDo;
    if (r.status == gpu::RunStatus::Failed)
        json["error"] = {{"code", r.error.code}, {"name", r.error.name}, {"text", r.error.text}};
    if (r.status == gpu::RunStatus::Unavailable) return json;
    json["device"] = {{"name", r.device.name},
                      {"compute_capability",
                       std::to_string(r.device.computeMajor) + "." + std::to_string(r.device.computeMinor)},
                      {"multiprocessors", r.device.multiprocessors},
                      {"memory_bytes", r.device.memoryBytes},
                      {"peak_bytes_per_second", r.device.peakBandwidth()},
                      {"peak_flops", r.device.peakFlops()}};
    json["driver"] = r.platform.driverVersion;
    json["nvrtc"] = std::to_string(r.platform.nvrtcMajor) + "." + std::to_string(r.platform.nvrtcMinor);
    if (r.status != gpu::RunStatus::Finished) return json;
    json["resources"] = {{"registers", r.resources.registers},
                         {"shared_bytes", r.resources.sharedBytes},
                         {"local_bytes", r.resources.localBytes},
                         {"spill_store_bytes", r.resources.spillStoreBytes},
                         {"spill_load_bytes", r.resources.spillLoadBytes},
                         {"resident_blocks", r.resources.residentBlocks}};
    json["timings"] = timingsJson(r.timings);
    json["counters"] = Json::object();
    for (const gpu::Counter& c : r.counters) json["counters"][c.name] = c.value;
    if (!r.countersReason.empty()) json["counters_reason"] = r.countersReason;
    json["printed"] = r.printed;
    return json;
}

} // namespace playground
