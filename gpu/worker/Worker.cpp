// Orders carried out: compile, prepare, run, measure, and say how it went.
#include "gpu/worker/Worker.h"

#include "gpu/worker/CompileLog.h"
#include "gpu/worker/RangeProfiler.h"

#include <unistd.h>

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
    const Deadline deadline = deadlineIn(kSendSeconds);
    Order order;
    switch (message.type) {
    case MessageType::Cancel: return true; // It crossed with the end of the run that it was for.
    case MessageType::AskSurvey: return channel_.send(MessageType::Survey, encode(survey()), deadline);
    case MessageType::AskRun:
        return readOrder(message, order) &&
               channel_.send(MessageType::Run, encode(run(order)), deadlineIn(kSendSeconds));
    case MessageType::AskProfile:
        return readOrder(message, order) &&
               channel_.send(MessageType::Profile, encode(profile(order)), deadlineIn(kSendSeconds));
    default: return false;
    }
}

bool Worker::readOrder(Message& message, Order& order) {
    if (!decode(message.payload, order.order) || !problemOf(order.order).empty()) return false;
    auto layout = layOut(order.order.buffers);
    if (!layout) return false;
    order.layout = std::move(*layout);
    order.region = SharedRegion::open(std::move(message.descriptor), order.layout.total);
    return order.region.ok();
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

CompileOutcome Worker::compile(const RunOrder& order, const DeviceInfo& device) {
    return compiler_.compile(
        {order.source, order.fileName, order.kernel, order.options.defines, device.computeCapability()});
}

RunReply Worker::run(Order& order) {
    RunReply reply;
    const Survey& all = survey();
    const int index = order.order.options.device;
    if (!all.availability.available) {
        reply.result.status = RunStatus::Unavailable;
        reply.result.reason = all.availability.reason;
        reply.result.whatToDo = all.availability.whatToDo;
    } else if (index < 0 || size_t(index) >= all.devices.size()) {
        reply.result.status = RunStatus::Rejected;
        reply.result.reason = "There is no GPU " + std::to_string(index) + "; this machine has " +
                              std::to_string(all.devices.size()) + ", counted from 0.";
    } else
        runOn(all.devices[size_t(index)], order, reply);
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

void Worker::runOn(const DeviceInfo& device, Order& given, RunReply& reply) {
    RunResult& result = reply.result;
    const RunOrder& order = given.order;
    CallStatus status(driver_);
    auto start = Clock::now();
    if (!makeCurrent(device, status)) return fail(status, device, order, reply);
    result.timings.startContext = microsecondsSince(start);
    report({RunPhase::Compiling, 0, 0});
    CompileOutcome compiled = compile(order, device);
    result.compileLog = compiled.code.log;
    result.diagnostics = std::move(compiled.diagnostics);
    result.timings.compile = compiled.microseconds;
    result.timings.compiledBefore = compiled.fromCache;
    if (!compiled.ok) {
        result.status = RunStatus::CompileFailed;
        result.reason = "The kernel does not compile.";
        for (const sim::Diagnostic& diagnostic : result.diagnostics)
            if (diagnostic.severity == sim::Diagnostic::Severity::Error) {
                result.reason = diagnostic.message;
                break;
            }
        return;
    }
    PreparedLaunch launch(driver_, status, order, given.layout, given.region.bytes());
    start = Clock::now();
    if (!launch.load(compiled.code)) return fail(status, device, order, reply);
    result.timings.moduleLoad = microsecondsSince(start);
    result.resources = launch.resources();
    const AssemblerReport assembled = parseAssemblerReport(compiled.code.log, compiled.code.loweredName);
    result.resources.spillStoreBytes = assembled.spillStoreBytes;
    result.resources.spillLoadBytes = assembled.spillLoadBytes;
    result.resources.stackBytes = assembled.stackBytes;
    if (result.reason = launch.argumentProblem(); !result.reason.empty()) {
        result.status = RunStatus::Rejected;
        return;
    }
    report({RunPhase::Copying, 0, 0});
    if (!launch.allocate() || !measure(device, given, launch, status, reply)) fail(status, device, order, reply);
}

bool Worker::measure(const DeviceInfo& device, Order& given, PreparedLaunch& launch, CallStatus& status,
                     RunReply& reply) {
    RunResult& result = reply.result;
    const RunOptions& options = given.order.options;
    output_.take();
    errors_.take();
    const auto takePrinted = [&] {
        result.printed = output_.take();
        result.printedErrors = errors_.take();
    };
    const RunHooks hooks{[&](const Progress& p) { report(p); }, [&] { return cancelArrived(); }, takePrinted};
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

ProfileReply Worker::profile(Order& given) {
    ProfileReply reply;
    const Survey& all = survey();
    const int index = given.order.options.device;
    if (!all.availability.available || index < 0 || size_t(index) >= all.devices.size()) {
        reply.reason = "There is no such GPU.";
        return reply;
    }
    const DeviceInfo& device = all.devices[size_t(index)];
    if (!cupti_.library.loaded()) reply.reason = cupti_.load();
    if (!reply.reason.empty()) return reply;
    report({RunPhase::Counting, 0, 0});
    CallStatus status(driver_);
    const CompileOutcome compiled = compile(given.order, device);
    if (!compiled.ok || !makeCurrent(device, status)) {
        reply.reason = "The kernel could not be prepared for its counters.";
        return reply;
    }
    PreparedLaunch launch(driver_, status, given.order, given.layout, given.region.bytes());
    OwnedStream stream(driver_);
    const auto run = [&] {
        return launch.launch(stream.get()) && status(driver_.cuStreamSynchronize(stream.get()), "cuStreamSynchronize");
    };
    RangeProfiler profiler(cupti_, contexts_[device.index], device.index);
    if (!launch.load(compiled.code) || !launch.argumentProblem().empty() || !launch.allocate() ||
        !status(driver_.cuStreamCreate(stream.out(), cu::kStreamNonBlocking), "cuStreamCreate") ||
        !launch.poison(stream.get()) || !launch.copyIn(stream.get()) ||
        !status(driver_.cuStreamSynchronize(stream.get()), "cuStreamSynchronize"))
        reply.reason = "The launch could not be prepared for its counters: " + status.error().text + ".";
    else
        reply.reason = profiler.collect(given.order.options.counters, run, reply.counters);
    reply.mustEnd = reply.counters.empty();
    return reply;
}

} // namespace gpu
