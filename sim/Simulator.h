// The simulator's front door: compile CUDA C++ to a Program, launch a kernel of it, get a LaunchReport.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/core/Counters.h"
#include "sim/core/Diagnostic.h"
#include "sim/core/Finding.h"
#include "sim/core/LaunchConfig.h"
#include "sim/core/Schedule.h"
#include "sim/core/Trace.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sim {

class Observer;

struct CompileOptions {
    std::string fileName = "kernel.cu";      ///< As diagnostics name it.
    std::vector<std::string> defines;        ///< "NAME" or "NAME=VALUE".
    std::vector<std::string> includeDirectories;
    std::vector<std::string> instantiate;    ///< Kernel templates to instantiate, e.g. "tile<16>", when the text does not.
    int computeCapability = 90;              ///< __CUDA_ARCH__ is this times 10.
    bool asCompiled = false;                 ///< Run LLVM's -O3 pipeline first instead of keeping the source's shape.
};

struct CompileResult {
    std::shared_ptr<const Program> program;  ///< nullptr when an error was found.
    std::vector<Diagnostic> diagnostics;     ///< Errors and warnings, in source order.
};

/// Compiles the device code of one .cu text. Host code is parsed and ignored. Thread-safe; never prints or throws.
CompileResult compile(const std::string& source, const CompileOptions& options = {});

struct LaunchLimits {
    uint64_t maxWarpInstructions = 20'000'000'000; ///< Over all warps.
    double maxSeconds = 60.0;
    uint64_t maxBytes = uint64_t{4} << 30;         ///< Of simulated memory.
};

struct LaunchOptions {
    LaunchLimits limits;
    unsigned hostThreads = 0;                      ///< 0: as many as the machine has.
    Schedule schedule;
    std::vector<TraceRequest> traces;
    bool checks = true;                            ///< Bounds are always checked; this adds the other findings.
    /// What every block finds in its shared memory, and after the launch what the last block left in its own: a GPU
    /// does not clear shared memory between launches. nullptr: unwritten memory, the same in every run.
    std::vector<std::byte>* sharedMemory = nullptr;
    std::vector<Observer*> observers;              ///< Watch besides the counters; the launch then has one host thread.
    std::atomic<bool>* cancel = nullptr;           ///< Set to true from any thread to stop at once.
    std::function<void(double)> progress;          ///< Called with 0..1 from a worker thread, at most 20 times a second.
};

enum class LaunchStatus : uint8_t {
    Finished,       ///< Every thread ran to its end (findings may exist).
    Stopped,        ///< A fault that ends a kernel on a GPU too: trap, failed assert, deadlock.
    LimitExceeded,  ///< Of LaunchLimits.
    Cancelled,
    Rejected,       ///< Not started: unknown kernel, bad arguments or launch configuration; see findings/diagnostics.
};

struct LineCounters {
    uint32_t line = 0;
    Counters counters;
};

/// An allocation as this launch placed it.
struct PlacedAllocation {
    std::string name, type;
    MemorySpace space{};
    uint64_t address = 0, bytes = 0;
    int buffer = -1;                          ///< Index of the buffer it is, or -1.
    uint32_t elementBytes = 4;
    std::vector<uint32_t> extents;            ///< Of a __shared__ or __device__ array.
};

struct LaunchReport {
    LaunchStatus status = LaunchStatus::Finished;
    std::string error;                        ///< For Rejected and LimitExceeded: what happened and what to do.
    Counters total;
    std::vector<Counters> byPc;               ///< One per instruction of the kernel's code (callees: their lines only).
    std::vector<LineCounters> byLine;         ///< Sorted by line; lines that executed.
    std::vector<Finding> findings;            ///< Sorted by line, then kind.
    std::string printed;                      ///< printf output, in execution order.
    std::vector<WarpTrace> traces;            ///< In the order of LaunchOptions::traces.
    double wallMs = 0;                        ///< The launch alone.
    unsigned hostThreads = 1;
    /// Where the launch put each buffer and shared variable, to translate traced addresses to names and elements.
    std::vector<PlacedAllocation> allocations;
};

/// Runs `kernel` over the grid. Buffers are read before and written after, also when the launch stops early.
/// Never prints or throws: bad arguments give Rejected with a sentence that says what to do.
LaunchReport launch(const Program& program, const std::string& kernel, const LaunchConfig& config,
                    std::span<const Argument> arguments, std::vector<Buffer>& buffers, const LaunchOptions& options = {});

} // namespace sim
