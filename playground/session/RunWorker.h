// Compiles and simulates on a thread of its own: debounced, the latest request wins, the window never waits.
#pragma once

#include "playground/session/Lesson.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace playground {

/// What a run needs of the program around it; tests give other functions.
struct Backend {
    /// The launch of a lesson's variant with these knobs and this source text; a sentence in `problem` on failure.
    std::function<std::optional<ResolvedLaunch>(const Lesson&, const Variant&, const KnobValues&,
                                                const std::string& source, std::string& problem)>
        resolve;
    std::function<sim::CompileResult(const std::string& source, const sim::CompileOptions&)> compile;
    std::function<sim::LaunchReport(const sim::Program&, const std::string& kernel, const sim::LaunchConfig&,
                                    std::span<const sim::Argument>, std::vector<sim::Buffer>&,
                                    const sim::LaunchOptions&)>
        launch;
};

struct RunRequest {
    uint64_t id = 0;
    std::shared_ptr<const Lesson> lesson;
    size_t variant = 0;
    KnobValues knobs;
    std::string source;
    sim::BlockId block; ///< The warp to trace.
    sim::WarpId warp;
};

/// One finished run. Immutable once published.
struct RunResult {
    RunRequest request;
    std::string problem;   ///< When the launch could not be formed: what to do.
    ResolvedLaunch launch; ///< Buffers as the kernel left them.
    sim::CompileResult compiled;
    const sim::Function* kernel = nullptr; ///< In compiled.program.
    sim::LaunchReport report;
    double resolveMs = 0, compileMs = 0, launchMs = 0;
    bool launched = false; ///< False after a compile error or a problem.

    const sim::WarpTrace* trace() const { return report.traces.empty() ? nullptr : &report.traces.front(); }
};

class RunWorker {
public:
    /// `wake` is called from the worker's thread whenever there is something new to take.
    RunWorker(Backend backend, std::function<void()> wake);
    ~RunWorker();
    RunWorker(const RunWorker&) = delete;
    RunWorker& operator=(const RunWorker&) = delete;

    /// Replaces any waiting request and stops the running one. Starts after `delay` without a newer request.
    void request(RunRequest request, std::chrono::milliseconds delay);
    /// Stops what runs or waits; its result is dropped.
    void cancel();
    /// The newest finished result not taken before, or nullptr.
    std::shared_ptr<const RunResult> take();
    bool busy() const { return busy_; }
    double progress() const { return progress_; }

private:
    void loop();
    std::shared_ptr<RunResult> run(RunRequest request);
    void compile(RunResult& result);

    Backend backend_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<RunRequest> waiting_;
    std::chrono::steady_clock::time_point startAt_;
    std::shared_ptr<const RunResult> finished_;
    bool quit_ = false;
    std::atomic<bool> cancel_{false}, busy_{false};
    std::atomic<double> progress_{0};
    std::string compiledSource_, compiledName_,
        compiledKernel_; ///< Worker thread only: what lastCompile_ was made from.
    sim::CompileResult lastCompile_;
    std::thread thread_;
};

} // namespace playground
