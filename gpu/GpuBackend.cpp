// Sessions: a worker process, the requests sent to it, and what becomes of it when a kernel misbehaves.
#include "gpu/GpuBackend.h"

#include "gpu/protocol/Messages.h"
#include "gpu/protocol/SharedRegion.h"
#include "gpu/protocol/WorkerProcess.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>

namespace gpu {
namespace {

constexpr double kSendSeconds = 10; // For a worker that does not read.
constexpr double kCancelGraceSeconds = 0.3;
constexpr const char* kReinstall = "Install the program again, so that playground-gpu-worker lies beside it.";

RunResult unavailable(const Availability& availability) {
    RunResult result;
    result.status = RunStatus::Unavailable;
    result.reason = availability.reason;
    result.whatToDo = availability.whatToDo;
    return result;
}

RunResult failed(RunStatus status, std::string reason) {
    RunResult result;
    result.status = status;
    result.reason = std::move(reason);
    return result;
}

std::string secondsText(double seconds) {
    std::string text = std::to_string(seconds);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
}

std::string sizeProblem(const RunRequest& request, const RunOrder& order) {
    for (size_t i = 0; i < request.buffers.size(); ++i) {
        if (!order.buffers[i].hasBytes || request.buffers[i].bytes.size() == order.buffers[i].bytes()) continue;
        return "Buffer '" + request.buffers[i].name + "' holds " + std::to_string(request.buffers[i].bytes.size()) +
               " bytes, but " + std::to_string(request.buffers[i].count) + " elements of " +
               sim::toString(request.buffers[i].type) + " are " + std::to_string(order.buffers[i].bytes()) + ".";
    }
    return {};
}

void fillRegion(const RunRequest& request, const RegionLayout& layout, const SharedRegion& region) {
    for (size_t i = 0; i < request.buffers.size(); ++i)
        if (layout.in[i] != RegionLayout::kNone && !request.buffers[i].bytes.empty())
            std::memcpy(region.bytes().data() + layout.in[i], request.buffers[i].bytes.data(),
                        request.buffers[i].bytes.size());
}

/// The request's buffers, with the contents that came back where some did.
std::vector<sim::Buffer> buffersAfter(const RunRequest& request, const RunOrder& order, const RegionLayout& layout,
                                      const SharedRegion& region, bool outputsValid) {
    std::vector<sim::Buffer> buffers = request.buffers;
    for (size_t i = 0; outputsValid && i < buffers.size(); ++i) {
        if (layout.out[i] == RegionLayout::kNone) continue;
        const auto from = region.bytes().subspan(layout.out[i], order.buffers[i].bytes());
        buffers[i].bytes.assign(from.begin(), from.end());
    }
    return buffers;
}

/// One request on its way: what was asked, its headers, and the memory that its buffers travel in.
struct Transfer {
    const RunRequest& request;
    const RunOrder order;
    const ProgressFunction& progress;
    RegionLayout layout = {};
    SharedRegion region = {};
    Deadline deadline = {};
};

} // namespace

struct Session::Impl {
    explicit Impl(SessionOptions given) : options(std::move(given)), wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

    SessionOptions options;
    std::mutex running; ///< Held by the one run in progress.
    WorkerProcess worker;
    Survey survey; ///< Of the worker at hand.
    UniqueFd wake; ///< Readable once the run in progress is to be cancelled.
    std::atomic<bool> inRun = false;
    std::atomic<int> pid = -1;
    Progress last;

