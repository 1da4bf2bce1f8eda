// Devices and their properties, as driver and management library tell them.
#pragma once

#include "gpu/Device.h"
#include "gpu/worker/DriverApi.h"

#include <string>
#include <vector>

namespace gpu {

/// Reads clocks and the driver's version through the NVIDIA Management Library, where there is one.
class ManagementLibrary {
public:
    ManagementLibrary();
    ~ManagementLibrary();
    ManagementLibrary(const ManagementLibrary&) = delete;
    ManagementLibrary& operator=(const ManagementLibrary&) = delete;

    Clocks clocks(const std::string& pciBusId) const;
    std::string driverVersion() const;

private:
    using Device = struct NvmlDeviceTag*;
    Library library_;
    bool ready_ = false;
    int (*shutdown_)() = nullptr;
    int (*driverVersion_)(char* text, unsigned size) = nullptr;
    int (*deviceByBusId_)(const char* busId, Device* device) = nullptr;
    int (*clock_)(Device device, int kind, unsigned* megahertz) = nullptr;
    int (*temperature_)(Device device, int sensor, unsigned* celsius) = nullptr;
};

/// All devices, in the driver's order.
std::vector<DeviceInfo> queryDevices(const DriverApi& api, const ManagementLibrary& management);

} // namespace gpu
