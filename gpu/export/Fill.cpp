// Formulas applied, and guessed from the first elements, then checked on all of them.
#include "gpu/export/Fill.h"

#include "gpu/Compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gpu {
namespace {

using sim::ElementType;
using Kind = Fill::Kind;

constexpr uint64_t kListed = 1 << 16; // Elements looked at to guess a modulus; the check looks at all.

uint64_t hashOf(uint64_t i) {
    return (i * 2654435761u + 12345u) & 0xffffffffu;
}

double realElement(const Fill& fill, uint64_t i) {
    switch (fill.kind) {
    case Kind::Constant: return fill.k;
    case Kind::Linear: return double(i) * fill.k;
    case Kind::Modulo: return double(i % uint64_t(fill.k));
    case Kind::Hash: return double(hashOf(i) >> 8) / 16777216.0;
    case Kind::HashMod: return double((hashOf(i) >> 8) % uint64_t(fill.k));
    case Kind::Listed: break;
    }
    return 0;
}

/// Low bits of the element; negative k count down.
uint64_t wholeElement(const Fill& fill, uint64_t i, ElementType type) {
    const auto k = uint64_t(int64_t(fill.k));
    switch (fill.kind) {
    case Kind::Constant: return k;
    case Kind::Linear: return i * k;
    case Kind::Modulo: return i % k;
    case Kind::Hash: return type == ElementType::U8 ? hashOf(i) >> 24 : hashOf(i) >> 8;
    case Kind::HashMod: return (hashOf(i) >> 8) % k;
    case Kind::Listed: break;
    }
    return 0;
}

bool hasModulus(Kind kind) {
    return kind == Kind::Modulo || kind == Kind::HashMod;
}
bool isSmallFloat(ElementType type) {
    return type == ElementType::F16 || type == ElementType::BF16;
}

/// The fill's element i as bytes; at most eight.
uint64_t elementBits(const Fill& fill, uint64_t i, ElementType type) {
    uint64_t bits = 0;
    if (type == ElementType::F32) {
        const auto value = float(realElement(fill, i));
        std::memcpy(&bits, &value, sizeof value);
    } else if (type == ElementType::F64) {
        const double value = realElement(fill, i);
        std::memcpy(&bits, &value, sizeof value);
    } else
        bits = wholeElement(fill, i, type);
    return bits;
}

bool gives(const Fill& fill, const sim::Buffer& buffer) {
    if (hasModulus(fill.kind) && fill.k < 1) return false;
    const unsigned size = sim::bytesOf(buffer.type);
    for (uint64_t i = 0; i < buffer.count; ++i) {
        const uint64_t bits = elementBits(fill, i, buffer.type);
        if (std::memcmp(&bits, buffer.bytes.data() + i * size, size) != 0) return false;
    }
    return true;
}

/// The first index at which a counting sequence starts again, or 0.
double guessModulus(const sim::Buffer& buffer) {
    for (uint64_t i = 1; i < buffer.count; ++i)
        if (elementValue(buffer, i) == 0) return double(i);
    return 0;
}

/// (h >> 8) - element is a multiple of the modulus for every element.
double guessHashModulus(const sim::Buffer& buffer) {
    uint64_t common = 0;
    for (uint64_t i = 0; i < std::min(buffer.count, kListed); ++i) {
        const double value = elementValue(buffer, i);
        if (!(value >= 0) || value > double(hashOf(i) >> 8)) return 0;
        common = std::gcd(common, (hashOf(i) >> 8) - uint64_t(value));
    }
    return double(common);
}

} // namespace

bool isReal(ElementType type) {
    return type == ElementType::F32 || type == ElementType::F64;
}

void applyFill(sim::Buffer& buffer, const Fill& fill) {
    if (fill.kind == Kind::Listed) return;
    const unsigned size = sim::bytesOf(buffer.type);
    buffer.bytes.resize(buffer.count * size);
    for (uint64_t i = 0; i < buffer.count; ++i) {
        const uint64_t bits = elementBits(fill, i, buffer.type);
        std::memcpy(buffer.bytes.data() + i * size, &bits, size);
    }
}

Fill recogniseFill(const sim::Buffer& buffer) {
    if (buffer.count == 0 || buffer.bytes.size() != buffer.count * sim::bytesOf(buffer.type)) return {};
    const double first = elementValue(buffer, 0);
    if (isSmallFloat(buffer.type)) {
        const bool zero =
            std::all_of(buffer.bytes.begin(), buffer.bytes.end(), [](std::byte b) { return b == std::byte{0}; });
        return zero ? Fill{Kind::Constant, 0} : Fill{};
    }
    // A whole number must survive the way through a double.
    const bool exact = std::isfinite(first) && std::fabs(first) < 0x1p53;
    for (const Fill& guess :
         {Fill{Kind::Constant, first}, Fill{Kind::Linear, buffer.count > 1 ? elementValue(buffer, 1) : 0},
          Fill{Kind::Hash, 0}, Fill{Kind::Modulo, guessModulus(buffer)}, Fill{Kind::HashMod, guessHashModulus(buffer)}})
        if (exact && std::isfinite(guess.k) && gives(guess, buffer)) return guess;
    return {};
}

} // namespace gpu
