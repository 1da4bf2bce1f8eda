// Formatting of figures.
#include "playground/session/Figures.h"

#include <cmath>
#include <cstdio>

namespace playground {
namespace {

std::string print(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Three significant digits without trailing zeros.
std::string threeDigits(double value) {
    const double a = std::fabs(value);
    std::string text = print(a >= 100 ? "%.0f" : a >= 10 ? "%.1f" : "%.2f", value);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

} // namespace

const char* badgeOf(FigureKind kind) {
    switch (kind) {
    case FigureKind::Simulated: return "S";
    case FigureKind::Measured: return "M";
    case FigureKind::Recorded: return "R";
    case FigureKind::Modelled: return "~";
    }
    return "?";
}

std::string formatCount(uint64_t value) {
    std::string digits = std::to_string(value), out;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0 && digits.size() > 4) out += "\u202f";
        out += digits[i];
    }
    return out;
}

std::string formatShort(double value) {
    static constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T", " P"};
    if (std::fabs(value) < 10000) return value == std::floor(value) ? print("%.0f", value) : threeDigits(value);
    int prefix = 0;
    while (std::fabs(value) >= 999.5 && prefix < 5) {
        value /= 1000;
        ++prefix;
    }
    return threeDigits(value) + kPrefixes[prefix];
}

std::string formatBytes(uint64_t bytes) {
    static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    if (bytes < 4096) return std::to_string(bytes) + " B";
    double value = double(bytes);
    int unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        ++unit;
    }
    return threeDigits(value) + kUnits[unit];
}

std::string formatRatio(double value) {
    return std::fabs(value - std::round(value)) < 0.005 ? print("%.0f", value) : print("%.1f", value);
}

std::string formatMilliseconds(double milliseconds) {
    if (milliseconds < 1) return threeDigits(milliseconds * 1000) + " \u00b5s";
    if (milliseconds < 1000) return threeDigits(milliseconds) + " ms";
    return threeDigits(milliseconds / 1000) + " s";
}

std::string fill(std::string_view pattern, std::initializer_list<std::string> values) {
    std::string out;
    for (size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
            const size_t index = size_t(pattern[i + 1] - '0');
            if (index < values.size()) {
                out += values.begin()[index];
                i += 2;
                continue;
            }
        }
        out += pattern[i];
    }
    return out;
}

} // namespace playground
