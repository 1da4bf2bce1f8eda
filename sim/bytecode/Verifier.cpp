// Checks of slots, blocks, targets and aux fields.
#include "sim/bytecode/Verifier.h"

#include <cctype>

namespace sim {

namespace {

bool isTerminator(Opcode op) {
    switch (op) {
    case Opcode::Jump: case Opcode::Branch: case Opcode::Exit: case Opcode::Return: case Opcode::Trap: case Opcode::AssertFail:
        return true;
    default: return false;
    }
}

class FunctionVerifier {
public:
    FunctionVerifier(const Program& program, const Function& function, std::vector<std::string>& errors)
        : program_(program), f_(function), errors_(errors) {}

    void run() {
        if (f_.code.empty()) return fail(0, "has no code");
        if (f_.locations.size() != f_.code.size()) fail(0, "has not one source location for each instruction");
        if (f_.slotCount < unsigned(SpecialRegister::PreloadedCount)) fail(0, "has a frame without room for the special registers");
        for (const ImageConstant& c : f_.image) {
            if (c.slot + (c.wide ? 2u : 1u) > f_.slotCount) fail(0, "has a constant outside its frame");
            if (c.global >= 0 && size_t(c.global) >= program_.globals.size()) fail(0, "has a constant for a variable that does not exist");
            if (c.function >= 0 && size_t(c.function) >= program_.functions.size()) fail(0, "has a constant for a function that does not exist");
        }
        for (const Parameter& p : f_.parameters)
            if (p.slot != kNoSlot && p.slot + (p.bytes > 4 ? 2u : 1u) > f_.slotCount) fail(0, "has a parameter outside its frame");
        if (f_.kernel)
            for (const SharedVariable& v : f_.shared)
                if (v.global >= program_.globals.size()) fail(0, "uses a shared variable that does not exist");
        blocks();
        for (uint32_t pc = 0; pc < f_.code.size(); ++pc) instruction(pc, f_.code[pc]);
    }

private:
    void fail(uint32_t pc, const std::string& what) { errors_.push_back(f_.name + " @" + std::to_string(pc) + ": " + what); }

    bool isHead(uint32_t pc) const { return pc < f_.code.size() && f_.code[pc].op == Opcode::Block; }

    void blocks() {
        uint32_t next = 0;
        for (size_t b = 0; b < f_.blocks.size(); ++b) {
            const BasicBlock& block = f_.blocks[b];
            if (block.firstPc != next || block.endPc <= block.firstPc || block.endPc > f_.code.size())
                return fail(block.firstPc, "basic blocks do not follow each other");
            next = block.endPc;
            const Instruction& head = f_.code[block.firstPc];
            if (head.op != Opcode::Block || head.imm != int32_t(b)) fail(block.firstPc, "a basic block does not start with its own Block");
            for (uint32_t pc = block.firstPc + 1; pc < block.endPc; ++pc) {
                if (f_.code[pc].op == Opcode::Block) fail(pc, "a Block in the middle of a basic block");
                if (isTerminator(f_.code[pc].op) != (pc + 1 == block.endPc)) fail(pc, "a basic block has to end with its only terminator");
            }
            if (block.endPc == block.firstPc + 1) fail(block.firstPc, "a basic block without a terminator");
        }
        if (next != f_.code.size()) fail(next, "code outside basic blocks");
    }

    unsigned width(const Instruction& i, unsigned position, char kind) const {
        if (std::isupper(static_cast<unsigned char>(kind))) return 2;
        if (kind != 'v') return 1;
        if (i.op == Opcode::Load || i.op == Opcode::Store) return ((i.aux & 15u) > 4 ? 2u : 1u) * (i.aux >> 4);
        if (i.op == Opcode::Atomic || i.op == Opcode::CompareSwap) return (i.aux >> 8) <= unsigned(AtomicType::U16) && isWide(AtomicType(i.aux >> 8)) ? 2 : 1;
        if (i.op == Opcode::Match && position == 1) return i.aux & 2 ? 2 : 1;
        return 1;
    }

