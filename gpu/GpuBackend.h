// The door to the machine's NVIDIA GPU: is there one, and run a launch on it. No CUDA header is needed to use it.
#pragma once

#include "gpu/Run.h"
#include "gpu/Timeline.h"

#include <memory>
#include <span>
#include <string>

namespace gpu {

struct SessionOptions {
    std::string workerPath;   ///< Empty: playground-gpu-worker beside this program (or $PLAYGROUND_GPU_WORKER).
    double startSeconds = 30; ///< How long a new worker may take to say hello and to list the devices.
};

/// Runs launches on the GPU in a worker process of its own, started when first needed and replaced after a fault,
/// so that nothing a kernel does can hurt this program. One run at a time: a second caller waits. Never prints or
/// throws; a machine without a GPU gives RunStatus::Unavailable with a reason.
class Session {
public:
    explicit Session(SessionOptions options = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Driver, compiler and devices. Starts the worker; asked again only after a worker was replaced.
    Survey survey();

    /// Compiles, launches and measures. Blocks until done, cancelled or out of time.
    RunResult run(const RunRequest& request, const ProgressFunction& progress = {});

    /// Runs one request after another, as a sweep over a knob does. `done` gets each result with its index and says
    /// whether to go on. Stops by itself once a run is Cancelled or Unavailable.
    void runAll(std::span<const RunRequest> requests, const std::function<bool(size_t, const RunResult&)>& done);

    /// Copies and kernels on streams or as a graph; as run() otherwise.
    TimelineResult runTimeline(const TimelineRequest& request, const ProgressFunction& progress = {});

    /// From any thread: the run in progress ends soon as Cancelled. Without one, nothing happens.
    void cancel();

    /// Process id of the worker at hand, or -1.
    int workerPid() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Asks a worker of its own; a program that also runs kernels asks its Session instead.
Survey survey();
Availability availability();
std::vector<DeviceInfo> devices();

} // namespace gpu
