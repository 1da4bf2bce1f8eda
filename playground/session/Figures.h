// Numbers as the window writes them: thousands separated, SI prefixes from 10 000 up, never a kind in disguise.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace playground {

/// What a figure is; each has a badge that no other kind may wear.
enum class FigureKind : uint8_t { Simulated, Measured, Recorded, Modelled };

/// "S", "M", "R" or "~".
const char* badgeOf(FigureKind kind);

/// An exact count with thousands separators: 1 048 576.
std::string formatCount(uint64_t value);
/// At most three significant digits with an SI prefix from 10 000 up: 1.05 M.
std::string formatShort(double value);
/// 4096 -> "4 KiB", 100 -> "100 B".
std::string formatBytes(uint64_t bytes);
/// One decimal when it is not whole: 1, 1.5, 32.
std::string formatRatio(double value);
/// 0.0123 ms -> "12 µs"; 1234 -> "1.23 s".
std::string formatMilliseconds(double milliseconds);

/// Replaces {0}, {1}, ... in `pattern`.
std::string fill(std::string_view pattern, std::initializer_list<std::string> values);

} // namespace playground
