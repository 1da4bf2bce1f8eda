// Arithmetic rounded otherwise than to nearest, and conversions to and from 16-bit floats.
// Compiled so that the compiler respects the rounding mode (CMakeLists.txt).
#include "sim/vm/Half.h"
#include "sim/vm/Warp.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>

namespace sim::vm {

namespace {

class RoundingScope {
public:
    explicit RoundingScope(unsigned mode) : before_(std::fegetround()) {
        static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
        std::fesetround(modes[mode & 3]);
    }
    ~RoundingScope() { std::fesetround(before_); }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
    int before_;
};

template <class T> T read(const Warp& w, uint16_t slot, unsigned lane) {
    T value{};
    if (slot != kNoSlot) std::memcpy(&value, w.registers + size_t{slot} * kSlotBytes + lane * sizeof(T), sizeof value);
    return value;
}
template <class T> void write(Warp& w, uint16_t slot, unsigned lane, T value) {
    std::memcpy(w.registers + size_t{slot} * kSlotBytes + lane * sizeof(T), &value, sizeof value);
}
float canonical(float f) { return std::isnan(f) ? std::bit_cast<float>(0x7fffffffu) : f; }
double canonical(double f) { return f; }

template <class Body> void eachActive(const Warp& w, Body body) {
    for (uint32_t rest = w.active; rest; rest &= rest - 1) body(unsigned(std::countr_zero(rest)));
}

/// d = F(a, b, c) in the rounding mode of aux; conversions use only a.
template <auto F, class D, class A> const Instruction* rounded(Warp& w, const Instruction* i) {
    D result[kWarpSize];
    {
        const RoundingScope scope(i->aux);
        eachActive(w, [&](unsigned l) { result[l] = F(read<A>(w, i->a, l), read<A>(w, i->b, l), read<A>(w, i->c, l)); });
    }
    eachActive(w, [&](unsigned l) { write<D>(w, i->d, l, canonical(result[l])); });
    return i + 1;
}

template <auto F, class D, class A> const Instruction* convert(Warp& w, const Instruction* i) {
    D result[kWarpSize];
    eachActive(w, [&](unsigned l) { result[l] = F(read<A>(w, i->a, l), Rounding(i->aux & 3)); });
    eachActive(w, [&](unsigned l) { write<D>(w, i->d, l, result[l]); });
    return i + 1;
}

template <auto F, class D, class A> void addRounded(HandlerTables& t, Opcode op) {
    t.set(uint16_t(kRoundedVariant + uint16_t(op)), rounded<F, D, A>, rounded<F, D, A>);
}
template <auto F, class D, class A> void addConvert(HandlerTables& t, Opcode op) {
    t.set(op, convert<F, D, A>, convert<F, D, A>);
}

template <class T> void addFloats(HandlerTables& t, Opcode add, Opcode sub, Opcode mul, Opcode fma, Opcode fms, Opcode fnma,
                                  Opcode div, Opcode sqrt) {
    addRounded<[](T a, T b, T) { return a + b; }, T, T>(t, add);
    addRounded<[](T a, T b, T) { return a - b; }, T, T>(t, sub);
    addRounded<[](T a, T b, T) { return a * b; }, T, T>(t, mul);
    addRounded<[](T a, T b, T c) { return std::fma(a, b, c); }, T, T>(t, fma);
    addRounded<[](T a, T b, T c) { return std::fma(a, b, -c); }, T, T>(t, fms);
    addRounded<[](T a, T b, T c) { return std::fma(-a, b, c); }, T, T>(t, fnma);
    addRounded<[](T a, T b, T) { return a / b; }, T, T>(t, div);
    addRounded<[](T a, T, T) { return std::sqrt(a); }, T, T>(t, sqrt);
}

} // namespace

void addRounding(HandlerTables& t) {
    using enum Opcode;
    addFloats<float>(t, AddF32, SubF32, MulF32, FmaF32, FmsF32, FnmaF32, DivF32, SqrtF32);
    addFloats<double>(t, AddF64, SubF64, MulF64, FmaF64, FmsF64, FnmaF64, DivF64, SqrtF64);
    addRounded<[](int32_t a, int32_t, int32_t) { return float(a); }, float, int32_t>(t, S32ToF32);
    addRounded<[](uint32_t a, uint32_t, uint32_t) { return float(a); }, float, uint32_t>(t, U32ToF32);
    addRounded<[](int64_t a, int64_t, int64_t) { return float(a); }, float, int64_t>(t, S64ToF32);
    addRounded<[](uint64_t a, uint64_t, uint64_t) { return float(a); }, float, uint64_t>(t, U64ToF32);
    addRounded<[](int64_t a, int64_t, int64_t) { return double(a); }, double, int64_t>(t, S64ToF64);
    addRounded<[](uint64_t a, uint64_t, uint64_t) { return double(a); }, double, uint64_t>(t, U64ToF64);
    addRounded<[](double a, double, double) { return float(a); }, float, double>(t, F64ToF32);
    addConvert<[](uint32_t a, Rounding) { return halfToFloat(a & 0xffffu); }, float, uint32_t>(t, F16ToF32);
    addConvert<[](float a, Rounding r) { return toHalf(a, r); }, uint32_t, float>(t, F32ToF16);
    // From double a NaN keeps its sign and upper bits (seen on an H200).
    addConvert<[](double a, Rounding r) {
        const uint64_t bits = std::bit_cast<uint64_t>(a);
        return std::isnan(a) ? uint32_t(bits >> 48 & 0x8000u) | 0x7e00u | uint32_t(bits >> 42 & 0x1ffu) : toHalf(a, r);
    }, uint32_t, double>(t, F64ToF16);
    addConvert<[](float a, Rounding r) { return toBfloat(a, r); }, uint32_t, float>(t, F32ToBF16);
}

} // namespace sim::vm
