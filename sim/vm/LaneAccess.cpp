// Bounds, alignment and findings of single lanes.
#include "sim/vm/LaneAccess.h"

#include "sim/vm/Worker.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace sim::vm {

namespace {

enum class Refusal : uint8_t { None, OutOfBounds, ReadOnly, Misaligned };

struct Target {
    std::byte* host = nullptr;
    Refusal refusal = Refusal::OutOfBounds;
    MemorySpace space = MemorySpace::Invalid;
};

Target locate(const Warp& warp, unsigned lane, uint64_t address, unsigned bytes, AccessKind kind) {
    const uint32_t id = regionOf(address);
    if (id >= warp.regionCount) return {};
    const Region& region = warp.regions[id];
    const bool local = id == kLocalRegion;
    const uint64_t offset = address - region.start, size = local ? warp.localTop : region.bytes;
    Target target{nullptr, Refusal::None, region.space};
    if (region.space == MemorySpace::Invalid || offset > size || bytes > size - offset) target.refusal = Refusal::OutOfBounds;
    else if (address % bytes != 0) target.refusal = Refusal::Misaligned;
    else if (region.space == MemorySpace::Constant && kind != AccessKind::Load) target.refusal = Refusal::ReadOnly;
    else target.host = local ? localHost(warp.local, offset, lane) : region.host + offset;
    return target;
}

FindingKind kindOf(const Warp& warp, uint64_t address, Refusal refusal) {
    if (refusal == Refusal::Misaligned) return FindingKind::Misaligned;
    if (address < 64 * 1024) return FindingKind::NullPointer;
    const uint32_t id = regionOf(address);
    if (id >= warp.regionCount) return FindingKind::OutOfBoundsGlobal;
    if (warp.regions[id].freed) return FindingKind::UseAfterFree;
    switch (warp.regions[id].space) {
    case MemorySpace::Shared: return FindingKind::OutOfBoundsShared;
    case MemorySpace::Local: return FindingKind::OutOfBoundsLocal;
    case MemorySpace::Constant: return FindingKind::OutOfBoundsConstant;
    default: return FindingKind::OutOfBoundsGlobal;
    }
}

std::string plural(uint64_t n, const char* noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

/// "tile[1][3]", "in[600]", "in[-1]", or "byte 7 of in" between elements.
std::string elementName(const RegionInfo& info, int64_t offset) {
    const int64_t size = info.elementBytes;
    if (offset % size != 0) return "byte " + std::to_string(offset) + " of " + info.name;
    int64_t index = offset / size;
    if (info.extents.size() < 2 || index < 0) return info.name + "[" + std::to_string(index) + "]";
    std::string text;
    for (size_t d = info.extents.size() - 1; d > 0; --d) {
        const int64_t extent = std::max<int64_t>(info.extents[d], 1);
        text = "[" + std::to_string(index % extent) + "]" + text;
        index /= extent;
    }
    return info.name + "[" + std::to_string(index) + "]" + text;
}

/// ", 0 bytes past its 600 elements" and its kin.
std::string distance(const RegionInfo& info, int64_t offset, unsigned bytes, uint64_t size) {
    const std::string extent = "its " + plural(size / info.elementBytes, info.elementBytes == 1 ? "byte" : "element");
    if (offset < 0) return ", " + plural(uint64_t(-offset), "byte") + " before the first of " + extent;
    if (uint64_t(offset) >= size) return ", " + plural(uint64_t(offset) - size, "byte") + " past " + extent;
    return ", of which " + plural(uint64_t(offset) + bytes - size, "byte") + " lie past " + extent;
}

std::string hex(uint64_t value) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    do text.insert(text.begin(), digits[value & 15]); while (value >>= 4);
    return "0x" + text;
}

std::string triple(const Dim3& d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string describe(const Warp& warp, const Finding& f, Refusal refusal) {
    const char* verb = f.access == AccessKind::Load ? " reads " : f.access == AccessKind::Store ? " writes " : " updates ";
    std::string text = "thread " + triple(f.first.thread) + " of block " + triple(f.first.block) + verb + plural(f.bytes, "byte");
    if (f.kind == FindingKind::NullPointer) return text + " through a null pointer (address " + hex(f.address) + ")";
    const uint32_t id = regionOf(f.address);
    if (id >= warp.regionCount || warp.regions[id].space == MemorySpace::Invalid)
        return text + " at address " + hex(f.address) + ", where nothing is allocated";
    const RegionInfo& info = warp.worker->infos()[id];
    text += " at " + elementName(info, f.offset);
    if (refusal == Refusal::Misaligned) return text + ", whose address " + hex(f.address) + " is no multiple of " + std::to_string(f.bytes);
    if (refusal == Refusal::ReadOnly) return text + ", but constant memory cannot be written by a kernel";
    if (f.kind == FindingKind::UseAfterFree) return text + " after it was freed";
    return text + distance(info, f.offset, f.bytes, id == kLocalRegion ? warp.localTop : info.bytes);
}

void refuse(const Warp& warp, const Instruction* at, unsigned lane, uint64_t address, unsigned bytes, AccessKind access,
            Refusal refusal) {
    Worker& worker = *warp.worker;
    Finding f;
    f.kind = kindOf(warp, address, refusal);
    f.access = access;
    f.first.at = worker.launch().linked.locationAt(warp.pcOf(at));
    if (worker.findings().repeat(f.kind, access, f.first.at, 1)) return;
    f.count = 1;
    f.first = worker.partyOf(warp, at, lane);
    f.address = address;
    f.bytes = bytes;
    const uint32_t id = regionOf(address);
    if (id != 0 && id < warp.regionCount) {
        f.allocation = worker.infos()[id].name;
        f.offset = int64_t(address - warp.regions[id].start);
    }
    f.message = describe(warp, f, refusal);
    worker.findings().add(std::move(f), warp.block.value);
}

} // namespace

void resolveLanes(Warp& warp, const Instruction* at, const uint64_t* address, uint32_t lanes, unsigned bytes,
                  AccessKind kind, LaneHosts& out) {
    out.allowed = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = LaneMask{rest}.lowest();
        const Target target = locate(warp, lane, address[lane], bytes, kind);
        out.host[lane] = target.host;
        if (target.refusal == Refusal::None) out.allowed |= 1u << lane;
        else refuse(warp, at, lane, address[lane], bytes, kind, target.refusal);
    }
}

