// Loads and stores of the usual shapes; what is unusual goes lane by lane (LaneAccess).
#include "sim/vm/Access.h"

#include <cstring>

namespace sim::vm::SIM_VM_NAMESPACE {

namespace {

/// The register type that holds an element of type T: narrow integers are zero-extended to 32 bits.
template <class T> struct Register { using Type = uint32_t; };
template <> struct Register<uint64_t> { using Type = uint64_t; };

template <class T> SIM_VM_INLINE T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// The location of each lane, whatever the shape.
template <class Body> SIM_VM_INLINE void eachLane(const Warp& w, const Access& access, uint32_t lanes, bool full, Body body) {
    if (access.shape == Shape::Local) {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const unsigned l = unsigned(__builtin_ctz(rest));
            body(l, localHost(w.local, access.address[l] - access.origin, l));
        }
    } else if (full) {
        for (unsigned l = 0; l < 32; ++l) body(l, access.at(l));
    } else {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const unsigned l = unsigned(__builtin_ctz(rest));
            body(l, access.at(l));
        }
    }
}

template <bool Full, class T, unsigned N> const Instruction* load(Warp& w, const Instruction* i) {
    using R = typename Register<T>::Type;
    constexpr unsigned kStep = sizeof(R) / 4;
    const Access access = plan<Full, sizeof(T) * N, false>(w, i);
    if (__builtin_expect(access.shape == Shape::Slow, 0)) {
        loadLanes(w, i, access.address);
        return i + 1;
    }
    tell(w, i, access, sizeof(T) * N, AccessKind::Load);
    R* d[N];
    for (unsigned e = 0; e < N; ++e) d[e] = slot<R>(w, uint16_t(i->d + e * kStep));
    if (Full && access.shape == Shape::Contiguous) {
        const std::byte* from = access.at(0);
        if constexpr (N == 1 && sizeof(T) == sizeof(R)) std::memcpy(d[0], from, sizeof(T) * 32);
        else
            for (unsigned e = 0; e < N; ++e) SIM_VM_LANES d[e][l] = read<T>(from + (l * N + e) * sizeof(T));
    } else if (access.shape == Shape::Uniform) {
        const std::byte* from = access.at(0);
        const uint32_t active = w.active;
        for (unsigned e = 0; e < N; ++e) {
            const R value = read<T>(from + e * sizeof(T));
            SIM_VM_LANES d[e][l] = Full || (active & kLaneBit[l]) ? value : d[e][l];
        }
    } else if (overlaps(i->d, N * kStep, i->a)) {
        uint64_t copy[32];
        std::memcpy(copy, access.address, sizeof copy);
        Access again = access;
        again.address = copy;
        eachLane(w, again, w.active, Full, [&](unsigned l, const std::byte* from) {
            for (unsigned e = 0; e < N; ++e) d[e][l] = read<T>(from + e * sizeof(T));
        });
    } else {
        eachLane(w, access, w.active, Full, [&](unsigned l, const std::byte* from) {
            for (unsigned e = 0; e < N; ++e) d[e][l] = read<T>(from + e * sizeof(T));
        });
    }
    return i + 1;
}

template <bool Full, class T, unsigned N> const Instruction* store(Warp& w, const Instruction* i) {
    using R = typename Register<T>::Type;
    constexpr unsigned kStep = sizeof(R) / 4;
    const Access access = plan<Full, sizeof(T) * N, true>(w, i);
    if (__builtin_expect(access.shape == Shape::Slow, 0)) {
        storeLanes(w, i, access.address);
        return i + 1;
    }
    const R* b[N];
    for (unsigned e = 0; e < N; ++e) b[e] = slot<R>(w, uint16_t(i->b + e * kStep));
    if (Full && access.shape == Shape::Contiguous) {
        std::byte* to = access.at(0);
        if constexpr (N == 1 && sizeof(T) == sizeof(R)) std::memcpy(to, b[0], sizeof(T) * 32);
        else
            for (unsigned l = 0; l < 32; ++l)
                for (unsigned e = 0; e < N; ++e) {
                    const T value = T(b[e][l]);
                    std::memcpy(to + (l * N + e) * sizeof(T), &value, sizeof value);
                }
    } else {
        // Lanes in order: the highest of several that write one place wins here (CUDA leaves open which).
        eachLane(w, access, w.active, Full, [&](unsigned l, std::byte* to) {
            for (unsigned e = 0; e < N; ++e) {
                const T value = T(b[e][l]);
                std::memcpy(to + e * sizeof(T), &value, sizeof value);
            }
        });
    }
    tell(w, i, access, sizeof(T) * N, AccessKind::Store);
    return i + 1;
}

template <bool Full> const Instruction* anyLoad(Warp& w, const Instruction* i) {
    loadLanes(w, i, addresses<Full>(w, i));
    return i + 1;
}
template <bool Full> const Instruction* anyStore(Warp& w, const Instruction* i) {
    storeLanes(w, i, addresses<Full>(w, i));
    return i + 1;
}

template <class T, unsigned N> void add(HandlerTables& t, uint16_t load_, uint16_t store_) {
    t.set(load_, load<true, T, N>, load<false, T, N>);
    t.set(store_, store<true, T, N>, store<false, T, N>);
}

} // namespace

void addMemory(HandlerTables& t) {
    t.set(Opcode::Load, anyLoad<true>, anyLoad<false>);
    t.set(Opcode::Store, anyStore<true>, anyStore<false>);
    add<uint8_t, 1>(t, kLoad8, kStore8);
    add<uint16_t, 1>(t, kLoad16, kStore16);
    add<uint32_t, 1>(t, kLoad32, kStore32);
    add<uint64_t, 1>(t, kLoad64, kStore64);
    add<uint32_t, 2>(t, kLoad32x2, kStore32x2);
    add<uint32_t, 4>(t, kLoad32x4, kStore32x4);
    add<uint64_t, 2>(t, kLoad64x2, kStore64x2);
    add<uint8_t, 2>(t, kLoad8x2, kStore8x2);
    add<uint8_t, 4>(t, kLoad8x4, kStore8x4);
    add<uint16_t, 2>(t, kLoad16x2, kStore16x2);
    add<uint16_t, 4>(t, kLoad16x4, kStore16x4);
}

} // namespace sim::vm::SIM_VM_NAMESPACE
