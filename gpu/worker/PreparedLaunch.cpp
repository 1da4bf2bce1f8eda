// Loading, binding and copying for one launch.
#include "gpu/worker/PreparedLaunch.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace gpu {
namespace {

constexpr uint32_t kSharedWithoutOptIn = 48 << 10;
constexpr size_t kMaxParameters = 1024;
constexpr unsigned char kPoison = 0xCD;

} // namespace

PreparedLaunch::PreparedLaunch(const DriverApi& api, CallStatus& status, const RunOrder& order,
                               const RegionLayout& layout, std::span<std::byte> region)
    : api_(api), status_(status), order_(order), layout_(layout), region_(region), module_(api), pinnedIn_(api),
      pinnedOut_(api) {
    for (size_t i = 0; i < order.buffers.size(); ++i) {
        if (order.buffers[i].initialised) bytesIn_ += order.buffers[i].bytes();
        if (order.buffers[i].output) bytesOut_ += order.buffers[i].bytes();
    }
    outStart_ = layout.total;
    for (const uint64_t at : layout.out) outStart_ = std::min(outStart_, at);
}

bool PreparedLaunch::load(const CompiledCode& code) {
    std::array<char, 8192> log{};
    std::array<int, 2> names{cu::kJitErrorLogBuffer, cu::kJitErrorLogBufferSize};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    const int loaded = api_.cuModuleLoadDataEx(module_.out(), code.image.data(),
                                               code.isPtx ? unsigned(names.size()) : 0, names.data(), values.data());
    return status_(loaded, "cuModuleLoadDataEx") &&
           status_(api_.cuModuleGetFunction(&function_, module_.get(), code.loweredName.c_str()),
                   "cuModuleGetFunction");
}

KernelResources PreparedLaunch::resources() const {
    KernelResources resources;
    const auto get = [&](int& field, cu::FunctionAttribute attribute) {
        int value = 0;
        if (api_.cuFuncGetAttribute(&value, attribute, function_) == cu::kSuccess) field = value;
    };
    get(resources.registers, cu::kFunctionRegisters);
    get(resources.sharedBytes, cu::kFunctionSharedBytes);
    get(resources.localBytes, cu::kFunctionLocalBytes);
    get(resources.constantBytes, cu::kFunctionConstBytes);
    get(resources.maxThreadsPerBlock, cu::kFunctionMaxThreads);
    int blocks = 0;
    if (api_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, int(order_.config.block.count()),
                                                         order_.config.dynamicSharedBytes) == cu::kSuccess)
        resources.residentBlocks = blocks;
    return resources;
}

size_t PreparedLaunch::parameterCount(std::vector<size_t>& sizes) const {
    size_t offset = 0, size = 0;
    while (sizes.size() < kMaxParameters &&
           api_.cuFuncGetParamInfo(function_, sizes.size(), &offset, &size) == cu::kSuccess)
        sizes.push_back(size);
    return sizes.size();
}

std::string PreparedLaunch::argumentProblem() const {
    std::vector<size_t> sizes;
    if (api_.cuFuncGetParamInfo == nullptr) return {};
    const size_t wanted = parameterCount(sizes), given = order_.arguments.size();
    if (wanted != given)
        return "The kernel '" + order_.kernel + "' takes " + std::to_string(wanted) + " arguments, but " +
               std::to_string(given) + " are given.";
    for (size_t i = 0; i < given; ++i) {
        const sim::Argument& argument = order_.arguments[i];
        const size_t bytes = argument.buffer >= 0 ? sizeof(cu::DevicePointer) : argument.scalar.size();
        if (bytes == sizes[i]) continue;
        return "Argument " + std::to_string(i + 1) + " of '" + order_.kernel + "' has " + std::to_string(bytes) +
               " bytes, but the parameter has " + std::to_string(sizes[i]) + ".";
    }
    return {};
}

