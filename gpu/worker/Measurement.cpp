// The order of things on the stream, for one timed launch:
//
//     |in| copies in |in| [flush L2] (gate) |k| kernel |k| copies out |out|
//
// where |x| is an event. The gate opens once everything up to the second |k| is enqueued.
#include "gpu/worker/Measurement.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace gpu {
namespace {

constexpr unsigned kEmptyLaunches = 20;
constexpr unsigned kLeastSamples = 3;
constexpr auto kGateTimer = std::chrono::milliseconds(250);

double microsecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

} // namespace

bool LaunchGate::makeFlag() {
    if (flag_.get() != nullptr) return true;
    if (api_.cuStreamWaitValue32 == nullptr) return false;
    if (api_.cuMemAllocHost(flag_.out(), sizeof(uint32_t)) != cu::kSuccess) return false;
    *static_cast<uint32_t*>(flag_.get()) = 0;
    return true;
}

void LaunchGate::setFlag() {
    std::atomic_ref<uint32_t>(*static_cast<uint32_t*>(flag_.get())).store(ticket_, std::memory_order_release);
}

void LaunchGate::startTimer() {
    timer_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        if (opened_.wait_for(lock, kGateTimer, [&] { return isOpen_; })) return;
        timerFired_ = true;
        setFlag();
    });
}

bool LaunchGate::close(cu::Stream stream) {
    if (!usable_ || !makeFlag()) return usable_ = false;
    {
        const std::lock_guard lock(mutex_);
        ++ticket_;
        isOpen_ = false;
    }
    const auto address = cu::DevicePointer(reinterpret_cast<uintptr_t>(flag_.get()));
    usable_ = api_.cuStreamWaitValue32(stream, address, ticket_, cu::kWaitValueGeq) == cu::kSuccess;
    if (usable_ && ticket_ == 1) startTimer();
    return usable_;
}

bool LaunchGate::open() {
    if (flag_.get() == nullptr) return true;
    {
        const std::lock_guard lock(mutex_);
        isOpen_ = true;
        setFlag();
    }
    opened_.notify_all();
    if (timer_.joinable()) timer_.join();
    usable_ = usable_ && !timerFired_;
    return !timerFired_;
}

bool Stopwatch::create(CallStatus& status) {
    return status(api_.cuEventCreate(from_.out(), cu::kEventDefault), "cuEventCreate") &&
           status(api_.cuEventCreate(to_.out(), cu::kEventDefault), "cuEventCreate");
}

double Stopwatch::microseconds() const {
    float milliseconds = 0;
    return api_.cuEventElapsedTime(&milliseconds, from_.get(), to_.get()) == cu::kSuccess ? double(milliseconds) * 1e3
                                                                                          : 0;
}

Measurement::Measurement(const DriverApi& api, CallStatus& status, PreparedLaunch& launch, const RunOptions& options,
                         const RunHooks& hooks)
    : api_(api), status_(status), launch_(launch), options_(options), hooks_(hooks), stream_(api), gate_(api), in_(api),
      kernel_(api), out_(api) {}

bool Measurement::first(Timings& timings) {
    if (!status_(api_.cuStreamCreate(stream_.out(), cu::kStreamNonBlocking), "cuStreamCreate")) return false;
    for (Stopwatch* watch : {&in_, &kernel_, &out_})
        if (!watch->create(status_)) return false;
    if (!launch_.buffers().poison(stream_.get()) || !launch_.buffers().copyIn(stream_.get()) || !synchronize())
        return false;
    if (!kernel_.start(status_, stream_.get())) return false;
    const auto start = Clock::now();
    bool good = launch_.launch(stream_.get());
    timings.firstLaunchCall = microsecondsSince(start);
    good = good && kernel_.stop(status_, stream_.get()) && synchronize();
    hooks_.afterFirst();
    if (!good) return false;
    timings.firstKernel = kernel_.microseconds();
    timings.bytesIn = launch_.buffers().bytesIn();
    timings.bytesOut = launch_.buffers().bytesOut();
    return launch_.buffers().copyOut(stream_.get(), true) && synchronize();
}

/// One launch from fresh inputs; its times go to `samples` unless it is a warm-up (nullptr).
bool Measurement::once(Timings* samples, Timings& timings, HelperKernels& helpers) {
    cu::Stream stream = stream_.get();
    if (!launch_.buffers().poison(stream) || !in_.start(status_, stream) || !launch_.buffers().copyIn(stream) ||
        !in_.stop(status_, stream))
        return false;
    if (options_.flushCache && !helpers.flush(stream)) return false;
    timings.gated = gate_.close(stream);
    const bool begun = kernel_.start(status_, stream);
    const auto start = Clock::now();
    const bool launched = begun && launch_.launch(stream);
    const double call = microsecondsSince(start);
    const bool ended = launched && kernel_.stop(status_, stream);
    timings.gated = gate_.open() && timings.gated;
    if (!ended || !out_.start(status_, stream) || !launch_.buffers().copyOut(stream, false) ||
        !out_.stop(status_, stream) || !synchronize())
        return false;
    if (samples == nullptr) return true;
    samples->copyIn.microseconds.push_back(in_.microseconds());
    samples->kernel.microseconds.push_back(kernel_.microseconds());
    samples->copyOut.microseconds.push_back(out_.microseconds());
    samples->launchCall.microseconds.push_back(call);
    return true;
}

bool Measurement::repeat(Timings& timings, HelperKernels& helpers, uint64_t l2Bytes, bool& cancelled) {
    if (options_.flushCache && !helpers.prepareFlush(l2Bytes, stream_.get())) return false;
    timings.flushedCache = options_.flushCache;
    timings.pinned = options_.pinned;
    const unsigned total = options_.warmUps + options_.launches;
    const auto begin = Clock::now();
    auto reported = begin;
    for (unsigned i = 0; i < total; ++i) {
        const bool late = microsecondsSince(begin) > options_.secondsToMeasure * 1e6;
        const bool warmUp = i < options_.warmUps;
        if (late && warmUp && timings.warmUps > 0) continue;
        if (late && timings.kernel.count() >= kLeastSamples) break;
        if (hooks_.cancelled()) {
            cancelled = true;
            return true;
        }
        if (!once(warmUp ? nullptr : &timings, timings, helpers)) return false;
        if (warmUp) ++timings.warmUps;
        if (microsecondsSince(reported) < 50e3) continue;
        reported = Clock::now();
        hooks_.progress({RunPhase::Measuring, i + 1, total});
    }
    return true;
}

bool Measurement::emptyLaunches(HelperKernels& helpers, Timings& timings) {
    for (unsigned i = 0; i <= kEmptyLaunches; ++i) {
        const auto start = Clock::now();
        if (!helpers.launchEmpty(stream_.get()) || !synchronize()) return false;
        if (i > 0) timings.emptyLaunch.microseconds.push_back(microsecondsSince(start)); // The first one loads it.
    }
    return true;
}

} // namespace gpu
