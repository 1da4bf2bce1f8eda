// Times a prepared launch: first once, cold, for its result; then warm-ups and the samples.
#pragma once

#include "gpu/worker/HelperKernels.h"
#include "gpu/worker/PreparedLaunch.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gpu {

/// How a run in progress talks to whoever asked for it.
struct RunHooks {
    std::function<void(const Progress&)> progress;
    std::function<bool()> cancelled;  ///< Asked between launches.
    std::function<void()> afterFirst; ///< After the first launch came to its end, well or not.
};

/// Holds a stream until the host opens it, so that everything enqueued meanwhile runs back to back and an event pair
/// around a kernel does not count the host's time to launch it.
///
/// Under a profiler, a checker or CUDA_LAUNCH_BLOCKING a launch returns only when the kernel has run, which a closed
/// gate would prevent for ever; so the first time a timer opens it, and a gate that needed the timer is used no more.
class LaunchGate {
public:
    LaunchGate(const DriverApi& api) : api_(api), flag_(api) {}
    ~LaunchGate() { open(); }
    /// False when the gate cannot be used; launches are timed without one then.
    bool close(cu::Stream stream);
    /// False when the timer had to open it.
    bool open();

private:
    bool makeFlag();
    void startTimer();
    void setFlag();

    const DriverApi& api_;
    PinnedMemory flag_;
    uint32_t ticket_ = 0;
    bool usable_ = true;
    std::mutex mutex_;
    std::condition_variable opened_;
    bool isOpen_ = true, timerFired_ = false;
    std::thread timer_;
};

/// One pair of events.
class Stopwatch {
public:
    explicit Stopwatch(const DriverApi& api) : api_(api), from_(api), to_(api) {}
    bool create(CallStatus& status);
    bool start(CallStatus& status, cu::Stream stream) {
        return status(api_.cuEventRecord(from_.get(), stream), "cuEventRecord");
    }
    bool stop(CallStatus& status, cu::Stream stream) {
        return status(api_.cuEventRecord(to_.get(), stream), "cuEventRecord");
    }
    /// Between the two, once the stream has passed both.
    double microseconds() const;

private:
    const DriverApi& api_;
    OwnedEvent from_, to_;
};

/// Runs and times. The result's outputs come from the first launch; each later one starts from the same inputs.
class Measurement {
public:
    Measurement(const DriverApi& api, CallStatus& status, PreparedLaunch& launch, const RunOptions& options,
                const RunHooks& hooks);

    /// Prepares streams and events, runs once and copies the outputs to the region.
    bool first(Timings& timings);
    /// Warm-ups and timed launches. False after a driver error; `cancelled` when the hooks asked for it. `helpers` are
    /// loaded.
    bool repeat(Timings& timings, HelperKernels& helpers, uint64_t l2Bytes, bool& cancelled);
    /// Times launches of a kernel that does nothing.
    bool emptyLaunches(HelperKernels& helpers, Timings& timings);

private:
    bool once(Timings* samples, Timings& timings, HelperKernels& helpers);
    bool synchronize() { return status_(api_.cuStreamSynchronize(stream_.get()), "cuStreamSynchronize"); }

    const DriverApi& api_;
    CallStatus& status_;
    PreparedLaunch& launch_;
    const RunOptions& options_;
    const RunHooks& hooks_;
    OwnedStream stream_;
    LaunchGate gate_;
    Stopwatch in_, kernel_, out_;
};

} // namespace gpu