void tellAccess(Warp& warp, const Instruction* at, const uint64_t* address, unsigned bytes, AccessKind kind,
                const LaneHosts& lanes) {
    if (!warp.observer) return;
    for (uint32_t rest = lanes.allowed; rest;) {
        const MemorySpace space = warp.regions[regionOf(address[LaneMask{rest}.lowest()])].space;
        uint32_t same = 0;
        for (unsigned l = 0; l < kWarpSize; ++l)
            if (rest >> l & 1u && warp.regions[regionOf(address[l])].space == space) same |= 1u << l;
        rest &= ~same;
        bool contiguous = same == 0xffffffffu;
        for (unsigned l = 1; contiguous && l < kWarpSize; ++l) contiguous = address[l] == address[0] + uint64_t{l} * bytes;
        warp.observer->onMemoryAccess({warp.at(at), LaneMask{same}, space, kind, uint8_t(bytes), contiguous, address,
                                       reinterpret_cast<const void* const*>(lanes.host)});
    }
}

void loadLanes(Warp& warp, const Instruction* at, const uint64_t* address) {
    const unsigned element = at->aux & 15u, count = at->aux >> 4, step = element > 4 ? 2 : 1;
    const uint32_t lanes = warp.active;
    LaneHosts hosts;
    resolveLanes(warp, at, address, lanes, element * count, AccessKind::Load, hosts);
    tellAccess(warp, at, address, element * count, AccessKind::Load, hosts);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = LaneMask{rest}.lowest();
        for (unsigned e = 0; e < count; ++e) {
            uint64_t value = 0;
            if (hosts.allowed >> lane & 1u) std::memcpy(&value, hosts.host[lane] + size_t{e} * element, element);
            std::byte* slot = warp.registers + (size_t{at->d} + e * step) * kSlotBytes;
            std::memcpy(slot + lane * step * 4, &value, step * 4);
        }
    }
}

void storeLanes(Warp& warp, const Instruction* at, const uint64_t* address) {
    const unsigned element = at->aux & 15u, count = at->aux >> 4, step = element > 4 ? 2 : 1;
    LaneHosts hosts;
    resolveLanes(warp, at, address, warp.active, element * count, AccessKind::Store, hosts);
    for (uint32_t rest = hosts.allowed; rest; rest &= rest - 1) {
        const unsigned lane = LaneMask{rest}.lowest();
        for (unsigned e = 0; e < count; ++e) {
            const std::byte* slot = warp.registers + (size_t{at->b} + e * step) * kSlotBytes;
            std::memcpy(hosts.host[lane] + size_t{e} * element, slot + lane * step * 4, element);
        }
    }
    tellAccess(warp, at, address, element * count, AccessKind::Store, hosts);
}

size_t peek(const Warp& warp, unsigned lane, uint64_t address, void* to, size_t bytes) {
    for (size_t n = 0; n < bytes; ++n) {
        const Target target = locate(warp, lane, address + n, 1, AccessKind::Load);
        if (target.refusal != Refusal::None) return n;
        static_cast<std::byte*>(to)[n] = *target.host;
    }
    return bytes;
}

std::string peekText(const Warp& warp, unsigned lane, uint64_t address) {
    std::string text;
    for (char c; text.size() < 64 * 1024 && peek(warp, lane, address + text.size(), &c, 1) == 1 && c != 0;) text += c;
    return text;
}

} // namespace sim::vm
