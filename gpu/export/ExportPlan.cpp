// Names, formulas and expectations for exported programs.
#include "gpu/export/ExportPlan.h"

#include "gpu/Compare.h"
#include "gpu/export/Crc32.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

namespace gpu {
namespace {

using sim::ElementType;

struct TypeRow {
    const char *c, *numpy;
    ElementType element;
};
constexpr std::array<TypeRow, 32> kTypes{{{"int", "int32", ElementType::I32},
                                          {"signed", "int32", ElementType::I32},
                                          {"signed int", "int32", ElementType::I32},
                                          {"int32_t", "int32", ElementType::I32},
                                          {"unsigned", "uint32", ElementType::U32},
                                          {"unsigned int", "uint32", ElementType::U32},
                                          {"uint", "uint32", ElementType::U32},
                                          {"uint32_t", "uint32", ElementType::U32},
                                          {"float", "float32", ElementType::F32},
                                          {"double", "float64", ElementType::F64},
                                          {"long", "int64", ElementType::I64},
                                          {"long int", "int64", ElementType::I64},
                                          {"long long", "int64", ElementType::I64},
                                          {"long long int", "int64", ElementType::I64},
                                          {"int64_t", "int64", ElementType::I64},
                                          {"ptrdiff_t", "int64", ElementType::I64},
                                          {"unsigned long", "uint64", ElementType::U64},
                                          {"unsigned long long", "uint64", ElementType::U64},
                                          {"unsigned long long int", "uint64", ElementType::U64},
                                          {"uint64_t", "uint64", ElementType::U64},
                                          {"size_t", "uint64", ElementType::U64},
                                          {"char", "int8", ElementType::I8},
                                          {"signed char", "int8", ElementType::I8},
                                          {"int8_t", "int8", ElementType::I8},
                                          {"unsigned char", "uint8", ElementType::U8},
                                          {"uint8_t", "uint8", ElementType::U8},
                                          {"bool", "uint8", ElementType::U8},
                                          {"short", "int16", ElementType::I16},
                                          {"int16_t", "int16", ElementType::I16},
                                          {"unsigned short", "uint16", ElementType::U16},
                                          {"uint16_t", "uint16", ElementType::U16},
                                          {"std::size_t", "uint64", ElementType::U64}}};

const TypeRow* rowOf(std::string type) {
    if (type.starts_with("const ")) type.erase(0, 6);
    if (type.ends_with(" const")) type.erase(type.size() - 6);
    const auto row = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& r) { return type == r.c; });
    return row != kTypes.end() ? &*row : nullptr;
}

/// Letters, digits and underscores, not starting with a digit, not taken yet, and no word of C++ or Python.
std::string identifier(const std::string& wish, const char* otherwise, std::set<std::string>& taken) {
    static const std::set<std::string> kReserved{
        "in",    "is",       "not",   "and",    "or",     "if",     "for",   "int",    "float",  "double",
        "char",  "def",      "pass",  "from",   "import", "lambda", "new",   "delete", "this",   "main",
        "np",    "cp",       "cuda",  "grid",   "block",  "kernel", "good",  "auto",   "class",  "return",
        "while", "else",     "with",  "as",     "None",   "True",   "False", "del",    "global", "static",
        "const", "register", "union", "struct", "zlib",   "sys",    "re"};
    std::string name;
    for (const char c : wish) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = otherwise + name;
    if (kReserved.contains(name)) name += "_";
    const std::string stem = name;
    for (int i = 2; !taken.insert(name).second; ++i) name = stem + "_" + std::to_string(i);
    return name;
}

Expectation expect(const sim::Buffer& buffer) {
    Expectation expectation{
        crc32(buffer.bytes), std::max<uint64_t>((buffer.count + kMostSamples - 1) / kMostSamples, 1), {}};
    for (uint64_t i = 0; i < buffer.count; i += expectation.step) expectation.indices.push_back(i);
    return expectation;
}

