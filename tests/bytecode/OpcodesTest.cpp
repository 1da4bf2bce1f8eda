// The opcode table keeps the rules that the verifier and the disassembler rely on.
#include "sim/bytecode/Program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace sim {
namespace {

TEST(Opcodes, FormatsAreWellFormed) {
    std::set<std::string> names;
    for (uint16_t k = 0; k < uint16_t(Opcode::Count); ++k) {
        const Opcode op = Opcode(k);
        const std::string name = toString(op), format = formatOf(op);
        EXPECT_TRUE(names.insert(name).second) << name << " twice";
        ASSERT_GE(format.size(), 4u) << name;
        for (size_t c = 0; c < 4; ++c) EXPECT_NE(std::strchr("dabcDABCpv-", format[c]), nullptr) << name << " operand " << c;
        const std::string rest = format.substr(4);
        EXPECT_TRUE(rest.empty() || rest == "i" || rest == "x" || rest == "ix") << name << ": " << format;
        EXPECT_GT(std::strlen(meaningOf(op)), 4u) << name;
    }
}

TEST(Opcodes, MathFunctionsHaveOneToThreeOperands) {
    for (uint16_t k = 0; k < uint16_t(MathFunction::Count); ++k) {
        EXPECT_GE(arityOf(MathFunction(k)), 1u) << toString(MathFunction(k));
        EXPECT_LE(arityOf(MathFunction(k)), 3u) << toString(MathFunction(k));
    }
}

TEST(Opcodes, AtomicTypesKnowTheirSize) {
    EXPECT_EQ(bytesOf(AtomicType::I32), 4u);
    EXPECT_EQ(bytesOf(AtomicType::U64), 8u);
    EXPECT_EQ(bytesOf(AtomicType::F16), 2u);
    EXPECT_EQ(bytesOf(AtomicType::F16x2), 4u);
    EXPECT_TRUE(isWide(AtomicType::F64));
    EXPECT_FALSE(isWide(AtomicType::F32));
}

} // namespace
} // namespace sim
