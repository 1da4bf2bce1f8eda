// Copies and kernels on several streams, or as a graph, and when each of them ran.
#pragma once

#include "gpu/Run.h"

#include <string>
#include <vector>

namespace gpu {

enum class OperationKind : uint8_t {
    CopyIn, ///< Bytes of a buffer from host to device.
    Kernel,
    CopyOut,  ///< Bytes of a buffer from device to host.
    Record,   ///< Records an event on the stream.
    Wait,     ///< The stream waits for an event recorded before.
    Prefetch, ///< Moves bytes of a managed buffer to the device.
};

/// One thing enqueued on a stream. Only the members that its kind names matter.
struct Operation {
    OperationKind kind = OperationKind::Kernel;
    unsigned stream = 0;
    int buffer = -1;                      ///< CopyIn, CopyOut, Prefetch.
    uint64_t byteOffset = 0, bytes = 0;   ///< CopyIn, CopyOut, Prefetch.
    std::string kernel;                   ///< Kernel: its name in the source.
    sim::LaunchConfig config;             ///< Kernel.
    std::vector<sim::Argument> arguments; ///< Kernel.
    unsigned event = 0;                   ///< Record, Wait.
};

/// Operations in the order in which the host enqueues them. Of `base`, source, buffers, outputs and options count:
/// options.launches is how often all of it is repeated.
struct TimelineRequest {
    RunRequest base;
    std::vector<Operation> operations;
    std::vector<bool> managed; ///< By buffer: managed memory instead of device memory. Empty: none.
    bool graph = false;        ///< Capture the operations once and launch the graph.
};

/// When an operation ran, in microseconds since all streams started. It begins when its stream reaches it, or when the
/// one before it on the same copy engine ends, whichever is later.
struct Span {
    uint32_t operation = 0;
    double start = 0, end = 0;
};

struct TimelineResult {
    RunResult run;           ///< Status, reason, error, diagnostics, buffers, printed text, device.
    std::vector<Span> spans; ///< Of the repetition with the median device time; none of a graph or of more
                             ///< than kMaxSpans operations.
    Samples host;            ///< First enqueue until everything is back on the host.
    Samples device;          ///< Start of all streams until the end of the last.
    double graphBuild = 0;   ///< Microseconds to capture and instantiate the graph.
    bool gated = false;      ///< Everything was enqueued before the device could start.
};

inline constexpr size_t kMaxOperations = 100'000, kMaxSpans = 512;
inline constexpr unsigned kMaxStreams = 64, kMaxEvents = 4096;

/// Moves starts so that no two copies of one direction overlap, as each direction has one engine. Spans are in the
/// operations' order.
void clipToEngines(std::vector<Span>& spans, const std::vector<Operation>& operations);

} // namespace gpu
