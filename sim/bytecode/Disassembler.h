// Bytecode as text, for people and for tests.
#pragma once

#include "sim/bytecode/Program.h"

#include <string>

namespace sim {

/// One instruction: "AddF32   r20, r17, r18". Slots are r (32-bit), R (64-bit) and p (predicate); special registers
/// have their names. `function` may be nullptr; with it branches show their targets.
std::string disassemble(const Instruction& instruction, const Function* function = nullptr);

/// A whole function: pc, line of the source and instruction, one per line, blocks set apart.
std::string disassemble(const Function& function);

} // namespace sim
