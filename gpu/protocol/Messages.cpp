// The field list of every struct that travels, and the layout of the shared region.
#include "gpu/protocol/Messages.h"

#include "gpu/protocol/Wire.h"

#include <limits>

namespace sim {

template <class A>
void fields(A& a, Dim3& v) {
    a(v.x, v.y, v.z);
}
template <class A>
void fields(A& a, LaunchConfig& v) {
    a(v.grid, v.block, v.dynamicSharedBytes);
}
template <class A>
void fields(A& a, Argument& v) {
    a(v.buffer, v.byteOffset, v.scalar);
}
template <class A>
void fields(A& a, Diagnostic& v) {
    a(v.severity, v.at.line, v.at.column, v.message, v.rendered);
}

} // namespace sim

namespace gpu {

template <class A>
void fields(A& a, Clocks& v) {
    a(v.multiprocessorMHz, v.memoryMHz, v.temperatureC);
}
template <class A>
void fields(A& a, Samples& v) {
    a(v.microseconds);
}
template <class A>
void fields(A& a, Counter& v) {
    a(v.name, v.value);
}
template <class A>
void fields(A& a, Availability& v) {
    a(v.available, v.reason, v.whatToDo);
}
template <class A>
void fields(A& a, DriverError& v) {
    a(v.code, v.name, v.text, v.call);
}
template <class A>
void fields(A& a, Progress& v) {
    a(v.phase, v.done, v.total);
}

template <class A>
void fields(A& a, DeviceInfo& v) {
    a(v.index, v.name, v.uuid, v.pciBusId, v.computeMajor, v.computeMinor, v.multiprocessors, v.memoryBytes, v.l2Bytes);
    a(v.sharedBytesPerBlock, v.sharedBytesPerBlockOptIn, v.sharedBytesPerMultiprocessor, v.reservedSharedBytesPerBlock,
      v.constantBytes, v.registersPerBlock, v.registersPerMultiprocessor);
    a(v.maxThreadsPerBlock, v.maxThreadsPerMultiprocessor, v.maxBlocksPerMultiprocessor, v.warpSize, v.maxBlock,
      v.maxGrid, v.clockKHz, v.memoryClockKHz, v.memoryBusBits, v.asyncEngines);
    a(v.ecc, v.integrated, v.managedMemory, v.concurrentKernels, v.concurrentManagedAccess, v.clocks);
}
template <class A>
void fields(A& a, Platform& v) {
    a(v.driverApiVersion, v.driverVersion, v.nvrtcMajor, v.nvrtcMinor, v.driverPath, v.nvrtcPath, v.cuptiPath);
}
template <class A>
void fields(A& a, Survey& v) {
    a(v.availability, v.platform, v.devices);
}

template <class A>
void fields(A& a, RunOptions& v) {
    a(v.device, v.warmUps, v.launches, v.flushCache, v.pinned, v.secondsLimit, v.secondsToMeasure, v.defines,
      v.counters);
}
template <class A>
void fields(A& a, BufferHeader& v) {
    a(v.name, v.type, v.count, v.initialised, v.hasBytes, v.output);
}
template <class A>
void fields(A& a, RunOrder& v) {
    a(v.source, v.fileName, v.kernel, v.config, v.arguments, v.buffers, v.options);
}
template <class A>
void fields(A& a, KernelResources& v) {
    a(v.registers, v.sharedBytes, v.localBytes, v.constantBytes, v.maxThreadsPerBlock, v.spillStoreBytes,
      v.spillLoadBytes, v.stackBytes, v.residentBlocks);
}
template <class A>
void fields(A& a, Timings& v) {
    a(v.copyIn, v.kernel, v.copyOut, v.bytesIn, v.bytesOut, v.firstKernel, v.firstLaunchCall, v.compile, v.moduleLoad,
      v.startContext, v.compiledBefore, v.launchCall, v.emptyLaunch);
    a(v.flushedCache, v.pinned, v.gated, v.warmUps, v.before, v.after);
}
template <class A>
void fields(A& a, RunResult& v) {
    a(v.status, v.reason, v.whatToDo, v.error, v.compileLog, v.diagnostics, v.resources, v.printed, v.printedErrors);
    a(v.timings, v.counters, v.countersReason, v.device, v.platform, v.workerReplaced);
}
template <class A>
void fields(A& a, RunReply& v) {
    a(v.result, v.mustEnd, v.outputsValid);
}
template <class A>
void fields(A& a, Operation& v) {
    a(v.kind, v.stream, v.buffer, v.byteOffset, v.bytes, v.kernel, v.config, v.arguments, v.event);
}
template <class A>
void fields(A& a, TimelineOrder& v) {
    a(v.run, v.operations, v.managed, v.graph);
}
template <class A>
void fields(A& a, Span& v) {
    a(v.operation, v.start, v.end);
}
template <class A>
void fields(A& a, TimelineReply& v) {
    a(v.run, v.timeline.spans, v.timeline.host, v.timeline.device, v.timeline.graphBuild, v.timeline.gated);
}
template <class A>
void fields(A& a, ProfileReply& v) {
    a(v.counters, v.reason, v.mustEnd);
}

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxRegion = uint64_t{1} << 46;

template <class T>
std::vector<std::byte> toBytes(const T& value) {
    Writer writer;
    writer(const_cast<T&>(value)); // A Writer only reads; the field lists serve both directions.
    return std::move(writer.bytes);
}

template <class T>
bool fromBytes(std::span<const std::byte> bytes, T& value) {
    Reader reader(bytes);
    reader(value);
    return reader.complete();
}

bool knownType(sim::ElementType type) {
    return unsigned(type) <= unsigned(sim::ElementType::F64);
}

} // namespace

