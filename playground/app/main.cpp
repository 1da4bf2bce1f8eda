// The window's entry: lessons and kernels from their folders, the simulator behind them.
#include "playground/app/App.h"
#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"
#include "sim/Simulator.h"

#include <cstdio>

namespace {

playground::SessionSetup makeSetup(const playground::AppOptions& options) {
    using namespace playground;
    SessionSetup setup;
    const Content content =
        findContent(options.root.empty() ? std::nullopt : std::optional<std::filesystem::path>(options.root));
    if (!content.problem.empty())
        setup.lessonProblems.push_back(content.problem);
    else
        for (LoadedLesson& loaded : loadLessons(content)) {
            if (loaded.lesson) setup.lessons.push_back(std::move(loaded.lesson));
            setup.lessonProblems.insert(setup.lessonProblems.end(), loaded.problems.begin(), loaded.problems.end());
        }
    setup.backend = {
        resolveLaunch, [](const std::string& source, const sim::CompileOptions& o) { return sim::compile(source, o); },
        [](const sim::Program& program, const std::string& kernel, const sim::LaunchConfig& config,
           std::span<const sim::Argument> arguments, std::vector<sim::Buffer>& buffers,
           const sim::LaunchOptions& o) { return sim::launch(program, kernel, config, arguments, buffers, o); }};
    setup.usesKnob = usesKnob;
    setup.readKernel = [content](const Variant& variant, std::string& problem) {
        return readKernel(content, variant, problem);
    };
    if (!options.freshSettings) setup.store = SettingsStore::atHome();
    return setup;
}

} // namespace

int main(int argc, char** argv) {
    playground::AppOptions options;
    std::string problem;
    if (!playground::parseAppOptions(argc, argv, options, problem)) {
        std::fprintf(stderr, "playground: %s\n", problem.c_str());
        return 2;
    }
    if (options.showHelp) {
        std::fputs(playground::usage().c_str(), stdout);
        return 0;
    }
    if (options.showVersion) {
        std::puts("playground " PLAYGROUND_VERSION);
        return 0;
    }
    return playground::runApp(options, makeSetup(options));
}
