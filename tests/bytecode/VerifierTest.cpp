// A sound program passes; each broken rule is found and named.
#include "sim/bytecode/Builder.h"
#include "sim/bytecode/Verifier.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

Program sound() {
    Builder b("kernel");
    const auto out = b.pointer("out");
    const auto v = b.slot32(), p = b.predicate();
    const auto a = b.label(), end = b.label();
    b.emit(Opcode::LtU32, p, b.special(SpecialRegister::TidX), b.constant32(5));
    b.branch(p, a, end, end);
    b.place(a);
    b.load(v, out);
    b.jump(end);
    b.place(end);
    b.exit();
    return b.build();
}

TEST(Verifier, AcceptsASoundProgram) { EXPECT_TRUE(verify(sound()).empty()); }

/// Breaks the program with `change` and expects a complaint that contains `part`.
template <class Change> void expectComplaint(Change change, const std::string& part) {
    Program program = sound();
    change(program.functions[0]);
    const auto errors = verify(program);
    ASSERT_FALSE(errors.empty()) << part;
    bool found = false;
    for (const std::string& e : errors) found |= e.find(part) != std::string::npos;
    EXPECT_TRUE(found) << part << ", but: " << errors[0];
}

TEST(Verifier, NamesBrokenRules) {
    expectComplaint([](Function& f) { f.code[1].a = 200; }, "LtU32 uses a slot outside the frame");
    expectComplaint([](Function& f) { f.code[1].d = 3; }, "writes a special register");
    expectComplaint([](Function& f) { f.code[1].b = kNoSlot; }, "lacks operand b");
    expectComplaint([](Function& f) { f.branches[0].taken = 4; }, "not the head of a block");
    expectComplaint([](Function& f) { f.code[f.branches[0].reconverge].aux = 0; }, "not marked for it");
    expectComplaint([](Function& f) { f.code.back().op = Opcode::Fence; }, "only terminator");
    expectComplaint([](Function& f) { f.code[4].aux = packElements(3, 1); }, "impossible size");
    expectComplaint([](Function& f) { f.code[4].aux = packElements(8, 4); }, "impossible size");
    expectComplaint([](Function& f) { f.locations.pop_back(); }, "source location");
    expectComplaint([](Function& f) { f.blocks.pop_back(); }, "code outside basic blocks");
    expectComplaint([](Function& f) { f.code[1].op = Opcode(999); }, "no such opcode");
    expectComplaint([](Function& f) { f.code[1] = {Opcode::Call, kNoSlot, kNoSlot, kNoSlot, kNoSlot, 30, 7}; }, "calls a function that does not exist");
    expectComplaint([](Function& f) { f.code[1] = {Opcode::MathF32, 18, 0, 0, 0, 999, 0}; }, "no such math function");
    expectComplaint([](Function& f) { f.image[0].slot = 999; }, "constant outside its frame");
}

} // namespace
} // namespace sim
