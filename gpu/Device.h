// A GPU as its driver describes it, and whether this machine can use one at all.
#pragma once

#include "sim/core/Dim3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpu {

/// Clocks at one moment, as the management library reads them; 0 where it cannot.
struct Clocks {
    unsigned multiprocessorMHz = 0, memoryMHz = 0, temperatureC = 0;
};

/// One device. Sizes are bytes, clocks kHz; 0 means that the driver does not say.
struct DeviceInfo {
    int index = 0;
    std::string name, uuid, pciBusId;
    int computeMajor = 0, computeMinor = 0;
    int multiprocessors = 0;
    uint64_t memoryBytes = 0;
    uint64_t l2Bytes = 0;
    uint32_t sharedBytesPerBlock = 0, sharedBytesPerBlockOptIn = 0, sharedBytesPerMultiprocessor = 0;
    uint32_t reservedSharedBytesPerBlock = 0, constantBytes = 0;
    uint32_t registersPerBlock = 0, registersPerMultiprocessor = 0;
    uint32_t maxThreadsPerBlock = 0, maxThreadsPerMultiprocessor = 0, maxBlocksPerMultiprocessor = 0, warpSize = 32;
    sim::Dim3 maxBlock, maxGrid;
    uint32_t clockKHz = 0, memoryClockKHz = 0, memoryBusBits = 0;
    uint32_t asyncEngines = 0;
    bool ecc = false, integrated = false, managedMemory = false, concurrentKernels = false,
         concurrentManagedAccess = false;
    Clocks clocks; ///< As found when the device was listed.

    /// major * 10 + minor, as sim::CompileOptions takes it.
    int computeCapability() const { return computeMajor * 10 + computeMinor; }
    /// Memory bandwidth in bytes per second: two transfers per memory clock, times the bus width. 0 when unknown.
    double peakBandwidth() const;
    /// Single-precision FLOP per second: two per core and clock (a fused multiply-add). 0 when unknown.
    double peakFlops() const;
};

/// Single-precision cores of one multiprocessor (CUDA C++ Programming Guide, "Arithmetic Instructions", results
/// per clock of 32-bit floating-point add); 0 for a compute capability not listed there.
int coresPerMultiprocessor(int computeMajor, int computeMinor);

/// The software under the devices.
struct Platform {
    int driverApiVersion = 0;  ///< 13000 for CUDA 13.0, the newest that the driver serves.
    std::string driverVersion; ///< "580.159.04", empty when unknown.
    int nvrtcMajor = 0, nvrtcMinor = 0;
    std::string driverPath, nvrtcPath, cuptiPath; ///< As found; empty when missing.
};

/// Whether kernels can run on a GPU here. When not: one reason, and what to do about it.
struct Availability {
    bool available = false;
    std::string reason, whatToDo;
};

struct Survey {
    Availability availability;
    Platform platform;
    std::vector<DeviceInfo> devices;
};

} // namespace gpu
