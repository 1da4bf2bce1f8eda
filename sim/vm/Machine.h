// Runs a kernel over its grid: the warp-wide virtual machine behind sim::launch().
#pragma once

#include "sim/Simulator.h"
#include "sim/core/WarpEvents.h"
#include "sim/vm/LinkedCode.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sim::vm {

/// Gives the observers of one host thread, 0 .. RunResult::hostThreads - 1; called on the calling thread before
/// anything runs. They have to live until run() returns. Empty: nobody watches.
using ObserverFactory = std::function<std::vector<Observer*>(unsigned hostThread)>;

struct RunResult {
    LaunchStatus status = LaunchStatus::Finished;
    std::string error;                        ///< Unless Finished: what happened and what to do.
    std::vector<Finding> findings;            ///< Sorted by line, then kind.
    std::string printed;
    double wallMs = 0;
    unsigned hostThreads = 1;
    std::vector<PlacedAllocation> allocations;
    std::vector<BlockCounter> blocks;         ///< Per basic block, in the order of LinkedCode's functions.
};

/// Runs `kernel`, which must be one of program.functions. Buffers are worked on in place. Never throws.
/// Results do not depend on the number of host threads.
RunResult run(const Program& program, const Function& kernel, const LaunchConfig& config,
              std::span<const Argument> arguments, std::vector<Buffer>& buffers, const LaunchOptions& options,
              const ObserverFactory& observers);

} // namespace sim::vm
