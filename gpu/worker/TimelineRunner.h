// Carries out a timeline: streams, events and graphs of a device.
#pragma once

#include "gpu/Timeline.h"
#include "gpu/worker/LoadedKernel.h"
#include "gpu/worker/Measurement.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gpu {

/// Runs the operations of one order as often as it says. Needs the device's context to be current.
class TimelineRunner {
public:
    TimelineRunner(const DriverApi& api, CallStatus& status, const TimelineOrder& order, DeviceBuffers& buffers,
                   int deviceIndex);

    /// Loads a kernel that the operations name; all have to be loaded before the rest.
    bool load(const std::string& kernel, const CompiledCode& code);
    /// A sentence about an operation whose arguments its kernel does not take, or empty.
    std::string argumentProblem() const;
    /// Makes streams, events and the graph, and runs everything. False after a driver error.
    bool run(TimelineResult& result, const RunHooks& hooks, bool& cancelled);

private:
    bool prepare(TimelineResult& result);
    bool buildGraph(TimelineResult& result);
    bool repeatOnce(TimelineResult& result);
    bool startStreams();
    bool enqueueAll(bool timed);
    bool enqueue(const Operation& operation, size_t index);
    bool joinStreams();
    bool waitForAll();
    bool canGate() const;
    std::vector<Span> readSpans() const;
    double elapsed(cu::Event to) const;
    bool makeEvents(std::vector<OwnedEvent>& events, size_t count);

    const DriverApi& api_;
    CallStatus& status_;
    const TimelineOrder& order_;
    DeviceBuffers& buffers_;
    int deviceIndex_;
    std::map<std::string, LoadedKernel> kernels_;
    std::vector<BoundArguments> arguments_; ///< By operation; empty ones for what is no kernel.
    std::vector<OwnedStream> streams_;
    std::vector<OwnedEvent> events_;        ///< Of Record and Wait.
    std::vector<OwnedEvent> starts_, ends_; ///< By operation, when spans are wanted.
    std::vector<OwnedEvent> joins_;         ///< By stream.
    OwnedEvent begin_, finish_;
    Owned<cu::Graph, &DriverApi::cuGraphDestroy> graph_;
    Owned<cu::GraphExec, &DriverApi::cuGraphExecDestroy> executable_;
    LaunchGate gate_;
};

} // namespace gpu
