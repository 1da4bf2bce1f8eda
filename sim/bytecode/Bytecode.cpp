// The tables that Opcodes.def and MathFunctions.def generate, and look-ups in a Program.
#include "sim/bytecode/Program.h"

#include <algorithm>
#include <array>

namespace sim {

namespace {
struct OpcodeRow {
    const char* name;
    const char* format;
    const char* meaning;
};
constexpr OpcodeRow kOpcodes[] = {
#define OP(name, format, family, meaning) {#name, format, meaning},
#include "sim/bytecode/Opcodes.def"
};
struct MathRow {
    const char* name;
    unsigned arity;
};
constexpr MathRow kMath[] = {
#define MATH(name, arity) {#name, arity},
#include "sim/bytecode/MathFunctions.def"
};
} // namespace

const char* toString(Opcode op) { return kOpcodes[unsigned(op)].name; }
const char* formatOf(Opcode op) { return kOpcodes[unsigned(op)].format; }
const char* meaningOf(Opcode op) { return kOpcodes[unsigned(op)].meaning; }
const char* toString(MathFunction f) { return kMath[unsigned(f)].name; }
unsigned arityOf(MathFunction f) { return kMath[unsigned(f)].arity; }

unsigned bytesOf(AtomicType type) {
    constexpr std::array<unsigned, 11> bytes{4, 4, 8, 8, 4, 8, 2, 2, 4, 4, 2};
    static_assert(bytes.size() == unsigned(AtomicType::U16) + 1);
    return bytes[unsigned(type)];
}

uint32_t Program::staticSharedBytes(const Function& kernel) const {
    uint64_t end = 0;
    for (const SharedVariable& v : kernel.shared) {
        const Global& g = globals[v.global];
        if (!g.dynamicShared) end = std::max(end, v.offset + g.bytes);
    }
    return uint32_t(end);
}

const Function* Program::findKernel(const std::string& name) const {
    const Function* match = nullptr;
    for (const Function& f : functions) {
        if (!f.kernel) continue;
        if (f.name == name) return &f;
        if (f.name.substr(0, f.name.find('<')) != name) continue;
        if (match) return nullptr;
        match = &f;
    }
    return match;
}

} // namespace sim
