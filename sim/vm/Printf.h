// Device-side printf: a C format with arguments in the packed buffer that vprintf gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace sim::vm {

/// Where the arguments come from.
struct PrintfArguments {
    std::function<bool(uint64_t offset, void* to, size_t bytes)> read; ///< From the packed buffer.
    std::function<std::string(uint64_t address)> text;                 ///< A string in device memory.
};

struct PrintfResult {
    std::string text;
    int arguments = 0; ///< Number of arguments printed, what printf returns on a device.
};

/// Formats like the host's printf (CUDA C++ Programming Guide, "Formatted Output"). Arguments are promoted as C does
/// and lie at multiples of their size: int and unsigned at 4, long long, double and pointers at 8.
PrintfResult formatPrintf(const std::string& format, const PrintfArguments& arguments);

} // namespace sim::vm
