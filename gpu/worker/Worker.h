// The worker's side of the conversation: one order after another, on whatever GPU there is.
#pragma once

#include "gpu/protocol/Channel.h"
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/SharedRegion.h"
#include "gpu/worker/CompileCache.h"
#include "gpu/worker/CuptiApi.h"
#include "gpu/worker/DeviceQuery.h"
#include "gpu/worker/DriverApi.h"
#include "gpu/worker/Measurement.h"
#include "gpu/worker/NvrtcApi.h"
#include "gpu/worker/NvrtcCompiler.h"
#include "gpu/worker/OutputCapture.h"

#include <map>
#include <memory>

namespace gpu {

/// Lives in a process of its own, which a fault may end at any time; keeps nothing that must survive. Answers until
/// the other end closes or something arrives that it does not understand.
class Worker {
public:
    explicit Worker(UniqueFd socket);
    /// 0 when the other end closed, 1 after a message that is not one.
    int serve();

private:
    struct Order {
        RunOrder order;
        RegionLayout layout;
        SharedRegion region;
    };

    bool answer(Message& message);
    bool readOrder(Message& message, Order& order);
    const Survey& survey();
    RunReply run(Order& order);
    void runOn(const DeviceInfo& device, Order& order, RunReply& reply);
    bool measure(const DeviceInfo& device, Order& order, PreparedLaunch& launch, CallStatus& status, RunReply& reply);
    ProfileReply profile(Order& order);
    bool makeCurrent(const DeviceInfo& device, CallStatus& status);
    bool loadHelpers(const DeviceInfo& device, HelperKernels& helpers);
    CompileOutcome compile(const RunOrder& order, const DeviceInfo& device);
    void fail(const CallStatus& status, const DeviceInfo& device, const RunOrder& order, RunReply& reply);
    bool cancelArrived();
    void report(const Progress& progress);

    Channel channel_;
    OutputCapture output_, errors_;
    DriverApi driver_;
    NvrtcApi nvrtc_;
    CuptiApi cupti_;
    std::unique_ptr<ManagementLibrary> management_;
    CompileCache cache_;
    NvrtcCompiler compiler_;
    std::map<int, cu::Context> contexts_; ///< By device index; primary contexts, kept until the process ends.
    Survey survey_;
    bool surveyed_ = false;
};

/// What of a launch configuration the device cannot do, in a sentence with the numbers; empty when it all fits.
std::string configurationProblem(const sim::LaunchConfig& config, const KernelResources& resources,
                                 const DeviceInfo& device);

} // namespace gpu
