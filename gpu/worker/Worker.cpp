// Orders carried out: compile, prepare, run, measure, and say how it went.
#include "gpu/worker/Worker.h"

#include "gpu/worker/CompileLog.h"
#include "gpu/worker/RangeProfiler.h"
#include "gpu/worker/TimelineRunner.h"

#include <unistd.h>

#include <algorithm>
#include <set>

namespace gpu {
namespace {

constexpr double kSendSeconds = 60;

double microsecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

bool isLaunchFault(const DriverError& error) {
    return error.code >= 700 && error.code < 800;
}

std::string sentenceOf(const DriverError& error) {
    const std::string what = error.text + " (" + error.name + ", " + std::to_string(error.code) + ").";
    if (error.call == "cuMemAlloc" || error.call == "cuMemAllocHost") return "No memory for the buffers: " + what;
    if (isLaunchFault(error) && error.call != "cuLaunchKernel") return "The GPU stopped the kernel: " + what;
    return error.call + " failed: " + what;
}

const std::vector<BufferHeader>& buffersOf(const RunOrder& order) {
    return order.buffers;
}
const std::vector<BufferHeader>& buffersOf(const TimelineOrder& order) {
    return order.run.buffers;
}

std::string exceeds(const char* what, uint64_t value, uint64_t limit) {
    return std::string(" ") + what + " is " + std::to_string(value) + ", and at most " + std::to_string(limit) +
           " is possible.";
}

} // namespace

std::string configurationProblem(const sim::LaunchConfig& config, const KernelResources& resources,
                                 const DeviceInfo& device) {
    std::string text;
    const auto check = [&](const char* what, uint64_t value, uint64_t limit) {
        if (limit > 0 && value > limit) text += exceeds(what, value, limit);
    };
    check("The number of threads per block", config.block.count(), device.maxThreadsPerBlock);
    check("blockDim.x", config.block.x, device.maxBlock.x);
    check("blockDim.y", config.block.y, device.maxBlock.y);
    check("blockDim.z", config.block.z, device.maxBlock.z);
    check("gridDim.x", config.grid.x, device.maxGrid.x);
    check("gridDim.y", config.grid.y, device.maxGrid.y);
    check("gridDim.z", config.grid.z, device.maxGrid.z);
    const uint64_t shared = uint64_t(std::max(resources.sharedBytes, 0)) + config.dynamicSharedBytes;
    check("Shared memory per block, in bytes,", shared, device.sharedBytesPerBlockOptIn);
    if (text.empty() && resources.maxThreadsPerBlock > 0)
        check("The number of threads per block", config.block.count(), uint64_t(resources.maxThreadsPerBlock));
    return text;
}

Worker::Worker(UniqueFd socket)
    : channel_(std::move(socket)), output_(STDOUT_FILENO), errors_(STDERR_FILENO),
      cache_(CompileCache::defaultFolder()), compiler_(nvrtc_, cache_) {}

int Worker::serve() {
    if (!channel_.send(MessageType::Hello, {}, deadlineIn(kSendSeconds))) return 0;
    for (;;) {
        Message message;
        const ReceiveStatus status = channel_.receive(message, deadlineIn(1e6));
        if (status == ReceiveStatus::TimedOut) continue;
        if (status == ReceiveStatus::Closed) return 0;
        if (status != ReceiveStatus::Received || !answer(message)) return 1;
    }
}

bool Worker::answer(Message& message) {
    const auto reply = [&](MessageType type, const std::vector<std::byte>& payload) {
        return channel_.send(type, payload, deadlineIn(kSendSeconds));
    };
    RunJob job;
    TimelineJob timelineJob;
    switch (message.type) {
    case MessageType::Cancel: return true; // It crossed with the end of the run that it was for.
    case MessageType::AskSurvey: return reply(MessageType::Survey, encode(survey()));
    case MessageType::AskRun: return read(message, job) && reply(MessageType::Run, encode(run(job)));
    case MessageType::AskProfile: return read(message, job) && reply(MessageType::Profile, encode(profile(job)));
    case MessageType::AskTimeline:
        return read(message, timelineJob) && reply(MessageType::Timeline, encode(timeline(timelineJob)));
    default: return false;
    }
}

template <class T>
bool Worker::read(Message& message, Job<T>& job) {
    if (!decode(message.payload, job.order) || !problemOf(job.order).empty()) return false;
    auto layout = layOut(buffersOf(job.order));
    if (!layout) return false;
    job.layout = std::move(*layout);
    job.region = SharedRegion::open(std::move(message.descriptor), job.layout.total);
    return job.region.ok();
}

const Survey& Worker::survey() {
    if (surveyed_) return survey_;
    surveyed_ = true;
    survey_.availability = driver_.load();
    if (!survey_.availability.available) return survey_;
    management_ = std::make_unique<ManagementLibrary>();
    driver_.cuDriverGetVersion(&survey_.platform.driverApiVersion);
    survey_.platform.driverVersion = management_->driverVersion();
    survey_.platform.driverPath = driver_.library.path();
    survey_.devices = queryDevices(driver_, *management_);
    survey_.availability = nvrtc_.load();
    survey_.platform.nvrtcMajor = nvrtc_.major;
    survey_.platform.nvrtcMinor = nvrtc_.minor;
    survey_.platform.nvrtcPath = nvrtc_.library.path();
    return survey_;
}

void Worker::report(const Progress& progress) {
    channel_.send(MessageType::Progress, encode(progress), deadlineIn(kSendSeconds));
}

bool Worker::cancelArrived() {
    Message message;
    return channel_.pending() && channel_.receive(message, deadlineIn(1)) == ReceiveStatus::Received &&
           message.type == MessageType::Cancel;
}

bool Worker::makeCurrent(const DeviceInfo& device, CallStatus& status) {
    cu::Context& context = contexts_[device.index];
    if (context == nullptr) {
        cu::Device handle = 0;
        if (!status(driver_.cuDeviceGet(&handle, device.index), "cuDeviceGet")) return false;
        if (!status(driver_.cuDevicePrimaryCtxRetain(&context, handle), "cuDevicePrimaryCtxRetain")) return false;
    }
    return status(driver_.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

CompileOutcome Worker::compile(const RunOrder& order, const std::string& kernel, const DeviceInfo& device) {
    return compiler_.compile({order.source, order.fileName, kernel, order.options.defines, device.computeCapability()});
}

CompiledCode Worker::compileInto(const RunOrder& order, const std::string& kernel, const DeviceInfo& device,
                                 RunResult& result) {
    report({RunPhase::Compiling, 0, 0});
    CompileOutcome compiled = compile(order, kernel, device);
    result.compileLog = compiled.code.log;
    result.diagnostics = std::move(compiled.diagnostics);
    result.timings.compile = compiled.microseconds;
    result.timings.compiledBefore = compiled.fromCache;
    if (compiled.ok) return std::move(compiled.code);
    result.status = RunStatus::CompileFailed;
    const auto isError = [](const auto& diagnostic) { return diagnostic.severity == sim::Diagnostic::Severity::Error; };
    const auto first = std::find_if(result.diagnostics.begin(), result.diagnostics.end(), isError);
    result.reason = first != result.diagnostics.end() ? first->message : "The kernel does not compile.";
    return {};
}

const DeviceInfo* Worker::chooseDevice(int index, RunResult& result) {
    const Survey& all = survey();
    if (!all.availability.available) {
        result.status = RunStatus::Unavailable;
        result.reason = all.availability.reason;
        result.whatToDo = all.availability.whatToDo;
        return nullptr;
    }
    if (index >= 0 && size_t(index) < all.devices.size()) return &all.devices[size_t(index)];
    result.status = RunStatus::Rejected;
    result.reason = "There is no GPU " + std::to_string(index) + "; this machine has " +
                    std::to_string(all.devices.size()) + ", counted from 0.";
    return nullptr;
}

RunReply Worker::run(RunJob& job) {
    RunReply reply;
    if (const DeviceInfo* device = chooseDevice(job.order.options.device, reply.result)) runOn(*device, job, reply);
    return reply;
}

/// A failed driver call as a result. A context that a fault has broken answers every call with that fault.
void Worker::fail(const CallStatus& status, const DeviceInfo& device, const RunOrder& order, RunReply& reply) {
    RunResult& result = reply.result;
    result.status = RunStatus::Failed;
    result.error = status.error();
    result.reason = sentenceOf(result.error);
    if (result.error.call == "cuLaunchKernel" || result.error.call == "cuFuncSetAttribute")
        result.reason += configurationProblem(order.config, result.resources, device);
    if (result.error.code == cu::kOutOfMemory) {
        uint64_t bytes = 0;
        for (const BufferHeader& buffer : order.buffers) bytes += buffer.bytes();
        result.reason += " The buffers need " + std::to_string(bytes >> 20) + " MiB; " + device.name + " has " +
                         std::to_string(device.memoryBytes >> 20) + " MiB.";
    }
    reply.mustEnd = driver_.cuCtxSynchronize() != cu::kSuccess;
}

void Worker::runOn(const DeviceInfo& device, RunJob& job, RunReply& reply) {
    RunResult& result = reply.result;
    const RunOrder& order = job.order;
    CallStatus status(driver_);
    auto start = Clock::now();
    if (!makeCurrent(device, status)) return fail(status, device, order, reply);
    result.timings.startContext = microsecondsSince(start);
    const CompiledCode code = compileInto(order, order.kernel, device, result);
    if (code.image.empty()) return;
    PreparedLaunch launch(driver_, status, order, job.layout, job.region.bytes());
    start = Clock::now();
    if (!launch.load(code)) return fail(status, device, order, reply);
    result.timings.moduleLoad = microsecondsSince(start);
    result.resources = launch.resources();
    const AssemblerReport assembled = parseAssemblerReport(code.log, code.loweredName);
    result.resources.spillStoreBytes = assembled.spillStoreBytes;
    result.resources.spillLoadBytes = assembled.spillLoadBytes;
    result.resources.stackBytes = assembled.stackBytes;
    if (result.reason = launch.argumentProblem(); !result.reason.empty()) {
        result.status = RunStatus::Rejected;
        return;
    }
    report({RunPhase::Copying, 0, 0});
    if (!launch.allocate() || !measure(device, job, launch, status, reply)) fail(status, device, order, reply);
}

/// From here on, what the device prints is this run's; its first launch counts.
RunHooks Worker::hooksFor(RunResult& result) {
    output_.take();
    errors_.take();
    const auto takePrinted = [&] {
        result.printed = output_.take();
        result.printedErrors = errors_.take();
    };
    return {[&](const Progress& p) { report(p); }, [&] { return cancelArrived(); }, takePrinted};
}

bool Worker::measure(const DeviceInfo& device, RunJob& job, PreparedLaunch& launch, CallStatus& status,
                     RunReply& reply) {
    RunResult& result = reply.result;
    const RunOptions& options = job.order.options;
    const RunHooks hooks = hooksFor(result);
    Measurement measurement(driver_, status, launch, options, hooks);
    result.timings.before = management_->clocks(device.pciBusId);
    if (!measurement.first(result.timings)) return false;
    reply.outputsValid = true;
    result.status = RunStatus::Finished;
    if (options.launches == 0) return true;
    report({RunPhase::Measuring, 0, options.warmUps + options.launches});
    bool cancelled = false;
    HelperKernels helpers(driver_, status);
    if (!loadHelpers(device, helpers) || !measurement.repeat(result.timings, helpers, device.l2Bytes, cancelled))
        return false;
    result.timings.after = management_->clocks(device.pciBusId);
    if (cancelled) {
        result.status = RunStatus::Cancelled;
        result.reason = "The run was cancelled.";
        return true;
    }
    const bool good = measurement.emptyLaunches(helpers, result.timings);
    output_.take();
    errors_.take();
    return good;
}

bool Worker::loadHelpers(const DeviceInfo& device, HelperKernels& helpers) {
    return helpers.load(
        compiler_
            .compile({HelperKernels::kSource, "helpers.cu", HelperKernels::kKernel, {}, device.computeCapability()})
            .code);
}

ProfileReply Worker::profile(RunJob& job) {
    ProfileReply reply;
    RunResult unused;
    const DeviceInfo* device = chooseDevice(job.order.options.device, unused);
    if (device == nullptr)
        reply.reason = unused.reason;
    else if (!cupti_.library.loaded())
        reply.reason = cupti_.load();
    if (!reply.reason.empty()) return reply;
    report({RunPhase::Counting, 0, 0});
    CallStatus status(driver_);
    const CompileOutcome compiled = compile(job.order, job.order.kernel, *device);
    if (!compiled.ok || !makeCurrent(*device, status)) {
        reply.reason = "The kernel could not be prepared for its counters.";
        return reply;
    }
    PreparedLaunch launch(driver_, status, job.order, job.layout, job.region.bytes());
    OwnedStream stream(driver_);
    const auto wait = [&] { return status(driver_.cuStreamSynchronize(stream.get()), "cuStreamSynchronize"); };
    const auto launchOnce = [&] { return launch.launch(stream.get()) && wait(); };
    RangeProfiler profiler(cupti_, contexts_[device->index], device->index);
    if (!launch.load(compiled.code) || !launch.argumentProblem().empty() || !launch.allocate() ||
        !status(driver_.cuStreamCreate(stream.out(), cu::kStreamNonBlocking), "cuStreamCreate") ||
        !launch.buffers().poison(stream.get()) || !launch.buffers().copyIn(stream.get()) || !wait())
        reply.reason = "The launch could not be prepared for its counters: " + status.error().text + ".";
    else
        reply.reason = profiler.collect(job.order.options.counters, launchOnce, reply.counters);
    reply.mustEnd = reply.counters.empty();
    return reply;
}

TimelineReply Worker::timeline(TimelineJob& job) {
    TimelineReply reply;
    if (const DeviceInfo* device = chooseDevice(job.order.run.options.device, reply.run.result))
        timelineOn(*device, job, reply);
    return reply;
}

void Worker::timelineOn(const DeviceInfo& device, TimelineJob& job, TimelineReply& reply) {
    RunResult& result = reply.run.result;
    const RunOrder& order = job.order.run;
    CallStatus status(driver_);
    if (!makeCurrent(device, status)) return fail(status, device, order, reply.run);
    DeviceBuffers buffers(driver_, status, order.buffers, job.layout, job.region.bytes());
    TimelineRunner runner(driver_, status, job.order, buffers, device.index);
    std::set<std::string> kernels;
    for (const Operation& operation : job.order.operations)
        if (operation.kind == OperationKind::Kernel) kernels.insert(operation.kernel);
    for (const std::string& kernel : kernels) {
        const CompiledCode code = compileInto(order, kernel, device, result);
        if (code.image.empty()) return;
        if (!runner.load(kernel, code)) return fail(status, device, order, reply.run);
    }
    if (result.reason = runner.argumentProblem(); !result.reason.empty()) {
        result.status = RunStatus::Rejected;
        return;
    }
    report({RunPhase::Copying, 0, 0});
    bool cancelled = false;
    const RunHooks hooks = hooksFor(result);
    if (!buffers.allocate(order.options.pinned, job.order.managed) || !runner.run(reply.timeline, hooks, cancelled))
        return fail(status, device, order, reply.run);
    result.status = cancelled ? RunStatus::Cancelled : RunStatus::Finished;
    if (cancelled) result.reason = "The run was cancelled.";
    reply.run.outputsValid = true;
    output_.take();
    errors_.take();
}

} // namespace gpu
