// The CUDA driver API as loaded at run time: our own declarations, so that no toolkit is needed to build.
#pragma once

#include "gpu/Run.h"
#include "gpu/worker/Library.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpu {

/// Types and constants of <cuda.h>. tests/gpu/DeclarationsTest.cpp holds them against a toolkit's header.
namespace cu {
using Device = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Graph = struct GraphTag*;
using GraphExec = struct GraphExecTag*;

inline constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kNotFound = 500;
inline constexpr int kInsufficientDriver = 35, kStubLibrary = 34, kSystemDriverMismatch = 803;
inline constexpr unsigned kStreamNonBlocking = 1, kEventDefault = 0, kWaitValueGeq = 0, kManagedGlobal = 1;
inline constexpr int kCaptureThreadLocal = 1;

/// CUdevice_attribute.
enum Attribute : int {
    kMaxThreadsPerBlock = 1,
    kMaxBlockX = 2,
    kMaxBlockY = 3,
    kMaxBlockZ = 4,
    kMaxGridX = 5,
    kMaxGridY = 6,
    kMaxGridZ = 7,
    kMaxSharedPerBlock = 8,
    kTotalConstant = 9,
    kWarpSize = 10,
    kMaxRegistersPerBlock = 12,
    kClockRate = 13,
    kMultiprocessorCount = 16,
    kIntegrated = 18,
    kConcurrentKernels = 31,
    kEccEnabled = 32,
    kMemoryClockRate = 36,
    kMemoryBusWidth = 37,
    kL2CacheSize = 38,
    kMaxThreadsPerMultiprocessor = 39,
    kAsyncEngineCount = 40,
    kComputeMajor = 75,
    kComputeMinor = 76,
    kMaxSharedPerMultiprocessor = 81,
    kMaxRegistersPerMultiprocessor = 82,
    kManagedMemory = 83,
    kConcurrentManagedAccess = 89,
    kMaxSharedPerBlockOptIn = 97,
    kMaxBlocksPerMultiprocessor = 106,
    kReservedSharedPerBlock = 111,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
    kFunctionMaxThreads = 0,
    kFunctionSharedBytes = 1,
    kFunctionConstBytes = 2,
    kFunctionLocalBytes = 3,
    kFunctionRegisters = 4,
    kFunctionMaxDynamicShared = 8,
};

/// CUjit_option.
enum JitOption : int { kJitErrorLogBuffer = 5, kJitErrorLogBufferSize = 6 };
} // namespace cu

/// Pointers to the driver's functions; needed ones are set once load() succeeded, the others may be nullptr.
struct DriverApi {
#define CU_FUNCTION(name, symbol, needed, parameters) int(*name) parameters = nullptr;
#include "gpu/worker/DriverFunctions.def"
#undef CU_FUNCTION

    Library library;

    /// Loads libcuda (or what $PLAYGROUND_CUDA_DRIVER names) and initialises it. Says what is wrong when it cannot.
    Availability load();
    /// The driver's own name and text for an error code.
    DriverError describe(int code, const char* call) const;
};

} // namespace gpu
