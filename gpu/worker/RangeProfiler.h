// Hardware counters of one launch, by Nsight Compute's names, through CUPTI's range profiler.
#pragma once

#include "gpu/Run.h"
#include "gpu/worker/CuptiApi.h"

#include <functional>
#include <string>
#include <vector>

namespace gpu {

/// Collects counters around a launch. CUPTI runs the kernel as often as the counters need passes and puts memory back
/// in between, so the launch happens once as far as its data goes.
class RangeProfiler {
public:
    RangeProfiler(const CuptiApi& api, cu::Context context, int deviceIndex)
        : api_(api), context_(context), deviceIndex_(deviceIndex) {}
    ~RangeProfiler();
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;

    /// Runs `launch` (which enqueues one kernel and waits for it) and reads the counters. Names that this GPU does not
    /// have are left out and named in the reason. Empty, or why counters are missing.
    std::string collect(const std::vector<std::string>& names, const std::function<bool()>& launch,
                        std::vector<Counter>& counters);

private:
    bool check(int result, const char* what);
    bool openHost();
    bool schedule(const std::vector<std::string>& names);
    bool openRange();
    bool measure(const std::function<bool()>& launch);
    bool evaluate(std::vector<Counter>& counters);

    const CuptiApi& api_;
    cu::Context context_;
    int deviceIndex_;
    bool initialized_ = false;
    std::string reason_, unknown_;
    cupti::HostObject host_ = nullptr;
    cupti::ProfilerObject range_ = nullptr;
    std::vector<const char*> metrics_;
    std::vector<uint8_t> config_, counterData_, availability_;
};

} // namespace gpu