bool PreparedLaunch::allocate() {
    for (const BufferHeader& buffer : order_.buffers) {
        DeviceMemory& memory = memory_.emplace_back(api_);
        if (!status_(api_.cuMemAlloc(memory.out(), std::max<uint64_t>(buffer.bytes(), 1)), "cuMemAlloc")) return false;
        bytesAllocated_ += buffer.bytes();
    }
    bindArguments();
    return allocateHost();
}

bool PreparedLaunch::allocateHost() {
    const uint64_t in = outStart_, out = layout_.total - outStart_;
    hostIn_ = region_.data();
    if (!order_.options.pinned) {
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

/// cuLaunchKernel() reads as many entries as the kernel has parameters. Drivers that cannot tell how many those are
/// get spare ones, so that a missing argument reads zeros and not past the end.
void PreparedLaunch::bindArguments() {
    static std::array<std::byte, 4096> zeros{};
    const size_t count = order_.arguments.size();
    pointers_.assign(count, 0);
    scalars_.resize(count);
    parameters_.clear();
    for (size_t i = 0; i < count; ++i) {
        const sim::Argument& argument = order_.arguments[i];
        if (argument.buffer >= 0) {
            pointers_[i] = memory_[size_t(argument.buffer)].get() + cu::DevicePointer(argument.byteOffset);
            parameters_.push_back(&pointers_[i]);
        } else {
            scalars_[i] = argument.scalar;
            parameters_.push_back(scalars_[i].data());
        }
    }
    if (api_.cuFuncGetParamInfo == nullptr) parameters_.resize(count + 256, zeros.data());
}

bool PreparedLaunch::poison(cu::Stream stream) {
    for (size_t i = 0; i < memory_.size(); ++i) {
        const BufferHeader& buffer = order_.buffers[i];
        if (buffer.initialised || buffer.bytes() == 0) continue;
        if (!status_(api_.cuMemsetD8Async(memory_[i].get(), kPoison, buffer.bytes(), stream), "cuMemsetD8Async"))
            return false;
    }
    return true;
}

bool PreparedLaunch::copyIn(cu::Stream stream) {
    for (size_t i = 0; i < memory_.size(); ++i) {
        const BufferHeader& buffer = order_.buffers[i];
        if (!buffer.initialised || buffer.bytes() == 0) continue;
        const int code = api_.cuMemcpyHtoDAsync(memory_[i].get(), hostIn_ + layout_.in[i], buffer.bytes(), stream);
        if (!status_(code, "cuMemcpyHtoDAsync")) return false;
    }
    return true;
}

bool PreparedLaunch::launch(cu::Stream stream) {
    const sim::LaunchConfig& c = order_.config;
    if (c.dynamicSharedBytes > 0) {
        int fixed = 0;
        api_.cuFuncGetAttribute(&fixed, cu::kFunctionSharedBytes, function_);
        if (uint64_t(fixed) + c.dynamicSharedBytes > kSharedWithoutOptIn &&
            !status_(api_.cuFuncSetAttribute(function_, cu::kFunctionMaxDynamicShared, int(c.dynamicSharedBytes)),
                     "cuFuncSetAttribute"))
            return false;
    }
    const int code = api_.cuLaunchKernel(function_, c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z,
                                         c.dynamicSharedBytes, stream, parameters_.data(), nullptr);
    return status_(code, "cuLaunchKernel");
}

bool PreparedLaunch::copyOut(cu::Stream stream, bool toRegion) {
    std::byte* base = toRegion ? region_.data() + outStart_ : hostOut_;
    for (size_t i = 0; i < memory_.size(); ++i) {
        const BufferHeader& buffer = order_.buffers[i];
        if (!buffer.output || buffer.bytes() == 0) continue;
        std::byte* to = base + (layout_.out[i] - outStart_);
        if (!status_(api_.cuMemcpyDtoHAsync(to, memory_[i].get(), buffer.bytes(), stream), "cuMemcpyDtoHAsync"))
            return false;
    }
    return true;
}

} // namespace gpu
