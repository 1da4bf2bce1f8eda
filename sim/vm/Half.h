// IEEE half and bfloat16 to and from wider floats, by bit arithmetic.
#pragma once

#include "sim/bytecode/Instruction.h"

#include <cstdint>

// Used by files that are compiled for several instruction sets: no out-of-line copy may exist (see Simd.h).
#define SIM_VM_HALF inline __attribute__((always_inline))

namespace sim::vm {

SIM_VM_HALF float floatOfBits(uint32_t bits) { return __builtin_bit_cast(float, bits); }
SIM_VM_HALF uint32_t bitsOfFloat(float f) { return __builtin_bit_cast(uint32_t, f); }

SIM_VM_HALF float halfToFloat(uint32_t h) {
    const uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
    if (exponent == 31) return floatOfBits(fraction ? 0x7fffffffu : sign | 0x7f800000u);
    if (exponent == 0) { // zero and denormals: fraction * 2^-24
        const float magnitude = float(fraction) * 5.9604644775390625e-8f;
        return floatOfBits(bitsOfFloat(magnitude) | sign);
    }
    return floatOfBits(sign | (exponent + 112) << 23 | fraction << 13);
}
SIM_VM_HALF float bfloatToFloat(uint32_t b) { return floatOfBits(b << 16); }

/// Rounds a double to a format of `fractionBits` stored bits and `exponentBits` exponent bits, once.
/// NaN gives 0x7fff, as PTX cvt from float does; overflow gives infinity or the largest number as the rounding says.
SIM_VM_HALF uint32_t narrow(double value, unsigned fractionBits, unsigned exponentBits, Rounding rounding) {
    const uint64_t bits = __builtin_bit_cast(uint64_t, value);
    const uint32_t sign = uint32_t(bits >> 63), maxExponent = (1u << exponentBits) - 1;
    const int bias = int(maxExponent >> 1);
    const uint32_t signBit = sign << (fractionBits + exponentBits);
    if (value != value) return 0x7fffu;
    if ((bits << 1) == 0) return signBit;
    const int exponent = int(bits >> 52 & 0x7ff) - 1023;
    if (exponent == 1024) return signBit | maxExponent << fractionBits;
    const uint64_t mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull; // a double's denormals are far below
    int shift = 52 - int(fractionBits), biased = exponent + bias;
    if (biased <= 0) {
        shift += 1 - biased;
        biased = 0;
    }
    if (shift > 62) shift = 62;
    uint64_t kept = mantissa >> shift;
    const uint64_t lost = mantissa & ((uint64_t{1} << shift) - 1), half = uint64_t{1} << (shift - 1);
    const bool up = rounding == Rounding::NearestEven ? lost > half || (lost == half && (kept & 1))
                    : rounding == Rounding::Up ? lost != 0 && !sign
                    : rounding == Rounding::Down ? lost != 0 && sign : false;
    kept += up;
    if (biased > 0) kept += uint64_t(biased - 1) << fractionBits; // a carry out of the fraction raises the exponent
    if (kept >= uint64_t{maxExponent} << fractionBits) {
        const bool infinite = rounding == Rounding::NearestEven || (rounding == Rounding::Up && !sign) || (rounding == Rounding::Down && sign);
        kept = (uint64_t{maxExponent} << fractionBits) - (infinite ? 0 : 1);
    }
    return signBit | uint32_t(kept);
}
SIM_VM_HALF uint32_t toHalf(double value, Rounding rounding = Rounding::NearestEven) { return narrow(value, 10, 5, rounding); }
SIM_VM_HALF uint32_t toBfloat(double value, Rounding rounding = Rounding::NearestEven) { return narrow(value, 7, 8, rounding); }

} // namespace sim::vm
