// A golden case file: launches with their arguments and expectations.
#pragma once

#include "playground/session/SimArguments.h"
#include "sim/core/LaunchConfig.h"

#include <string>
#include <vector>

namespace playground::golden {

struct GoldenLaunch {
    int line = 0; ///< Of the LAUNCH directive.
    std::string kernel;
    sim::LaunchConfig config;
    std::vector<SimArgument> arguments;
    std::vector<std::vector<std::string>> expectations; ///< The words after EXPECT.
};

struct GoldenFile {
    std::string name, source, error;
    std::vector<GoldenLaunch> launches;
};

GoldenFile readGoldenFile(const std::string& path);

/// X[,Y[,Z]], the rest `otherwise`.
sim::Dim3 dimOf(const std::string& text, uint32_t otherwise);

} // namespace playground::golden
