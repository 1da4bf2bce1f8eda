// An order's buffers in device memory, and their copies to and from the shared region.
#pragma once

#include "gpu/protocol/Messages.h"
#include "gpu/worker/DeviceResources.h"

#include <span>
#include <vector>

namespace gpu {

/// Owns device (or managed) memory, and page-locked copies of the host's side when asked for. Every method needs the
/// device's context to be current; failures of the driver go to the CallStatus. The buffer list, layout and region
/// outlive it.
class DeviceBuffers {
public:
    DeviceBuffers(const DriverApi& api, CallStatus& status, const std::vector<BufferHeader>& buffers,
                  const RegionLayout& layout, std::span<std::byte> region);

    /// `managed`, by buffer (empty: none), makes memory that host and device share.
    bool allocate(bool pinned, const std::vector<uint8_t>& managed = {});

    /// Each enqueues on the stream and returns whether the driver took it.
    bool poison(cu::Stream stream);                 ///< 0xCD into memory that is not initialised.
    bool copyIn(cu::Stream stream);                 ///< All that is initialised.
    bool copyOut(cu::Stream stream, bool toRegion); ///< All outputs: to the region, or to memory that nobody reads.
    bool copyInPart(size_t buffer, uint64_t at, uint64_t bytes, cu::Stream stream);
    bool copyOutPart(size_t buffer, uint64_t at, uint64_t bytes, cu::Stream stream);

    /// On the host, without a stream: inputs into managed memory, outputs out of it, and what copyOutPart() brought
    /// (or managed memory holds) into the region.
    void writeManaged();
    void readManaged();
    void keepOutputs();

    size_t count() const { return buffers_.size(); }
    cu::DevicePointer pointer(size_t buffer) const { return memory_[buffer].get(); }
    uint64_t bytes(size_t buffer) const { return buffers_[buffer].bytes(); }
    bool isManaged(size_t buffer) const { return buffer < managed_.size() && managed_[buffer] != 0; }
    uint64_t bytesIn() const { return bytesIn_; }
    uint64_t bytesOut() const { return bytesOut_; }

private:
    bool allocateHost(bool pinned);
    std::byte* outOf(std::byte* base, size_t buffer) const { return base + (layout_.out[buffer] - outStart_); }

    const DriverApi& api_;
    CallStatus& status_;
    const std::vector<BufferHeader>& buffers_;
    const RegionLayout& layout_;
    std::span<std::byte> region_;

    std::vector<DeviceMemory> memory_; ///< By buffer.
    std::vector<uint8_t> managed_;
    PinnedMemory pinnedIn_, pinnedOut_;
    std::vector<std::byte> scratchOut_;
    const std::byte* hostIn_ = nullptr; ///< The in part: region or page-locked copy of it.
    std::byte* hostOut_ = nullptr;      ///< As large as the out part.
    uint64_t bytesIn_ = 0, bytesOut_ = 0, outStart_ = 0;
};

} // namespace gpu
