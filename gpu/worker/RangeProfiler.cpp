// The steps of CUPTI's range profiling: host object, configuration, counter data, passes, evaluation.
#include "gpu/worker/RangeProfiler.h"

#include <cmath>

namespace gpu {

RangeProfiler::~RangeProfiler() {
    if (range_ != nullptr) {
        cupti::RangeOnly disable;
        disable.object = range_;
        api_.rangeDisable(&disable);
    }
    if (host_ != nullptr) {
        cupti::HostDeinitialize end;
        end.object = host_;
        api_.hostDeinitialize(&end);
    }
    if (initialized_) {
        cupti::Initialize end;
        api_.deinitialize(&end);
    }
}

bool RangeProfiler::check(int result, const char* what) {
    if (result == cupti::kSuccess) return true;
    if (!reason_.empty()) return false;
    if (result == cupti::kInsufficientPrivileges || result == cupti::kVirtualInsufficientPrivileges)
        reason_ =
            "The driver lets only administrators read hardware counters (ERR_NVGPUCTRPERM). An administrator allows it "
            "for everyone with 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in a file in /etc/modprobe.d, "
            "then a restart: https://developer.nvidia.com/ERR_NVGPUCTRPERM";
    else
        reason_ = std::string("CUPTI could not ") + what + ": " + api_.describe(result) + ".";
    return false;
}

bool RangeProfiler::openHost() {
    cupti::Initialize initialize;
    initialized_ = check(api_.initialize(&initialize), "start");
    if (!initialized_) return false;
    cupti::DeviceGetChipName chip;
    chip.deviceIndex = size_t(deviceIndex_);
    if (!check(api_.getChipName(&chip), "name the chip")) return false;
    cupti::GetCounterAvailability available;
    available.context = context_;
    if (!check(api_.getCounterAvailability(&available), "list the counters")) return false;
    availability_.resize(available.imageSize);
    available.image = availability_.data();
    if (!check(api_.getCounterAvailability(&available), "list the counters")) return false;
    cupti::HostInitialize host;
    host.chipName = chip.chipName;
    host.counterAvailability = availability_.data();
    if (!check(api_.hostInitialize(&host), "prepare for this chip")) return false;
    host_ = host.object;
    return true;
}

bool RangeProfiler::schedule(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        cupti::HostGetMetricProperties properties;
        properties.object = host_;
        properties.name = name.c_str();
        if (api_.hostGetMetricProperties(&properties) == cupti::kSuccess)
            metrics_.push_back(name.c_str());
        else
            unknown_ += (unknown_.empty() ? "" : ", ") + name;
    }
    if (metrics_.empty()) return false;
    cupti::HostConfigAddMetrics add;
    add.object = host_;
    add.names = metrics_.data();
    add.count = metrics_.size();
    if (!check(api_.hostConfigAddMetrics(&add), "schedule the counters")) return false;
    cupti::HostGetConfigImageSize size;
    size.object = host_;
    if (!check(api_.hostGetConfigImageSize(&size), "schedule the counters")) return false;
    config_.resize(size.size);
    cupti::HostGetConfigImage image;
    image.object = host_;
    image.size = config_.size();
    image.image = config_.data();
    return check(api_.hostGetConfigImage(&image), "schedule the counters");
}

bool RangeProfiler::openRange() {
    cupti::RangeEnable enable;
    enable.context = context_;
    if (!check(api_.rangeEnable(&enable), "start profiling")) return false;
    range_ = enable.object;
    cupti::RangeGetCounterDataSize size;
    size.object = range_;
    size.names = metrics_.data();
    size.count = metrics_.size();
    if (!check(api_.rangeGetCounterDataSize(&size), "size its data")) return false;
    counterData_.resize(size.size);
    cupti::RangeInitializeCounterData data;
    data.object = range_;
    data.size = counterData_.size();
    data.data = counterData_.data();
    if (!check(api_.rangeInitializeCounterData(&data), "initialise its data")) return false;
    cupti::RangeSetConfig config;
    config.object = range_;
    config.configSize = config_.size();
    config.config = config_.data();
    config.counterDataSize = counterData_.size();
    config.counterData = counterData_.data();
    return check(api_.rangeSetConfig(&config), "be configured");
}

bool RangeProfiler::measure(const std::function<bool()>& launch) {
    cupti::RangeOnly start;
    start.object = range_;
    if (!check(api_.rangeStart(&start), "start a range")) return false;
    const bool launched = launch();
    cupti::RangeStop stop;
    stop.object = range_;
    const bool stopped = check(api_.rangeStop(&stop), "end a range");
    if (!launched && reason_.empty()) reason_ = "The launch failed while its counters were collected.";
    if (!launched || !stopped) return false;
    cupti::RangeDecode decode;
    decode.object = range_;
    return check(api_.rangeDecode(&decode), "decode the counters");
}

bool RangeProfiler::evaluate(std::vector<Counter>& counters) {
    cupti::RangeCounterDataInfo info;
    info.data = counterData_.data();
    info.size = counterData_.size();
    if (!check(api_.rangeCounterDataInfo(&info), "read the counters")) return false;
    if (info.ranges == 0) {
        reason_ = "CUPTI collected nothing.";
        return false;
    }
    std::vector<double> values(metrics_.size());
    cupti::HostEvaluate evaluate;
    evaluate.object = host_;
    evaluate.counterData = counterData_.data();
    evaluate.counterDataSize = counterData_.size();
    evaluate.names = metrics_.data();
    evaluate.count = metrics_.size();
    evaluate.values = values.data();
    if (!check(api_.hostEvaluate(&evaluate), "evaluate the counters")) return false;
    for (size_t i = 0; i < metrics_.size(); ++i) {
        if (std::isfinite(values[i]))
            counters.push_back({metrics_[i], values[i]});
        else
            unknown_ += (unknown_.empty() ? "" : ", ") + std::string(metrics_[i]);
    }
    return true;
}

std::string RangeProfiler::collect(const std::vector<std::string>& names, const std::function<bool()>& launch,
                                   std::vector<Counter>& counters) {
    if (openHost() && schedule(names) && openRange() && measure(launch)) evaluate(counters);
    if (!reason_.empty()) return reason_;
    return unknown_.empty() ? std::string() : "This GPU has no counter " + unknown_ + ".";
}

} // namespace gpu
