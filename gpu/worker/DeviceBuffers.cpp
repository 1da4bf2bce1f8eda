// Allocation and copies.
#include "gpu/worker/DeviceBuffers.h"

#include <algorithm>
#include <cstring>

namespace gpu {
namespace {

constexpr unsigned char kPoison = 0xCD;

} // namespace

DeviceBuffers::DeviceBuffers(const DriverApi& api, CallStatus& status, const std::vector<BufferHeader>& buffers,
                             const RegionLayout& layout, std::span<std::byte> region)
    : api_(api), status_(status), buffers_(buffers), layout_(layout), region_(region), pinnedIn_(api), pinnedOut_(api) {
    for (const BufferHeader& buffer : buffers) {
        if (buffer.initialised) bytesIn_ += buffer.bytes();
        if (buffer.output) bytesOut_ += buffer.bytes();
    }
    outStart_ = layout.total;
    for (const uint64_t at : layout.out) outStart_ = std::min(outStart_, at);
}

bool DeviceBuffers::allocate(bool pinned, const std::vector<uint8_t>& managed) {
    managed_ = managed;
    for (size_t i = 0; i < buffers_.size(); ++i) {
        DeviceMemory& memory = memory_.emplace_back(api_);
        const uint64_t size = std::max<uint64_t>(bytes(i), 1);
        const bool good =
            isManaged(i) ? status_(api_.cuMemAllocManaged(memory.out(), size, cu::kManagedGlobal), "cuMemAllocManaged")
                         : status_(api_.cuMemAlloc(memory.out(), size), "cuMemAlloc");
        if (!good) return false;
    }
    return allocateHost(pinned);
}

bool DeviceBuffers::allocateHost(bool pinned) {
    const uint64_t in = outStart_, out = layout_.total - outStart_;
    hostIn_ = region_.data();
    if (!pinned) {
        scratchOut_.assign(out, std::byte{0});
        hostOut_ = scratchOut_.data();
        return true;
    }
    if (!status_(api_.cuMemAllocHost(pinnedIn_.out(), std::max<uint64_t>(in, 1)), "cuMemAllocHost")) return false;
    if (!status_(api_.cuMemAllocHost(pinnedOut_.out(), std::max<uint64_t>(out, 1)), "cuMemAllocHost")) return false;
    if (in > 0) std::memcpy(pinnedIn_.get(), region_.data(), in);
    hostIn_ = static_cast<const std::byte*>(pinnedIn_.get());
    hostOut_ = static_cast<std::byte*>(pinnedOut_.get());
    return true;
}

bool DeviceBuffers::poison(cu::Stream stream) {
    for (size_t i = 0; i < memory_.size(); ++i) {
        if (buffers_[i].initialised || bytes(i) == 0) continue;
        if (!status_(api_.cuMemsetD8Async(pointer(i), kPoison, bytes(i), stream), "cuMemsetD8Async")) return false;
    }
    return true;
}

bool DeviceBuffers::copyInPart(size_t buffer, uint64_t at, uint64_t size, cu::Stream stream) {
    const std::byte* from = hostIn_ + layout_.in[buffer] + at;
    return size == 0 || status_(api_.cuMemcpyHtoDAsync(pointer(buffer) + at, from, size, stream), "cuMemcpyHtoDAsync");
}

bool DeviceBuffers::copyOutPart(size_t buffer, uint64_t at, uint64_t size, cu::Stream stream) {
    std::byte* to = outOf(hostOut_, buffer) + at;
    return size == 0 || status_(api_.cuMemcpyDtoHAsync(to, pointer(buffer) + at, size, stream), "cuMemcpyDtoHAsync");
}

bool DeviceBuffers::copyIn(cu::Stream stream) {
    for (size_t i = 0; i < memory_.size(); ++i)
        if (buffers_[i].initialised && !copyInPart(i, 0, bytes(i), stream)) return false;
    return true;
}

bool DeviceBuffers::copyOut(cu::Stream stream, bool toRegion) {
    std::byte* base = toRegion ? region_.data() + outStart_ : hostOut_;
    for (size_t i = 0; i < memory_.size(); ++i) {
        if (!buffers_[i].output || bytes(i) == 0) continue;
        if (!status_(api_.cuMemcpyDtoHAsync(outOf(base, i), pointer(i), bytes(i), stream), "cuMemcpyDtoHAsync"))
            return false;
    }
    return true;
}

void DeviceBuffers::writeManaged() {
    for (size_t i = 0; i < memory_.size(); ++i)
        if (isManaged(i) && buffers_[i].initialised)
            std::memcpy(reinterpret_cast<void*>(pointer(i)), hostIn_ + layout_.in[i], bytes(i));
}

void DeviceBuffers::readManaged() {
    for (size_t i = 0; i < memory_.size(); ++i)
        if (isManaged(i) && buffers_[i].output)
            std::memcpy(outOf(hostOut_, i), reinterpret_cast<const void*>(pointer(i)), bytes(i));
}

void DeviceBuffers::keepOutputs() {
    for (size_t i = 0; i < memory_.size(); ++i)
        if (buffers_[i].output) std::memcpy(region_.data() + layout_.out[i], outOf(hostOut_, i), bytes(i));
}

} // namespace gpu
