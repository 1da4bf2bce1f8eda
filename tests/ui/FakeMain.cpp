// The window over hand-made traces: what the tests of the window start.
#include "playground/app/App.h"
#include "tests/ui/FakeBackend.h"

#include <cstdio>

int main(int argc, char** argv) {
    playground::AppOptions options;
    std::string problem;
    if (!playground::parseAppOptions(argc, argv, options, problem)) {
        std::fprintf(stderr, "playground: %s\n", problem.c_str());
        return 2;
    }
    playground::SessionSetup setup = fake::setup();
    if (!options.freshSettings) setup.store = playground::SettingsStore::atHome();
    return playground::runApp(options, std::move(setup));
}
