// Argument specifications of the command line.
#include "playground/session/SimArguments.h"

#include "playground/session/BufferContents.h"

#include <gtest/gtest.h>

namespace playground {
namespace {

TEST(SimArguments, ParsesBuffersAndScalars) {
    std::string problem;
    const auto in = parseSimArgument("in:f32[1024]=hash", problem);
    ASSERT_TRUE(in) << problem;
    EXPECT_TRUE(in->buffer);
    EXPECT_FALSE(in->output);
    EXPECT_EQ(in->count, 1024u);
    EXPECT_EQ(in->value, "hash");
    const auto out = parseSimArgument("out:u8[300]=const:7", problem);
    ASSERT_TRUE(out);
    EXPECT_TRUE(out->output);
    EXPECT_EQ(out->type, sim::ElementType::U8);
    const auto scalar = parseSimArgument("bf16=1.5", problem);
    ASSERT_TRUE(scalar);
    EXPECT_FALSE(scalar->buffer);
    EXPECT_EQ(parseSimArgument("out:f64[4]", problem)->value, "const:0");
    EXPECT_EQ(parseSimArgument("in:f32[40]@6=hash", problem)->offset, 6u);
    EXPECT_EQ(parseSimArgument("null", problem)->type, sim::ElementType::U64);
}

TEST(SimArguments, WrongSpecificationsSayWhatToWrite) {
    for (const char* wrong :
         {"", "f32", "float=1", "in:f32=hash", "in:f32[x]=hash", "in:f32[-1]", "in:q8[3]", "in:f32[3"}) {
        std::string problem;
        EXPECT_FALSE(parseSimArgument(wrong, problem)) << wrong;
        EXPECT_NE(problem.find("write in:f32[1024]=hash"), std::string::npos) << problem;
    }
}

TEST(SimArguments, PreparesTheLaunch) {
    ResolvedLaunch launch;
    const SimArgument arguments[] = {{true, true, sim::ElementType::I32, 8, 0, "iota"},
                                     {false, false, sim::ElementType::I32, 0, 0, "2 + 3"}};
    EXPECT_EQ(addArguments(launch, arguments), "");
    ASSERT_EQ(launch.buffers.size(), 1u);
    EXPECT_EQ(elementAt(launch.buffers[0], 5), 5);
    EXPECT_EQ(launch.arguments[1].scalar, scalarBytes(sim::ElementType::I32, 5));
    const SimArgument bad[] = {{true, true, sim::ElementType::I32, 8, 0, "rand"}};
    EXPECT_NE(addArguments(launch, bad).find("argument 0"), std::string::npos);
    const SimArgument huge[] = {{true, true, sim::ElementType::F64, uint64_t{1} << 60, 0, "iota"}};
    EXPECT_NE(addArguments(launch, huge), "");
}

} // namespace
} // namespace playground
