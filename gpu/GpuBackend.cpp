// Sessions: a worker process, the requests sent to it, and what becomes of it when a kernel misbehaves.
#include "gpu/GpuBackend.h"

#include "gpu/protocol/Messages.h"
#include "gpu/protocol/SharedRegion.h"
#include "gpu/protocol/WorkerProcess.h"

#include <sys/eventfd.h>

#include <atomic>
#include <cstring>
#include <mutex>

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
    RunResult runOnce(const RunRequest& request, const ProgressFunction& progress);
    RunResult exchange(const RunRequest& request, const RunOrder& order, const RegionLayout& layout,
                       const SharedRegion& region, const ProgressFunction& progress);
    ReceiveStatus await(MessageType wanted, Message& message, Deadline deadline, const ProgressFunction& progress);
    RunResult notReceived(ReceiveStatus status, const RunRequest& request);
    void profile(const RunOrder& order, const SharedRegion& region, Deadline deadline, RunResult& result,
                 const ProgressFunction& progress);
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

RunResult Session::Impl::exchange(const RunRequest& request, const RunOrder& order, const RegionLayout& layout,
                                  const SharedRegion& region, const ProgressFunction& progress) {
    const Deadline deadline = deadlineIn(request.options.secondsLimit);
    Message message;
    ReceiveStatus status = ReceiveStatus::Closed;
    if (worker.channel().send(MessageType::AskRun, encode(order), deadlineIn(kSendSeconds), region.descriptor()))
        status = await(MessageType::Run, message, deadline, progress);
    if (status != ReceiveStatus::Received) return notReceived(status, request);
    RunReply reply;
    if (!decode(message.payload, reply)) return notReceived(ReceiveStatus::Garbage, request);
    RunResult result = std::move(reply.result);
    result.buffers = buffersAfter(request, order, layout, region, reply.outputsValid);
    if (reply.mustEnd) {
        endWorker();
        result.workerReplaced = true;
    } else if (result.status == RunStatus::Finished && !order.options.counters.empty())
        profile(order, region, deadline, result, progress);
    return result;
}

/// Counters come from a launch of their own, after the timed ones: neither the profiler's cost nor a fault in it
/// touches the result. A worker in which the profiler failed is not used again.
void Session::Impl::profile(const RunOrder& order, const SharedRegion& region, Deadline deadline, RunResult& result,
                            const ProgressFunction& progress) {
    Message message;
    ProfileReply reply;
    ReceiveStatus status = ReceiveStatus::Closed;
    if (worker.channel().send(MessageType::AskProfile, encode(order), deadlineIn(kSendSeconds), region.descriptor()))
        status = await(MessageType::Profile, message, deadline, progress);
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

RunResult Session::Impl::runOnce(const RunRequest& request, const ProgressFunction& progress) {
    const RunOrder order = orderOf(request);
    const std::optional<RegionLayout> layout = layOut(order.buffers);
    if (!layout) return failed(RunStatus::Rejected, "A buffer is too large or of an unknown element type.");
    for (const std::string& problem : {problemOf(order), sizeProblem(request, order)})
        if (!problem.empty()) return failed(RunStatus::Rejected, problem);
    if (progress) progress({});
    if (!ensureWorker()) return unavailable(survey.availability);
    const SharedRegion region = SharedRegion::create(layout->total);
    if (!region.ok())
        return failed(RunStatus::Rejected, "There is not enough memory to hand " + std::to_string(layout->total) +
                                               " bytes of buffers to the GPU worker: use smaller buffers.");
    fillRegion(request, *layout, region);
    RunResult result = exchange(request, order, *layout, region, progress);
    result.platform = survey.platform;
    if (const int device = request.options.device; device >= 0 && size_t(device) < survey.devices.size())
        result.device = survey.devices[size_t(device)];
    return result;
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
    RunResult result = impl_->runOnce(request, progress);
    impl_->inRun = false;
    if (result.buffers.empty()) result.buffers = request.buffers;
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
