// What every exported program has in common, worked out once: names, fills, arguments, expected values.
#pragma once

#include "gpu/export/Export.h"
#include "gpu/export/Fill.h"
#include "gpu/export/KernelSignature.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpu {

/// Every `step`-th element of an output as it should be, and the checksum of all of it.
struct Expectation {
    uint32_t crc = 0;
    uint64_t step = 1;
    std::vector<uint64_t> indices;
};

struct BufferPlan {
    std::string name; ///< A valid identifier, unique among buffers and arguments.
    Fill fill;
    bool output = false;
    std::optional<Expectation> expected;
};

struct ArgumentPlan {
    std::string name; ///< Of a scalar.
    std::string type; ///< As the kernel declares it; empty when that could not be read.
    int buffer = -1;
};

struct ExportPlan {
    std::string problem; ///< Not empty: no export, and why.
    std::string base;    ///< The kernel's plain name.
    bool typed = false;  ///< All parameter types are known and none depends on a template.
    std::vector<BufferPlan> buffers;
    std::vector<ArgumentPlan> arguments;
    bool checks = false; ///< Some output has an expectation.
};

ExportPlan planExport(const ExportInput& input);

/// An element as a literal that C++ and Python both read: "0.5", "-3", "17"; 16-bit floats as their bits. NaN and
/// infinities come as `notANumber` and `infinity`.
std::string literal(const sim::Buffer& buffer, uint64_t index, const char* notANumber, const char* infinity);

/// A scalar argument of a numeric C type as a literal, or empty when the type is none or its size does not fit.
std::string scalarLiteral(const std::string& type, const std::vector<std::byte>& bytes);

/// NumPy's name of a numeric C type ("int32"), or empty.
std::string numpyType(const std::string& cType);
/// "int32", "float32", "uint16" (for 16-bit floats: their bits).
const char* numpyType(sim::ElementType type);

/// "16384 elements" and the like never come in more than this many listed values.
inline constexpr uint64_t kMostSamples = 1024;
inline constexpr uint64_t kMostListedBytes = 256 << 10;

} // namespace gpu
