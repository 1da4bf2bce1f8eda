// The helpers' text and their launches.
#include "gpu/worker/HelperKernels.h"

#include <algorithm>
#include <array>

namespace gpu {
namespace {

constexpr uint64_t kLeastFlush = uint64_t{8} << 20;
constexpr unsigned kReadBlocks = 1024, kReadThreads = 256;

} // namespace

const char* const HelperKernels::kKernel = "empty_kernel";
const char* const HelperKernels::kSource = R"(extern "C" __global__ void empty_kernel() {}

extern "C" __global__ void read_all(const uint4* data, unsigned long long n, unsigned* sink) {
    unsigned x = 0;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = data[i];
        x |= v.x | v.y | v.z | v.w;
    }
    if (x != 0) {
        *sink = x;
    }
}
)";

HelperKernels::HelperKernels(const DriverApi& api, CallStatus& status)
    : api_(api), status_(status), module_(api), memory_(api), sink_(api) {}

bool HelperKernels::load(const CompiledCode& code) {
    return status_(api_.cuModuleLoadDataEx(module_.out(), code.image.data(), 0, nullptr, nullptr),
                   "cuModuleLoadDataEx") &&
           status_(api_.cuModuleGetFunction(&empty_, module_.get(), "empty_kernel"), "cuModuleGetFunction") &&
           status_(api_.cuModuleGetFunction(&read_, module_.get(), "read_all"), "cuModuleGetFunction");
}

bool HelperKernels::prepareFlush(uint64_t l2Bytes, cu::Stream stream) {
    const uint64_t bytes = std::max(2 * l2Bytes, kLeastFlush) / 16 * 16;
    if (!status_(api_.cuMemAlloc(memory_.out(), bytes), "cuMemAlloc")) return false;
    if (!status_(api_.cuMemAlloc(sink_.out(), sizeof(unsigned)), "cuMemAlloc")) return false;
    data_ = memory_.get();
    to_ = sink_.get();
    words_ = bytes / 16;
    return status_(api_.cuMemsetD8Async(data_, 0, bytes, stream), "cuMemsetD8Async");
}

bool HelperKernels::launchEmpty(cu::Stream stream) {
    return status_(api_.cuLaunchKernel(empty_, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), "cuLaunchKernel");
}

bool HelperKernels::flush(cu::Stream stream) {
    std::array<void*, 3> parameters{&data_, &words_, &to_};
    return status_(
        api_.cuLaunchKernel(read_, kReadBlocks, 1, 1, kReadThreads, 1, 1, 0, stream, parameters.data(), nullptr),
        "cuLaunchKernel");
}

} // namespace gpu