std::optional<RegionLayout> layOut(const std::vector<BufferHeader>& buffers) {
    RegionLayout layout;
    const auto place = [&](bool wanted, uint64_t bytes) {
        if (!wanted) return RegionLayout::kNone;
        const uint64_t at = layout.total;
        layout.total += (bytes + kPage - 1) / kPage * kPage;
        return at;
    };
    for (const BufferHeader& buffer : buffers)
        if (!knownType(buffer.type) || buffer.count > kMaxRegion) return std::nullopt;
    for (const BufferHeader& buffer : buffers) {
        layout.in.push_back(place(buffer.hasBytes, buffer.bytes()));
        if (layout.total > kMaxRegion) return std::nullopt;
    }
    for (const BufferHeader& buffer : buffers) {
        layout.out.push_back(place(buffer.output, buffer.bytes()));
        if (layout.total > kMaxRegion) return std::nullopt;
    }
    return layout;
}

RunOrder orderOf(const RunRequest& request) {
    RunOrder order{request.source, request.fileName, request.kernel, request.config, request.arguments, {},
                   request.options};
    for (size_t i = 0; i < request.buffers.size(); ++i) {
        const sim::Buffer& buffer = request.buffers[i];
        const bool output = request.output.empty() || (i < request.output.size() && request.output[i]);
        const bool hasBytes = buffer.initialised || !buffer.bytes.empty();
        order.buffers.push_back({buffer.name, buffer.type, buffer.count, buffer.initialised, hasBytes, output});
    }
    return order;
}

