// Checksums against zlib's published value, and comparison with a reference.
#include "playground/session/Outputs.h"

#include "playground/session/BufferContents.h"

#include <gtest/gtest.h>

#include <cstring>

namespace playground {
namespace {

/// A vector addition of 4 elements: c, a, b, n.
ResolvedLaunch vectorAdd() {
    ResolvedLaunch launch;
    for (const char* name : {"c", "a", "b"}) {
        sim::Buffer b;
        b.name = name;
        b.count = 4;
        EXPECT_EQ(fillBuffer(b, *name == 'c' ? "const:0" : "iota", {}), "");
        launch.arguments.push_back({int(launch.buffers.size()), 0, {}});
        launch.buffers.push_back(b);
        launch.output.push_back(*name == 'c');
        launch.scalarTypes.push_back(sim::ElementType::F32);
    }
    launch.arguments.push_back({-1, 0, scalarBytes(sim::ElementType::I32, 4)});
    launch.scalarTypes.push_back(sim::ElementType::I32);
    return launch;
}

TEST(Outputs, ChecksumIsZlibs) {
    ResolvedLaunch launch;
    sim::Buffer b;
    b.name = "text";
    b.type = sim::ElementType::U8;
    b.count = 9;
    b.bytes.resize(9);
    std::memcpy(b.bytes.data(), "123456789", 9);
    launch.buffers.push_back(b);
    launch.output = {true};
    launch.arguments = {{-1, 0, {}}, {0, 0, {}}};
    const auto outputs = summarizeOutputs(launch);
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].index, 1u);
    EXPECT_EQ(outputs[0].crc32, 0xCBF43926u); // the check value of CRC-32
    EXPECT_EQ(outputs[0].sum, 477.0);
    EXPECT_EQ(outputs[0].head.size(), 8u);
}

TEST(Outputs, EqualOutputsHaveNoDifferences) {
    const ResolvedLaunch before = vectorAdd();
    auto after = before.buffers;
    for (uint64_t i = 0; i < 4; ++i) setElement(after[0], i, 2.0 * double(i));
    EXPECT_TRUE(compareWithReference("vector_add", before, after).empty());
    EXPECT_TRUE(compareWithReference("", before, before.buffers).empty());
}

TEST(Outputs, TheFirstDifferenceIsNamed) {
    const ResolvedLaunch before = vectorAdd();
    auto after = before.buffers;
    setElement(after[0], 1, 2.0);
    const auto differences = compareWithReference("vector_add", before, after);
    ASSERT_EQ(differences.size(), 1u);
    EXPECT_EQ(differences[0].count, 2u);
    EXPECT_EQ(differences[0].first, 2u);
    EXPECT_EQ(toSentence(differences[0], 4),
              "2 of 4 elements of c differ from the reference; the first is c[2]: 0 instead of 4");
}

} // namespace
} // namespace playground
