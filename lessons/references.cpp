// The references by name. Floats are computed in the kernels' own precision and order, so results compare bit by bit.
#include "lessons/references.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace lessons {
namespace {

using Arguments = std::span<const ReferenceArgument>;
using Config = sim::LaunchConfig;

/// A buffer seen as elements of T; reading past the end gives 0 and writing there is ignored, so that a reference
/// never crashes on an odd size.
template <class T>
class Array {
public:
    explicit Array(const ReferenceArgument& a)
        : bytes_(a.buffer->bytes.data()), count_(a.buffer->bytes.size() / sizeof(T)) {}
    uint64_t count() const { return count_; }
    T get(int64_t i) const {
        T value{};
        if (i >= 0 && uint64_t(i) < count_) std::memcpy(&value, bytes_ + uint64_t(i) * sizeof(T), sizeof(T));
        return value;
    }
    void set(int64_t i, T value) {
        if (i >= 0 && uint64_t(i) < count_) std::memcpy(bytes_ + uint64_t(i) * sizeof(T), &value, sizeof(T));
    }

private:
    std::byte* bytes_;
    uint64_t count_;
};

/// Calls what(i) for 0 <= i < n.
template <class What>
void upTo(double n, What what) {
    for (int64_t i = 0; i < int64_t(n); ++i) what(i);
}

void vectorAdd(Arguments a, const Config&) {
    Array<float> c(a[0]), x(a[1]), y(a[2]);
    upTo(a[3].scalar, [&](int64_t i) { c.set(i, x.get(i) + y.get(i)); });
}

/// out[to(i)] = in[from(i)] for elements of the output's own size, whatever their type.
template <class To, class From>
void copyElements(Arguments a, double n, To to, From from) {
    sim::Buffer &out = *a[0].buffer, &in = *a[1].buffer;
    const unsigned size = sim::bytesOf(out.type);
    upTo(n, [&](int64_t i) {
        const int64_t t = to(i), f = from(i);
        if (t >= 0 && uint64_t(t) < out.count && f >= 0 && uint64_t(f) < in.count)
            std::memcpy(out.bytes.data() + uint64_t(t) * size, in.bytes.data() + uint64_t(f) * size, size);
    });
}
const auto kSame = [](int64_t i) { return i; };

/// The whole buffer: n counts elements of the kernel's type, which may be four floats.
void copy(Arguments a, const Config&) {
    copyElements(a, double(a[0].buffer->count), kSame, kSame);
}
void copyOffset(Arguments a, const Config&) {
    copyElements(a, a[2].scalar, kSame, [&](int64_t i) { return i + int64_t(a[3].scalar); });
}
void loadStride(Arguments a, const Config&) {
    copyElements(a, a[2].scalar, kSame, [&](int64_t i) { return i * int64_t(a[3].scalar); });
}
void storeStride(Arguments a, const Config&) {
    copyElements(
        a, a[2].scalar, [&](int64_t i) { return i * int64_t(a[3].scalar); }, kSame);
}
void loadReversed(Arguments a, const Config&) {
    copyElements(a, a[2].scalar, kSame, [&](int64_t i) { return int64_t(a[2].scalar) - 1 - i; });
}
/// The threads of a warp read its 32 elements in the order of load_shuffled.cu.
void loadShuffled(Arguments a, const Config&) {
    copyElements(a, a[2].scalar, kSame, [](int64_t i) { return (i & ~int64_t{31}) | ((i * 13 + 5) & 31); });
}

template <class T>
void tileStride(Arguments a, unsigned width) {
    Array<T> out(a[0]);
    const auto stride = int64_t(a[1].scalar);
    upTo(double(out.count() / width), [&](int64_t lane) {
        for (unsigned k = 0; k < width; ++k) out.set(lane * width + k, T(lane * stride));
    });
}
void sharedStride(Arguments a, const Config&) {
    a[0].buffer->type == sim::ElementType::F64 ? tileStride<double>(a, 1) : tileStride<float>(a, 1);
}
void sharedStrideF32x4(Arguments a, const Config&) {
    tileStride<float>(a, 4);
}

void transpose(Arguments a, const Config&) {
    Array<float> out(a[0]), in(a[1]);
    const auto n = int64_t(a[2].scalar);
    upTo(double(n * n), [&](int64_t i) { out.set(i % n * n + i / n, in.get(i)); });
}

uint32_t rounds(uint32_t x, int64_t count, uint32_t factor, uint32_t addend) {
    for (int64_t k = 0; k < count; ++k) x = x * factor + addend;
    return x;
}

/// out[i] = so many rounds of x * factor + addend on in[i], the path chosen by the thread's place in its block.
template <class Path>
void byPath(Arguments a, const Config& config, int64_t work, Path path) {
    constexpr std::array<std::array<uint32_t, 2>, 4> kPaths{{{3, 1}, {5, 7}, {7, 3}, {9, 5}}};
    Array<uint32_t> out(a[0]), in(a[1]);
    upTo(double(std::min<uint64_t>(out.count(), config.grid.count() * config.block.count())), [&](int64_t i) {
        const auto& [factor, addend] = kPaths[unsigned(path(unsigned(uint64_t(i) % config.block.count())))];
        out.set(i, rounds(in.get(i), work, factor, addend));
    });
}
int64_t work(const ReferenceArgument& a) {
    return int64_t(a.scalar);
}

void evenOdd(Arguments a, const Config& c) {
    byPath(a, c, work(a[2]), [](unsigned t) { return t % 2; });
}
void halfWarp(Arguments a, const Config& c) {
    byPath(a, c, work(a[2]), [](unsigned t) { return t % 32 / 16; });
}
void byWarp(Arguments a, const Config& c) {
    byPath(a, c, work(a[2]), [](unsigned t) { return t / 32 % 2; });
}
void nested(Arguments a, const Config& c) {
    byPath(a, c, work(a[2]), [](unsigned t) { return t % 32 / 8; });
}

void loopByLane(Arguments a, const Config& config) {
    Array<uint32_t> out(a[0]), in(a[1]);
    upTo(double(out.count()),
         [&](int64_t i) { out.set(i, rounds(in.get(i), int64_t(uint64_t(i) % config.block.count() % 32), 3, 1)); });
}

void earlyReturn(Arguments a, const Config&) {
    Array<uint32_t> out(a[0]), in(a[1]);
    upTo(a[2].scalar, [&](int64_t i) { out.set(i, rounds(in.get(i), work(a[3]), 3, 1)); });
}

void collatz(Arguments a, const Config&) {
    Array<uint32_t> out(a[0]), in(a[1]);
    upTo(a[2].scalar, [&](int64_t i) {
        uint32_t v = in.get(i) + 1, steps = 0;
        for (; v != 1 && steps < 1000; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        out.set(i, steps);
    });
}

struct Row {
    std::string_view name;
    Reference reference;
};
constexpr std::array kRows{Row{"by_warp", byWarp},
                           Row{"collatz", collatz},
                           Row{"copy", copy},
                           Row{"copy_offset", copyOffset},
                           Row{"early_return", earlyReturn},
                           Row{"even_odd", evenOdd},
                           Row{"half_warp", halfWarp},
                           Row{"load_reversed", loadReversed},
                           Row{"load_shuffled", loadShuffled},
                           Row{"load_stride", loadStride},
                           Row{"loop_by_lane", loopByLane},
                           Row{"nested", nested},
                           Row{"shared_stride", sharedStride},
                           Row{"shared_stride_f32x4", sharedStrideF32x4},
                           Row{"store_stride", storeStride},
                           Row{"transpose", transpose},
                           Row{"vector_add", vectorAdd}};

} // namespace

Reference findReference(std::string_view name) {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
    return row == kRows.end() ? nullptr : row->reference;
}

std::vector<std::string> referenceNames() {
    std::vector<std::string> names;
    for (const Row& r : kRows) names.emplace_back(r.name);
    return names;
}

} // namespace lessons
