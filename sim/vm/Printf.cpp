// Conversions one by one, each left to snprintf with its own flags and width.
#include "sim/vm/Printf.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace sim::vm {

namespace {

class Formatter {
public:
    Formatter(const std::string& format, const PrintfArguments& arguments) : format_(format), arguments_(arguments) {}

    PrintfResult run() {
        while (at_ < format_.size()) {
            if (format_[at_] != '%') result_.text += format_[at_++];
            else if (at_ + 1 < format_.size() && format_[at_ + 1] == '%') {
                result_.text += '%';
                at_ += 2;
            } else conversion();
        }
        return std::move(result_);
    }

private:
    template <class T> T next() {
        offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        arguments_.read(offset_, &value, sizeof value);
        offset_ += sizeof(T);
        return value;
    }

    template <class T> void print(const std::string& spec, T value) {
        std::array<char, 512> buffer;
        const int n = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
        if (n > 0) result_.text.append(buffer.data(), std::min<size_t>(size_t(n), buffer.size() - 1));
        ++result_.arguments;
    }

    /// Flags, width and precision; * takes an int argument. Widths are kept to three digits.
    std::string flags() {
        std::string spec = "%";
        int digits = 0;
        for (; at_ < format_.size() && std::strchr("-+ #0123456789.*", format_[at_]); ++at_) {
            if (format_[at_] == '*') {
                spec += std::to_string(next<int32_t>() % 256);
                continue;
            }
            digits = format_[at_] >= '0' && format_[at_] <= '9' ? digits + 1 : 0;
            if (digits <= 3) spec += format_[at_];
        }
        return spec;
    }

    void conversion() {
        const size_t start = at_++;
        std::string spec = flags();
        std::string length;
        while (at_ < format_.size() && std::strchr("hlLqjzt", format_[at_])) length += format_[at_++];
        const char kind = at_ < format_.size() ? format_[at_++] : '\0';
        const bool wide = length.find_first_of("lqjztL") != std::string::npos;
        if (kind && std::strchr("diuxXoc", kind)) integer(spec, length, kind, wide);
        else if (kind && std::strchr("fFeEgGaA", kind)) print(spec + kind, next<double>());
        else if (kind == 'p') pointer(spec);
        else if (kind == 's') text(spec);
        else result_.text += format_.substr(start, at_ - start); // not a conversion: as it stands
    }

    void integer(const std::string& spec, const std::string& length, char kind, bool wide) {
        if (wide && kind != 'c') print(spec + "ll" + kind, next<long long>());
        else if (length == "h" && kind != 'c') print(spec + "h" + kind, int(next<int32_t>()));
        else if (length == "hh" && kind != 'c') print(spec + "hh" + kind, int(next<int32_t>()));
        else print(spec + kind, next<int32_t>());
    }

    void pointer(const std::string& spec) {
        const uint64_t value = next<uint64_t>();
        if (value == 0) print(spec + "s", "(nil)");
        else print("%#llx", static_cast<unsigned long long>(value));
    }

    void text(const std::string& spec) {
        const uint64_t address = next<uint64_t>();
        const std::string value = address ? arguments_.text(address) : "(null)";
        print(spec + "s", value.c_str());
    }

    const std::string& format_;
    const PrintfArguments& arguments_;
    size_t at_ = 0;
    uint64_t offset_ = 0;
    PrintfResult result_;
};

} // namespace

PrintfResult formatPrintf(const std::string& format, const PrintfArguments& arguments) {
    return Formatter(format, arguments).run();
}

} // namespace sim::vm
