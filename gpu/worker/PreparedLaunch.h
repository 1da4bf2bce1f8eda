// A kernel loaded on the device with its buffers allocated, ready to be launched again and again.
#pragma once

#include "gpu/protocol/Messages.h"
#include "gpu/worker/CompileCache.h"
#include "gpu/worker/DeviceResources.h"

#include <span>
#include <string>
#include <vector>

namespace gpu {

/// Owns module, function and device memory of one RunOrder. Every method needs the device's context to be current;
/// failures of the driver go to the CallStatus.
class PreparedLaunch {
public:
    PreparedLaunch(const DriverApi& api, CallStatus& status, const RunOrder& order, const RegionLayout& layout,
                   std::span<std::byte> region);

    /// Loads the code and looks the kernel up.
    bool load(const CompiledCode& code);
    /// What the kernel uses; needs load().
    KernelResources resources() const;
    /// A sentence about arguments that the kernel does not take as they are, or empty; needs load().
    std::string argumentProblem() const;
    /// Allocates device memory, and page-locked host memory when the order asks for it.
    bool allocate();

    /// Each enqueues on the stream and returns whether the driver took it.
    bool poison(cu::Stream stream); ///< 0xCD into memory that is not initialised.
    bool copyIn(cu::Stream stream);
    bool launch(cu::Stream stream);
    bool copyOut(cu::Stream stream, bool toRegion); ///< To the region's out part, or to memory that nobody reads.

    uint64_t bytesIn() const { return bytesIn_; }
    uint64_t bytesOut() const { return bytesOut_; }
    uint64_t bytesAllocated() const { return bytesAllocated_; }

private:
    bool allocateHost();
    void bindArguments();
    size_t parameterCount(std::vector<size_t>& sizes) const;

    const DriverApi& api_;
    CallStatus& status_;
    const RunOrder& order_;
    const RegionLayout& layout_;
    std::span<std::byte> region_;

    OwnedModule module_;
    cu::Function function_ = nullptr;
    std::vector<DeviceMemory> memory_;            ///< By buffer.
    std::vector<cu::DevicePointer> pointers_;     ///< By argument; 0 for scalars.
    std::vector<std::vector<std::byte>> scalars_; ///< By argument.
    std::vector<void*> parameters_;
    PinnedMemory pinnedIn_, pinnedOut_;
    std::vector<std::byte> scratchOut_;
    const std::byte* hostIn_ = nullptr; ///< The in part: region or page-locked copy of it.
    std::byte* hostOut_ = nullptr;      ///< Where copies nobody reads go.
    uint64_t bytesIn_ = 0, bytesOut_ = 0, bytesAllocated_ = 0, outStart_ = 0;
};

} // namespace gpu
