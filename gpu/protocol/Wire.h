// Plain structs to bytes and back: one field list per struct serves both directions, and no size is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace gpu {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values. Both ends are the same build on the same machine, so numbers go as they lie in memory.
class Writer {
public:
    static constexpr bool kReading = false;
    std::vector<std::byte> bytes;

    template <class... T>
    void operator()(T&... values) {
        (put(values), ...);
    }

private:
    template <Plain T>
    void put(const T& value) {
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), from, from + sizeof value);
    }
    void put(std::string& text) {
        put(uint64_t(text.size()));
        const auto* from = reinterpret_cast<const std::byte*>(text.data());
        bytes.insert(bytes.end(), from, from + text.size());
    }
    template <class T>
    void put(std::vector<T>& values) {
        put(uint64_t(values.size()));
        if constexpr (std::is_same_v<T, std::byte>)
            bytes.insert(bytes.end(), values.begin(), values.end());
        else
            for (T& value : values) put(value);
    }
    template <class T>
    requires(!Plain<T>) void put(T& value) { fields(*this, value); }
};

/// Takes values off a message. After the first value that does not fit, `ok()` is false and the rest stays as it was.
class Reader {
public:
    static constexpr bool kReading = true;
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (take(values), ...);
    }
    bool ok() const { return ok_; }
    /// Whether everything was read and nothing is left over.
    bool complete() const { return ok_ && rest_.empty(); }

private:
    bool fits(uint64_t count) {
        ok_ = ok_ && count <= rest_.size();
        return ok_;
    }
    template <Plain T>
    void take(T& value) {
        if (!fits(sizeof value)) return;
        if constexpr (std::is_same_v<T, bool>)
            value = rest_[0] != std::byte{0};
        else
            std::memcpy(&value, rest_.data(), sizeof value);
        rest_ = rest_.subspan(sizeof value);
    }
    void take(std::string& text) {
        uint64_t size = 0;
        take(size);
        if (!fits(size)) return;
        text.assign(reinterpret_cast<const char*>(rest_.data()), size);
        rest_ = rest_.subspan(size);
    }
    template <class T>
    void take(std::vector<T>& values) {
        uint64_t size = 0;
        take(size);
        if (!fits(size)) return; // Every element takes at least one byte.
        values.clear();
        if constexpr (std::is_same_v<T, std::byte>) {
            values.assign(rest_.begin(), rest_.begin() + std::ptrdiff_t(size));
            rest_ = rest_.subspan(size);
        } else {
            for (uint64_t i = 0; i < size && ok_; ++i) take(values.emplace_back());
        }
    }
    template <class T>
    requires(!Plain<T>) void take(T& value) { fields(*this, value); }

    std::span<const std::byte> rest_;
    bool ok_ = true;
};

} // namespace gpu
