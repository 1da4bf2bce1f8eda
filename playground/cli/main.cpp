// playground-cli: everything the window can compute, without a window, as text or JSON.
#include "playground/cli/Commands.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace {

using namespace playground::cli;

void addSimulation(CLI::App& command, SimulationOptions& simulation) {
    command.add_option("--seconds", simulation.seconds, "Stop the simulation after this many seconds")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--threads", simulation.threads, "Host threads; 0 for all")
        ->check(CLI::Range(0u, 1024u))
        ->capture_default_str();
    command.add_flag("--as-compiled", simulation.asCompiled,
                     "Count what an optimiser leaves of the source instead of the source as written");
    command.add_option("--seed", simulation.seed,
                       "Order of blocks and warps: 0 in order, 1 in reverse, 2 round-robin, else random")
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--scheduling", [&](const std::string& mode) { simulation.lockstep = mode == "lockstep"; },
            "independent: diverged lanes take turns; lockstep: one side first, as before Volta")
        ->check(CLI::IsMember({"independent", "lockstep"}));
}

void addExploration(CLI::App& command, SimulationOptions& simulation) {
    command.add_option("--explore", simulation.explore,
                       "Try that many orders of blocks and warps (seeds 0, 1, ...) and show the first that changes the result")
        ->check(CLI::Range(2u, 100000u));
}

void addGpu(CLI::App& command, GpuOptions& gpu, bool both) {
    std::vector<std::string> names{"sim", "gpu"};
    if (both) names.emplace_back("both");
    command
        .add_option_function<std::string>(
            "--backend",
            [&](const std::string& name) {
                gpu.backend = name == "gpu" ? Backend::Gpu : name == "both" ? Backend::Both : Backend::Simulator;
            },
            both ? "sim, gpu, or both and whether they agree" : "sim or gpu")
        ->check(CLI::IsMember(names));
}

void addMeasurement(CLI::App& command, GpuOptions& gpu) {
    command.add_option("--device", gpu.device, "GPU to use, as doctor numbers them")
        ->check(CLI::Range(0, 1023))
        ->capture_default_str();
    command.add_option("--launches", gpu.launches, "Timed launches on the GPU")
        ->check(CLI::Range(0u, 10000u))
        ->capture_default_str();
    command.add_flag("--flush-cache", gpu.flushCache, "Flush the GPU's L2 cache before every timed launch");
    command.add_flag("--pinned", gpu.pinned, "Copy from and to page-locked host memory");
    command.add_flag("--counters", gpu.counters, "Read the GPU's hardware counters too, where the driver permits it");
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "CUDA Playground without its window: runs CUDA C++ kernels on a simulated GPU and says what they did.\n"
        "Exit status: 0 clean, 1 findings or differences, 2 wrong usage or a compile error, 3 a limit was exceeded."};
    app.require_subcommand(1);
    CommonOptions common;
    SimulationOptions simulation;
    GpuOptions gpu;
    RunOptions run;
    SimOptions sim;
    RecordOptions record;
    std::string folder;
    std::function<int()> action;

    const auto subcommand = [&](const char* name, const char* help, std::function<int()> what) {
        CLI::App* command = app.add_subcommand(name, help);
        command->add_flag("--json", common.json, "Print JSON instead of text");
        command->callback([&action, what = std::move(what)] { action = what; });
        return command;
    };

    CLI::App* lessons = subcommand("lessons", "List the lessons and report what is wrong with them",
                                   [&] { return lessonsCommand(common); });
    lessons->add_option("--lessons", common.lessons, "Folder of the lessons");

    CLI::App* runApp = subcommand("run", "Run a lesson's kernel", [&] { return runCommand(common, simulation, gpu, run); });
    runApp->add_option("LESSON", run.lesson, "The lesson's folder name, or its number")->required();
    runApp->add_option("--variant", run.variant, "Variant; the first one when left out");
    runApp->add_option("--set", run.settings, "Knob: NAME=VALUE; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    runApp->add_option("--lessons", common.lessons, "Folder of the lessons");
    addSimulation(*runApp, simulation);
    addExploration(*runApp, simulation);
    addGpu(*runApp, gpu, true);
    addMeasurement(*runApp, gpu);

    CLI::App* simApp =
        subcommand("sim", "Run a kernel of any .cu file", [&] { return simCommand(common, simulation, sim); });
    simApp->add_option("FILE", sim.file, "CUDA C++ source; host code in it is ignored")->required();
    simApp->add_option("--kernel", sim.kernel, "Kernel to launch; may be left out when the file has only one");
    simApp->add_option("--grid", sim.grid, "Blocks: X[,Y[,Z]]")->required();
    simApp->add_option("--block", sim.block, "Threads per block: X[,Y[,Z]]")->required();
    simApp->add_option("--shared", sim.sharedBytes, "Dynamic shared memory in bytes")->capture_default_str();
    simApp->add_flag("--cooperative", sim.cooperative, "Launch cooperatively, so that the grid can wait for itself");
    simApp
        ->add_option("--arg", sim.arguments,
                     "Argument, in order: in:f32[1024]=hash, out:u8[300]=const:7, i32=5; repeat for each")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addSimulation(*simApp, simulation);
    addExploration(*simApp, simulation);

    CLI::App* cases = subcommand("cases", "Compare recorded cases with a GPU's counters and outputs",
                                 [&] { return casesCommand(common, simulation, gpu, folder); });
    cases->add_option("DIR", folder, "Folder with cases.json, counters.json and kernels/")->required();
    addSimulation(*cases, simulation);
    addGpu(*cases, gpu, false);
    addMeasurement(*cases, gpu);

    CLI::App* recordApp =
        subcommand("record", "Measure lessons on this machine's GPU and keep the figures as LESSON/recorded.json",
                   [&] { return recordCommand(common, gpu, record); });
    recordApp->add_option("LESSON", record.lessons, "Lessons by folder name or number; all when left out");
    recordApp->add_option("--lessons", common.lessons, "Folder of the lessons");
    recordApp->add_option("--output", record.output, "Write into this folder instead of the lessons' own");
    addMeasurement(*recordApp, gpu);

    subcommand("doctor", "Say what of this machine the playground can use, and what to install",
               [&] { return doctorCommand(common); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kClean : kUsage;
    }
    return action();
}
