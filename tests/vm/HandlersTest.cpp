// Every opcode has a handler of its own at every instruction set level.
#include "VmTest.h"

#include "sim/vm/Handlers.h"

namespace sim::vm::test {
namespace {

TEST(Handlers, EveryOpcodeHasOne) {
    for (unsigned level = 0; level < kInstructionSetLevels; ++level) {
        const HandlerTables* tables = handlerTables(level);
        if (!tables) continue;
        const Handler missing = tables->full[kRoundedVariant]; // Block has no rounded variant
        for (uint16_t op = 0; op < uint16_t(Opcode::Count); ++op) {
            EXPECT_NE(tables->full[op], missing) << toString(Opcode(op));
            EXPECT_NE(tables->partial[op], missing) << toString(Opcode(op));
        }
        for (uint16_t k = kLoad8; k < kHandlerCount; ++k) EXPECT_NE(tables->full[k], missing) << k;
    }
}

} // namespace
} // namespace sim::vm::test