void planBuffers(const ExportInput& input, ExportPlan& plan, std::set<std::string>& taken) {
    for (size_t i = 0; i < input.buffers.size(); ++i) {
        const sim::Buffer& buffer = input.buffers[i];
        BufferPlan& one = plan.buffers.emplace_back();
        one.name = identifier(buffer.name, "buffer", taken);
        one.output = input.output.empty() || (i < input.output.size() && input.output[i]);
        if (buffer.initialised) one.fill = recogniseFill(buffer);
        if (buffer.initialised && one.fill.kind == Fill::Kind::Listed && buffer.bytes.size() > kMostListedBytes)
            plan.problem = "Buffer '" + buffer.name + "' holds " + std::to_string(buffer.bytes.size()) +
                           " bytes that follow no formula; at most " + std::to_string(kMostListedBytes) +
                           " can be written into a program. Choose a smaller launch.";
        if (!one.output || i >= input.expected.size() || input.expected[i].bytes.empty()) continue;
        one.expected = expect(input.expected[i]);
        plan.checks = true;
    }
}

} // namespace

ExportPlan planExport(const ExportInput& input) {
    ExportPlan plan;
    plan.base = baseName(input.kernel);
    std::set<std::string> taken{plan.base};
    planBuffers(input, plan, taken);
    const auto signature = parseSignature(input.source, input.kernel);
    const bool known = signature && signature->size() == input.arguments.size();
    plan.typed = known && input.kernel.find('<') == std::string::npos;
    for (size_t i = 0; i < input.arguments.size(); ++i) {
        const sim::Argument& argument = input.arguments[i];
        ArgumentPlan& one = plan.arguments.emplace_back();
        one.buffer = argument.buffer;
        if (argument.buffer >= int(input.buffers.size()))
            plan.problem = "An argument names a buffer that does not exist.";
        if (known) one.type = (*signature)[i].type;
        if (known && (*signature)[i].pointer != (argument.buffer >= 0)) plan.typed = false;
        if (argument.buffer < 0) one.name = identifier(known ? (*signature)[i].name : "", "argument", taken);
    }
    return plan;
}

std::string literal(const sim::Buffer& buffer, uint64_t index, const char* notANumber, const char* infinity) {
    const unsigned size = sim::bytesOf(buffer.type);
    uint64_t bits = 0;
    std::memcpy(&bits, buffer.bytes.data() + index * size, size);
    if (!isReal(buffer.type)) {
        const bool isSigned = buffer.type == ElementType::I8 || buffer.type == ElementType::I16 ||
                              buffer.type == ElementType::I32 || buffer.type == ElementType::I64;
        if (!isSigned) return std::to_string(bits);
        const unsigned unused = 64 - 8 * size;
        return std::to_string(int64_t(bits << unused) >> unused);
    }
    const double value = elementValue(buffer, index);
    if (std::isnan(value)) return notANumber;
    if (std::isinf(value)) return (value < 0 ? "-" : "") + std::string(infinity);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), buffer.type == ElementType::F32 ? "%.9g" : "%.17g", value);
    // Shorter where it reads back the same.
    for (int digits = 1; digits < 17; ++digits) {
        std::array<char, 40> shorter{};
        std::snprintf(shorter.data(), shorter.size(), "%.*g", digits, value);
        const bool same = buffer.type == ElementType::F32 ? std::strtof(shorter.data(), nullptr) == float(value)
                                                          : std::strtod(shorter.data(), nullptr) == value;
        if (!same) continue;
        text = shorter;
        break;
    }
    std::string result = text.data();
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result;
}

std::string scalarLiteral(const std::string& type, const std::vector<std::byte>& bytes) {
    const TypeRow* row = rowOf(type);
    if (row == nullptr || sim::bytesOf(row->element) != bytes.size()) return {};
    const sim::Buffer one{"", row->element, 1, bytes, true, {}};
    return literal(one, 0, "", "");
}

std::string numpyType(const std::string& cType) {
    const TypeRow* row = rowOf(cType);
    return row != nullptr ? row->numpy : "";
}

const char* numpyType(ElementType type) {
    constexpr std::array names{"int8",  "uint8",  "int16",  "uint16", "int32",   "uint32",
                               "int64", "uint64", "uint16", "uint16", "float32", "float64"};
    return names[unsigned(type)];
}

} // namespace gpu
