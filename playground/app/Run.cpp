// Ways to run the window: for a learner, for a screenshot, for a script, for a measurement.
#include "playground/app/App.h"
#include "playground/app/Bench.h"
#include "playground/app/Script.h"
#include "playground/widgets/LayoutLog.h"

#include <GLFW/glfw3.h>

#include <cstdio>
#include <fstream>

namespace playground {
namespace {

int takeScreenshot(App& app, const AppOptions& options) {
    if (!app.settle(120)) {
        std::fprintf(stderr, "playground: the simulation did not finish in two minutes.\n");
        return 1;
    }
    if (!app.screenshot(options.screenshot)) {
        std::fprintf(stderr, "playground: %s\n", app.problem().c_str());
        return 1;
    }
    if (!options.layout.empty()) std::ofstream(options.layout) << layoutLog().json();
    return 0;
}

} // namespace

int runApp(const AppOptions& options, SessionSetup setup) {
    setup.wake = [] { glfwPostEmptyEvent(); };
    App app(options, std::move(setup));
    if (!app.open()) {
        std::fprintf(stderr, "playground: %s\n", app.problem().c_str());
        return 1;
    }
    if (!app.problem().empty()) {
        std::fprintf(stderr, "playground: %s\n", app.problem().c_str());
        return 2;
    }
    if (!options.screenshot.empty()) return takeScreenshot(app, options);
    if (!options.script.empty()) return runScript(app, options.script);
    if (options.benchFrame) return benchFrames(app);
    return app.run();
}

} // namespace playground
