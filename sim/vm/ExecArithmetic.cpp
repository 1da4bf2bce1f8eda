// Moves, integers, floating point, conversions and comparisons: one value per lane, no memory.
#include "sim/vm/Simd.h"

#include "sim/vm/Arithmetic.h"

#include <cmath>
#include <cstring>

namespace sim::vm::SIM_VM_NAMESPACE {

namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using f32 = float;
using f64 = double;

template <class To, class From> SIM_VM_INLINE To bits(From from) { return __builtin_bit_cast(To, from); }

/// Single-precision results that are NaN have one bit pattern on a GPU (PTX ISA, "Floating-Point Instructions").
SIM_VM_INLINE f32 canonical(f32 r) { return r != r ? bits<f32>(0x7fffffffu) : r; }
SIM_VM_INLINE f64 canonical(f64 r) { return r; }

// --- shapes of handlers ----------------------------------------------------------------------------------

template <class D, class Compute> SIM_VM_INLINE void write(D* d, bool inPlace, Compute compute) {
    if (__builtin_expect(inPlace, 1)) {
        compute(d, d);
        return;
    }
    alignas(64) D copy[32];
    compute(copy, static_cast<const D*>(d));
    std::memcpy(d, copy, sizeof copy);
}

template <bool Full, auto F, class D, class A> const Instruction* map1(Warp& w, const Instruction* i) {
    const A* a = slot<A>(w, i->a);
    const u32 active = w.active;
    write(slot<D>(w, i->d), apart<D, A>(i->d, i->a), [&](D* to, const D* old) {
        SIM_VM_LANES {
            const D r = F(a[l]);
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

template <bool Full, auto F, class D, class A, class B> const Instruction* map2(Warp& w, const Instruction* i) {
    const A* a = slot<A>(w, i->a);
    const B* b = slot<B>(w, i->b);
    const u32 active = w.active;
    write(slot<D>(w, i->d), apart<D, A>(i->d, i->a) & apart<D, B>(i->d, i->b), [&](D* to, const D* old) {
        SIM_VM_LANES {
            const D r = F(a[l], b[l]);
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

template <bool Full, auto F, class T> const Instruction* map3(Warp& w, const Instruction* i) {
    const T *a = slot<T>(w, i->a), *b = slot<T>(w, i->b), *c = slot<T>(w, i->c);
    const u32 active = w.active;
    write(slot<T>(w, i->d), apart<T, T>(i->d, i->a) & apart<T, T>(i->d, i->b) & apart<T, T>(i->d, i->c), [&](T* to, const T* old) {
        SIM_VM_LANES {
            const T r = F(a[l], b[l], c[l]);
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

template <bool Full, auto F, class T> const Instruction* compare(Warp& w, const Instruction* i) {
    using V = typename Vector<T>::Type;
    const V *a = slot<V>(w, i->a), *b = slot<V>(w, i->b);
    u32 result = 0;
    for (unsigned k = 0; k < 32 / Vector<T>::kLanes; ++k) result |= packLanes(F(a[k], b[k])) << (k * Vector<T>::kLanes);
    return setPredicate<Full>(w, i, result);
}

template <bool Full, class T> const Instruction* select(Warp& w, const Instruction* i) {
    const u32 chosen = predicate(w, i->a), active = w.active;
    const T *b = slot<T>(w, i->b), *c = slot<T>(w, i->c);
    write(slot<T>(w, i->d), apart<T, T>(i->d, i->b) & apart<T, T>(i->d, i->c) & (i->d != i->a), [&](T* to, const T* old) {
        SIM_VM_LANES {
            const T r = chosen & kLaneBit[l] ? b[l] : c[l];
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

template <bool Full, auto F> const Instruction* predicates(Warp& w, const Instruction* i) {
    return setPredicate<Full>(w, i, F(predicate(w, i->a), predicate(w, i->b == kNoSlot ? i->a : i->b)));
}

template <bool Full> const Instruction* selectP(Warp& w, const Instruction* i) {
    const u32 p = predicate(w, i->a);
    return setPredicate<Full>(w, i, (p & predicate(w, i->b)) | (~p & predicate(w, i->c)));
}

template <bool Full> const Instruction* pToI32(Warp& w, const Instruction* i) {
    const u32 p = predicate(w, i->a), active = w.active;
    u32* d = slot<u32>(w, i->d);
    SIM_VM_LANES {
        const u32 r = p & kLaneBit[l] ? 1u : 0u;
        d[l] = Full || (active & kLaneBit[l]) ? r : d[l];
    }
    return i + 1;
}

template <bool Full> const Instruction* i32ToP(Warp& w, const Instruction* i) {
    using V = Vector<i32>::Type;
    const V* a = slot<V>(w, i->a);
    u32 result = 0;
    for (unsigned k = 0; k < 32 / Vector<i32>::kLanes; ++k) result |= packLanes((a[k] & 1) != 0) << (k * Vector<i32>::kLanes);
    return setPredicate<Full>(w, i, result);
}

template <bool Full, class B> const Instruction* address(Warp& w, const Instruction* i) {
    const i64* a = slot<i64>(w, i->a);
    const B* b = slot<B>(w, i->b);
    const i64 scale = i->imm;
    const u32 active = w.active;
    write(slot<i64>(w, i->d), apart<i64, i64>(i->d, i->a) & apart<i64, B>(i->d, i->b), [&](i64* to, const i64* old) {
        SIM_VM_LANES {
            const i64 r = i64(u64(a[l]) + u64(i64(b[l])) * u64(scale));
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

template <bool Full> const Instruction* addImm64(Warp& w, const Instruction* i) {
    const u64* a = slot<u64>(w, i->a);
    const u64 imm = u64(i64{i->imm});
    const u32 active = w.active;
    write(slot<u64>(w, i->d), apart<u64, u64>(i->d, i->a), [&](u64* to, const u64* old) {
        SIM_VM_LANES {
            const u64 r = a[l] + imm;
            to[l] = Full || (active & kLaneBit[l]) ? r : old[l];
        }
    });
    return i + 1;
}

// --- functions of one lane -------------------------------------------------------------------------------

template <class T> SIM_VM_INLINE T minimum(T a, T b) {
    using I = std::conditional_t<sizeof(T) == 4, u32, u64>;
    const T smaller = a < b ? a : b;
    const T r = a == b ? bits<T>(bits<I>(a) | bits<I>(b)) : smaller;
    return canonical(a != a ? b : b != b ? a : r);
}
template <class T> SIM_VM_INLINE T maximum(T a, T b) {
    using I = std::conditional_t<sizeof(T) == 4, u32, u64>;
    const T larger = a > b ? a : b;
    const T r = a == b ? bits<T>(bits<I>(a) & bits<I>(b)) : larger;
    return canonical(a != a ? b : b != b ? a : r);
}

/// Truncation towards zero that saturates. NaN gives 0 from float to 32 bits, and the lowest signed number else, also
/// in the unsigned conversions (CUDA Math API, __float2ll_rz, __double2uint_rz and their kin; seen on an H200).
template <class I, class F> SIM_VM_INLINE I toInteger(F a) {
    constexpr F kLow = std::is_signed_v<I> ? -F(u64{1} << (sizeof(I) * 8 - 1)) : F(0);
    constexpr F kHigh = F(u64{1} << (sizeof(I) * 8 - 1)) * (std::is_signed_v<I> ? 1 : 2);
    constexpr I kMin = std::is_signed_v<I> ? I(u64{1} << (sizeof(I) * 8 - 1)) : I(0);
    constexpr I kMax = I(~kMin);
    const bool inside = a > kLow && a < kHigh;
    constexpr I kNan = sizeof(F) == 4 && sizeof(I) == 4 ? I(0) : I(u64{1} << (sizeof(I) * 8 - 1));
    const I r = I(inside ? a : F(0));
    return inside ? r : a >= kHigh ? kMax : a <= kLow ? kMin : kNan;
}

/// Flips the sign of numbers; a double NaN keeps its, a float one becomes the NaN (both seen on an H200).
template <class I, class T> SIM_VM_INLINE T negated(T a) {
    return canonical(a != a ? a : bits<T>(bits<I>(a) ^ I{1} << (sizeof(I) * 8 - 1)));
}

SIM_VM_INLINE u32 reverse(u32 v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}

/// __byte_perm: the low three bits of selector nibble k pick byte k. (PTX prmt would replicate the sign of the byte
/// when the nibble's top bit is set; __byte_perm ignores it, as an H200 shows.)
SIM_VM_INLINE u32 permute(u32 a, u32 b, u32 selector) {
    const u64 pool = u64{b} << 32 | a;
    u32 r = 0;
    for (unsigned k = 0; k < 4; ++k) r |= (u32(pool >> (8 * (selector >> (4 * k) & 7u))) & 0xffu) << (8 * k);
    return r;
}

template <class T> SIM_VM_INLINE T funnelLeft(T a, T b, T c) {
    constexpr unsigned kBits = sizeof(T) * 8;
    const T n = c & (kBits - 1);
    return n == 0 ? a : T(a << n) | T(b >> ((kBits - n) & (kBits - 1)));
}
template <class T> SIM_VM_INLINE T funnelRight(T a, T b, T c) {
    constexpr unsigned kBits = sizeof(T) * 8;
    const T n = c & (kBits - 1);
    return n == 0 ? b : T(b >> n) | T(a << ((kBits - n) & (kBits - 1)));
}

// 32-bit quotients by way of doubles, which hold them exactly: a / b is at least 1 / 2^32 of itself away from the
// next integer, and rounding moves it by 1 / 2^53 at most.
SIM_VM_INLINE u32 divide(u32 a, u32 b) { return b == 0 ? ~u32{0} : u32(i64(f64(a) / f64(b == 0 ? 1 : b))); }
SIM_VM_INLINE i32 divide(i32 a, i32 b) {
    const bool negate = b == -1; // INT_MIN / -1 wraps
    const i32 q = i32(f64(a) / f64(b == 0 || negate ? 1 : b));
    return b == 0 ? -1 : negate ? i32(0u - u32(a)) : q;
}
SIM_VM_INLINE u32 remainder(u32 a, u32 b) { return b == 0 ? a : a - divide(a, b) * b; }
SIM_VM_INLINE i32 remainder(i32 a, i32 b) { return b == 0 ? a : i32(u32(a) - u32(divide(a, b)) * u32(b)); }
SIM_VM_INLINE u64 divide(u64 a, u64 b) { return b == 0 ? ~u64{0} : a / b; }
SIM_VM_INLINE i64 divide(i64 a, i64 b) { return b == 0 ? -1 : b == -1 ? i64(0 - u64(a)) : a / b; }
SIM_VM_INLINE u64 remainder(u64 a, u64 b) { return b == 0 ? a : a % b; }
SIM_VM_INLINE i64 remainder(i64 a, i64 b) { return b == 0 ? a : b == -1 ? 0 : a % b; }

template <bool Full, auto F, class T> const Instruction* division(Warp& w, const Instruction* i) {
    using V = typename Vector<T>::Type;
    const V* b = slot<V>(w, i->b);
    u32 zero = 0;
    for (unsigned k = 0; k < 32 / Vector<T>::kLanes; ++k) zero |= packLanes(b[k] == 0) << (k * Vector<T>::kLanes);
    if (__builtin_expect((zero & w.active) != 0, 0)) reportZeroDivision(w, i, zero & w.active);
    return map2<Full, F, T, T, T>(w, i);
}

// --- the tables ------------------------------------------------------------------------------------------

#define ROW(op, ...) t.set(Opcode::op, __VA_ARGS__)
#define MAP1(op, D, A, expression) ROW(op, (map1<true, [](A a) -> D { return (expression); }, D, A>), (map1<false, [](A a) -> D { return (expression); }, D, A>))
#define MAP2(op, T, expression) MAP2AB(op, T, T, T, expression)
#define MAP2AB(op, D, A, B, expression) \
    ROW(op, (map2<true, [](A a, B b) -> D { return (expression); }, D, A, B>), (map2<false, [](A a, B b) -> D { return (expression); }, D, A, B>))
#define MAP3(op, T, expression) \
    ROW(op, (map3<true, [](T a, T b, T c) -> T { return (expression); }, T>), (map3<false, [](T a, T b, T c) -> T { return (expression); }, T>))
#define COMPARE(op, T, expression) \
    ROW(op, (compare<true, [](auto a, auto b) { return (expression); }, T>), (compare<false, [](auto a, auto b) { return (expression); }, T>))
#define PREDICATES(op, expression) \
    ROW(op, (predicates<true, [](u32 a, [[maybe_unused]] u32 b) -> u32 { return (expression); }>), (predicates<false, [](u32 a, [[maybe_unused]] u32 b) -> u32 { return (expression); }>))
#define DIVISION(op, T, function) \
    ROW(op, (division<true, [](T a, T b) -> T { return function(a, b); }, T>), (division<false, [](T a, T b) -> T { return function(a, b); }, T>))

void addMoves(HandlerTables& t) {
    MAP1(Mov32, u32, u32, a);
    MAP1(Mov64, u64, u64, a);
    PREDICATES(MovP, a);
    ROW(Select32, (select<true, u32>), (select<false, u32>));
    ROW(Select64, (select<true, u64>), (select<false, u64>));
    ROW(SelectP, selectP<true>, selectP<false>);
    PREDICATES(AndP, a & b);
    PREDICATES(OrP, a | b);
    PREDICATES(XorP, a ^ b);
    PREDICATES(NotP, ~a);
    ROW(PToI32, pToI32<true>, pToI32<false>);
    ROW(I32ToP, i32ToP<true>, i32ToP<false>);
    ROW(AddressS32, (address<true, i32>), (address<false, i32>));
    ROW(AddressI64, (address<true, i64>), (address<false, i64>));
    ROW(AddImm64, addImm64<true>, addImm64<false>);
}

void addIntegers32(HandlerTables& t) {
    MAP2(AddI32, u32, a + b);
    MAP2(SubI32, u32, a - b);
    MAP2(MulI32, u32, a * b);
    MAP3(MadI32, u32, a * b + c);
    MAP2(MulHiS32, i32, i32(i64{a} * b >> 32));
    MAP2(MulHiU32, u32, u32(u64{a} * b >> 32));
    DIVISION(DivS32, i32, divide);
    DIVISION(DivU32, u32, divide);
    DIVISION(RemS32, i32, remainder);
    DIVISION(RemU32, u32, remainder);
    MAP2(AndI32, u32, a & b);
    MAP2(OrI32, u32, a | b);
    MAP2(XorI32, u32, a ^ b);
    MAP2(ShlI32, u32, b > 31 ? 0 : a << (b & 31));
    MAP2(ShrU32, u32, b > 31 ? 0 : a >> (b & 31));
    MAP2AB(ShrS32, i32, i32, u32, a >> (b > 31 ? 31 : b));
    MAP2(MinS32, i32, a < b ? a : b);
    MAP2(MaxS32, i32, a > b ? a : b);
    MAP2(MinU32, u32, a < b ? a : b);
    MAP2(MaxU32, u32, a > b ? a : b);
    MAP3(FunnelShl32, u32, funnelLeft(a, b, c));
    MAP3(FunnelShr32, u32, funnelRight(a, b, c));
    MAP3(Permute32, u32, permute(a, b, c));
    MAP1(Popcount32, u32, u32, u32(__builtin_popcount(a)));
    MAP1(Clz32, u32, u32, a == 0 ? 32u : u32(__builtin_clz(a | (a == 0))));
    MAP1(Ctz32, u32, u32, a == 0 ? 32u : u32(__builtin_ctz(a | (a == 0))));
    MAP1(Reverse32, u32, u32, reverse(a));
}

void addIntegers64(HandlerTables& t) {
    MAP2(AddI64, u64, a + b);
    MAP2(SubI64, u64, a - b);
    MAP2(MulI64, u64, a * b);
    MAP2(MulHiS64, i64, i64(__extension__(__int128)(a) * b >> 64));
    MAP2(MulHiU64, u64, u64(__extension__(unsigned __int128)(a) * b >> 64));
    DIVISION(DivS64, i64, divide);
    DIVISION(DivU64, u64, divide);
    DIVISION(RemS64, i64, remainder);
    DIVISION(RemU64, u64, remainder);
    MAP2(AndI64, u64, a & b);
    MAP2(OrI64, u64, a | b);
    MAP2(XorI64, u64, a ^ b);
    MAP2(ShlI64, u64, b > 63 ? 0 : a << (b & 63));
    MAP2(ShrU64, u64, b > 63 ? 0 : a >> (b & 63));
    MAP2AB(ShrS64, i64, i64, u64, a >> (b > 63 ? 63 : b));
    MAP2(MinS64, i64, a < b ? a : b);
    MAP2(MaxS64, i64, a > b ? a : b);
    MAP2(MinU64, u64, a < b ? a : b);
    MAP2(MaxU64, u64, a > b ? a : b);
    MAP3(FunnelShl64, u64, funnelLeft(a, b, c));
    MAP3(FunnelShr64, u64, funnelRight(a, b, c));
    MAP1(Popcount64, u64, u64, u64(__builtin_popcountll(a)));
    MAP1(Clz64, u64, u64, a == 0 ? 64u : u64(__builtin_clzll(a | (a == 0))));
    MAP1(Ctz64, u64, u64, a == 0 ? 64u : u64(__builtin_ctzll(a | (a == 0))));
    MAP1(Reverse64, u64, u64, u64{reverse(u32(a))} << 32 | reverse(u32(a >> 32)));
    MAP1(SignExtend8, u32, u32, u32(i32(int8_t(a))));
    MAP1(SignExtend16, u32, u32, u32(i32(int16_t(a))));
    MAP1(ZeroExtend8, u32, u32, a & 0xffu);
    MAP1(ZeroExtend16, u32, u32, a & 0xffffu);
    MAP1(SignExtend32To64, i64, i32, a);
    MAP1(ZeroExtend32To64, u64, u32, a);
    MAP1(Truncate64To32, u32, u64, u32(a));
    MAP1(HighHalf64, u32, u64, u32(a >> 32));
    MAP2AB(Combine64, u64, u32, u32, a | u64{b} << 32);
}

// The same rows for single and double precision; I is the integer of the same width.
#define FLOATS(s, T, I, suffix)                                                   \
    MAP2(Add##s, T, canonical(a + b));                                            \
    MAP2(Sub##s, T, canonical(a - b));                                            \
    MAP2(Mul##s, T, canonical(a * b));                                            \
    MAP3(Fma##s, T, canonical(__builtin_fma##suffix(a, b, c)));                   \
    MAP3(Fms##s, T, canonical(__builtin_fma##suffix(a, b, -c)));                  \
    MAP3(Fnma##s, T, canonical(__builtin_fma##suffix(-a, b, c)));                 \
    MAP2(Div##s, T, canonical(a / b));                                            \
    MAP1(Sqrt##s, T, T, canonical(__builtin_sqrt##suffix(a)));                    \
    MAP1(Neg##s, T, T, negated<I>(a));                                            \
    MAP1(Abs##s, T, T, canonical(bits<T>(bits<I>(a) & ~(I{1} << (sizeof(I) * 8 - 1))))); \
    MAP2(Min##s, T, minimum(a, b));                                               \
    MAP2(Max##s, T, maximum(a, b));                                               \
    MAP2(CopySign##s, I, (a & ~(I{1} << (sizeof(I) * 8 - 1))) | (b & I{1} << (sizeof(I) * 8 - 1))); \
    MAP1(Floor##s, T, T, canonical(__builtin_floor##suffix(a)));                  \
    MAP1(Ceil##s, T, T, canonical(__builtin_ceil##suffix(a)));                    \
    MAP1(Trunc##s, T, T, canonical(__builtin_trunc##suffix(a)));                  \
    MAP1(Rint##s, T, T, canonical(__builtin_nearbyint##suffix(a)));               \
    MAP2(Rem##s, T, canonical(__builtin_fmod##suffix(a, b)));                     \
    COMPARE(Eq##s, T, a == b);                                                    \
    COMPARE(Ne##s, T, (a < b) | (a > b));                                         \
    COMPARE(Lt##s, T, a < b);                                                     \
    COMPARE(Le##s, T, a <= b);                                                    \
    COMPARE(Ordered##s, T, (a == a) & (b == b));                                  \
    MAP1(s##ToS32, i32, T, toInteger<i32>(a));                                    \
    MAP1(s##ToU32, u32, T, toInteger<u32>(a));                                    \
    MAP1(s##ToS64, i64, T, toInteger<i64>(a));                                    \
    MAP1(s##ToU64, u64, T, toInteger<u64>(a));                                    \
    MAP1(S32To##s, T, i32, T(a));                                                 \
    MAP1(U32To##s, T, u32, T(a));                                                 \
    MAP1(S64To##s, T, i64, T(a));                                                 \
    MAP1(U64To##s, T, u64, T(a));

void addSingle(HandlerTables& t) { FLOATS(F32, f32, u32, f) }
void addDouble(HandlerTables& t) { FLOATS(F64, f64, u64, ) }

void addConversions(HandlerTables& t) {
    MAP1(F32ToF64, f64, f32, f64(a));
    MAP1(F64ToF32, f32, f64, f32(a)); // a NaN keeps its sign and upper bits (seen on an H200)
    MAP1(BF16ToF32, f32, u32, canonical(bits<f32>(a << 16)));
}

void addCompares(HandlerTables& t) {
    COMPARE(EqI32, i32, a == b);
    COMPARE(NeI32, i32, a != b);
    COMPARE(LtS32, i32, a < b);
    COMPARE(LeS32, i32, a <= b);
    COMPARE(LtU32, u32, a < b);
    COMPARE(LeU32, u32, a <= b);
    COMPARE(EqI64, i64, a == b);
    COMPARE(NeI64, i64, a != b);
    COMPARE(LtS64, i64, a < b);
    COMPARE(LeS64, i64, a <= b);
    COMPARE(LtU64, u64, a < b);
    COMPARE(LeU64, u64, a <= b);
}

} // namespace

void addArithmetic(HandlerTables& t) {
    addMoves(t);
    addIntegers32(t);
    addIntegers64(t);
    addSingle(t);
    addDouble(t);
    addConversions(t);
    addCompares(t);
}

} // namespace sim::vm::SIM_VM_NAMESPACE
