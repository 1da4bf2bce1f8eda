// What a launch on the GPU is given, and what comes back.
#pragma once

#include "gpu/Device.h"
#include "gpu/Samples.h"
#include "sim/core/Diagnostic.h"
#include "sim/core/LaunchConfig.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gpu {

struct RunOptions {
    int device = 0;                    ///< Index into Survey::devices.
    unsigned warmUps = 3;              ///< Launches before the timed ones, after the first one.
    unsigned launches = 20;            ///< Timed launches; 0 only runs the kernel once, for its result.
    bool flushCache = false;           ///< Overwrite the L2 cache before every launch.
    bool pinned = false;               ///< Copy from and to page-locked host memory.
    double secondsLimit = 20;          ///< For all of it; then the worker is ended and the run is TimeLimit.
    double secondsToMeasure = 5;       ///< Stop timing early after this long, with at least three samples.
    std::vector<std::string> defines;  ///< "NAME" or "NAME=VALUE".
    std::vector<std::string> counters; ///< Hardware counters to collect, by Nsight Compute's names.
};

/// A launch: the very text, data and configuration that sim::launch() takes.
struct RunRequest {
    std::string source, fileName = "kernel.cu";
    std::string kernel; ///< "copy", "tile<16>", "lesson::copy".
    sim::LaunchConfig config;
    std::vector<sim::Argument> arguments;
    /// bytes may be empty for a buffer that is not initialised; such memory is filled with 0xCD before each launch.
    std::vector<sim::Buffer> buffers;
    std::vector<bool> output; ///< By buffer: copy it back. Empty: copy all of them back.
    RunOptions options;
};

enum class RunStatus : uint8_t {
    Finished,
    CompileFailed, ///< See diagnostics.
    Rejected,      ///< Not launched: arguments, device or data do not fit; see reason.
    Failed,        ///< The driver reported an error; see error.
    TimeLimit,     ///< Did not end in time; the worker was ended.
    Cancelled,
    WorkerFailed, ///< The worker crashed or answered nonsense; it was ended.
    Unavailable,  ///< No GPU can be used here; see reason and whatToDo.
};

/// "finished", "compile-failed", ...
const char* toString(RunStatus status);

/// An error as the driver gives it: 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered".
struct DriverError {
    int code = 0;
    std::string name, text;
    std::string call; ///< The driver function that returned it.
};

/// What the compiled kernel uses; -1 where the compiler did not say.
struct KernelResources {
    int registers = -1, sharedBytes = -1 /* static */, localBytes = -1 /* per thread */, constantBytes = -1;
    int maxThreadsPerBlock = -1;
    int spillStoreBytes = -1, spillLoadBytes = -1, stackBytes = -1;
    int residentBlocks = -1; ///< Blocks of this launch that fit one multiprocessor at a time.
};

/// All times are microseconds. copyIn, kernel and copyOut have one sample per timed launch, taken between events on
/// the device; each launch starts from freshly copied inputs.
struct Timings {
    Samples copyIn, kernel, copyOut;
    uint64_t bytesIn = 0, bytesOut = 0; ///< Copied per launch.
    double firstKernel = 0;             ///< The cold first launch, between events.
    double firstLaunchCall = 0;         ///< Host time of the call that launched it: the driver loads code lazily.
    double compile = 0, moduleLoad = 0, startContext = 0;
    bool compiledBefore = false; ///< Taken from the cache of compiled kernels; compile is the look-up.
    Samples launchCall;          ///< Host time inside each launching call.
    Samples emptyLaunch;         ///< Launching an empty kernel and waiting for its end: the floor of any launch.
    bool flushedCache = false, pinned = false;
    /// The launch was queued complete before the device could start on it, so that kernel excludes the host's part.
    bool gated = false;
    unsigned warmUps = 0;
    Clocks before, after;
};

struct Counter {
    std::string name; ///< As Nsight Compute names it.
    double value = 0;
};

struct RunResult {
    RunStatus status = RunStatus::Unavailable;
    std::string reason;     ///< One or two sentences whenever status is not Finished.
    std::string whatToDo;   ///< For Unavailable.
    DriverError error;      ///< For Failed.
    std::string compileLog; ///< As NVRTC wrote it.
    std::vector<sim::Diagnostic> diagnostics;
    KernelResources resources;
    std::vector<sim::Buffer> buffers; ///< As after one launch; inputs as they were given.
    std::string printed;              ///< The kernel's printf of the first launch.
    std::string printedErrors;        ///< What the device said of failed assertions.
    Timings timings;
    std::vector<Counter> counters;
    std::string countersReason; ///< Why counters asked for are missing, and what would allow them.
    DeviceInfo device;
    Platform platform;
    bool workerReplaced = false; ///< The worker was ended; the next run starts another.
};

enum class RunPhase : uint8_t { Starting, Compiling, Copying, Measuring, Counting };

struct Progress {
    RunPhase phase = RunPhase::Starting;
    unsigned done = 0, total = 0; ///< Launches, while Measuring.
};

/// Called from the thread that called run().
using ProgressFunction = std::function<void(const Progress&)>;

/// The counters that the simulator counts too: requests, sectors, wavefronts, active lanes, branches.
std::vector<std::string> comparableCounters();

} // namespace gpu
