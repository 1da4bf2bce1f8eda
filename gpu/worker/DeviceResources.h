// Driver objects that free themselves, and a record of the first call that failed.
#pragma once

#include "gpu/worker/DriverApi.h"

#include <utility>

namespace gpu {

/// Remembers the first failure of a sequence of driver calls.
class CallStatus {
public:
    explicit CallStatus(const DriverApi& api) : api_(&api) {}
    /// True when the call succeeded; otherwise the first such call is kept.
    bool operator()(int code, const char* call) {
        if (code != cu::kSuccess && error_.code == 0) error_ = api_->describe(code, call);
        return code == cu::kSuccess;
    }
    bool ok() const { return error_.code == 0; }
    const DriverError& error() const { return error_; }

private:
    const DriverApi* api_;
    DriverError error_;
};

/// Owns one driver object; `Free` is the DriverApi member that ends it.
template <class Handle, int (*DriverApi::*Free)(Handle)>
class Owned {
public:
    explicit Owned(const DriverApi& api) : api_(&api) {}
    Owned(Owned&& other) noexcept : api_(other.api_), handle_(std::exchange(other.handle_, Handle{})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(api_, other.api_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (handle_ != Handle{}) (api_->*Free)(handle_);
    }
    Handle get() const { return handle_; }
    Handle* out() { return &handle_; }

private:
    const DriverApi* api_;
    Handle handle_{};
};

using DeviceMemory = Owned<cu::DevicePointer, &DriverApi::cuMemFree>;
using PinnedMemory = Owned<void*, &DriverApi::cuMemFreeHost>;
using OwnedModule = Owned<cu::Module, &DriverApi::cuModuleUnload>;
using OwnedStream = Owned<cu::Stream, &DriverApi::cuStreamDestroy>;
using OwnedEvent = Owned<cu::Event, &DriverApi::cuEventDestroy>;

} // namespace gpu
