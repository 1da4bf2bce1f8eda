// What the vector handlers share: slots as arrays of lanes, blending, and lane masks from vector comparisons.
// Files that include this are compiled once per instruction set of the host, each time into a namespace of its own
// (SIM_VM_LEVEL), and chosen at run time. They must not use inline functions or templates from elsewhere that are
// more than a cast, lest the linker keep the copy with the wrong instructions for all.
#pragma once

#include "sim/vm/Warp.h"

#include <cstdint>

#ifndef SIM_VM_LEVEL
#define SIM_VM_LEVEL 0
#endif
#define SIM_VM_JOIN2(a, b) a##b
#define SIM_VM_JOIN(a, b) SIM_VM_JOIN2(a, b)
#define SIM_VM_NAMESPACE SIM_VM_JOIN(level, SIM_VM_LEVEL)

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Iterations touch different lanes only. (A destination may be the same slot as a source; see apart().)
#if defined(__clang__)
#define SIM_VM_LANES _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < 32; ++l)
#else
#define SIM_VM_LANES _Pragma("GCC ivdep") for (unsigned l = 0; l < 32; ++l)
#endif
#define SIM_VM_INLINE inline __attribute__((always_inline))

namespace sim::vm::SIM_VM_NAMESPACE {

#if defined(__AVX512F__)
inline constexpr unsigned kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr unsigned kVectorBytes = 32;
#else
inline constexpr unsigned kVectorBytes = 16;
#endif

template <class T> struct Vector {
    typedef T Type __attribute__((vector_size(kVectorBytes)));
    static constexpr unsigned kLanes = kVectorBytes / sizeof(T);
};

/// Bit l of lane l, to test a mask in all lanes at once.
alignas(64) static constexpr uint32_t kLaneBit[32] = {
    1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

template <class T> SIM_VM_INLINE T* slot(Warp& w, uint16_t index) {
    return reinterpret_cast<T*>(__builtin_assume_aligned(w.registers + size_t{index} * kSlotBytes, kSlotBytes / 2));
}
SIM_VM_INLINE uint32_t& predicate(Warp& w, uint16_t index) { return *slot<uint32_t>(w, index); }

template <bool Full> SIM_VM_INLINE const Instruction* setPredicate(Warp& w, const Instruction* i, uint32_t bits) {
    uint32_t& d = predicate(w, i->d);
    d = Full ? bits : (d & ~w.active) | (bits & w.active);
    return i + 1;
}

/// Whether lane-by-lane writes of D to slot d cannot disturb reads of S from slot s that are still to come.
template <class D, class S> SIM_VM_INLINE bool apart(uint16_t d, uint16_t s) {
    if (sizeof(D) == 4 && sizeof(S) == 4) return true;
    if (sizeof(D) == sizeof(S)) return d == s || (d + 1 != s && s + 1 != d);
    return sizeof(D) == 8 ? s != d && s != d + 1 : d != s && d != s + 1;
}

/// The lanes for which a vector comparison held, packed into bits.
SIM_VM_INLINE uint32_t packLanes(Vector<int32_t>::Type m) {
#if defined(__AVX512F__)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(m));
#elif defined(__AVX2__)
    return uint32_t(_mm256_movemask_ps(reinterpret_cast<__m256>(m)));
#elif defined(__SSE2__)
    return uint32_t(_mm_movemask_ps(reinterpret_cast<__m128>(m)));
#else
    return uint32_t((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}
SIM_VM_INLINE uint32_t packLanes(Vector<int64_t>::Type m) {
#if defined(__AVX512F__)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m));
#elif defined(__AVX2__)
    return uint32_t(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
#elif defined(__SSE2__)
    return uint32_t(_mm_movemask_pd(reinterpret_cast<__m128d>(m)));
#else
    return uint32_t((m[0] & 1) | (m[1] & 2));
#endif
}

} // namespace sim::vm::SIM_VM_NAMESPACE
