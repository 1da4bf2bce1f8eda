// A kernel loaded on the device with its buffers allocated, ready to be launched again and again.
#pragma once

#include "gpu/worker/LoadedKernel.h"

#include <optional>
#include <span>

namespace gpu {

/// One RunOrder on the device. Failures of the driver go to the CallStatus; order, layout and region outlive it.
class PreparedLaunch {
public:
    PreparedLaunch(const DriverApi& api, CallStatus& status, const RunOrder& order, const RegionLayout& layout,
                   std::span<std::byte> region)
        : api_(api), order_(order), kernel_(api, status), buffers_(api, status, order.buffers, layout, region) {}

    bool load(const CompiledCode& code) { return kernel_.load(code); }
    KernelResources resources() const { return kernel_.resources(order_.config); }
    std::string argumentProblem() const { return kernel_.argumentProblem(order_.kernel, order_.arguments); }
    /// Device memory, and page-locked host memory when the order asks for it.
    bool allocate() {
        if (!buffers_.allocate(order_.options.pinned)) return false;
        arguments_.emplace(api_, order_.arguments, buffers_);
        return true;
    }

    DeviceBuffers& buffers() { return buffers_; }
    bool launch(cu::Stream stream) { return kernel_.launch(order_.config, *arguments_, stream); }

private:
    const DriverApi& api_;
    const RunOrder& order_;
    LoadedKernel kernel_;
    DeviceBuffers buffers_;
    std::optional<BoundArguments> arguments_;
};

} // namespace gpu
