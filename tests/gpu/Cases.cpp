// gpu-cases: runs recorded launches (a folder with cases.json, counters.json and kernels/) on this machine's GPU and
// compares outputs and counters with the recorded ones.
//
//   gpu-cases DIR                  outputs of every case, by CRC-32
//   gpu-cases DIR --counters       counters too
//   gpu-cases DIR --export OUT     writes each case as .cu and CuPy program into OUT, expecting what the GPU gave
//   gpu-cases DIR --large [N]      times large launches, N times each (20)
//   gpu-cases DIR --first N        only the first N cases
#include "gpu/GpuBackend.h"
#include "gpu/export/Crc32.h"
#include "gpu/export/Export.h"
#include "gpu/export/Fill.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

gpu::Fill fillOf(const std::string& init) {
    using Kind = gpu::Fill::Kind;
    const size_t colon = init.find(':');
    const double k = colon == std::string::npos ? 0 : std::stod(init.substr(colon + 1));
    if (init == "iota") return {Kind::Linear, 1};
    if (init.starts_with("const:")) return {Kind::Constant, k};
    if (init.starts_with("mod:")) return {Kind::Modulo, k};
    if (init.starts_with("hash:")) return {Kind::HashMod, k};
    return {Kind::Hash, 0};
}

gpu::RunRequest requestOf(const fs::path& folder, const json& item) {
    gpu::RunRequest request;
    request.fileName = item["source"];
    request.source = readText(folder / "kernels" / request.fileName);
    request.kernel = item["kernel"];
    const auto extent = [](const json& a) { return sim::Dim3{a[0], a[1], a[2]}; };
    request.config = {extent(item["grid"]), extent(item["block"]), item.value("shared_bytes", 0u)};
    for (const json& argument : item["args"]) {
        if (argument.contains("buffer")) {
            sim::Buffer buffer{"b" + std::to_string(request.arguments.size()),
                               *sim::elementTypeFromString(argument["buffer"].get<std::string>()),
                               argument["count"],
                               {},
                               true,
                               {}};
            gpu::applyFill(buffer, fillOf(argument.value("init", "const:0")));
            request.arguments.push_back({int(request.buffers.size()), 0, {}});
            request.buffers.push_back(std::move(buffer));
            request.output.push_back(argument.value("role", "in") != "in");
            continue;
        }
        const auto& [name, value] = *argument.items().begin();
        sim::Buffer one{"", *sim::elementTypeFromString(name), 1, {}, true, {}};
        gpu::applyFill(one, {gpu::Fill::Kind::Constant, value.get<double>()});
        request.arguments.push_back({-1, 0, one.bytes});
    }
    return request;
}

/// Argument indices, as counters.json counts outputs, by buffer.
std::vector<std::string> argumentKeys(const gpu::RunRequest& request) {
    std::vector<std::string> keys(request.buffers.size());
    for (size_t i = 0; i < request.arguments.size(); ++i)
        if (request.arguments[i].buffer >= 0) keys[size_t(request.arguments[i].buffer)] = std::to_string(i);
    return keys;
}

std::string compareOutputs(const gpu::RunRequest& request, const gpu::RunResult& result, const json& recorded) {
    const auto keys = argumentKeys(request);
    std::string problems;
    for (size_t i = 0; i < request.buffers.size(); ++i) {
        if (!request.output[i]) continue;
        if (gpu::crc32(result.buffers[i].bytes) != recorded["outputs"][keys[i]]["crc32"].get<uint32_t>())
            problems += " output " + keys[i] + " differs";
    }
    return problems;
}

/// Counters that are the same in every launch of the same code; times, caches and DRAM are not.
bool isExact(const std::string& name) {
    for (const char* part : {"gpu__time", "dram__", "lts__", "lookup_hit", "bank_conflicts", "warps_active"})
        if (name.find(part) != std::string::npos) return false;
    return true;
}

std::string compareCounters(const gpu::RunResult& result, const json& recorded, unsigned& equal, unsigned& total) {
    std::string problems;
    for (const gpu::Counter& counter : result.counters) {
        if (!isExact(counter.name) || !recorded["counters"].contains(counter.name)) continue;
        const double was = recorded["counters"][counter.name];
        ++total;
        if (std::fabs(counter.value - was) <= 1e-9 * std::fabs(was))
            ++equal;
        else
            problems += " " + counter.name + " " + std::to_string(counter.value) + " not " + std::to_string(was);
    }
    return problems;
}

