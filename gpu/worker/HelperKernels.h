// Our own little kernels: one that does nothing, and one that reads memory to push everything else out of a cache.
#pragma once

#include "gpu/worker/CompileCache.h"
#include "gpu/worker/DeviceResources.h"

namespace gpu {

/// Owns the loaded helpers and the memory that is read. Needs the device's context to be current.
class HelperKernels {
public:
    /// Their text, and the one of them to name when it is compiled.
    static const char* const kSource;
    static const char* const kKernel;

    HelperKernels(const DriverApi& api, CallStatus& status);
    bool load(const CompiledCode& code);
    /// Allocates what flush() reads: twice the L2 cache.
    bool prepareFlush(uint64_t l2Bytes, cu::Stream stream);

    bool launchEmpty(cu::Stream stream);
    /// Leaves the L2 cache full of lines that nobody wants and that need not be written back. Overwriting the cache
    /// instead would make the next kernel wait for those writes.
    bool flush(cu::Stream stream);

private:
    const DriverApi& api_;
    CallStatus& status_;
    OwnedModule module_;
    cu::Function empty_ = nullptr, read_ = nullptr;
    DeviceMemory memory_, sink_;
    cu::DevicePointer data_ = 0, to_ = 0;
    unsigned long long words_ = 0;
};

} // namespace gpu
