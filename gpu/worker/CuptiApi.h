// The parts of CUPTI that read hardware counters, as loaded at run time: our own declarations, so that no toolkit is
// needed to build.
#pragma once

#include "gpu/worker/DriverApi.h"
#include "gpu/worker/Library.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpu {

/// Parameter blocks of <cupti_target.h>, <cupti_profiler_target.h>, <cupti_profiler_host.h> and
/// <cupti_range_profiler.h>. Each starts with the bytes up to the end of its last field; tests/gpu/DeclarationsTest.cpp
/// holds sizes and offsets against a toolkit's headers.
namespace cupti {
using HostObject = struct HostObjectTag*;
using ProfilerObject = struct ProfilerObjectTag*;

inline constexpr int kSuccess = 0, kInvalidMetricName = 17, kInsufficientPrivileges = 35,
                     kVirtualInsufficientPrivileges = 40;
inline constexpr int kRangeProfiler = 0, kAutoRange = 1, kKernelReplay = 2;

struct Initialize {
    size_t structSize = sizeof(void*) * 2;
    void* priv = nullptr;
};
struct DeviceGetChipName {
    size_t structSize = sizeof(DeviceGetChipName);
    void* priv = nullptr;
    size_t deviceIndex = 0;
    const char* chipName = nullptr;
};
struct GetCounterAvailability {
    size_t structSize = sizeof(GetCounterAvailability);
    void* priv = nullptr;
    cu::Context context = nullptr;
    size_t imageSize = 0;
    uint8_t* image = nullptr;
};
struct HostInitialize {
    size_t structSize = sizeof(HostInitialize);
    void* priv = nullptr;
    int profilerType = kRangeProfiler;
    const char* chipName = nullptr;
    const uint8_t* counterAvailability = nullptr;
    HostObject object = nullptr;
};
struct HostDeinitialize {
    size_t structSize = sizeof(HostDeinitialize);
    void* priv = nullptr;
    HostObject object = nullptr;
};
struct HostGetMetricProperties {
    size_t structSize = offsetof(HostGetMetricProperties, metricType) + sizeof(int);
    void* priv = nullptr;
    HostObject object = nullptr;
    const char* name = nullptr;
    const char* description = nullptr;
    const char* hardwareUnit = nullptr;
    const char* dimension = nullptr;
    int metricType = 0;
};
struct HostConfigAddMetrics {
    size_t structSize = sizeof(HostConfigAddMetrics);
    void* priv = nullptr;
    HostObject object = nullptr;
    const char** names = nullptr;
    size_t count = 0;
};
struct HostGetConfigImageSize {
    size_t structSize = sizeof(HostGetConfigImageSize);
    void* priv = nullptr;
    HostObject object = nullptr;
    size_t size = 0;
};
struct HostGetConfigImage {
    size_t structSize = sizeof(HostGetConfigImage);
    void* priv = nullptr;
    HostObject object = nullptr;
    size_t size = 0;
    uint8_t* image = nullptr;
};
struct HostEvaluate {
    size_t structSize = sizeof(HostEvaluate);
    void* priv = nullptr;
    HostObject object = nullptr;
    const uint8_t* counterData = nullptr;
    size_t counterDataSize = 0, rangeIndex = 0;
    const char** names = nullptr;
    size_t count = 0;
    double* values = nullptr;
};
struct RangeEnable {
    size_t structSize = sizeof(RangeEnable);
    void* priv = nullptr;
    cu::Context context = nullptr;
    ProfilerObject object = nullptr;
};
struct RangeGetCounterDataSize {
    size_t structSize = sizeof(RangeGetCounterDataSize);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
    const char** names = nullptr;
    size_t count = 0, maxRanges = 1;
    uint32_t maxTreeNodes = 1;
    size_t size = 0;
};
struct RangeInitializeCounterData {
    size_t structSize = sizeof(RangeInitializeCounterData);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
    size_t size = 0;
    uint8_t* data = nullptr;
};
struct RangeSetConfig {
    size_t structSize = offsetof(RangeSetConfig, targetNestingLevel) + sizeof(uint16_t);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
    size_t configSize = 0;
    const uint8_t* config = nullptr;
    size_t counterDataSize = 0;
    uint8_t* counterData = nullptr;
    int range = kAutoRange, replay = kKernelReplay;
    size_t maxRangesPerPass = 1;
    uint16_t nestingLevels = 1, minNestingLevel = 1;
    size_t passIndex = 0;
    uint16_t targetNestingLevel = 0;
};
/// Disable, start, push and pop take this one.
struct RangeOnly {
    size_t structSize = sizeof(RangeOnly);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
};
struct RangeStop {
    size_t structSize = offsetof(RangeStop, allPassesSubmitted) + sizeof(uint8_t);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
    size_t passIndex = 0, targetNestingLevel = 0;
    uint8_t allPassesSubmitted = 0;
};
struct RangeDecode {
    size_t structSize = sizeof(RangeDecode);
    void* priv = nullptr;
    ProfilerObject object = nullptr;
    size_t rangesDropped = 0;
};
struct RangeCounterDataInfo {
    size_t structSize = sizeof(RangeCounterDataInfo);
    void* priv = nullptr;
    const uint8_t* data = nullptr;
    size_t size = 0, ranges = 0;
};
} // namespace cupti

/// Functions of CUPTI; each returns a CUptiResult, 0 for success.
struct CuptiApi {
    int (*getResultString)(int result, const char** text) = nullptr;
    int (*initialize)(cupti::Initialize*) = nullptr;
    int (*deinitialize)(cupti::Initialize*) = nullptr;
    int (*getChipName)(cupti::DeviceGetChipName*) = nullptr;
    int (*getCounterAvailability)(cupti::GetCounterAvailability*) = nullptr;
    int (*hostInitialize)(cupti::HostInitialize*) = nullptr;
    int (*hostDeinitialize)(cupti::HostDeinitialize*) = nullptr;
    int (*hostGetMetricProperties)(cupti::HostGetMetricProperties*) = nullptr;
    int (*hostConfigAddMetrics)(cupti::HostConfigAddMetrics*) = nullptr;
    int (*hostGetConfigImageSize)(cupti::HostGetConfigImageSize*) = nullptr;
    int (*hostGetConfigImage)(cupti::HostGetConfigImage*) = nullptr;
    int (*hostEvaluate)(cupti::HostEvaluate*) = nullptr;
    int (*rangeEnable)(cupti::RangeEnable*) = nullptr;
    int (*rangeDisable)(cupti::RangeOnly*) = nullptr;
    int (*rangeGetCounterDataSize)(cupti::RangeGetCounterDataSize*) = nullptr;
    int (*rangeInitializeCounterData)(cupti::RangeInitializeCounterData*) = nullptr;
    int (*rangeSetConfig)(cupti::RangeSetConfig*) = nullptr;
    int (*rangeStart)(cupti::RangeOnly*) = nullptr;
    int (*rangeStop)(cupti::RangeStop*) = nullptr;
    int (*rangeDecode)(cupti::RangeDecode*) = nullptr;
    int (*rangeCounterDataInfo)(cupti::RangeCounterDataInfo*) = nullptr;

    Library performance, library;

    /// Loads libcupti 13 or 12 (or what $PLAYGROUND_CUPTI names). Empty, or why counters cannot be read.
    std::string load();
    std::string describe(int result) const;
};

} // namespace gpu
