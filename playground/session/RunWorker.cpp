// The worker's loop.
#include "playground/session/RunWorker.h"

#include <algorithm>
#include <utility>

namespace playground {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A smaller grid or block may no longer have the chosen warp: its last one is traced then.
void clampWarp(RunRequest& request, const sim::LaunchConfig& config) {
    const auto last = [](uint64_t count) { return uint32_t(count == 0 ? 0 : count - 1); };
    request.block = std::min(request.block, sim::BlockId{last(config.grid.count())});
    request.warp =
        std::min(request.warp, sim::WarpId{last((config.block.count() + sim::kWarpSize - 1) / sim::kWarpSize)});
}

} // namespace

RunWorker::RunWorker(Backend backend, std::function<void()> wake)
    : backend_(std::move(backend)), wake_(std::move(wake)) {
    thread_ = std::thread([this] { loop(); });
}

RunWorker::~RunWorker() {
    {
        std::lock_guard lock(mutex_);
        quit_ = true;
        cancel_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RunWorker::request(RunRequest request, std::chrono::milliseconds delay) {
    {
        std::lock_guard lock(mutex_);
        waiting_ = std::move(request);
        startAt_ = Clock::now() + delay;
        busy_ = true;
        cancel_ = true;
    }
    changed_.notify_all();
}

void RunWorker::cancel() {
    std::lock_guard lock(mutex_);
    waiting_.reset();
    cancel_ = true;
}

std::shared_ptr<const RunResult> RunWorker::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(finished_, nullptr);
}

void RunWorker::loop() {
    std::unique_lock lock(mutex_);
    while (!quit_) {
        if (!waiting_) {
            busy_ = false;
            wake_();
            changed_.wait(lock, [this] { return quit_ || waiting_; });
            continue;
        }
        if (Clock::now() < startAt_) {
            changed_.wait_until(lock, startAt_);
            continue;
        }
        RunRequest request = std::move(*waiting_);
        waiting_.reset();
        cancel_ = false;
        progress_ = 0;
        lock.unlock();
        std::shared_ptr<RunResult> result = run(std::move(request));
        lock.lock();
        if (!cancel_) finished_ = std::move(result);
    }
}

std::shared_ptr<RunResult> RunWorker::run(RunRequest request) {
    auto result = std::make_shared<RunResult>();
    result->request = std::move(request);
    const RunRequest& r = result->request;
    auto start = Clock::now();
    auto launch = backend_.resolve(*r.lesson, r.lesson->variants[r.variant], r.knobs, r.source, result->problem);
    result->resolveMs = since(start);
    if (launch)
        result->launch = std::move(*launch);
    else
        result->launch.source = r.source;
    compile(*result);
    if (!launch || !result->compiled.program || cancel_) return result;
    result->kernel = result->compiled.program->findKernel(result->launch.kernel);
    clampWarp(result->request, result->launch.config);
    sim::LaunchOptions options;
    options.cancel = &cancel_;
    options.progress = [this](double part) {
        progress_ = part;
        wake_();
    };
    options.traces.push_back({r.block, r.warp, 20'000});
    start = Clock::now();
    result->report = backend_.launch(*result->compiled.program, result->launch.kernel, result->launch.config,
                                     result->launch.arguments, result->launch.buffers, options);
    result->launchMs = since(start);
    result->launched = result->report.status != sim::LaunchStatus::Rejected;
    if (result->report.status == sim::LaunchStatus::Rejected) result->problem = result->report.error;
    return result;
}

void RunWorker::compile(RunResult& result) {
    const auto start = Clock::now();
    const std::string name = result.launch.fileName.empty() ? "kernel.cu" : result.launch.fileName;
    if (compiledSource_ != result.launch.source || compiledName_ != name || compiledKernel_ != result.launch.kernel ||
        compiledSource_.empty()) {
        sim::CompileOptions options;
        options.fileName = name;
        if (result.launch.kernel.find('<') != std::string::npos) options.instantiate = {result.launch.kernel};
        lastCompile_ = backend_.compile(result.launch.source, options);
        compiledSource_ = result.launch.source;
        compiledName_ = name;
        compiledKernel_ = result.launch.kernel;
    }
    result.compiled = lastCompile_;
    result.compileMs = since(start);
}

} // namespace playground
