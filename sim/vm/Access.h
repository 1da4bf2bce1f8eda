// The fast path of memory accesses: all lanes in one allocation, checked at once.
#pragma once

#include "sim/vm/LaneAccess.h"
#include "sim/vm/Simd.h"

namespace sim::vm::SIM_VM_NAMESPACE {

enum class Shape : uint8_t {
    Contiguous, ///< All 32 lanes, each right behind the one before.
    Uniform,    ///< All active lanes at one address.
    Scattered,
    Local,      ///< In bounds, in local memory, where each lane has its own bytes.
    Slow,       ///< Something is wrong or unusual: lane by lane.
};

/// An access that passed, or has to go the slow way.
struct Access {
    const uint64_t* address = nullptr; ///< [32]; inactive lanes repeat an active one's.
    std::byte* host = nullptr;         ///< Where device address `origin` lies.
    uint64_t origin = 0;
    Shape shape = Shape::Slow;
    MemorySpace space = MemorySpace::Invalid;

    SIM_VM_INLINE std::byte* at(unsigned lane) const { return host + (address[lane] - origin); }
};

/// Addresses a + imm. Inactive lanes get the first active lane's, so that they pass every check it passes.
template <bool Full> SIM_VM_INLINE const uint64_t* addresses(Warp& w, const Instruction* i) {
    const uint64_t* a = slot<uint64_t>(w, i->a);
    const uint64_t imm = uint64_t(int64_t{i->imm});
    if (Full && imm == 0) return a;
    uint64_t* to = w.address;
    if (Full) {
        SIM_VM_LANES to[l] = a[l] + imm;
    } else {
        const uint32_t active = w.active;
        const uint64_t stand = a[__builtin_ctz(active)];
        SIM_VM_LANES to[l] = (active & kLaneBit[l] ? a[l] : stand) + imm;
    }
    return to;
}

/// Bounds, alignment and shape of an access of kBytes per lane. Store and atomics must not touch constant memory.
template <bool Full, unsigned kBytes, bool kWrites> SIM_VM_INLINE Access plan(Warp& w, const Instruction* i) {
    Access access;
    access.address = addresses<Full>(w, i);
    const uint64_t* a = access.address;
    const uint64_t first = a[0];
    const uint32_t id = uint32_t(first >> kRegionShift);
    if (__builtin_expect(w.slowMemory || id >= w.regionCount, 0)) return access;
    const Region& region = w.regions[id];
    if (kWrites && region.space == MemorySpace::Constant) return access;
    uint64_t strided = 0, same = 0, outside = 0;
    // An offset is inside when neither it nor (limit - it) is negative; the sign bits of all lanes are or-ed.
    const uint64_t size = id == kLocalRegion ? w.localTop : region.bytes;
    if (__builtin_expect(size < kBytes, 0)) return access;
    const uint64_t limit = size - kBytes, start = region.start;
    SIM_VM_LANES {
        const uint64_t offset = a[l] - start;
        strided |= a[l] ^ (first + uint64_t{l} * kBytes);
        same |= a[l] ^ first;
        outside |= offset | (limit - offset);
    }
    if (__builtin_expect((outside >> 63) | ((first | same) & (kBytes - 1)), 0)) return access;
    access.host = region.host;
    access.origin = start;
    access.space = region.space;
    access.shape = id == kLocalRegion ? Shape::Local : Full && strided == 0 ? Shape::Contiguous : same == 0 ? Shape::Uniform : Shape::Scattered;
    return access;
}

/// Whether slots [d, d + count) touch the two slots of a 64-bit address.
SIM_VM_INLINE bool overlaps(uint16_t d, unsigned count, uint16_t address) {
    return d < address + 2u && address < d + count;
}

SIM_VM_INLINE void tell(Warp& w, const Instruction* i, const Access& access, unsigned bytes, AccessKind kind) {
    if (!w.observer) return;
    w.observer->onMemoryAccess({w.at(i), LaneMask{w.active}, access.space, kind, uint8_t(bytes),
                                access.shape == Shape::Contiguous, access.address, nullptr});
}

} // namespace sim::vm::SIM_VM_NAMESPACE
