// Printing operands by the Format column of Opcodes.def.
#include "sim/bytecode/Disassembler.h"

#include <array>
#include <cctype>

namespace sim {

namespace {

constexpr std::array kSpecials{"tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z",
                               "nctaid.x", "nctaid.y", "nctaid.z", "laneid", "warpid", "dynamic_shared_bytes", "local_base"};
static_assert(kSpecials.size() == size_t(SpecialRegister::PreloadedCount));

std::string operand(char kind, uint16_t slot) {
    if (slot == kNoSlot) return "_";
    if (slot < kSpecials.size()) return std::string("%") + kSpecials[slot];
    const char prefix = kind == 'p' ? 'p' : std::isupper(static_cast<unsigned char>(kind)) ? 'R' : kind == 'v' ? 'v' : 'r';
    return prefix + std::to_string(slot);
}

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string immediate(const Instruction& i, const Function* function) {
    if (i.op == Opcode::Branch && function && size_t(i.imm) < function->branches.size()) {
        const BranchInfo& b = function->branches[size_t(i.imm)];
        const std::string meet = b.reconverge == ~0u ? "" : " meet @" + std::to_string(b.reconverge);
        return "@" + std::to_string(b.taken) + " else @" + std::to_string(b.notTaken) + meet;
    }
    if (i.op == Opcode::Jump) return "@" + std::to_string(i.imm);
    return "#" + std::to_string(i.imm);
}

} // namespace

std::string disassemble(const Instruction& i, const Function* function) {
    if (i.op >= Opcode::Count) return "?";
    const std::string format = formatOf(i.op);
    std::string text = padded(toString(i.op), 17), separator;
    const std::array slots{i.d, i.a, i.b, i.c};
    const auto add = [&](const std::string& part) {
        text += separator + part;
        separator = ", ";
    };
    for (size_t k = 0; k < slots.size(); ++k)
        if (format[k] != '-') add(operand(format[k], slots[k]));
    if (format.find('i', 4) != std::string::npos) add(immediate(i, function));
    if (i.op == Opcode::MathF32 || i.op == Opcode::MathF64) add(i.aux < uint16_t(MathFunction::Count) ? toString(MathFunction(i.aux)) : "?");
    else if (i.op == Opcode::Load || i.op == Opcode::Store) add(std::to_string(i.aux >> 4) + "x" + std::to_string(i.aux & 15));
    else if (format.find('x', 4) != std::string::npos && i.aux != 0) add("aux " + std::to_string(i.aux));
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string disassemble(const Function& function) {
    std::string text = function.name + " (" + std::to_string(function.slotCount) + " slots)\n";
    for (size_t pc = 0; pc < function.code.size(); ++pc) {
        const Instruction& i = function.code[pc];
        const std::string line = pc < function.locations.size() && function.locations[pc].line ? std::to_string(function.locations[pc].line) : "-";
        if (i.op == Opcode::Block && pc != 0) text += "\n";
        text += padded(std::to_string(pc), 6) + padded(line, 6) + disassemble(i, &function) + "\n";
    }
    return text;
}

} // namespace sim
