// Atomic operations on memory, lane after lane.
#include "sim/vm/Access.h"
#include "sim/vm/Half.h"

#include <cstring>

namespace sim::vm::SIM_VM_NAMESPACE {

namespace {

template <class T> SIM_VM_INLINE T sum(T a, T b) { return T(a + b); }
SIM_VM_INLINE float canonical(float r) { return r != r ? floatOfBits(0x7fffffffu) : r; }

/// Integers: all operations. Inc and Dec wrap at the operand (CUDA C++ Programming Guide, atomicInc and atomicDec).
template <class T> struct Integer {
    using Type = T;
    using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
    static SIM_VM_INLINE Bits apply(AtomicOp op, Bits oldBits, Bits valueBits) {
        const T old = T(oldBits), value = T(valueBits);
        switch (op) {
        case AtomicOp::Add: return Bits(oldBits + valueBits);
        case AtomicOp::Sub: return Bits(oldBits - valueBits);
        case AtomicOp::Exchange: return valueBits;
        case AtomicOp::Min: return old < value ? oldBits : valueBits;
        case AtomicOp::Max: return old > value ? oldBits : valueBits;
        case AtomicOp::And: return oldBits & valueBits;
        case AtomicOp::Or: return oldBits | valueBits;
        case AtomicOp::Xor: return oldBits ^ valueBits;
        case AtomicOp::Inc: return oldBits >= valueBits ? Bits(0) : Bits(oldBits + 1);
        case AtomicOp::Dec: return oldBits == 0 || oldBits > valueBits ? valueBits : Bits(oldBits - 1);
        }
        return oldBits;
    }
};

/// Subnormal numbers to zero, keeping the sign.
SIM_VM_INLINE float flushed(float f) { return __builtin_fabsf(f) < 1.17549435e-38f ? __builtin_copysignf(0.0f, f) : f; }

/// Floating point: Add, Sub, Exchange, Min, Max. kFlush: as single-precision additions to global memory do (PTX ISA,
/// "atom": subnormal inputs and results of atom.add.f32 there become zero; not in shared memory).
template <class F, class B, bool kFlush = false> struct Float {
    using Bits = B;
    static SIM_VM_INLINE Bits apply(AtomicOp op, Bits oldBits, Bits valueBits) {
        const F old = __builtin_bit_cast(F, oldBits), value = __builtin_bit_cast(F, valueBits);
        F r = value;
        if constexpr (kFlush) {
            if (op == AtomicOp::Add) r = flushed(flushed(old) + flushed(value));
            if (op == AtomicOp::Sub) r = flushed(flushed(old) - flushed(value));
        } else {
            if (op == AtomicOp::Add) r = old + value;
            if (op == AtomicOp::Sub) r = old - value;
        }
        if (op == AtomicOp::Min) r = value < old || old != old ? value : old;
        if (op == AtomicOp::Max) r = value > old || old != old ? value : old;
        if (op == AtomicOp::Exchange) return valueBits;
        if constexpr (sizeof(F) == 4) r = canonical(r);
        return __builtin_bit_cast(Bits, r);
    }
};

SIM_VM_INLINE uint16_t addHalf(AtomicOp op, uint16_t old, uint16_t value) {
    if (op != AtomicOp::Add) return value;
    return uint16_t(toHalf(double(halfToFloat(old)) + double(halfToFloat(value))));
}
SIM_VM_INLINE uint16_t addBfloat(AtomicOp op, uint16_t old, uint16_t value) {
    if (op != AtomicOp::Add) return value;
    return uint16_t(toBfloat(double(bfloatToFloat(old)) + double(bfloatToFloat(value))));
}
template <uint16_t (*Add)(AtomicOp, uint16_t, uint16_t)> struct Narrow {
    using Bits = uint16_t;
    static SIM_VM_INLINE Bits apply(AtomicOp op, Bits old, Bits value) { return Add(op, old, value); }
};
template <uint16_t (*Add)(AtomicOp, uint16_t, uint16_t)> struct Pair {
    using Bits = uint32_t;
    static SIM_VM_INLINE Bits apply(AtomicOp op, Bits old, Bits value) {
        return Add(op, uint16_t(old), uint16_t(value)) | uint32_t{Add(op, uint16_t(old >> 16), uint16_t(value >> 16))} << 16;
    }
};

/// Replaces the value at `host` by next(old); returns old. With other host threads at work it must really be atomic.
template <class Bits, class Next> SIM_VM_INLINE Bits update(std::byte* host, bool atomic, Next next) {
    Bits old;
    if (!atomic) {
        std::memcpy(&old, host, sizeof old);
        const Bits value = next(old);
        std::memcpy(host, &value, sizeof value);
        return old;
    }
    Bits* const p = reinterpret_cast<Bits*>(host);
    old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, next(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}

/// Whether the active lanes' addresses start in global memory; lanes of one instruction hardly ever mix spaces.
SIM_VM_INLINE bool isGlobal(Warp& w, const Instruction* i) {
    const uint64_t id = slot<uint64_t>(w, i->a)[__builtin_ctz(w.active)] >> kRegionShift;
    return id < w.regionCount && w.regions[id].space == MemorySpace::Global;
}

/// By how much a returning atomic shortens its warp's time slice; a slice then holds about 1000 of them.
constexpr int32_t kAtomicShare = 31;

/// Runs body(lane, host) for every lane whose access passes, then tells the observer.
template <bool Full, unsigned kBytes, class Body> SIM_VM_INLINE const Instruction* eachTarget(Warp& w, const Instruction* i, Body body) {
    const AccessKind kind = i->d == kNoSlot ? AccessKind::Reduction : AccessKind::Atomic;
    if (kind == AccessKind::Atomic) { // Maybe of a lock that somebody else has to give back: shortens the slice.
        ++w.atomicsInSlice;
        w.fuel -= kAtomicShare;
        w.granted -= kAtomicShare;
    }
    Access access = plan<Full, kBytes, true>(w, i);
    alignas(64) uint64_t copy[32]; // d may be the address's own slot
    std::memcpy(copy, access.address, sizeof copy);
    access.address = copy;
    if (access.shape == Shape::Slow) {
        LaneHosts hosts;
        resolveLanes(w, i, copy, w.active, kBytes, kind, hosts);
        for (uint32_t rest = hosts.allowed; rest; rest &= rest - 1) body(unsigned(__builtin_ctz(rest)), hosts.host[__builtin_ctz(rest)]);
        if (i->d != kNoSlot)
            for (uint32_t rest = w.active & ~hosts.allowed; rest; rest &= rest - 1)
                std::memset(w.registers + i->d * kSlotBytes + unsigned(__builtin_ctz(rest)) * (kBytes == 8 ? 8 : 4), 0, kBytes == 8 ? 8 : 4);
        tellAccess(w, i, copy, kBytes, kind, hosts);
        return i + 1;
    }
    const bool local = access.shape == Shape::Local;
    for (uint32_t rest = w.active; rest; rest &= rest - 1) {
        const unsigned l = unsigned(__builtin_ctz(rest));
        body(l, local ? localHost(w.local, copy[l] - access.origin, l) : access.at(l));
    }
    tell(w, i, access, kBytes, kind);
    return i + 1;
}

template <bool Full, class T, AtomicOp op> const Instruction* atomicAs(Warp& w, const Instruction* i) {
    using Bits = typename T::Bits;
    using R = std::conditional_t<sizeof(Bits) == 8, uint64_t, uint32_t>;
    const R* b = slot<R>(w, i->b);
    R* d = i->d == kNoSlot ? nullptr : slot<R>(w, i->d);
    const bool atomic = w.atomicMemory;
    return eachTarget<Full, sizeof(Bits)>(w, i, [&](unsigned l, std::byte* host) {
        const Bits value = Bits(b[l]);
        const Bits old = update<Bits>(host, atomic, [&](Bits was) { return T::apply(op, was, value); });
        if (d) d[l] = old;
    });
}

template <bool Full, class T> const Instruction* atomicOf(Warp& w, const Instruction* i) {
    switch (AtomicOp(i->aux & 0xff)) {
    case AtomicOp::Add: return atomicAs<Full, T, AtomicOp::Add>(w, i);
    case AtomicOp::Sub: return atomicAs<Full, T, AtomicOp::Sub>(w, i);
    case AtomicOp::Exchange: return atomicAs<Full, T, AtomicOp::Exchange>(w, i);
    case AtomicOp::Min: return atomicAs<Full, T, AtomicOp::Min>(w, i);
    case AtomicOp::Max: return atomicAs<Full, T, AtomicOp::Max>(w, i);
    case AtomicOp::And: return atomicAs<Full, T, AtomicOp::And>(w, i);
    case AtomicOp::Or: return atomicAs<Full, T, AtomicOp::Or>(w, i);
    case AtomicOp::Xor: return atomicAs<Full, T, AtomicOp::Xor>(w, i);
    case AtomicOp::Inc: return atomicAs<Full, T, AtomicOp::Inc>(w, i);
    case AtomicOp::Dec: return atomicAs<Full, T, AtomicOp::Dec>(w, i);
    }
    return i + 1;
}

template <bool Full> const Instruction* atomic(Warp& w, const Instruction* i) {
    switch (AtomicType(i->aux >> 8)) {
    case AtomicType::I32: return atomicOf<Full, Integer<int32_t>>(w, i);
    case AtomicType::U32: return atomicOf<Full, Integer<uint32_t>>(w, i);
    case AtomicType::I64: return atomicOf<Full, Integer<int64_t>>(w, i);
    case AtomicType::U64: return atomicOf<Full, Integer<uint64_t>>(w, i);
    case AtomicType::F32:
        return isGlobal(w, i) ? atomicOf<Full, Float<float, uint32_t, true>>(w, i) : atomicOf<Full, Float<float, uint32_t>>(w, i);
    case AtomicType::F64: return atomicOf<Full, Float<double, uint64_t>>(w, i);
    case AtomicType::F16: return atomicOf<Full, Narrow<addHalf>>(w, i);
    case AtomicType::BF16: return atomicOf<Full, Narrow<addBfloat>>(w, i);
    case AtomicType::F16x2: return atomicOf<Full, Pair<addHalf>>(w, i);
    case AtomicType::BF16x2: return atomicOf<Full, Pair<addBfloat>>(w, i);
    case AtomicType::U16: return atomicOf<Full, Integer<uint16_t>>(w, i);
    }
    return i + 1;
}

template <bool Full, class Bits> const Instruction* swapAs(Warp& w, const Instruction* i) {
    using R = std::conditional_t<sizeof(Bits) == 8, uint64_t, uint32_t>;
    const R *b = slot<R>(w, i->b), *c = slot<R>(w, i->c);
    R* d = i->d == kNoSlot ? nullptr : slot<R>(w, i->d);
    const bool atomic = w.atomicMemory;
    return eachTarget<Full, sizeof(Bits)>(w, i, [&](unsigned l, std::byte* host) {
        const Bits expected = Bits(b[l]), desired = Bits(c[l]);
        const Bits old = update<Bits>(host, atomic, [&](Bits was) { return was == expected ? desired : was; });
        if (d) d[l] = old;
    });
}

template <bool Full> const Instruction* compareSwap(Warp& w, const Instruction* i) {
    switch (AtomicType(i->aux >> 8)) {
    case AtomicType::I64: case AtomicType::U64: case AtomicType::F64: return swapAs<Full, uint64_t>(w, i);
    case AtomicType::U16: case AtomicType::F16: case AtomicType::BF16: return swapAs<Full, uint16_t>(w, i);
    default: return swapAs<Full, uint32_t>(w, i);
    }
}

} // namespace

void addAtomic(HandlerTables& t) {
    t.set(Opcode::Atomic, atomic<true>, atomic<false>);
    t.set(Opcode::CompareSwap, compareSwap<true>, compareSwap<false>);
}

} // namespace sim::vm::SIM_VM_NAMESPACE