void writeExports(const fs::path& out, const std::string& name, const gpu::RunRequest& request,
                  const gpu::RunResult& result) {
    const gpu::ExportInput input{
        request.source,    request.fileName, request.kernel, request.config,      request.buffers,
        request.arguments, request.output,   result.buffers, "the GPU's own run", {}};
    for (const gpu::Exported& exported : {gpu::exportCuda(input), gpu::exportCupy(input)}) {
        if (!exported.problem.empty())
            std::printf("  %s\n", exported.problem.c_str());
        else
            std::ofstream(out / (name + exported.fileName.substr(exported.fileName.rfind('.')))) << exported.text;
    }
}

int runCases(const fs::path& folder, bool counters, const fs::path& out, size_t most) {
    const json cases = json::parse(readText(folder / "cases.json"))["cases"];
    const json recorded = json::parse(readText(folder / "counters.json"))["cases"];
    gpu::Session session;
    unsigned good = 0, equal = 0, total = 0;
    most = std::min(most, cases.size());
    for (size_t i = 0; i < most; ++i) {
        gpu::RunRequest request = requestOf(folder, cases[i]);
        const std::string name = cases[i]["name"];
        if (counters)
            for (const auto& [key, value] : recorded[i]["counters"].items())
                if (!key.starts_with("launch__")) request.options.counters.push_back(key);
        const gpu::RunResult result = session.run(request);
        std::string problems = result.status == gpu::RunStatus::Finished ? compareOutputs(request, result, recorded[i])
                                                                         : " " + result.reason;
        good += problems.empty() ? 1 : 0;
        const std::string different = compareCounters(result, recorded[i], equal, total);
        std::printf(
            "%-28s %-4s first %7.2f median %7.2f min %7.2f max %7.2f us, ncu %7.2f, events then %7.2f |%s%s%s\n",
            name.c_str(), problems.empty() ? "ok" : "BAD", result.timings.firstKernel, result.timings.kernel.median(),
            result.timings.kernel.minimum(), result.timings.kernel.maximum(),
            recorded[i]["counters"]["gpu__time_duration.sum"].get<double>() / 1e3,
            recorded[i]["event_us_median"].get<double>(), problems.c_str(), different.c_str(),
            counters && !result.countersReason.empty() ? (" " + result.countersReason).c_str() : "");
        if (!out.empty()) writeExports(out, name, request, result);
    }
    std::printf("%u of %zu equal in outputs", good, most);
    if (counters) std::printf("; %u of %u counters equal", equal, total);
    std::printf("\n");
    return good == most ? 0 : 1;
}

json large(const char* source, const char* kernel, unsigned gridX, unsigned gridY, unsigned blockX, unsigned blockY,
           json args) {
    return {{"name", kernel},
            {"source", source},
            {"kernel", kernel},
            {"grid", {gridX, gridY, 1}},
            {"block", {blockX, blockY, 1}},
            {"args", args}};
}

json realBuffer(uint64_t count, const char* role) {
    return {
        {"buffer", "f32"}, {"count", count}, {"init", std::string(role) == "in" ? "hash" : "const:0"}, {"role", role}};
}

