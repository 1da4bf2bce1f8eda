// What the triple chevrons say, and the typed data that a launch is given.
#pragma once

#include "sim/core/Dim3.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// kernel<<<grid, block, dynamicSharedBytes>>>.
struct LaunchConfig {
    Dim3 grid, block;
    uint32_t dynamicSharedBytes = 0;
    bool cooperative = false;        ///< cudaLaunchCooperativeKernel: all blocks are resident, so that the grid can wait for itself.
};

enum class ElementType : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

/// Size of one element in bytes.
unsigned bytesOf(ElementType type);
/// "f32", "u8", ... as the command line and the lesson files write them.
const char* toString(ElementType type);
std::optional<ElementType> elementTypeFromString(std::string_view name);

/// One device allocation given to a launch. `bytes` is read before and written back after it.
struct Buffer {
    std::string name;
    ElementType type = ElementType::F32;
    uint64_t count = 0;              ///< Elements; bytes.size() == count * bytesOf(type).
    std::vector<std::byte> bytes;
    bool initialised = true;         ///< False: allocated, never written (cudaMalloc without a copy).
    std::vector<bool> written;       ///< Out, when checks ask for it: one per byte, true once written or initialised.
};

/// One kernel argument: a pointer to element `offset` of a buffer, or a scalar (or by-value struct) of raw bytes.
struct Argument {
    int buffer = -1;                 ///< Index into the launch's buffers, or -1 for a scalar.
    int64_t byteOffset = 0;          ///< Added to the buffer's base.
    std::vector<std::byte> scalar;   ///< Little-endian bytes, size of the parameter's type.
};

} // namespace sim
