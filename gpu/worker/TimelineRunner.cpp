// One repetition: every stream starts behind one event, operations follow in the host's order, and all streams join
// the first one before the last event.
//
//     stream 0  (gate) |begin| op op ....... [joins] |finish|
//     stream 1          waits for begin, op op ... |join|
#include "gpu/worker/TimelineRunner.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace gpu {
namespace {

constexpr size_t kMostGated = 256; // A device takes only so many operations that cannot start yet.

double microsecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

} // namespace

TimelineRunner::TimelineRunner(const DriverApi& api, CallStatus& status, const TimelineOrder& order,
                               DeviceBuffers& buffers, int deviceIndex)
    : api_(api), status_(status), order_(order), buffers_(buffers), deviceIndex_(deviceIndex), begin_(api),
      finish_(api), graph_(api), executable_(api), gate_(api) {}

bool TimelineRunner::load(const std::string& kernel, const CompiledCode& code) {
    return kernels_.try_emplace(kernel, api_, status_).first->second.load(code);
}

std::string TimelineRunner::argumentProblem() const {
    for (const Operation& operation : order_.operations) {
        if (operation.kind != OperationKind::Kernel) continue;
        const LoadedKernel& kernel = kernels_.at(operation.kernel);
        if (std::string problem = kernel.argumentProblem(operation.kernel, operation.arguments); !problem.empty())
            return problem;
    }
    return {};
}

bool TimelineRunner::makeEvents(std::vector<OwnedEvent>& events, size_t count) {
    while (events.size() < count)
        if (!status_(api_.cuEventCreate(events.emplace_back(api_).out(), cu::kEventDefault), "cuEventCreate"))
            return false;
    return true;
}

bool TimelineRunner::prepare(TimelineResult& result) {
    unsigned streams = 1, events = 0;
    for (const Operation& operation : order_.operations) {
        streams = std::max(streams, operation.stream + 1);
        const bool usesEvent = operation.kind == OperationKind::Record || operation.kind == OperationKind::Wait;
        if (usesEvent) events = std::max(events, operation.event + 1);
        arguments_.emplace_back(api_, operation.arguments, buffers_);
    }
    while (streams_.size() < streams)
        if (!status_(api_.cuStreamCreate(streams_.emplace_back(api_).out(), cu::kStreamNonBlocking), "cuStreamCreate"))
            return false;
    const size_t timed = order_.graph || order_.operations.size() > kMaxSpans ? 0 : order_.operations.size();
    if (!makeEvents(events_, events) || !makeEvents(joins_, streams) || !makeEvents(starts_, timed) ||
        !makeEvents(ends_, timed) || !status_(api_.cuEventCreate(begin_.out(), cu::kEventDefault), "cuEventCreate") ||
        !status_(api_.cuEventCreate(finish_.out(), cu::kEventDefault), "cuEventCreate"))
        return false;
    return buffers_.poison(streams_[0].get()) && waitForAll() && (!order_.graph || buildGraph(result));
}

bool TimelineRunner::waitForAll() {
    for (const OwnedStream& stream : streams_)
        if (!status_(api_.cuStreamSynchronize(stream.get()), "cuStreamSynchronize")) return false;
    return true;
}

bool TimelineRunner::startStreams() {
    if (!status_(api_.cuEventRecord(begin_.get(), streams_[0].get()), "cuEventRecord")) return false;
    for (size_t i = 1; i < streams_.size(); ++i)
        if (!status_(api_.cuStreamWaitEvent(streams_[i].get(), begin_.get(), 0), "cuStreamWaitEvent")) return false;
    return true;
}

bool TimelineRunner::joinStreams() {
    for (size_t i = 1; i < streams_.size(); ++i)
        if (!status_(api_.cuEventRecord(joins_[i].get(), streams_[i].get()), "cuEventRecord") ||
            !status_(api_.cuStreamWaitEvent(streams_[0].get(), joins_[i].get(), 0), "cuStreamWaitEvent"))
            return false;
    return true;
}

bool TimelineRunner::enqueue(const Operation& operation, size_t index) {
    cu::Stream stream = streams_[operation.stream].get();
    const auto buffer = size_t(std::max(operation.buffer, 0));
    switch (operation.kind) {
    case OperationKind::CopyIn: return buffers_.copyInPart(buffer, operation.byteOffset, operation.bytes, stream);
    case OperationKind::CopyOut: return buffers_.copyOutPart(buffer, operation.byteOffset, operation.bytes, stream);
    case OperationKind::Kernel:
        return kernels_.at(operation.kernel).launch(operation.config, arguments_[index], stream);
    case OperationKind::Record:
        return status_(api_.cuEventRecord(events_[operation.event].get(), stream), "cuEventRecord");
    case OperationKind::Wait:
        return status_(api_.cuStreamWaitEvent(stream, events_[operation.event].get(), 0), "cuStreamWaitEvent");
    case OperationKind::Prefetch:
        return status_(api_.cuMemPrefetchAsync(buffers_.pointer(buffer) + operation.byteOffset, operation.bytes,
                                               deviceIndex_, stream),
                       "cuMemPrefetchAsync");
    }
    return false;
}

