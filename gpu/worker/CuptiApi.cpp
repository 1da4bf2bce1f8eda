// Loading libcupti and the performance library that it needs.
#include "gpu/worker/CuptiApi.h"

#include <type_traits>

namespace gpu {

std::string CuptiApi::load() {
    const std::vector<std::string> folders = toolkitLibraryFolders();
    // libcupti asks for this one by name only; once loaded, it is found wherever it lies.
    performance.load("PLAYGROUND_NVPERF", {"libnvperf_host.so"}, folders);
    if (!library.load("PLAYGROUND_CUPTI", {"libcupti.so.13", "libcupti.so.12"}, folders))
        return "Hardware counters need CUPTI, which was not found (" + library.error() +
               "): install the whole CUDA Toolkit, 12.6 or newer.";
    bool complete = true;
    const auto bind = [&](auto& pointer, const char* symbol) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
        complete = complete && pointer != nullptr;
    };
    bind(getResultString, "cuptiGetResultString");
    bind(initialize, "cuptiProfilerInitialize");
    bind(deinitialize, "cuptiProfilerDeInitialize");
    bind(getChipName, "cuptiDeviceGetChipName");
    bind(getCounterAvailability, "cuptiProfilerGetCounterAvailability");
    bind(hostInitialize, "cuptiProfilerHostInitialize");
    bind(hostDeinitialize, "cuptiProfilerHostDeinitialize");
    bind(hostGetMetricProperties, "cuptiProfilerHostGetMetricProperties");
    bind(hostConfigAddMetrics, "cuptiProfilerHostConfigAddMetrics");
    bind(hostGetConfigImageSize, "cuptiProfilerHostGetConfigImageSize");
    bind(hostGetConfigImage, "cuptiProfilerHostGetConfigImage");
    bind(hostEvaluate, "cuptiProfilerHostEvaluateToGpuValues");
    bind(rangeEnable, "cuptiRangeProfilerEnable");
    bind(rangeDisable, "cuptiRangeProfilerDisable");
    bind(rangeGetCounterDataSize, "cuptiRangeProfilerGetCounterDataSize");
    bind(rangeInitializeCounterData, "cuptiRangeProfilerCounterDataImageInitialize");
    bind(rangeSetConfig, "cuptiRangeProfilerSetConfig");
    bind(rangeStart, "cuptiRangeProfilerStart");
    bind(rangeStop, "cuptiRangeProfilerStop");
    bind(rangeDecode, "cuptiRangeProfilerDecodeData");
    bind(rangeCounterDataInfo, "cuptiRangeProfilerGetCounterDataInfo");
    return complete ? std::string()
                    : "Hardware counters need the CUPTI of CUDA 12.6 or newer; " + library.path() + " is older.";
}

std::string CuptiApi::describe(int result) const {
    const char* text = nullptr;
    if (getResultString != nullptr && getResultString(result, &text) == cupti::kSuccess && text != nullptr)
        return std::string(text) + " (" + std::to_string(result) + ")";
    return "CUPTI error " + std::to_string(result);
}

} // namespace gpu
