// Placing allocations into regions.
#include "sim/vm/MemoryMap.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sim::vm {

MemoryMap::MemoryMap(const Program& program, const Function& kernel, const LaunchConfig& config,
                     std::vector<Buffer>& buffers)
    : globalAddress_(program.globals.size(), 0), parameters_(kernel.parameterBytes) {
    add({.name = "", .type = "", .hidden = true}, 0, nullptr); // region 0: null and small integers
    regions_[0] = {};
    add({.name = "kernel parameters", .type = "", .space = MemorySpace::Constant, .bytes = parameters_.size(), .hidden = true},
        regionBase(kParameterRegion), parameters_.data());
    add({.name = "local memory", .type = "", .space = MemorySpace::Local, .hidden = true}, regionBase(kLocalRegion), nullptr);
    firstBuffer_ = uint32_t(regions_.size());
    for (size_t b = 0; b < buffers.size(); ++b) {
        Buffer& buffer = buffers[b];
        add({.name = buffer.name, .type = toString(buffer.type), .space = MemorySpace::Global, .buffer = int(b),
             .elementBytes = bytesOf(buffer.type), .bytes = buffer.bytes.size()},
            regionBase(uint32_t(regions_.size())), buffer.bytes.data());
    }
    placeGlobals(program);
    placeShared(program, kernel, config);
    relocate(program);
}

uint32_t MemoryMap::add(RegionInfo info, uint64_t start, std::byte* host) {
    const uint32_t id = uint32_t(regions_.size());
    regions_.push_back({start, info.bytes, host, info.space, false});
    if (info.space != MemorySpace::Shared) totalBytes_ += info.bytes;
    infos_.push_back(std::move(info));
    return id;
}

void MemoryMap::placeGlobals(const Program& program) {
    for (size_t g = 0; g < program.globals.size(); ++g) {
        const Global& global = program.globals[g];
        if (global.space != MemorySpace::Global && global.space != MemorySpace::Constant) continue;
        std::vector<std::byte>& bytes = storage_.emplace_back(global.bytes);
        if (!global.initial.empty()) std::memcpy(bytes.data(), global.initial.data(), std::min(global.initial.size(), bytes.size()));
        globalAddress_[g] = regionBase(uint32_t(regions_.size()));
        add({.name = global.name, .type = global.type, .space = global.space,
             .elementBytes = global.element ? bytesOf(*global.element) : 1, .extents = global.extents,
             .bytes = global.bytes, .hidden = global.hidden},
            globalAddress_[g], bytes.data());
    }
}

void MemoryMap::placeShared(const Program& program, const Function& kernel, const LaunchConfig& config) {
    for (const SharedVariable& variable : kernel.shared) {
        const Global& global = program.globals[variable.global];
        const uint64_t start = regionBase(uint32_t(regions_.size())) + variable.offset;
        globalAddress_[variable.global] = start;
        std::vector<uint32_t> extents = global.extents;
        const unsigned elementBytes = global.element ? bytesOf(*global.element) : 1;
        if (global.dynamicShared) extents = {uint32_t(config.dynamicSharedBytes / elementBytes)};
        add({.name = global.name, .type = global.type, .space = MemorySpace::Shared, .elementBytes = elementBytes,
             .extents = std::move(extents), .bytes = global.dynamicShared ? config.dynamicSharedBytes : global.bytes,
             .hidden = global.hidden, .sharedOffset = variable.offset},
            start, nullptr);
    }
}

void MemoryMap::relocate(const Program& program) {
    for (size_t g = 0; g < program.globals.size(); ++g) {
        if (globalAddress_[g] == 0) continue;
        const Region& region = regions_[regionOf(globalAddress_[g])];
        for (const Global::Relocation& r : program.globals[g].relocations) {
            uint64_t value = uint64_t(r.addend);
            if (r.global >= 0) value += globalAddress_[size_t(r.global)];
            if (r.function >= 0) value += functionAddress(uint32_t(r.function));
            if (region.host && r.offset + sizeof value <= region.bytes) std::memcpy(region.host + r.offset, &value, sizeof value);
        }
    }
}

} // namespace sim::vm