    std::string endWorker() {
        pid = -1;
        return worker.end();
    }
    bool ensureWorker();
    Availability startWorker();
    Availability broken(const std::string& what, ReceiveStatus status);
    std::optional<RunResult> open(Transfer& transfer, const std::string& problem);
    ReceiveStatus ask(MessageType question, MessageType answer, const std::vector<std::byte>& payload,
                      const Transfer& transfer, Message& message);
    ReceiveStatus await(MessageType wanted, Message& message, Deadline deadline, const ProgressFunction& progress);
    RunResult notReceived(ReceiveStatus status, const RunRequest& request);
    RunResult conclude(RunReply& reply, const Transfer& transfer);
    RunResult run(const RunRequest& request, const ProgressFunction& progress);
    TimelineResult runTimeline(const TimelineRequest& request, const ProgressFunction& progress);
    void profile(const Transfer& transfer, RunResult& result);
    /// Says who we ran on, whatever came of it.
    void sign(RunResult& result, const RunRequest& request) const;
    void beginRun() {
        uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t n = read(wake.get(), &ignored, sizeof ignored);
        last = {};
        inRun = true;
    }
};

Availability Session::Impl::broken(const std::string& what, ReceiveStatus status) {
    const std::string cause = endWorker();
    std::string reason = "The GPU worker " + what;
    if (status == ReceiveStatus::Closed) reason = "The GPU worker " + cause + " before it was ready";
    if (status == ReceiveStatus::TimedOut)
        reason = "The GPU worker was not ready within " + secondsText(options.startSeconds);
    return {false, reason + ".", "See whether nvidia-smi works, then try again. " + std::string(kReinstall)};
}

/// A worker that said hello in this protocol and told what GPUs there are.
Availability Session::Impl::startWorker() {
    survey = {};
    const std::string problem = worker.start(workerPath(options.workerPath));
    if (!problem.empty()) return {false, "The GPU worker could not be started: " + problem + ".", kReinstall};
    pid = worker.pid();
    const Deadline deadline = deadlineIn(options.startSeconds);
    Message message;
    ReceiveStatus status = worker.channel().receive(message, deadline);
    if (status != ReceiveStatus::Received || message.type != MessageType::Hello)
        return broken("is of another version or does not speak this program's protocol", status);
    if (!worker.channel().send(MessageType::AskSurvey, {}, deadline))
        status = ReceiveStatus::Closed;
    else
        status = worker.channel().receive(message, deadline);
    if (status != ReceiveStatus::Received || message.type != MessageType::Survey || !decode(message.payload, survey))
        return broken("answered with something that is not a list of devices", status);
    return survey.availability;
}

bool Session::Impl::ensureWorker() {
    // A worker that speaks without being asked, or has closed its end, died since the last run.
    if (worker.running() && worker.channel().pending()) endWorker();
    if (worker.running()) return survey.availability.available;
    last = {};
    survey.availability = startWorker();
    // Without a GPU there is nothing to keep; the next run looks again.
    if (!survey.availability.available) endWorker();
    return survey.availability.available;
}

/// Waits for the reply and passes progress on. On cancel() the worker is asked first; Woken means that it did not heed.
ReceiveStatus Session::Impl::await(MessageType wanted, Message& message, Deadline deadline,
                                   const ProgressFunction& progress) {
    bool asked = false;
    for (;;) {
        ReceiveStatus status = worker.channel().receive(message, deadline, asked ? -1 : wake.get());
        if (status == ReceiveStatus::Woken) {
            asked = true;
            deadline = std::min(deadline, deadlineIn(kCancelGraceSeconds));
            worker.channel().send(MessageType::Cancel, {}, deadline);
            continue;
        }
        if (asked && status == ReceiveStatus::TimedOut) return ReceiveStatus::Woken;
        if (status != ReceiveStatus::Received || message.type == wanted) return status;
        if (message.type != MessageType::Progress || !decode(message.payload, last)) return ReceiveStatus::Garbage;
        if (progress) progress(last);
    }
}

RunResult Session::Impl::notReceived(ReceiveStatus status, const RunRequest& request) {
    const std::string cause = endWorker();
    RunResult result;
    if (status == ReceiveStatus::Woken)
        result = failed(RunStatus::Cancelled, "The run was cancelled.");
    else if (status == ReceiveStatus::TimedOut) {
        const char* what = last.phase == RunPhase::Compiling ? "The compiler" : "The kernel";
        result = failed(RunStatus::TimeLimit, std::string(what) + " did not come to an end within " +
                                                  secondsText(request.options.secondsLimit) +
                                                  ". The GPU worker was ended; the next run starts a new one.");
    } else if (status == ReceiveStatus::Closed)
        result = failed(RunStatus::WorkerFailed,
                        "The GPU worker " + cause + " during the run. The next run starts a new one.");
    else
        result = failed(RunStatus::WorkerFailed, "The GPU worker answered with something that is not a valid message. "
                                                 "It was ended; the next run starts a new one.");
    result.workerReplaced = true;
    return result;
}

/// Everything that must be there before a request can be sent; the result when something is not.
std::optional<RunResult> Session::Impl::open(Transfer& transfer, const std::string& problem) {
    const auto layout = layOut(transfer.order.buffers);
    if (!layout) return failed(RunStatus::Rejected, "A buffer is too large or of an unknown element type.");
    for (const std::string& one : {problem, sizeProblem(transfer.request, transfer.order)})
        if (!one.empty()) return failed(RunStatus::Rejected, one);
    if (transfer.progress) transfer.progress({});
    if (!ensureWorker()) return unavailable(survey.availability);
    transfer.layout = *layout;
    transfer.region = SharedRegion::create(layout->total);
    if (!transfer.region.ok())
        return failed(RunStatus::Rejected, "There is not enough memory to hand " + std::to_string(layout->total) +
                                               " bytes of buffers to the GPU worker: use smaller buffers.");
    fillRegion(transfer.request, transfer.layout, transfer.region);
    transfer.deadline = deadlineIn(transfer.request.options.secondsLimit);
    return std::nullopt;
}

ReceiveStatus Session::Impl::ask(MessageType question, MessageType answer, const std::vector<std::byte>& payload,
                                 const Transfer& transfer, Message& message) {
    const Deadline reading = deadlineIn(kSendSeconds);
    if (!worker.channel().send(question, payload, reading, transfer.region.descriptor())) return ReceiveStatus::Closed;
    return await(answer, message, transfer.deadline, transfer.progress);
}

RunResult Session::Impl::conclude(RunReply& reply, const Transfer& transfer) {
    RunResult result = std::move(reply.result);
    result.buffers =
        buffersAfter(transfer.request, transfer.order, transfer.layout, transfer.region, reply.outputsValid);
    if (reply.mustEnd) endWorker();
    result.workerReplaced = reply.mustEnd;
    return result;
}

RunResult Session::Impl::run(const RunRequest& request, const ProgressFunction& progress) {
    Transfer transfer{request, orderOf(request), progress};
    if (auto failure = open(transfer, problemOf(transfer.order))) return *failure;
    Message message;
    const ReceiveStatus status = ask(MessageType::AskRun, MessageType::Run, encode(transfer.order), transfer, message);
    if (status != ReceiveStatus::Received) return notReceived(status, request);
    RunReply reply;
    if (!decode(message.payload, reply)) return notReceived(ReceiveStatus::Garbage, request);
    RunResult result = conclude(reply, transfer);
    if (result.status == RunStatus::Finished && !request.options.counters.empty()) profile(transfer, result);
    return result;
}

TimelineResult Session::Impl::runTimeline(const TimelineRequest& request, const ProgressFunction& progress) {
    Transfer transfer{request.base, orderOf(request.base), progress};
    const TimelineOrder order{
        transfer.order, request.operations, {request.managed.begin(), request.managed.end()}, request.graph};
    TimelineResult result;
    if (auto failure = open(transfer, problemOf(order))) {
        result.run = *failure;
        return result;
    }
    Message message;
    const ReceiveStatus status = ask(MessageType::AskTimeline, MessageType::Timeline, encode(order), transfer, message);
    TimelineReply reply;
    if (status != ReceiveStatus::Received)
        result.run = notReceived(status, request.base);
    else if (!decode(message.payload, reply))
        result.run = notReceived(ReceiveStatus::Garbage, request.base);
    else {
        result = std::move(reply.timeline);
        result.run = conclude(reply.run, transfer);
    }
    return result;
}

/// Counters come from a launch of their own, after the timed ones: neither the profiler's cost nor a fault in it
/// touches the result. A worker in which the profiler failed is not used again.
void Session::Impl::profile(const Transfer& transfer, RunResult& result) {
    Message message;
    ProfileReply reply;
    const ReceiveStatus status =
        ask(MessageType::AskProfile, MessageType::Profile, encode(transfer.order), transfer, message);
    if (status == ReceiveStatus::Received && decode(message.payload, reply)) {
        result.counters = std::move(reply.counters);
        result.countersReason = std::move(reply.reason);
        if (!reply.mustEnd) return;
    } else {
        result.countersReason =
            status == ReceiveStatus::TimedOut ? "The counters were not collected within the time limit."
            : status == ReceiveStatus::Woken  ? "Collecting the counters was cancelled."
                                              : "The GPU worker failed while it collected the counters.";
    }
    endWorker();
    result.workerReplaced = true;
}

void Session::Impl::sign(RunResult& result, const RunRequest& request) const {
    if (result.buffers.empty()) result.buffers = request.buffers;
    result.platform = survey.platform;
    const int device = request.options.device;
    if (device >= 0 && size_t(device) < survey.devices.size()) result.device = survey.devices[size_t(device)];
}

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;

Survey Session::survey() {
    const std::lock_guard lock(impl_->running);
    impl_->ensureWorker();
    return impl_->survey;
}

RunResult Session::run(const RunRequest& request, const ProgressFunction& progress) {
    const std::lock_guard lock(impl_->running);
    impl_->beginRun();
    RunResult result = impl_->run(request, progress);
    impl_->inRun = false;
    impl_->sign(result, request);
    return result;
}

TimelineResult Session::runTimeline(const TimelineRequest& request, const ProgressFunction& progress) {
    const std::lock_guard lock(impl_->running);
    impl_->beginRun();
    TimelineResult result = impl_->runTimeline(request, progress);
    impl_->inRun = false;
    impl_->sign(result.run, request.base);
    return result;
}

void Session::runAll(std::span<const RunRequest> requests, const std::function<bool(size_t, const RunResult&)>& done) {
    for (size_t i = 0; i < requests.size(); ++i) {
        const RunResult result = run(requests[i]);
        if (!done(i, result)) return;
        if (result.status == RunStatus::Cancelled || result.status == RunStatus::Unavailable) return;
    }
}

void Session::cancel() {
    if (!impl_->inRun) return;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = write(impl_->wake.get(), &one, sizeof one);
}

int Session::workerPid() const {
    return impl_->pid;
}

Survey survey() {
    return Session().survey();
}
Availability availability() {
    return survey().availability;
}
std::vector<DeviceInfo> devices() {
    return survey().devices;
}

} // namespace gpu
