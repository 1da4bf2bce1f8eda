// Concatenates functions and picks the handler of every instruction.
#include "sim/vm/LinkedCode.h"

#include <algorithm>

namespace sim::vm {

namespace {

/// The variant of a load or store for its element shape; the generic opcode when there is none.
uint16_t shapeVariant(uint16_t aux, uint16_t first, uint16_t generic) {
    switch (aux) {
    case packElements(1, 1): return first;
    case packElements(2, 1): return uint16_t(first + 1);
    case packElements(4, 1): return uint16_t(first + 2);
    case packElements(8, 1): return uint16_t(first + 3);
    case packElements(4, 2): return uint16_t(first + 4);
    case packElements(4, 4): return uint16_t(first + 5);
    case packElements(8, 2): return uint16_t(first + 6);
    case packElements(1, 2): return uint16_t(first + 7);
    case packElements(1, 4): return uint16_t(first + 8);
    case packElements(2, 2): return uint16_t(first + 9);
    case packElements(2, 4): return uint16_t(first + 10);
    default: return generic;
    }
}

bool hasRounding(Opcode op) {
    switch (op) {
    case Opcode::AddF32: case Opcode::SubF32: case Opcode::MulF32: case Opcode::FmaF32: case Opcode::FmsF32:
    case Opcode::FnmaF32: case Opcode::DivF32: case Opcode::SqrtF32:
    case Opcode::AddF64: case Opcode::SubF64: case Opcode::MulF64: case Opcode::FmaF64: case Opcode::FmsF64:
    case Opcode::FnmaF64: case Opcode::DivF64: case Opcode::SqrtF64:
    case Opcode::S32ToF32: case Opcode::U32ToF32: case Opcode::S64ToF32: case Opcode::U64ToF32:
    case Opcode::S64ToF64: case Opcode::U64ToF64: case Opcode::F64ToF32: return true;
    default: return false;
    }
}

uint16_t handlerOf(const Instruction& i) {
    const uint16_t op = uint16_t(i.op);
    if (i.op == Opcode::Load) return shapeVariant(i.aux, kLoad8, op);
    if (i.op == Opcode::Store) return shapeVariant(i.aux, kStore8, op);
    if (hasRounding(i.op) && i.aux != 0) return uint16_t(kRoundedVariant + op);
    return op;
}

bool calls(const Function& f) {
    return std::any_of(f.code.begin(), f.code.end(),
                       [](const Instruction& i) { return i.op == Opcode::Call || i.op == Opcode::CallIndirect; });
}

} // namespace

uint32_t argumentSlots(const Function& function) {
    uint32_t arguments = 0, results = 0;
    for (const Parameter& p : function.parameters) arguments += p.bytes > 4 ? 2 : 1;
    for (uint8_t width : function.resultWidths) results += width > 4 ? 2 : 1;
    return std::max(arguments, results);
}

LinkedCode::LinkedCode(const Program& program, const Function& kernel) {
    append(kernel, uint32_t(&kernel - program.functions.data()));
    if (calls(kernel))
        for (uint32_t f = 0; f < program.functions.size(); ++f)
            if (!program.functions[f].kernel) append(program.functions[f], f);
    measureFrames(program);
}

void LinkedCode::measureFrames(const Program& program) {
    uint32_t most = 0;
    for (const LinkedFunction& f : functions_) most = std::max(most, argumentSlots(*f.function));
    for (LinkedFunction& f : functions_) {
        f.frameSlots = std::max(f.function->slotCount, kArgumentSlot + argumentSlots(*f.function));
        for (const Instruction& i : f.function->code) {
            if (i.op == Opcode::Call)
                f.frameSlots = std::max(f.frameSlots, i.aux + kArgumentSlot + argumentSlots(program.functions[size_t(i.imm)]));
            if (i.op == Opcode::CallIndirect) f.frameSlots = std::max(f.frameSlots, i.aux + kArgumentSlot + most);
        }
    }
}

void LinkedCode::append(const Function& function, uint32_t index) {
    const uint32_t pc = uint32_t(code_.size()), block = uint32_t(counters_.size()), branch = uint32_t(branches_.size());
    functions_.push_back({&function, index, pc, block});
    for (Instruction i : function.code) {
        opcodes_.push_back(i.op);
        hasGridBarrier_ |= i.op == Opcode::Barrier && i.aux == uint16_t(BarrierOp::Grid);
        hidden_.push_back(i.op == Opcode::Block || i.op == Opcode::Jump);
        if (i.op == Opcode::Block) i.imm += int32_t(block);
        if (i.op == Opcode::Branch) i.imm += int32_t(branch);
        if (i.op == Opcode::Jump) i.imm += int32_t(pc);
        i.op = Opcode(handlerOf(i));
        code_.push_back(i);
    }
    for (const BranchInfo& b : function.branches)
        branches_.push_back({b.taken + pc, b.notTaken + pc, b.reconverge == ~0u ? ~0u : b.reconverge + pc});
    for (const BasicBlock& b : function.blocks) {
        counters_.push_back({0, 0, b.endPc - b.firstPc});
        if (b.synthetic) std::fill(hidden_.begin() + pc + b.firstPc, hidden_.begin() + pc + b.endPc, uint8_t(1));
    }
}

const LinkedFunction& LinkedCode::functionAt(uint32_t pc) const {
    const auto next = std::upper_bound(functions_.begin(), functions_.end(), pc,
                                       [](uint32_t p, const LinkedFunction& f) { return p < f.firstPc; });
    return *(next - 1);
}

const LinkedFunction* LinkedCode::findFunction(uint32_t index) const {
    for (const LinkedFunction& f : functions_)
        if (f.index == index) return &f;
    return nullptr;
}

SourceLoc LinkedCode::locationAt(uint32_t pc) const {
    const LinkedFunction& f = functionAt(pc);
    const uint32_t own = pc - f.firstPc;
    return own < f.function->locations.size() ? f.function->locations[own] : SourceLoc{};
}

const BasicBlock& LinkedCode::blockAt(uint32_t pc) const {
    static const BasicBlock none;
    const LinkedFunction& f = functionAt(pc);
    for (const BasicBlock& b : f.function->blocks)
        if (pc - f.firstPc >= b.firstPc && pc - f.firstPc < b.endPc) return b;
    return none;
}

} // namespace sim::vm
