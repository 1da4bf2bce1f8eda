// Sealed memory files, mapped.
#include "gpu/protocol/SharedRegion.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

namespace gpu {

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

SharedRegion::~SharedRegion() {
    if (data_ != nullptr) munmap(data_, size_);
}

bool SharedRegion::map(uint64_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
    if (at == MAP_FAILED) return false;
    data_ = static_cast<std::byte*>(at);
    size_ = bytes;
    return true;
}

SharedRegion SharedRegion::create(uint64_t bytes) {
    SharedRegion region;
    bytes = std::max<uint64_t>(bytes, 4096);
    region.descriptor_.reset(memfd_create("cuda-playground-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!region.descriptor_) return region;
    // Reserving the pages here gives an error instead of a fault when memory runs out later.
    if (posix_fallocate(region.descriptor(), 0, off_t(bytes)) != 0) return region;
    if (fcntl(region.descriptor(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return region;
    region.map(bytes);
    return region;
}

SharedRegion SharedRegion::open(UniqueFd descriptor, uint64_t bytes) {
    SharedRegion region;
    region.descriptor_ = std::move(descriptor);
    struct stat status {};
    if (!region.descriptor_ || fstat(region.descriptor(), &status) != 0) return region;
    const int seals = fcntl(region.descriptor(), F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || uint64_t(status.st_size) < bytes) return region;
    region.map(uint64_t(status.st_size));
    return region;
}

} // namespace gpu
