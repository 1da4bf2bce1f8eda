// Bits, units in the last place and relative differences.
#include "gpu/Compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace gpu {
namespace {

using sim::ElementType;

uint64_t bitsOf(const sim::Buffer& buffer, uint64_t index) {
    const unsigned size = sim::bytesOf(buffer.type);
    uint64_t bits = 0;
    std::memcpy(&bits, buffer.bytes.data() + index * size, size);
    return bits;
}

bool isFloating(ElementType type) {
    return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
           type == ElementType::F64;
}

double halfValue(uint64_t bits) {
    const int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
    double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31)
        value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    return bits >> 15 & 1 ? -value : value;
}

/// Maps a float's bits to integers in the order of the values: neighbours are 1 apart, -0 and +0 are both 0.
int64_t ordered(uint64_t bits, unsigned width) {
    const uint64_t sign = uint64_t{1} << (width - 1);
    return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
}

uint64_t ulpsApart(uint64_t left, uint64_t right, unsigned width) {
    const int64_t a = ordered(left, width), b = ordered(right, width);
    return a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a);
}

double relativeDifference(double left, double right) {
    if (left == right || (std::isnan(left) && std::isnan(right))) return 0;
    const double scale = std::max(std::fabs(left), std::fabs(right));
    const double difference = std::fabs(left - right) / scale;
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

} // namespace

double elementValue(const sim::Buffer& buffer, uint64_t index) {
    const uint64_t bits = bitsOf(buffer, index);
    switch (buffer.type) {
    case ElementType::I8: return double(int8_t(bits));
    case ElementType::I16: return double(int16_t(bits));
    case ElementType::I32: return double(int32_t(bits));
    case ElementType::I64: return double(int64_t(bits));
    case ElementType::F16: return halfValue(bits);
    case ElementType::BF16: return double(std::bit_cast<float>(uint32_t(bits) << 16));
    case ElementType::F32: return double(std::bit_cast<float>(uint32_t(bits)));
    case ElementType::F64: return std::bit_cast<double>(bits);
    default: return double(bits);
    }
}

Comparison compare(const sim::Buffer& left, const sim::Buffer& right) {
    Comparison result;
    result.elements = left.count;
    const uint64_t bytes = left.count * sim::bytesOf(left.type);
    result.comparable = left.type == right.type && left.count == right.count && left.bytes.size() == bytes &&
                        right.bytes.size() == bytes;
    if (!result.comparable || std::memcmp(left.bytes.data(), right.bytes.data(), bytes) == 0) return result;
    const unsigned width = 8 * sim::bytesOf(left.type);
    for (uint64_t i = 0; i < left.count; ++i) {
        const uint64_t a = bitsOf(left, i), b = bitsOf(right, i);
        if (a == b) continue;
        const double x = elementValue(left, i), y = elementValue(right, i);
        if (result.differentBits++ == 0) {
            result.first = result.largestAt = i;
            result.firstLeft = x;
            result.firstRight = y;
        }
        if (isFloating(left.type) && !(std::isnan(x) && std::isnan(y))) {
            const bool oneNan = std::isnan(x) || std::isnan(y);
            result.largestUlp = std::max(result.largestUlp, oneNan ? ~uint64_t{0} : ulpsApart(a, b, width));
        }
        if (const double relative = relativeDifference(x, y); relative > result.largestRelative) {
            result.largestRelative = relative;
            result.largestAt = i;
        }
    }
    return result;
}

std::string describe(const Comparison& c, const std::string& bufferName) {
    if (!c.comparable) return bufferName + ": type or size differ";
    if (c.equal()) return bufferName + ": equal to the bit";
    char text[256];
    std::snprintf(text, sizeof text, ": %llu of %llu differ; first [%llu]: %.9g and %.9g; at most %.3g apart",
                  static_cast<unsigned long long>(c.differentBits), static_cast<unsigned long long>(c.elements),
                  static_cast<unsigned long long>(c.first), c.firstLeft, c.firstRight, c.largestRelative);
    std::string sentence = bufferName + text;
    if (c.largestUlp > 0 && c.largestUlp != ~uint64_t{0}) sentence += " (" + std::to_string(c.largestUlp) + " ULP)";
    return sentence;
}

} // namespace gpu
