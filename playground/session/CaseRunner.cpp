// Reading of case files and comparison with measured counters.
#include "playground/session/CaseRunner.h"

#include "playground/session/Content.h"
#include "playground/session/GpuLaunch.h"
#include "playground/session/Outputs.h"
#include "sim/analysis/MetricCatalog.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <string_view>

namespace playground {

using nlohmann::json;

namespace {

struct ComparedCounter {
    const char* metric;                  ///< Of the catalog.
    std::array<const char*, 2> counters; ///< Nsight Compute's names, the one without noise first.
};

/// The smsp__sass_ counters leave out the arbitration events that l1tex__ ones pick up now and then.
constexpr std::array kCompared{
    ComparedCounter{"global-load-requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", nullptr}},
    ComparedCounter{"global-load-sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", nullptr}},
    ComparedCounter{"global-store-requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", nullptr}},
    ComparedCounter{"global-store-sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", nullptr}},
    ComparedCounter{"global-atomic-requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", nullptr}},
    ComparedCounter{"global-atomic-sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", nullptr}},
    ComparedCounter{"global-reduction-requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", nullptr}},
    ComparedCounter{"global-reduction-sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", nullptr}},
    ComparedCounter{"local-load-requests", {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", nullptr}},
    ComparedCounter{"shared-load-wavefronts",
                    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
    ComparedCounter{"shared-store-wavefronts",
                    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
    ComparedCounter{"shared-atomic-wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", nullptr}}};

/// The counters of bank conflicts, and the wavefront counters that tell whether noise got into them.
struct ComparedConflict {
    const char* metric;
    const char* conflicts;
    const char* noisyWavefronts;
    const char* cleanWavefronts;
};
constexpr std::array kConflicts{
    ComparedConflict{"shared-load-conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    ComparedConflict{"shared-store-conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}};

sim::Dim3 dimOf(const json& list) {
    return {list.at(0).get<uint32_t>(), list.size() > 1 ? list.at(1).get<uint32_t>() : 1,
            list.size() > 2 ? list.at(2).get<uint32_t>() : 1};
}

SimArgument argumentOf(const json& j, const std::string& caseName) {
    SimArgument a;
    const auto typeNamed = [&](const std::string& name) {
        const auto type = sim::elementTypeFromString(name);
        if (!type) throw std::runtime_error("case " + caseName + ": '" + name + "' is no type");
        return *type;
    };
    if (j.contains("buffer")) {
        a.buffer = true;
        a.type = typeNamed(j["buffer"].get<std::string>());
        a.count = j.at("count").get<uint64_t>();
        a.value = j.value("init", "const:0");
        a.output = j.value("role", "in") != "in";
    } else {
        a.type = typeNamed(j.begin().key());
        a.value = j.begin().value().dump();
    }
    return a;
}

/// Counters that are the same in every launch of the same code; times, caches and arbitration are not.
bool isRepeatable(std::string_view name) {
    for (const char* part : {"gpu__time", "dram__", "lts__", "lookup_hit", "bank_conflicts", "warps_active",
                             "l1tex__data_pipe_lsu_wavefronts"})
        if (name.find(part) != std::string_view::npos) return false;
    return true;
}

json parseFile(const std::filesystem::path& path) {
    std::string problem;
    const auto text = readFile(path, problem);
    if (!text) throw std::runtime_error(problem);
    try {
        return json::parse(*text);
    } catch (const json::exception& e) {
        throw std::runtime_error(path.string() + ": " + e.what());
    }
}

} // namespace

struct CaseReader {
    static void read(CaseRunner& runner) {
        std::map<std::string, size_t> byName;
        const json launches = parseFile(runner.folder_ / "cases.json");
        for (const json& j : launches.at("cases")) {
            CaseRunner::Case c;
            c.name = j.at("name").get<std::string>();
            c.source = j.at("source").get<std::string>();
            c.kernel = j.at("kernel").get<std::string>();
            c.config.grid = dimOf(j.at("grid"));
            c.config.block = dimOf(j.at("block"));
            c.config.dynamicSharedBytes = j.value("shared_bytes", 0u);
            for (const json& a : j.at("args")) c.arguments.push_back(argumentOf(a, c.name));
            byName[c.name] = runner.cases_.size();
            runner.cases_.push_back(std::move(c));
        }
        const json measured = parseFile(runner.folder_ / "counters.json");
        runner.device_ = measured.value("device", "");
        for (const json& j : measured.at("cases")) {
            const auto at = byName.find(j.at("name").get<std::string>());
            if (at == byName.end()) continue;
            CaseRunner::Case& c = runner.cases_[at->second];
            for (const auto& [name, value] : j.at("counters").items())
                if (value.is_number()) c.counters[name] = value.get<double>();
            for (const auto& [index, output] : j.at("outputs").items())
                c.outputs[std::stoul(index)] = output.at("crc32").get<uint32_t>();
        }
    }
};

std::optional<CaseRunner> CaseRunner::load(const std::filesystem::path& folder, std::string& problem) {
    CaseRunner runner;
    runner.folder_ = folder;
    try {
        CaseReader::read(runner);
    } catch (const std::exception& e) {
        problem = std::string(e.what()) + " (a case folder holds cases.json, counters.json and kernels/)";
        return std::nullopt;
    }
    if (runner.cases_.empty()) {
        problem = (folder / "cases.json").string() + " holds no cases";
        return std::nullopt;
    }
    return runner;
}

std::shared_ptr<const sim::Program> CaseRunner::program(const Case& c, bool asCompiled, std::string& problem) {
    const std::string key = c.source + (asCompiled ? " as compiled" : "");
    if (const auto found = programs_.find(key); found != programs_.end()) return found->second;
    const auto source = readFile(folder_ / "kernels" / c.source, problem);
    if (!source) return nullptr;
    sim::CompileOptions options;
    options.fileName = c.source;
    options.asCompiled = asCompiled;
    const sim::CompileResult compiled = sim::compile(*source, options);
    if (!compiled.program) {
        problem = c.source + " does not compile";
        for (const sim::Diagnostic& d : compiled.diagnostics)
            if (d.severity == sim::Diagnostic::Severity::Error) {
                problem += ": line " + std::to_string(d.at.line) + ": " + d.message;
                break;
            }
        return nullptr;
    }
    return programs_[key] = compiled.program;
}

CaseResult CaseRunner::run(size_t index, const sim::LaunchOptions& options, bool asCompiled) {
    // What a case finds in shared memory is what the cases before it left there.
    while (next_ < index) runOne(next_++, options, asCompiled);
    next_ = index + 1;
    return runOne(index, options, asCompiled);
}

CaseResult CaseRunner::runOne(size_t index, sim::LaunchOptions options, bool asCompiled) {
    const Case& c = cases_[index];
    CaseResult result;
    result.name = c.name;
    options.sharedMemory = &sharedMemory_;
    const auto code = program(c, asCompiled, result.error);
    if (!code) return result;
    auto launch = resolve(c, result.error);
    if (!launch) return result;
    const sim::LaunchReport report =
        sim::launch(*code, c.kernel, c.config, launch->arguments, launch->buffers, options);
    result.wallMs = report.wallMs;
    if (report.status != sim::LaunchStatus::Finished) {
        result.error = report.error.empty() ? "the launch did not finish" : report.error;
        return result;
    }
    compare(c, *launch, report, result);
    return result;
}

std::optional<ResolvedLaunch> CaseRunner::resolve(const Case& c, std::string& problem) const {
    ResolvedLaunch launch;
    launch.kernel = c.kernel;
    launch.config = c.config;
    launch.fileName = c.source;
    problem = addArguments(launch, c.arguments);
    if (!problem.empty()) return std::nullopt;
    return launch;
}

CaseResult CaseRunner::run(size_t index, gpu::Session& session, const gpu::RunOptions& options) {
    const Case& c = cases_[index];
    CaseResult result;
    result.name = c.name;
    auto launch = resolve(c, result.error);
    if (!launch) return result;
    const auto source = readFile(folder_ / "kernels" / c.source, result.error);
    if (!source) return result;
    launch->source = *source;
    gpu::RunResult measured = session.run(gpuRequest(*launch, options));
    if (measured.status != gpu::RunStatus::Finished) {
        result.error = measured.reason + (measured.whatToDo.empty() ? "" : " " + measured.whatToDo);
        return result;
    }
    result.wallMs = measured.timings.kernel.median() / 1e3;
    for (const gpu::Counter& counter : measured.counters) {
        const auto recorded = c.counters.find(counter.name);
        if (recorded == c.counters.end() || !isRepeatable(counter.name)) continue;
        ++result.compared;
        // Nsight Compute rounds ratios to six digits.
        if (std::fabs(counter.value - recorded->second) > 1e-6 * std::fabs(recorded->second))
            result.differences.push_back({counter.name, recorded->second, counter.value});
    }
    launch->buffers = std::move(measured.buffers);
    compareOutputs(c, *launch, result);
    return result;
}

void CaseRunner::compare(const Case& c, const ResolvedLaunch& launch, const sim::LaunchReport& report,
                         CaseResult& result) const {
    const auto check = [&](const std::string& what, double measured, double simulated) {
        ++result.compared;
        if (measured != simulated) result.differences.push_back({what, measured, simulated});
    };
    for (const ComparedCounter& row : kCompared)
        for (const char* name : row.counters) {
            const auto measured = name ? c.counters.find(name) : c.counters.end();
            if (measured == c.counters.end()) continue;
            check(name, measured->second, sim::findMetric(row.metric)->value(report.total));
            break;
        }
    for (const ComparedConflict& row : kConflicts) {
        const auto conflicts = c.counters.find(row.conflicts), noisy = c.counters.find(row.noisyWavefronts),
                   clean = c.counters.find(row.cleanWavefronts);
        if (conflicts == c.counters.end() || noisy == c.counters.end() || clean == c.counters.end()) continue;
        if (noisy->second != clean->second) continue;
        check(row.conflicts, conflicts->second, sim::findMetric(row.metric)->value(report.total));
    }
    compareOutputs(c, launch, result);
}

void CaseRunner::compareOutputs(const Case& c, const ResolvedLaunch& launch, CaseResult& result) const {
    for (const OutputSummary& o : summarizeOutputs(launch)) {
        const auto recorded = c.outputs.find(o.index);
        if (recorded == c.outputs.end()) continue;
        ++result.compared;
        if (recorded->second != o.crc32)
            result.differences.push_back(
                {"output " + std::to_string(o.index) + " crc32", double(recorded->second), double(o.crc32)});
    }
}

} // namespace playground
