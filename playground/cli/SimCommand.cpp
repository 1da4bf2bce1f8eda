// playground-cli sim: any kernel of any file.
#include "playground/cli/ReportText.h"
#include "playground/cli/Simulate.h"
#include "playground/session/Content.h"
#include "playground/session/ReportJson.h"
#include "playground/session/SimArguments.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <iostream>

namespace playground::cli {
namespace {

/// X[,Y[,Z]]; nullopt when it is something else.
std::optional<sim::Dim3> parseDim(std::string_view text) {
    sim::Dim3 d;
    uint32_t* const axes[] = {&d.x, &d.y, &d.z};
    for (uint32_t* axis : axes) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *axis);
        if (error != std::errc{}) return std::nullopt;
        text.remove_prefix(size_t(end - text.data()));
        if (text.empty()) return d;
        if (text.front() != ',') return std::nullopt;
        text.remove_prefix(1);
    }
    return std::nullopt;
}

} // namespace

int simCommand(const CommonOptions& common, const SimulationOptions& simulation, const SimOptions& options) {
    ResolvedLaunch launch;
    std::string problem;
    const auto source = readFile(options.file, problem);
    if (!source) return refuse(common, problem);
    launch.source = *source;
    launch.fileName = options.file;
    launch.kernel = options.kernel;
    const auto grid = parseDim(options.grid), block = parseDim(options.block);
    if (!grid)
        return refuse(common, "--grid '" + options.grid + "' is not X[,Y[,Z]], for example --grid 64 or --grid 16,8");
    if (!block)
        return refuse(common,
                      "--block '" + options.block + "' is not X[,Y[,Z]], for example --block 256 or --block 16,16");
    launch.config = {*grid, *block, options.sharedBytes, options.cooperative};
    std::vector<SimArgument> arguments;
    for (const std::string& spec : options.arguments) {
        const auto a = parseSimArgument(spec, problem);
        if (!a) return refuse(common, problem);
        arguments.push_back(*a);
    }
    problem = addArguments(launch, arguments);
    if (!problem.empty()) return refuse(common, problem);

    int code = kClean;
    const auto program = compileFor(common, simulation, launch, code);
    if (!program) return code;
    problem = checkArguments(launch, *program->findKernel(launch.kernel));
    if (!problem.empty()) return refuse(common, problem);
    if (simulation.explore) return exploreCommand(common, simulation, *program, launch);
    const sim::LaunchReport report = simulate(simulation, *program, launch);
    if (common.json)
        std::cout << reportJson(launch, report).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    else
        printReport(std::cout, launch, report);
    if (exitCodeOf(report) == kUsage) std::cerr << "playground-cli: " << report.error << "\n";
    return exitCodeOf(report);
}

} // namespace playground::cli
