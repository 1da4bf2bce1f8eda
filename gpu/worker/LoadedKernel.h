// A kernel's code on the device, ready to be launched with whatever arguments.
#pragma once

#include "gpu/Run.h"
#include "gpu/worker/CompileCache.h"
#include "gpu/worker/DeviceBuffers.h"

#include <string>
#include <vector>

namespace gpu {

/// Arguments as cuLaunchKernel() takes them: device addresses and scalars, each with a place of its own.
class BoundArguments {
public:
    /// Buffer indices must be those of `buffers`, which are allocated.
    BoundArguments(const DriverApi& api, const std::vector<sim::Argument>& arguments, const DeviceBuffers& buffers);
    BoundArguments(BoundArguments&&) = default;
    void** get() { return parameters_.data(); }

private:
    std::vector<std::vector<std::byte>> values_;
    std::vector<void*> parameters_;
};

/// Owns one module and the kernel in it. Needs the device's context to be current; failures go to the CallStatus.
class LoadedKernel {
public:
    LoadedKernel(const DriverApi& api, CallStatus& status) : api_(&api), status_(&status), module_(api) {}

    /// Loads the code and looks the kernel up. Everything else needs this to have succeeded.
    bool load(const CompiledCode& code);
    KernelResources resources(const sim::LaunchConfig& config) const;
    /// A sentence about arguments that the kernel, by its name, does not take as they are, or empty.
    std::string argumentProblem(const std::string& name, const std::vector<sim::Argument>& arguments) const;
    /// Enqueues one launch.
    bool launch(const sim::LaunchConfig& config, BoundArguments& arguments, cu::Stream stream);

private:
    bool allowShared(uint32_t dynamicBytes);

    const DriverApi* api_;
    CallStatus* status_;
    OwnedModule module_;
    cu::Function function_ = nullptr;
};

} // namespace gpu
