// Where a launch puts buffers, module variables and shared variables, and what they are called.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/vm/Region.h"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sim::vm {

/// What the learner calls a region.
struct RegionInfo {
    std::string name, type;
    MemorySpace space = MemorySpace::Invalid;
    int buffer = -1;
    unsigned elementBytes = 1;
    std::vector<uint32_t> extents;
    uint64_t bytes = 0;          ///< As allocated; stays after a free.
    bool hidden = false;         ///< String literals, parameters, local memory.
    uint32_t sharedOffset = 0;
};

/// The regions that all blocks of a launch see. Owns the memory of module variables and parameters; buffers stay
/// where the caller has them. Shared variables have regions but no memory here: each block gets its own.
class MemoryMap {
public:
    MemoryMap(const Program& program, const Function& kernel, const LaunchConfig& config, std::vector<Buffer>& buffers);

    /// Device address of Program::globals[index], 0 when the kernel does not use it.
    uint64_t globalAddress(uint32_t index) const { return globalAddress_[index]; }
    uint64_t bufferAddress(uint32_t index) const { return regions_[firstBuffer_ + index].start; }
    /// The kernel's parameter region, to be filled before the launch.
    std::span<std::byte> parameterBytes() { return parameters_; }

    const std::vector<Region>& regions() const { return regions_; }
    const std::vector<RegionInfo>& infos() const { return infos_; }
    uint64_t totalBytes() const { return totalBytes_; }

private:
    uint32_t add(RegionInfo info, uint64_t start, std::byte* host);
    void placeGlobals(const Program& program);
    void placeShared(const Program& program, const Function& kernel, const LaunchConfig& config);
    void relocate(const Program& program);

    std::vector<Region> regions_;
    std::vector<RegionInfo> infos_;
    std::vector<uint64_t> globalAddress_;
    std::deque<std::vector<std::byte>> storage_;
    std::vector<std::byte> parameters_;
    uint32_t firstBuffer_ = 0;
    uint64_t totalBytes_ = 0;
};

} // namespace sim::vm
