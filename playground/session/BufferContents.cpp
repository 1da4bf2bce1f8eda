// Formulas for buffer contents, and elements as numbers.
#include "playground/session/BufferContents.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace playground {
namespace {

using sim::ElementType;

constexpr uint64_t hashOf(uint64_t i) {
    return (i * 2654435761u + 12345u) & 0xffffffffu;
}

template <class T>
void store(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof value);
}
template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Rounds a double to a format of `fraction` bits and `exponent` bits, ties to even; the bits below the sign.
uint16_t narrow(double value, int fractionBits, int exponentBits) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const uint16_t infinity = uint16_t(((1 << exponentBits) - 1) << fractionBits);
    value = std::fabs(value);
    if (std::isnan(value)) return uint16_t(sign | infinity | 1u << (fractionBits - 1));
    if (std::isinf(value)) return sign | infinity;
    if (value == 0) return sign;
    int exponent = std::max(std::ilogb(value), 1 - bias);
    // nearbyint rounds ties to even in the default rounding mode; a carry runs into the exponent as it should.
    const auto scaled = uint32_t(std::nearbyint(std::ldexp(value, fractionBits - exponent)));
    const uint32_t bits = scaled + (uint32_t(exponent + bias - 1) << fractionBits);
    return uint16_t(sign | std::min<uint32_t>(bits, infinity));
}

double widen(uint16_t bits, int fractionBits, int exponentBits) {
    const int bias = (1 << (exponentBits - 1)) - 1, top = (1 << exponentBits) - 1;
    const int exponent = bits >> fractionBits & top;
    const int fraction = bits & ((1 << fractionBits) - 1);
    double value;
    if (exponent == top)
        value = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        value = std::ldexp(fraction, 1 - bias - fractionBits);
    else
        value = std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
    return bits & 0x8000 ? -value : value;
}

/// The low 64 bits of a number's whole part, negative ones in two's complement.
uint64_t wholeBits(double value) {
    if (!(std::fabs(value) < 18446744073709551616.0)) return 0;
    return value < 0 ? 0 - uint64_t(-value) : uint64_t(value);
}

void storeWhole(ElementType type, std::byte* to, uint64_t bits) {
    std::memcpy(to, &bits, sim::bytesOf(type));
}

void storeNumber(ElementType type, std::byte* to, double value) {
    switch (type) {
    case ElementType::F64: return store(to, value);
    case ElementType::F32: return store(to, float(value));
    case ElementType::F16: return store(to, narrow(value, 10, 5));
    case ElementType::BF16: return store(to, narrow(value, 7, 8));
    default: return storeWhole(type, to, wholeBits(value));
    }
}

bool isFloat(ElementType type) {
    return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
           type == ElementType::F64;
}

/// Calls element(i) for the value of each element.
template <class Element>
void fillWith(sim::Buffer& buffer, Element element) {
    const unsigned size = sim::bytesOf(buffer.type);
    for (uint64_t i = 0; i < buffer.count; ++i) {
        std::byte* to = buffer.bytes.data() + i * size;
        if (isFloat(buffer.type))
            storeNumber(buffer.type, to, double(element(i)));
        else
            storeWhole(buffer.type, to, uint64_t(element(i)));
    }
}

void fillHash(sim::Buffer& buffer) {
    if (isFloat(buffer.type)) {
        const unsigned size = sim::bytesOf(buffer.type);
        for (uint64_t i = 0; i < buffer.count; ++i)
            storeNumber(buffer.type, buffer.bytes.data() + i * size, double(hashOf(i) >> 8) / 16777216.0);
    } else if (buffer.type == ElementType::U8) {
        fillWith(buffer, [](uint64_t i) { return hashOf(i) >> 24; });
    } else {
        fillWith(buffer, [](uint64_t i) { return hashOf(i) >> 8; });
    }
}

