// The form between LLVM IR and bytecode: bytecode opcodes over virtual registers, in basic blocks.
#pragma once

#include "sim/bytecode/Instruction.h"
#include "sim/core/Diagnostic.h"

#include <cstdint>
#include <vector>

namespace sim::frontend {

inline constexpr uint32_t kNone = ~0u;

/// A virtual register, or one of its slots when it spans several (vector loads, 64-bit values start at 0).
struct Operand {
    uint32_t reg = kNone;
    uint16_t slot = 0;
    bool valid() const { return reg != kNone; }
    bool operator==(const Operand&) const = default;
};

struct VirtualRegister {
    uint16_t slots = 1;
    bool predicate = false;
    bool wide = false;          ///< 64-bit elements: lane l's bytes lie elsewhere in the slots than with 32-bit ones.
    int32_t fixed = -1;         ///< Slot, when the register is preloaded or belongs to the calling convention.
    int32_t outgoing = -1;      ///< >= 0: this slot of the callee's frame, which starts behind ours.
    uint32_t assigned = kNone;  ///< Slot, after register allocation.
};

struct MachineInstruction {
    Opcode op{};
    Operand d, a, b, c;
    uint16_t aux = 0;
    int32_t imm = 0;
    SourceLoc at;
    Operand extra;              ///< An operand that travels in imm (Shuffle's member mask).
    bool aggregated = false;    ///< See Function::aggregatedReductions.
    uint16_t vectorSlots = 0;   ///< Slots read from b on (Store) when more than the register class says.
};

struct MachineBlock {
    std::vector<MachineInstruction> code;
    std::vector<uint32_t> successors;   ///< Block indices: taken first, then not taken; or the jump's target.
    uint32_t reconverge = kNone;        ///< For a conditional branch: block index of the immediate post-dominator.
    bool isReconvergencePoint = false;
    bool synthetic = false;
    uint32_t loopDepth = 0;
    SourceLoc at;
    std::vector<uint32_t> debugLiveIn;  ///< Registers that variables in scope still show when the block starts.
    std::vector<std::pair<uint32_t, uint32_t>> debugUses; ///< (register, index): shown up to before code[index].
    std::vector<uint32_t> pcs;          ///< Out: pc of each instruction, and of the block's end.
};

struct MachineFunction {
    std::vector<VirtualRegister> registers;
    std::vector<MachineBlock> blocks;
};

} // namespace sim::frontend
