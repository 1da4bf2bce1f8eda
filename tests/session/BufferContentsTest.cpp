// Formulas against values worked out by hand, and element conversions.
#include "playground/session/BufferContents.h"

#include <gtest/gtest.h>

#include <cmath>

namespace playground {
namespace {

using sim::ElementType;

sim::Buffer filled(ElementType type, uint64_t count, const char* init) {
    sim::Buffer b;
    b.type = type;
    b.count = count;
    EXPECT_EQ(fillBuffer(b, init, {{"k", {5, false}}}), "") << init;
    return b;
}

TEST(BufferContents, Formulas) {
    EXPECT_EQ(elementAt(filled(ElementType::I32, 10, "iota"), 7), 7);
    EXPECT_EQ(elementAt(filled(ElementType::U8, 300, "iota"), 257), 1);
    EXPECT_EQ(elementAt(filled(ElementType::F32, 4, "const:0.5"), 3), 0.5);
    EXPECT_EQ(elementAt(filled(ElementType::I32, 4, "const:-3"), 3), -3);
    EXPECT_EQ(elementAt(filled(ElementType::I32, 12, "mod:k"), 11), 1);
    EXPECT_EQ(elementAt(filled(ElementType::I64, 12, "linear:k"), 11), 55);
    EXPECT_EQ(elementAt(filled(ElementType::I16, 5, "file:1,-2,3"), 4), -2);
}

TEST(BufferContents, HashIsTheRecordedOne) {
    // h(0) = 12345, h(1) = (2654435761 + 12345) mod 2^32 = 2654448106.
    EXPECT_EQ(elementAt(filled(ElementType::F32, 2, "hash"), 0), 48 / 16777216.0);
    EXPECT_EQ(elementAt(filled(ElementType::F64, 2, "hash"), 1), double(2654448106u >> 8) / 16777216.0);
    EXPECT_EQ(elementAt(filled(ElementType::U8, 2, "hash"), 1), 2654448106u >> 24);
    EXPECT_EQ(elementAt(filled(ElementType::U32, 2, "hash"), 1), 2654448106u >> 8);
    EXPECT_EQ(elementAt(filled(ElementType::I32, 2, "hash:100"), 1), (2654448106u >> 8) % 100);
}

TEST(BufferContents, UninitialisedIsMarked) {
    EXPECT_FALSE(filled(ElementType::F32, 2, "uninit").initialised);
    EXPECT_TRUE(filled(ElementType::F32, 2, "iota").initialised);
}

TEST(BufferContents, HalvesRoundToNearestEven) {
    sim::Buffer b = filled(ElementType::F16, 1, "const:0");
    for (const auto& [in, out] : {std::pair{1.0, 1.0},
                                  {65504.0, 65504.0},
                                  {1e6, double(INFINITY)},
                                  {2049.0, 2048.0},
                                  {2051.0, 2052.0},
                                  {5.9604644775390625e-08, 5.9604644775390625e-08},
                                  {-0.333251953125, -0.333251953125}}) {
        setElement(b, 0, in);
        EXPECT_EQ(elementAt(b, 0), out) << in;
    }
    sim::Buffer c = filled(ElementType::BF16, 1, "const:0");
    setElement(c, 0, 3.140625);
    EXPECT_EQ(elementAt(c, 0), 3.140625);
    setElement(c, 0, 1.00390625); // half way between 1 and 1.0078125: to even
    EXPECT_EQ(elementAt(c, 0), 1.0);
}

TEST(BufferContents, WrongFormulasSayWhatToWrite) {
    sim::Buffer b;
    b.count = 4;
    EXPECT_NE(fillBuffer(b, "random", {}).find("write iota, hash"), std::string::npos);
    EXPECT_NE(fillBuffer(b, "mod:0", {}).find("at least 1"), std::string::npos);
    EXPECT_NE(fillBuffer(b, "const:x", {}), "");
    EXPECT_NE(fillBuffer(b, "file:", {}), "");
}

} // namespace
} // namespace playground
