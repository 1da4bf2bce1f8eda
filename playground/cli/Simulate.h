// Compiles and launches a prepared launch, the same for a lesson's kernel and for any file's.
#pragma once

#include "playground/cli/Commands.h"
#include "playground/session/Lesson.h"
#include "sim/Simulator.h"

#include <optional>

namespace playground::cli {

/// Compiles launch.source and prints what the compiler says to standard error. Chooses the only kernel when
/// launch.kernel is empty. nullptr, with the exit code in `code`, when there is nothing to launch.
std::shared_ptr<const sim::Program> compileFor(const CommonOptions& common, const SimulationOptions& simulation,
                                               ResolvedLaunch& launch, int& code);

/// The options of the launch itself.
sim::LaunchOptions launchOptions(const SimulationOptions& simulation);

sim::LaunchReport simulate(const SimulationOptions& simulation, const sim::Program& program, ResolvedLaunch& launch);

/// Tries several schedules and prints the report of the first with what depends on the order; returns the exit code.
int exploreCommand(const CommonOptions& common, const SimulationOptions& simulation, const sim::Program& program,
                   ResolvedLaunch& launch);

/// The exit code that a report asks for.
int exitCodeOf(const sim::LaunchReport& report);

} // namespace playground::cli