std::string fillFromList(sim::Buffer& buffer, std::string_view list, const Names& names) {
    std::vector<double> values;
    while (!list.empty()) {
        const size_t comma = list.find(',');
        const Evaluated e = evaluate(list.substr(0, comma), names);
        if (!e.ok()) return e.error;
        values.push_back(e.value.number);
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
    if (values.empty()) return "file: needs values, as in file:1,2,3";
    for (uint64_t i = 0; i < buffer.count; ++i) setElement(buffer, i, values[i % values.size()]);
    return {};
}

std::string fillByParameter(sim::Buffer& buffer, std::string_view kind, std::string_view text, const Names& names) {
    const Evaluated e = evaluate(text, names);
    if (!e.ok()) return e.error;
    const double k = e.value.number;
    if (kind == "const") {
        for (uint64_t i = 0; i < buffer.count; ++i) setElement(buffer, i, k);
        return {};
    }
    if (kind == "linear") {
        for (uint64_t i = 0; i < buffer.count; ++i) setElement(buffer, i, double(i) * k);
        return {};
    }
    if (k < 1)
        return "the k of " + std::string(kind) + ":k must be at least 1, but '" + std::string(text) + "' is " +
               std::to_string(k);
    const auto modulus = uint64_t(k);
    if (kind == "mod")
        fillWith(buffer, [&](uint64_t i) { return i % modulus; });
    else
        fillWith(buffer, [&](uint64_t i) { return (hashOf(i) >> 8) % modulus; });
    return {};
}

} // namespace

void setElement(sim::Buffer& buffer, uint64_t index, double value) {
    storeNumber(buffer.type, buffer.bytes.data() + index * sim::bytesOf(buffer.type), value);
}

double elementAt(const sim::Buffer& buffer, uint64_t index) {
    const std::byte* from = buffer.bytes.data() + index * sim::bytesOf(buffer.type);
    switch (buffer.type) {
    case ElementType::I8: return load<int8_t>(from);
    case ElementType::U8: return load<uint8_t>(from);
    case ElementType::I16: return load<int16_t>(from);
    case ElementType::U16: return load<uint16_t>(from);
    case ElementType::I32: return load<int32_t>(from);
    case ElementType::U32: return load<uint32_t>(from);
    case ElementType::I64: return double(load<int64_t>(from));
    case ElementType::U64: return double(load<uint64_t>(from));
    case ElementType::F16: return widen(load<uint16_t>(from), 10, 5);
    case ElementType::BF16: return widen(load<uint16_t>(from), 7, 8);
    case ElementType::F32: return load<float>(from);
    case ElementType::F64: return load<double>(from);
    }
    return 0;
}

std::vector<std::byte> scalarBytes(sim::ElementType type, double value) {
    std::vector<std::byte> bytes(sim::bytesOf(type));
    storeNumber(type, bytes.data(), value);
    return bytes;
}

std::string fillBuffer(sim::Buffer& buffer, std::string_view init, const Names& names) {
    buffer.bytes.assign(buffer.count * sim::bytesOf(buffer.type), std::byte{0});
    buffer.initialised = init != "uninit";
    const size_t colon = init.find(':');
    const std::string_view kind = init.substr(0, colon);
    const std::string_view rest = colon == std::string_view::npos ? std::string_view{} : init.substr(colon + 1);
    if (colon == std::string_view::npos) {
        if (init == "uninit") return {};
        if (init == "iota") {
            fillWith(buffer, [](uint64_t i) { return i; });
            return {};
        }
        if (init == "hash") {
            fillHash(buffer);
            return {};
        }
    } else {
        if (kind == "file") return fillFromList(buffer, rest, names);
        if (kind == "const" || kind == "linear" || kind == "mod" || kind == "hash")
            return fillByParameter(buffer, kind, rest, names);
    }
    return "'" + std::string(init) +
           "' is no way to fill a buffer; write iota, hash, hash:k, const:k, linear:k, mod:k, "
           "file:1,2,3 or uninit";
}

} // namespace playground