bool TimelineRunner::enqueueAll(bool timed) {
    for (size_t i = 0; i < order_.operations.size(); ++i) {
        const Operation& operation = order_.operations[i];
        cu::Stream stream = streams_[operation.stream].get();
        if (timed && !status_(api_.cuEventRecord(starts_[i].get(), stream), "cuEventRecord")) return false;
        if (!enqueue(operation, i)) return false;
        if (timed && !status_(api_.cuEventRecord(ends_[i].get(), stream), "cuEventRecord")) return false;
    }
    return true;
}

bool TimelineRunner::buildGraph(TimelineResult& result) {
    const auto start = Clock::now();
    cu::Stream first = streams_[0].get();
    if (!status_(api_.cuStreamBeginCapture(first, cu::kCaptureThreadLocal), "cuStreamBeginCapture")) return false;
    const bool captured = startStreams() && enqueueAll(false) && joinStreams();
    // Ends the capture also when something in it failed.
    const bool ended = status_(api_.cuStreamEndCapture(first, graph_.out()), "cuStreamEndCapture");
    if (!captured || !ended ||
        !status_(api_.cuGraphInstantiate(executable_.out(), graph_.get(), 0), "cuGraphInstantiate"))
        return false;
    result.graphBuild = microsecondsSince(start);
    return true;
}

/// Pageable copies hold the host up until the device has made them, which a closed gate would prevent.
bool TimelineRunner::canGate() const {
    if (order_.operations.size() > kMostGated) return false;
    return order_.run.options.pinned ||
           std::none_of(order_.operations.begin(), order_.operations.end(), [](const Operation& o) {
               return o.kind == OperationKind::CopyIn || o.kind == OperationKind::CopyOut;
           });
}

double TimelineRunner::elapsed(cu::Event to) const {
    float milliseconds = 0;
    return api_.cuEventElapsedTime(&milliseconds, begin_.get(), to) == cu::kSuccess ? double(milliseconds) * 1e3 : 0;
}

std::vector<Span> TimelineRunner::readSpans() const {
    std::vector<Span> spans;
    for (size_t i = 0; i < starts_.size(); ++i)
        spans.push_back({uint32_t(i), elapsed(starts_[i].get()), elapsed(ends_[i].get())});
    clipToEngines(spans, order_.operations);
    return spans;
}

bool TimelineRunner::repeatOnce(TimelineResult& result) {
    cu::Stream first = streams_[0].get();
    buffers_.writeManaged();
    const auto start = Clock::now();
    const bool gated = canGate() && gate_.close(first);
    bool good = true;
    if (order_.graph)
        good = status_(api_.cuEventRecord(begin_.get(), first), "cuEventRecord") &&
               status_(api_.cuGraphLaunch(executable_.get(), first), "cuGraphLaunch");
    else
        good = startStreams() && enqueueAll(!starts_.empty()) && joinStreams();
    good = good && status_(api_.cuEventRecord(finish_.get(), first), "cuEventRecord");
    result.gated = gate_.open() && gated;
    if (!good || !waitForAll()) return false;
    buffers_.readManaged();
    result.host.microseconds.push_back(microsecondsSince(start));
    result.device.microseconds.push_back(elapsed(finish_.get()));
    return true;
}

bool TimelineRunner::run(TimelineResult& result, const RunHooks& hooks, bool& cancelled) {
    if (!prepare(result)) return false;
    const RunOptions& options = order_.run.options;
    const unsigned total = 1 + options.warmUps + std::max(options.launches, 1u);
    std::vector<std::pair<double, std::vector<Span>>> all;
    for (unsigned i = 0; i < total; ++i) {
        if (hooks.cancelled()) {
            cancelled = true;
            return true;
        }
        const bool good = repeatOnce(result);
        if (i == 0) {
            hooks.afterFirst();
            if (good) buffers_.keepOutputs();
        }
        if (!good) return false;
        if (i < 1 + options.warmUps) {
            result.host.microseconds.clear();
            result.device.microseconds.clear();
            continue;
        }
        all.emplace_back(result.device.microseconds.back(), readSpans());
        hooks.progress({RunPhase::Measuring, i + 1, total});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    result.spans = std::move(all[all.size() / 2].second);
    return true;
}

} // namespace gpu
