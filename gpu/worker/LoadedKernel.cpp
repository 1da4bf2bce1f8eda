// Loading, checking and launching one kernel.
#include "gpu/worker/LoadedKernel.h"

#include <array>
#include <cstring>

namespace gpu {
namespace {

constexpr uint32_t kSharedWithoutOptIn = 48 << 10;
constexpr size_t kMaxParameters = 1024, kSpareParameters = 256;

template <class T>
std::vector<std::byte> bytesOf(const T& value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

} // namespace

/// cuLaunchKernel() reads as many entries as the kernel has parameters. Drivers that cannot tell how many those are
/// get spare ones, so that a missing argument reads zeros and not past the end.
BoundArguments::BoundArguments(const DriverApi& api, const std::vector<sim::Argument>& arguments,
                               const DeviceBuffers& buffers) {
    static std::array<std::byte, 4096> zeros{};
    for (const sim::Argument& argument : arguments)
        values_.push_back(argument.buffer < 0 ? argument.scalar
                                              : bytesOf(buffers.pointer(size_t(argument.buffer)) +
                                                        cu::DevicePointer(argument.byteOffset)));
    for (std::vector<std::byte>& value : values_) parameters_.push_back(value.data());
    if (api.cuFuncGetParamInfo == nullptr) parameters_.resize(parameters_.size() + kSpareParameters, zeros.data());
}

bool LoadedKernel::load(const CompiledCode& code) {
    std::array<char, 8192> log{};
    std::array<int, 2> names{cu::kJitErrorLogBuffer, cu::kJitErrorLogBufferSize};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    const unsigned options = code.isPtx ? unsigned(names.size()) : 0;
    const int loaded = api_->cuModuleLoadDataEx(module_.out(), code.image.data(), options, names.data(), values.data());
    return (*status_)(loaded, "cuModuleLoadDataEx") &&
           (*status_)(api_->cuModuleGetFunction(&function_, module_.get(), code.loweredName.c_str()),
                      "cuModuleGetFunction");
}

KernelResources LoadedKernel::resources(const sim::LaunchConfig& config) const {
    KernelResources resources;
    const auto get = [&](int& field, cu::FunctionAttribute attribute) {
        int value = 0;
        if (api_->cuFuncGetAttribute(&value, attribute, function_) == cu::kSuccess) field = value;
    };
    get(resources.registers, cu::kFunctionRegisters);
    get(resources.sharedBytes, cu::kFunctionSharedBytes);
    get(resources.localBytes, cu::kFunctionLocalBytes);
    get(resources.constantBytes, cu::kFunctionConstBytes);
    get(resources.maxThreadsPerBlock, cu::kFunctionMaxThreads);
    int blocks = 0;
    if (api_->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, int(config.block.count()),
                                                          config.dynamicSharedBytes) == cu::kSuccess)
        resources.residentBlocks = blocks;
    return resources;
}

std::string LoadedKernel::argumentProblem(const std::string& name, const std::vector<sim::Argument>& arguments) const {
    if (api_->cuFuncGetParamInfo == nullptr) return {};
    std::vector<size_t> sizes;
    size_t offset = 0, size = 0;
    while (sizes.size() < kMaxParameters &&
           api_->cuFuncGetParamInfo(function_, sizes.size(), &offset, &size) == cu::kSuccess)
        sizes.push_back(size);
    if (sizes.size() != arguments.size())
        return "The kernel '" + name + "' takes " + std::to_string(sizes.size()) + " arguments, but " +
               std::to_string(arguments.size()) + " are given.";
    for (size_t i = 0; i < arguments.size(); ++i) {
        const sim::Argument& argument = arguments[i];
        const size_t bytes = argument.buffer >= 0 ? sizeof(cu::DevicePointer) : argument.scalar.size();
        if (bytes != sizes[i])
            return "Argument " + std::to_string(i + 1) + " of '" + name + "' has " + std::to_string(bytes) +
                   " bytes, but the parameter has " + std::to_string(sizes[i]) + ".";
    }
    return {};
}

/// Beyond 48 KiB in all, dynamic shared memory has to be asked for (CUDA C++ Programming Guide, "Shared Memory" of
/// compute capability 7.x and later).
bool LoadedKernel::allowShared(uint32_t dynamicBytes) {
    int fixed = 0;
    if (dynamicBytes == 0) return true;
    api_->cuFuncGetAttribute(&fixed, cu::kFunctionSharedBytes, function_);
    if (uint64_t(fixed) + dynamicBytes <= kSharedWithoutOptIn) return true;
    return (*status_)(api_->cuFuncSetAttribute(function_, cu::kFunctionMaxDynamicShared, int(dynamicBytes)),
                      "cuFuncSetAttribute");
}

bool LoadedKernel::launch(const sim::LaunchConfig& c, BoundArguments& arguments, cu::Stream stream) {
    return allowShared(c.dynamicSharedBytes) &&
           (*status_)(api_->cuLaunchKernel(function_, c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z,
                                           c.dynamicSharedBytes, stream, arguments.get(), nullptr),
                      "cuLaunchKernel");
}

} // namespace gpu