namespace {

std::string argumentProblem(const std::vector<sim::Argument>& arguments, size_t buffers) {
    for (size_t i = 0; i < arguments.size(); ++i) {
        const sim::Argument& argument = arguments[i];
        const std::string which = "Argument " + std::to_string(i + 1);
        if (argument.buffer >= 0 && size_t(argument.buffer) >= buffers)
            return which + " names buffer " + std::to_string(argument.buffer) + ", but there are only " +
                   std::to_string(buffers) + " buffers.";
        if (argument.buffer < 0 && argument.scalar.empty())
            return which + " is neither a buffer nor a value: give it one.";
    }
    return {};
}

std::string launchProblem(const std::string& kernel, const sim::LaunchConfig& config,
                          const std::vector<sim::Argument>& arguments, size_t buffers) {
    if (kernel.empty()) return "No kernel is named: give the name of a __global__ function of the text.";
    if (config.grid.count() == 0 || config.block.count() == 0)
        return "A grid or block extent is 0: every extent must be at least 1.";
    return argumentProblem(arguments, buffers);
}

/// What is wrong with an operation's buffer and bytes: copies need the host's side of it, prefetches managed memory.
std::string rangeProblem(const TimelineOrder& order, const Operation& operation) {
    if (operation.buffer < 0 || size_t(operation.buffer) >= order.run.buffers.size()) return "names no buffer.";
    const BufferHeader& buffer = order.run.buffers[size_t(operation.buffer)];
    const auto index = size_t(operation.buffer);
    const bool managed = index < order.managed.size() && order.managed[index] != 0;
    if (operation.byteOffset > buffer.bytes() || operation.bytes > buffer.bytes() - operation.byteOffset)
        return "goes past the end of buffer '" + buffer.name + "'.";
    if (managed != (operation.kind == OperationKind::Prefetch))
        return managed ? "copies managed memory, which needs no copy." : "prefetches memory that is not managed.";
    if (operation.kind == OperationKind::CopyIn && !buffer.hasBytes)
        return "copies in buffer '" + buffer.name + "', which has no contents.";
    if (operation.kind == OperationKind::CopyOut && !buffer.output)
        return "copies out buffer '" + buffer.name + "', which is not an output.";
    return {};
}

std::string operationProblem(const TimelineOrder& order, const Operation& operation) {
    if (operation.stream >= kMaxStreams) return "names stream " + std::to_string(operation.stream) + "; there are 64.";
    switch (operation.kind) {
    case OperationKind::CopyIn:
    case OperationKind::CopyOut:
    case OperationKind::Prefetch: return rangeProblem(order, operation);
    case OperationKind::Kernel:
        return launchProblem(operation.kernel, operation.config, operation.arguments, order.run.buffers.size());
    case OperationKind::Record:
    case OperationKind::Wait: return operation.event < kMaxEvents ? "" : "names an event beyond the 4096 there are.";
    }
    return "is of an unknown kind.";
}

} // namespace

std::string problemOf(const RunOrder& order) {
    return launchProblem(order.kernel, order.config, order.arguments, order.buffers.size());
}

std::string problemOf(const TimelineOrder& order) {
    if (order.operations.empty() || order.operations.size() > kMaxOperations)
        return "A timeline has at least one operation, and at most " + std::to_string(kMaxOperations) + ".";
    for (size_t i = 0; i < order.operations.size(); ++i)
        if (const std::string problem = operationProblem(order, order.operations[i]); !problem.empty())
            return "Operation " + std::to_string(i + 1) + ": " + problem;
    return {};
}

std::vector<std::byte> encode(const RunOrder& order) {
    return toBytes(order);
}
std::vector<std::byte> encode(const RunReply& reply) {
    return toBytes(reply);
}
std::vector<std::byte> encode(const ProfileReply& reply) {
    return toBytes(reply);
}
std::vector<std::byte> encode(const TimelineOrder& order) {
    return toBytes(order);
}
std::vector<std::byte> encode(const TimelineReply& reply) {
    return toBytes(reply);
}
std::vector<std::byte> encode(const Progress& progress) {
    return toBytes(progress);
}
std::vector<std::byte> encode(const Survey& survey) {
    return toBytes(survey);
}

bool decode(std::span<const std::byte> bytes, RunOrder& order) {
    return fromBytes(bytes, order);
}
bool decode(std::span<const std::byte> bytes, RunReply& reply) {
    return fromBytes(bytes, reply) && unsigned(reply.result.status) <= unsigned(RunStatus::Unavailable);
}
bool decode(std::span<const std::byte> bytes, ProfileReply& reply) {
    return fromBytes(bytes, reply);
}
bool decode(std::span<const std::byte> bytes, TimelineOrder& order) {
    return fromBytes(bytes, order);
}
bool decode(std::span<const std::byte> bytes, TimelineReply& reply) {
    return fromBytes(bytes, reply) && unsigned(reply.run.result.status) <= unsigned(RunStatus::Unavailable);
}
bool decode(std::span<const std::byte> bytes, Progress& progress) {
    return fromBytes(bytes, progress);
}
bool decode(std::span<const std::byte> bytes, Survey& survey) {
    return fromBytes(bytes, survey);
}

} // namespace gpu
