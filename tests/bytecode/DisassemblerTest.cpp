// How instructions read as text.
#include "sim/bytecode/Builder.h"
#include "sim/bytecode/Disassembler.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

TEST(Disassembler, NamesOperandsByWidth) {
    EXPECT_EQ(disassemble({Opcode::AddF32, 20, 17, 18, kNoSlot, 0, 0}), "AddF32           r20, r17, r18");
    EXPECT_EQ(disassemble({Opcode::MadI32, 20, 6, 3, 0, 0, 0}), "MadI32           r20, %ctaid.x, %ntid.x, %tid.x");
    EXPECT_EQ(disassemble({Opcode::AddressS32, 20, 16, 18, kNoSlot, 0, 4}), "AddressS32       R20, R16, r18, #4");
    EXPECT_EQ(disassemble({Opcode::LtS32, 20, 16, 18, kNoSlot, 0, 0}), "LtS32            p20, r16, r18");
    EXPECT_EQ(disassemble({Opcode::Load, 20, 16, kNoSlot, kNoSlot, packElements(4, 4), 16}), "Load             v20, R16, #16, 4x4");
    EXPECT_EQ(disassemble({Opcode::MathF32, 20, 16, kNoSlot, kNoSlot, uint16_t(MathFunction::cos), 0}), "MathF32          r20, r16, _, _, cos");
    EXPECT_EQ(disassemble({Opcode::Exit}), "Exit");
}

TEST(Disassembler, ShowsWhereBranchesGo) {
    Builder b("f");
    const auto p = b.predicate();
    const auto a = b.label(), end = b.label();
    b.line(3);
    b.branch(p, a, end, end);
    b.place(a);
    b.jump(end);
    b.place(end);
    b.exit();
    const Program program = b.build();
    EXPECT_EQ(disassemble(program.functions[0]), "f (17 slots)\n"
                                                 "0     1     Block            #0\n"
                                                 "1     3     Branch           p16, @2 else @4 meet @4\n"
                                                 "\n"
                                                 "2     3     Block            #1\n"
                                                 "3     3     Jump             @4\n"
                                                 "\n"
                                                 "4     3     Block            #2, aux 1\n"
                                                 "5     3     Exit\n");
}

} // namespace
} // namespace sim