    bool mayBeAbsent(const Instruction& i, unsigned position) const {
        if (position == 0) return i.op == Opcode::Atomic || i.op == Opcode::CompareSwap || i.op == Opcode::Barrier || i.op == Opcode::Printf;
        switch (i.op) {
        case Opcode::Barrier: return i.aux == unsigned(BarrierOp::Sync) || i.aux == unsigned(BarrierOp::Grid);
        case Opcode::Match: return position == 3;
        case Opcode::Printf: return position == 2;
        case Opcode::AssertFail: return position >= 2;
        case Opcode::MathF32: case Opcode::MathF64: return position > arityOf(MathFunction(i.aux));
        default: return false;
        }
    }

    void slots(uint32_t pc, const Instruction& i) {
        const char* format = formatOf(i.op);
        const uint16_t operands[] = {i.d, i.a, i.b, i.c};
        for (unsigned k = 0; k < 4; ++k) {
            if (format[k] == '-') continue;
            if (operands[k] == kNoSlot) {
                if (!mayBeAbsent(i, k)) fail(pc, std::string(toString(i.op)) + " lacks operand " + "dabc"[k]);
            } else if (operands[k] + width(i, k, format[k]) > f_.slotCount) {
                fail(pc, std::string(toString(i.op)) + " uses a slot outside the frame");
            } else if (k == 0 && operands[0] < unsigned(SpecialRegister::PreloadedCount)) {
                fail(pc, std::string(toString(i.op)) + " writes a special register");
            }
        }
    }

    void target(uint32_t pc, uint32_t to) {
        if (!isHead(to)) fail(pc, "jumps to @" + std::to_string(to) + ", which is not the head of a block");
    }

    void instruction(uint32_t pc, const Instruction& i) {
        if (i.op >= Opcode::Count) return fail(pc, "no such opcode");
        if ((i.op == Opcode::MathF32 || i.op == Opcode::MathF64) && i.aux >= unsigned(MathFunction::Count)) return fail(pc, "no such math function");
        slots(pc, i);
        switch (i.op) {
        case Opcode::Jump: target(pc, uint32_t(i.imm)); break;
        case Opcode::Branch: branch(pc, i); break;
        case Opcode::Load: case Opcode::Store: access(pc, i); break;
        case Opcode::Atomic: case Opcode::CompareSwap:
            if ((i.aux >> 8) > unsigned(AtomicType::U16) || (i.aux & 0xff) > unsigned(AtomicOp::Dec)) fail(pc, "no such atomic operation");
            break;
        case Opcode::Call:
            if (size_t(i.imm) >= program_.functions.size()) fail(pc, "calls a function that does not exist");
            else if (program_.functions[size_t(i.imm)].kernel) fail(pc, "calls a kernel");
            break;
        case Opcode::Shuffle:
            if (i.aux & 16 && uint32_t(i.imm) >= f_.slotCount) fail(pc, "has its member mask outside the frame");
            break;
        default: break;
        }
    }

    void branch(uint32_t pc, const Instruction& i) {
        if (size_t(i.imm) >= f_.branches.size()) return fail(pc, "has no entry in the branch table");
        const BranchInfo& b = f_.branches[size_t(i.imm)];
        target(pc, b.taken);
        target(pc, b.notTaken);
        if (b.reconverge == ~0u) return;
        target(pc, b.reconverge);
        if (isHead(b.reconverge) && !(f_.code[b.reconverge].aux & 1)) fail(pc, "reconverges at a block that is not marked for it");
    }

    void access(uint32_t pc, const Instruction& i) {
        const unsigned element = i.aux & 15u, bytes = element * (i.aux >> 4);
        const auto isPower = [](unsigned n, unsigned most) { return n >= 1 && n <= most && (n & (n - 1)) == 0; };
        if (!isPower(element, 8) || !isPower(bytes, 16)) fail(pc, "accesses elements of an impossible size");
    }

    const Program& program_;
    const Function& f_;
    std::vector<std::string>& errors_;
};

} // namespace

std::vector<std::string> verify(const Program& program) {
    std::vector<std::string> errors;
    for (const Function& f : program.functions) FunctionVerifier(program, f, errors).run();
    return errors;
}

} // namespace sim
