// The code of one launch in one piece: the kernel and the functions it may call, with absolute targets.
#pragma once

#include "sim/bytecode/Program.h"

#include <cstdint>
#include <vector>

namespace sim::vm {

/// Index into the handler tables. Up to Opcode::Count it is the opcode itself; beyond come the variants that
/// linking chooses from an instruction's aux field, so that no handler has to look at it while running.
///
///     0 ... Count | Count ... 2 Count          | 2 Count ...
///     as written  | rounding other than nearest | loads and stores of one shape
enum HandlerIndex : uint16_t {
    kRoundedVariant = uint16_t(Opcode::Count),
    kLoad8 = 2 * uint16_t(Opcode::Count), kLoad16, kLoad32, kLoad64, kLoad32x2, kLoad32x4, kLoad64x2, kLoad8x2, kLoad8x4, kLoad16x2, kLoad16x4,
    kStore8, kStore16, kStore32, kStore64, kStore32x2, kStore32x4, kStore64x2,
    kStore8x2, kStore8x4, kStore16x2, kStore16x4,
    kHandlerCount
};

struct BranchTargets {
    uint32_t taken = 0, notTaken = 0, reconverge = ~0u;
};

/// How often a basic block ran. Every instruction of a block runs as often as its head.
struct BlockCounter {
    uint64_t warps = 0, threads = 0;
    uint32_t instructions = 0; ///< Length of the block, for the instruction limit.
};

struct LinkedFunction {
    const Function* function = nullptr;
    uint32_t index = 0;        ///< In Program::functions.
    uint32_t firstPc = 0, firstBlock = 0;
    uint32_t frameSlots = 0;   ///< Function::slotCount and the slots of arguments and results of the calls it makes.
};

/// Slots that the arguments or the results of a function take, whichever are more.
uint32_t argumentSlots(const Function& function);

/// The kernel's code starts at pc 0, so that its pcs stay as they are; the other functions of the program follow,
/// but only when the kernel calls at all. Instruction::op holds a HandlerIndex; a Jump's and a Block's imm and the
/// branch table are absolute. Observers see these pcs: those behind the kernel's code belong to called functions.
class LinkedCode {
public:
    LinkedCode(const Program& program, const Function& kernel);

    const std::vector<Instruction>& code() const { return code_; }
    const std::vector<BranchTargets>& branches() const { return branches_; }
    /// All zero counts, one per basic block of all functions.
    const std::vector<BlockCounter>& emptyCounters() const { return counters_; }
    const std::vector<LinkedFunction>& functions() const { return functions_; }

    const LinkedFunction& functionAt(uint32_t pc) const;
    /// The linked function of Program::functions[index], or nullptr when it is not linked (a kernel).
    const LinkedFunction* findFunction(uint32_t index) const;
    SourceLoc locationAt(uint32_t pc) const;
    const BasicBlock& blockAt(uint32_t pc) const;
    Opcode opcodeAt(uint32_t pc) const { return opcodes_[pc]; }
    /// True for block heads, jumps and code of synthetic blocks: they are no instructions of the learner's.
    bool hiddenAt(uint32_t pc) const { return hidden_[pc]; }
    /// Whether any instruction waits for the whole grid.
    bool hasGridBarrier() const { return hasGridBarrier_; }

private:
    void append(const Function& function, uint32_t index);
    void measureFrames(const Program& program);

    std::vector<Instruction> code_;
    std::vector<Opcode> opcodes_;
    std::vector<uint8_t> hidden_;
    std::vector<BranchTargets> branches_;
    std::vector<BlockCounter> counters_;
    std::vector<LinkedFunction> functions_;
    bool hasGridBarrier_ = false;
};

} // namespace sim::vm