int runLarge(const fs::path& folder, unsigned launches) {
    constexpr uint64_t kCopied = uint64_t{64} << 20;
    const uint64_t square = 1024 * 1024;
    const json matrices = {
        realBuffer(square, "out"), realBuffer(square, "in"), realBuffer(square, "in"), {{"i32", 1024}}};
    const json bigMatrices = {
        realBuffer(4 * square, "out"), realBuffer(4 * square, "in"), realBuffer(4 * square, "in"), {{"i32", 2048}}};
    const json cases = {large("global.cu", "copy_f32", unsigned(kCopied / 256), 1, 256, 1,
                              {realBuffer(kCopied, "out"), realBuffer(kCopied, "in")}),
                        large("algorithms.cu", "matmul_naive", 64, 64, 16, 16, matrices),
                        large("algorithms.cu", "matmul_tiled_16", 64, 64, 16, 16, matrices),
                        large("algorithms.cu", "matmul_tiled_32", 64, 64, 32, 32, bigMatrices)};
    gpu::Session session;
    for (const json& item : cases)
        for (const bool flush : {false, true}) {
            gpu::RunRequest request = requestOf(folder, item);
            request.options.flushCache = flush;
            request.options.launches = launches;
            request.options.pinned = flush;
            request.options.secondsLimit = 120;
            request.options.secondsToMeasure = 60;
            const gpu::RunResult r = session.run(request);
            const gpu::Timings& t = r.timings;
            uint64_t bytes = 0;
            for (const sim::Buffer& buffer : request.buffers) bytes += buffer.bytes.size();
            std::printf(
                "%-16s %s %s: %s first %.2f; kernel median %.2f min %.2f max %.2f us (%zu, %s); %.0f GB/s of %.0f; "
                "copy in %.0f us "
                "(%.1f GB/s), out %.0f us (%.1f GB/s); call %.2f, empty launch %.2f us; clocks %u/%u -> %u/%u MHz\n",
                r.status == gpu::RunStatus::Finished ? item["name"].get<std::string>().c_str() : r.reason.c_str(),
                flush ? "flushed" : "not flushed", t.pinned ? "pinned" : "pageable", gpu::toString(r.status),
                t.firstKernel, t.kernel.median(), t.kernel.minimum(), t.kernel.maximum(), t.kernel.count(),
                t.gated ? "gated" : "not gated", gpu::perSecond(double(bytes), t.kernel.median()) / 1e9,
                r.device.peakBandwidth() / 1e9, t.copyIn.median(),
                gpu::perSecond(double(t.bytesIn), t.copyIn.median()) / 1e9, t.copyOut.median(),
                gpu::perSecond(double(t.bytesOut), t.copyOut.median()) / 1e9, t.launchCall.median(),
                t.emptyLaunch.median(), t.before.multiprocessorMHz, t.before.memoryMHz, t.after.multiprocessorMHz,
                t.after.memoryMHz);
        }
    return 0;
}

void printMachine() {
    const gpu::Survey survey = gpu::survey();
    for (const gpu::DeviceInfo& d : survey.devices)
        std::printf("%s, compute capability %d.%d, %d multiprocessors, %.1f GiB, L2 %llu MiB, %u MHz, memory %u MHz x "
                    "%u bits: %.0f GB/s, %.1f TFLOP/s, %s\n",
                    d.name.c_str(), d.computeMajor, d.computeMinor, d.multiprocessors,
                    double(d.memoryBytes) / (1 << 30), static_cast<unsigned long long>(d.l2Bytes >> 20),
                    d.clockKHz / 1000, d.memoryClockKHz / 1000, d.memoryBusBits, d.peakBandwidth() / 1e9,
                    d.peakFlops() / 1e12, d.uuid.substr(0, 8).c_str());
    const gpu::Platform& p = survey.platform;
    std::printf("driver %s (CUDA %d), NVRTC %d.%d (%s) %s %s\n", p.driverVersion.c_str(), p.driverApiVersion,
                p.nvrtcMajor, p.nvrtcMinor, p.nvrtcPath.c_str(), survey.availability.reason.c_str(),
                survey.availability.whatToDo.c_str());
}

} // namespace

int main(int count, char** values) {
    const std::vector<std::string> arguments(values + 1, values + count);
    if (arguments.empty()) {
        std::puts("gpu-cases DIR [--counters] [--export OUT] [--large [N]] [--first N]");
        return 2;
    }
    const auto has = [&](const char* word) {
        return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
    };
    printMachine();
    const auto valueOf = [&](const char* word, const std::string& otherwise) {
        const auto at = std::find(arguments.begin(), arguments.end(), word);
        return at != arguments.end() && at + 1 != arguments.end() ? at[1] : otherwise;
    };
    if (has("--large")) return runLarge(arguments[0], unsigned(std::stoul(valueOf("--large", "20"))));
    return runCases(arguments[0], has("--counters"), valueOf("--export", ""),
                    std::stoul(valueOf("--first", "1000000")));
}
