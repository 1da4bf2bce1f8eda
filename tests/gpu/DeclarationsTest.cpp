// Our own declarations of the driver API, NVRTC and CUPTI, held against a toolkit's headers. Mostly it need only
// compile.
#include "gpu/worker/CuptiApi.h"
#include "gpu/worker/DriverApi.h"
#include "gpu/worker/NvrtcApi.h"

#include <gtest/gtest.h>

// The headers rename functions to their newest versions by macros; they come last for that reason.
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <nvrtc.h>

namespace {

namespace cu = gpu::cu;
namespace cupti = gpu::cupti;

static_assert(sizeof(CUdevice) == sizeof(cu::Device) && sizeof(CUdeviceptr) == sizeof(cu::DevicePointer));
static_assert(sizeof(CUresult) == sizeof(int) && sizeof(CUuuid) == 16);

static_assert(cu::kSuccess == CUDA_SUCCESS && cu::kInvalidValue == CUDA_ERROR_INVALID_VALUE);
static_assert(cu::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY && cu::kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(cu::kNotFound == CUDA_ERROR_NOT_FOUND && cu::kStubLibrary == CUDA_ERROR_STUB_LIBRARY);
static_assert(cu::kSystemDriverMismatch == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
static_assert(cu::kStreamNonBlocking == CU_STREAM_NON_BLOCKING && cu::kEventDefault == CU_EVENT_DEFAULT);
static_assert(cu::kWaitValueGeq == CU_STREAM_WAIT_VALUE_GEQ);

static_assert(int(cu::kMaxThreadsPerBlock) == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(int(cu::kMaxBlockX) == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X &&
              int(cu::kMaxBlockZ) == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
static_assert(int(cu::kMaxGridX) == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X &&
              int(cu::kMaxGridZ) == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
static_assert(int(cu::kMaxSharedPerBlock) == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
static_assert(int(cu::kTotalConstant) == CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY &&
              int(cu::kWarpSize) == CU_DEVICE_ATTRIBUTE_WARP_SIZE);
static_assert(int(cu::kMaxRegistersPerBlock) == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
static_assert(int(cu::kClockRate) == CU_DEVICE_ATTRIBUTE_CLOCK_RATE &&
              int(cu::kMemoryClockRate) == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
static_assert(int(cu::kMultiprocessorCount) == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(int(cu::kIntegrated) == CU_DEVICE_ATTRIBUTE_INTEGRATED &&
              int(cu::kConcurrentKernels) == CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
static_assert(int(cu::kEccEnabled) == CU_DEVICE_ATTRIBUTE_ECC_ENABLED &&
              int(cu::kMemoryBusWidth) == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
static_assert(int(cu::kL2CacheSize) == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE &&
              int(cu::kAsyncEngineCount) == CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
static_assert(int(cu::kMaxThreadsPerMultiprocessor) == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
static_assert(int(cu::kComputeMajor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(int(cu::kComputeMinor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(int(cu::kMaxSharedPerMultiprocessor) == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
static_assert(int(cu::kMaxRegistersPerMultiprocessor) == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
static_assert(int(cu::kManagedMemory) == CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
static_assert(int(cu::kConcurrentManagedAccess) == CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
static_assert(int(cu::kMaxSharedPerBlockOptIn) == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(int(cu::kMaxBlocksPerMultiprocessor) == CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
static_assert(int(cu::kReservedSharedPerBlock) == CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);

static_assert(int(cu::kFunctionMaxThreads) == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(int(cu::kFunctionSharedBytes) == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(int(cu::kFunctionConstBytes) == CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
static_assert(int(cu::kFunctionLocalBytes) == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
static_assert(int(cu::kFunctionRegisters) == CU_FUNC_ATTRIBUTE_NUM_REGS);
static_assert(int(cu::kFunctionMaxDynamicShared) == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(int(cu::kJitErrorLogBuffer) == CU_JIT_ERROR_LOG_BUFFER &&
              int(cu::kJitErrorLogBufferSize) == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

static_assert(cupti::kInsufficientPrivileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES &&
              cupti::kInvalidMetricName == CUPTI_ERROR_INVALID_METRIC_NAME);
static_assert(cupti::kVirtualInsufficientPrivileges == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
static_assert(cupti::kRangeProfiler == CUPTI_PROFILER_TYPE_RANGE_PROFILER);
static_assert(cupti::kAutoRange == CUPTI_AutoRange && cupti::kKernelReplay == CUPTI_KernelReplay);

template <class Ours, class Theirs>
constexpr bool kSameSize = sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs);

static_assert(kSameSize<cupti::Initialize, CUpti_Profiler_Initialize_Params>);
static_assert(kSameSize<cupti::DeviceGetChipName, CUpti_Device_GetChipName_Params>);
static_assert(kSameSize<cupti::GetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params>);
static_assert(kSameSize<cupti::HostInitialize, CUpti_Profiler_Host_Initialize_Params>);
static_assert(kSameSize<cupti::HostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params>);
static_assert(kSameSize<cupti::HostGetMetricProperties, CUpti_Profiler_Host_GetMetricProperties_Params>);
static_assert(kSameSize<cupti::HostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params>);
static_assert(kSameSize<cupti::HostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params>);
static_assert(kSameSize<cupti::HostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params>);
static_assert(kSameSize<cupti::HostEvaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params>);
static_assert(kSameSize<cupti::RangeEnable, CUpti_RangeProfiler_Enable_Params>);
static_assert(kSameSize<cupti::RangeGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params>);
static_assert(kSameSize<cupti::RangeInitializeCounterData, CUpti_RangeProfiler_CounterDataImage_Initialize_Params>);
static_assert(kSameSize<cupti::RangeSetConfig, CUpti_RangeProfiler_SetConfig_Params>);
static_assert(kSameSize<cupti::RangeOnly, CUpti_RangeProfiler_Start_Params>);
static_assert(kSameSize<cupti::RangeOnly, CUpti_RangeProfiler_Disable_Params>);
static_assert(kSameSize<cupti::RangeStop, CUpti_RangeProfiler_Stop_Params>);
static_assert(kSameSize<cupti::RangeDecode, CUpti_RangeProfiler_DecodeData_Params>);
static_assert(kSameSize<cupti::RangeCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params>);

static_assert(offsetof(cupti::HostEvaluate, values) ==
              offsetof(CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues));
static_assert(offsetof(cupti::RangeSetConfig, range) == offsetof(CUpti_RangeProfiler_SetConfig_Params, range));
static_assert(offsetof(cupti::RangeSetConfig, maxRangesPerPass) ==
              offsetof(CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass));
static_assert(offsetof(cupti::RangeSetConfig, minNestingLevel) ==
              offsetof(CUpti_RangeProfiler_SetConfig_Params, minNestingLevel));
static_assert(offsetof(cupti::RangeSetConfig, passIndex) == offsetof(CUpti_RangeProfiler_SetConfig_Params, passIndex));
static_assert(offsetof(cupti::RangeGetCounterDataSize, maxTreeNodes) ==
              offsetof(CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumRangeTreeNodes));
static_assert(offsetof(cupti::RangeGetCounterDataSize, size) ==
              offsetof(CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize));
static_assert(offsetof(cupti::HostInitialize, chipName) == offsetof(CUpti_Profiler_Host_Initialize_Params, pChipName));

TEST(Declarations, StructSizesAreTheOnesThatCuptiExpects) {
    EXPECT_EQ(cupti::Initialize{}.structSize, CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::DeviceGetChipName{}.structSize, CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::HostGetMetricProperties{}.structSize, CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::HostEvaluate{}.structSize, CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::RangeSetConfig{}.structSize, CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::RangeStop{}.structSize, CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    EXPECT_EQ(cupti::RangeGetCounterDataSize{}.structSize, CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
}

} // namespace
