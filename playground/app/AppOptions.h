// What the command line asks of the window.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace playground {

struct AppOptions {
    std::string root; ///< Folder with lessons/ and kernels/; empty: found by itself.
    std::string lesson, variant, view, secondView;
    std::vector<std::pair<std::string, double>> knobs;
    std::string step; ///< "17", "last", "next-conflict": as in a lesson's links.
    int line = 0, lane = -1, block = -1, warp = -1;
    int width = 0, height = 0; ///< 0: as the settings say.
    std::string theme;         ///< "light", "dark" or empty.
    bool projector = false, oneView = false, help = false;
    bool freshSettings = false; ///< Neither read nor write the learner's settings.
    std::string screenshot, script, layout;
    bool benchFrame = false;
    bool showHelp = false, showVersion = false;
};

/// Reads argv. False with a sentence in `problem` on a mistake.
bool parseAppOptions(int argc, char** argv, AppOptions& options, std::string& problem);
/// What --help prints.
std::string usage();

} // namespace playground
