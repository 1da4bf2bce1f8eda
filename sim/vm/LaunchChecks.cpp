// Launch limits of compute capability 9.0 and the fit of arguments.
#include "sim/vm/LaunchChecks.h"

#include <algorithm>

namespace sim::vm {

namespace {

// CUDA C++ Programming Guide, "Compute Capabilities", technical specifications for 9.0.
constexpr uint32_t kMaxThreads = 1024;
constexpr Dim3 kMaxBlock{1024, 1024, 64}, kMaxGrid{0x7fffffffu, 65535, 65535};
constexpr uint32_t kMaxStaticShared = 49152, kMaxShared = 232448;

// The guide documents error 9 for dimensions, 1 for shared memory; CUDA 13 on an H200 answers 1 for both.
constexpr const char* kInvalidDimensions = "cudaErrorInvalidValue (1; documented as cudaErrorInvalidConfiguration, 9): ";
constexpr const char* kInvalidValue = "cudaErrorInvalidValue (1): ";

std::string text(const Dim3& d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}
/// Blocks that an H200's 132 multiprocessors hold at once, registers left aside: 2048 threads, 32 blocks and 228 KiB
/// of shared memory each, of which every block takes 1 KiB more than it asks for.
uint64_t residentBlocks(uint64_t sharedBytes, const Dim3& block) {
    const uint64_t threads = (block.count() + 31) / 32 * 32;
    return 132 * std::min<uint64_t>({32, 2048 / threads, 228 * 1024 / (sharedBytes + 1024)});
}
bool hasZero(const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }
bool exceeds(const Dim3& d, const Dim3& most) { return d.x > most.x || d.y > most.y || d.z > most.z; }

} // namespace

std::optional<std::string> checkConfiguration(const Program& program, const Function& kernel, const LaunchConfig& config) {
    const Dim3 &grid = config.grid, &block = config.block;
    if (hasZero(grid)) return kInvalidDimensions + ("the grid " + text(grid) + " has no blocks; every extent must be at least 1.");
    if (hasZero(block)) return kInvalidDimensions + ("the block " + text(block) + " has no threads; every extent must be at least 1.");
    if (exceeds(block, kMaxBlock))
        return kInvalidDimensions + ("the block " + text(block) + " is larger than " + text(kMaxBlock) + " in one extent.");
    if (block.count() > kMaxThreads)
        return kInvalidDimensions + ("a block of " + text(block) + " has " + std::to_string(block.count()) +
                                        " threads; at most " + std::to_string(kMaxThreads) + " are possible.");
    if (exceeds(grid, kMaxGrid))
        return kInvalidDimensions + ("the grid " + text(grid) + " is larger than " + text(kMaxGrid) + " in one extent.");
    if (kernel.maxThreadsPerBlock && block.count() > kernel.maxThreadsPerBlock)
        return kInvalidDimensions + ("the block has " + std::to_string(block.count()) + " threads, but the kernel's __launch_bounds__ promise at most " +
                                        std::to_string(kernel.maxThreadsPerBlock) + ".");
    const uint32_t fixed = program.staticSharedBytes(kernel);
    if (fixed > kMaxStaticShared)
        return kInvalidValue + ("the kernel declares " + std::to_string(fixed) + " bytes of __shared__ memory; at most " +
                                std::to_string(kMaxStaticShared) + " can be declared, more only as extern __shared__.");
    if (uint64_t{fixed} + config.dynamicSharedBytes > kMaxShared)
        return kInvalidValue + ("the block needs " + std::to_string(uint64_t{fixed} + config.dynamicSharedBytes) + " bytes of shared memory (" +
                                std::to_string(fixed) + " static, " + std::to_string(config.dynamicSharedBytes) + " dynamic); at most " +
                                std::to_string(kMaxShared) + " are available.");
    if (config.cooperative && grid.count() > residentBlocks(fixed + config.dynamicSharedBytes, block))
        return "cudaErrorCooperativeLaunchTooLarge (720): a cooperative launch needs all its " + std::to_string(grid.count()) +
               " blocks on the device at once; at most " + std::to_string(residentBlocks(fixed + config.dynamicSharedBytes, block)) + " of this size fit.";
    return std::nullopt;
}

std::optional<std::string> checkArguments(const Function& kernel, std::span<const Argument> arguments, const std::vector<Buffer>& buffers) {
    const auto& parameters = kernel.parameters;
    if (arguments.size() != parameters.size())
        return "The kernel '" + kernel.name + "' takes " + std::to_string(parameters.size()) + " arguments, but " +
               std::to_string(arguments.size()) + " are given; give one for each parameter.";
    for (size_t k = 0; k < arguments.size(); ++k) {
        const Argument& argument = arguments[k];
        const std::string name = "Argument " + std::to_string(k + 1) + " ('" + parameters[k].name + "', " + parameters[k].type + ")";
        if (argument.buffer >= 0) {
            if (!parameters[k].pointer) return name + " is no pointer; give a number instead of a buffer.";
            if (size_t(argument.buffer) >= buffers.size()) return name + " names a buffer that does not exist.";
        } else if (argument.scalar.size() != parameters[k].bytes) {
            if (parameters[k].pointer) return name + " is a pointer; give a buffer.";
            return name + " takes " + std::to_string(parameters[k].bytes) + " bytes, but " + std::to_string(argument.scalar.size()) +
                   " are given; give a value of the parameter's type.";
        }
    }
    for (const Buffer& b : buffers)
        if (b.bytes.size() != b.count * bytesOf(b.type))
            return "The buffer '" + b.name + "' holds " + std::to_string(b.bytes.size()) + " bytes, but its " + std::to_string(b.count) +
                   " elements need " + std::to_string(b.count * bytesOf(b.type)) + ".";
    return std::nullopt;
}

} // namespace sim::vm
