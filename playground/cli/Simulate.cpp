// Compilation and launch with the options of the command line.
#include "playground/cli/Simulate.h"

#include "playground/cli/ReportText.h"
#include "playground/session/ReportJson.h"
#include "playground/session/SimArguments.h"
#include "sim/Explore.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace playground::cli {
namespace {

std::string kernelNames(const sim::Program& program) {
    std::string names;
    for (const sim::Function& f : program.functions)
        if (f.kernel) names += (names.empty() ? "" : ", ") + f.name;
    return names;
}

} // namespace

int refuse(const CommonOptions& common, const std::string& sentence) {
    std::cerr << "playground-cli: " << sentence << "\n";
    if (common.json) std::cout << nlohmann::ordered_json{{"error", sentence}}.dump(1) << "\n";
    return kUsage;
}

std::shared_ptr<const sim::Program> compileFor(const CommonOptions& common, const SimulationOptions& simulation,
                                               ResolvedLaunch& launch, int& code) {
    sim::CompileOptions options;
    options.fileName = launch.fileName;
    options.asCompiled = simulation.asCompiled;
    if (launch.kernel.find('<') != std::string::npos) options.instantiate = {launch.kernel};
    const sim::CompileResult compiled = sim::compile(launch.source, options);
    printDiagnostics(std::cerr, compiled.diagnostics);
    code = kUsage;
    if (!compiled.program) {
        if (common.json)
            std::cout << nlohmann::ordered_json{{"diagnostics", diagnosticsJson(compiled.diagnostics)}}.dump(1) << "\n";
        return nullptr;
    }
    const sim::Program& program = *compiled.program;
    if (launch.kernel.empty()) {
        for (const sim::Function& f : program.functions) {
            if (!f.kernel) continue;
            if (!launch.kernel.empty()) {
                refuse(common, "the file has several kernels; choose one with --kernel: " + kernelNames(program));
                return nullptr;
            }
            launch.kernel = f.name;
        }
    }
    const sim::Function* kernel = program.findKernel(launch.kernel);
    if (!kernel) {
        const std::string names = kernelNames(program);
        refuse(common, names.empty() ? "the file has no __global__ function"
                                     : "there is no kernel '" + launch.kernel + "'; the file has " + names);
        return nullptr;
    }
    nameBuffers(launch, *kernel);
    code = kClean;
    return compiled.program;
}

sim::LaunchOptions launchOptions(const SimulationOptions& simulation) {
    sim::LaunchOptions options;
    options.limits.maxSeconds = simulation.seconds;
    options.hostThreads = simulation.threads;
    options.schedule = sim::scheduleOfSeed(simulation.seed);
    options.schedule.lockstep = simulation.lockstep;
    return options;
}

sim::LaunchReport simulate(const SimulationOptions& simulation, const sim::Program& program, ResolvedLaunch& launch) {
    return sim::launch(program, launch.kernel, launch.config, launch.arguments, launch.buffers,
                       launchOptions(simulation));
}

int exitCodeOf(const sim::LaunchReport& report) {
    if (report.status == sim::LaunchStatus::LimitExceeded) return kLimitExceeded;
    if (report.status == sim::LaunchStatus::Rejected && report.findings.empty()) return kUsage;
    return report.status == sim::LaunchStatus::Finished && report.findings.empty() ? kClean : kFindings;
}

} // namespace playground::cli
