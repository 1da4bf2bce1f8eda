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
#include "gpu/worker/PreparedLaunch.h"

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
    /// An order with the memory that came along.
    template <class T>
    struct Job {
        T order;
        RegionLayout layout;
        SharedRegion region;
    };
    using RunJob = Job<RunOrder>;
    using TimelineJob = Job<TimelineOrder>;

    bool answer(Message& message);
    template <class T>
    static bool read(Message& message, Job<T>& job);
    const Survey& survey();
    /// The device asked for, or nullptr with the reason in the result.
    const DeviceInfo* chooseDevice(int index, RunResult& result);
    bool makeCurrent(const DeviceInfo& device, CallStatus& status);
    CompileOutcome compile(const RunOrder& order, const std::string& kernel, const DeviceInfo& device);
    /// Compiles and notes how that went in the result, also when it failed; then the code is empty.
    CompiledCode compileInto(const RunOrder& order, const std::string& kernel, const DeviceInfo& device,
                             RunResult& result);
    bool loadHelpers(const DeviceInfo& device, HelperKernels& helpers);
    void fail(const CallStatus& status, const DeviceInfo& device, const RunOrder& order, RunReply& reply);
    RunHooks hooksFor(RunResult& result);

    RunReply run(RunJob& job);
    void runOn(const DeviceInfo& device, RunJob& job, RunReply& reply);
    bool measure(const DeviceInfo& device, RunJob& job, PreparedLaunch& launch, CallStatus& status, RunReply& reply);
    ProfileReply profile(RunJob& job);
    TimelineReply timeline(TimelineJob& job);
    void timelineOn(const DeviceInfo& device, TimelineJob& job, TimelineReply& reply);
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
