// Operations of the timelines.
#include "tests/gpu/TimelineRequests.h"

#include "tests/gpu/FaultDrill.h"

#include <cstring>

namespace timelines {
namespace {

using gpu::Operation;
using gpu::OperationKind;

constexpr unsigned kThreads = 256;

sim::Argument pointerTo(int buffer, uint64_t offset) {
    return {buffer, int64_t(offset), {}};
}

sim::Argument integer(unsigned value) {
    sim::Argument argument;
    argument.scalar.resize(sizeof value);
    std::memcpy(argument.scalar.data(), &value, sizeof value);
    return argument;
}

Operation copy(OperationKind kind, unsigned stream, int buffer, uint64_t offset, uint64_t bytes) {
    Operation operation;
    operation.kind = kind;
    operation.stream = stream;
    operation.buffer = buffer;
    operation.byteOffset = offset;
    operation.bytes = bytes;
    return operation;
}

Operation addOne(unsigned stream, int from, uint64_t offset, unsigned n) {
    Operation operation;
    operation.stream = stream;
    operation.kernel = "add_one";
    operation.config = {{(n + kThreads - 1) / kThreads, 1, 1}, {kThreads, 1, 1}, 0};
    operation.arguments = {pointerTo(0, offset), pointerTo(from, offset), integer(n)};
    return operation;
}

Operation event(OperationKind kind, unsigned stream) {
    Operation operation;
    operation.kind = kind;
    operation.stream = stream;
    return operation;
}

gpu::TimelineRequest base(unsigned n) {
    gpu::TimelineRequest request;
    request.base = drill::goodRequest(n);
    request.base.arguments.clear();
    request.base.kernel.clear();
    request.base.options.launches = 5;
    return request;
}

} // namespace

gpu::TimelineRequest chunked(const Shape& shape) {
    gpu::TimelineRequest request = base(shape.n);
    request.base.options.pinned = shape.pinned;
    request.graph = shape.graph;
    const unsigned each = shape.n / shape.chunks;
    for (unsigned c = 0; c < shape.chunks; ++c) {
        const unsigned stream = c % shape.streams;
        const uint64_t offset = uint64_t{c} * each * sizeof(int), bytes = each * sizeof(int);
        request.operations.push_back(copy(OperationKind::CopyIn, stream, 1, offset, bytes));
        request.operations.push_back(addOne(stream, 1, offset, each));
        request.operations.push_back(copy(OperationKind::CopyOut, stream, 0, offset, bytes));
    }
    return request;
}

gpu::TimelineRequest managed(unsigned n, bool prefetch) {
    gpu::TimelineRequest request = base(n);
    request.managed = {true, true};
    if (prefetch)
        for (const int buffer : {1, 0})
            request.operations.push_back(copy(OperationKind::Prefetch, 0, buffer, 0, uint64_t{n} * sizeof(int)));
    request.operations.push_back(addOne(0, 1, 0, n));
    return request;
}

gpu::TimelineRequest manyLaunches(unsigned count, bool graph) {
    const unsigned n = 256;
    gpu::TimelineRequest request = base(n);
    request.graph = graph;
    const uint64_t bytes = n * sizeof(int);
    request.operations = {copy(OperationKind::CopyIn, 0, 1, 0, bytes), addOne(0, 1, 0, n)};
    for (unsigned i = 1; i < count; ++i) request.operations.push_back(addOne(0, 0, 0, n));
    request.operations.push_back(copy(OperationKind::CopyOut, 0, 0, 0, bytes));
    return request;
}

gpu::TimelineRequest ordered(unsigned n, bool wait) {
    gpu::TimelineRequest request = base(n);
    request.base.options.pinned = true;
    const uint64_t bytes = uint64_t{n} * sizeof(int);
    request.operations = {copy(OperationKind::CopyIn, 0, 1, 0, bytes), event(OperationKind::Record, 0)};
    if (wait) request.operations.push_back(event(OperationKind::Wait, 1));
    request.operations.push_back(addOne(1, 1, 0, n));
    request.operations.push_back(copy(OperationKind::CopyOut, 1, 0, 0, bytes));
    return request;
}

std::string problem(const gpu::TimelineResult& result, int added) {
    if (result.run.status != gpu::RunStatus::Finished)
        return std::string(gpu::toString(result.run.status)) + ": " + result.run.reason;
    const auto& bytes = result.run.buffers[0].bytes;
    for (size_t i = 0; i < bytes.size() / sizeof(int); ++i) {
        int value = 0;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        if (value != int(i) + 5 + added)
            return "out[" + std::to_string(i) + "] is " + std::to_string(value) + ", not " +
                   std::to_string(int(i) + 5 + added);
    }
    if (result.host.count() != 5) return "there are " + std::to_string(result.host.count()) + " samples, not 5";
    return {};
}

} // namespace timelines
