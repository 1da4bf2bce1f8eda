// Slots in order of creation, blocks in order of placing.
#include "sim/bytecode/Builder.h"

#include <bit>
#include <utility>

namespace sim {

Builder::Builder(std::string name, bool kernel) : nextSlot_(kArgumentSlot) {
    function_.name = name;
    function_.mangledName = std::move(name);
    function_.kernel = kernel;
    function_.at.line = 1;
    place(label());
}

Builder::Slot Builder::slots(unsigned count) {
    const Slot first = nextSlot_;
    nextSlot_ = uint16_t(nextSlot_ + count);
    return first;
}
Builder::Slot Builder::slot32() { return slots(1); }
Builder::Slot Builder::slot64() { return slots(2); }

Builder::Slot Builder::pointer(std::string name, std::optional<ElementType> element) {
    const Slot s = slot64();
    Parameter p;
    p.name = std::move(name);
    p.type = std::string(element ? toString(*element) : "void") + " *";
    p.bytes = 8;
    p.slot = s;
    p.pointer = true;
    p.element = element;
    function_.parameters.push_back(std::move(p));
    return s;
}

Builder::Slot Builder::scalar(std::string name, std::string type, uint32_t bytes) {
    const Slot s = slots(bytes > 4 ? 2 : 1);
    Parameter p;
    p.name = std::move(name);
    p.type = std::move(type);
    p.bytes = bytes;
    p.slot = s;
    function_.parameters.push_back(std::move(p));
    return s;
}

Builder::Slot Builder::constant32(uint32_t value) {
    const Slot s = slot32();
    function_.image.push_back({s, false, false, value, -1, -1});
    return s;
}
Builder::Slot Builder::constant64(uint64_t value) {
    const Slot s = slot64();
    function_.image.push_back({s, true, false, value, -1, -1});
    return s;
}
Builder::Slot Builder::constantF32(float value) { return constant32(std::bit_cast<uint32_t>(value)); }
Builder::Slot Builder::predicateConstant(bool value) {
    const Slot s = slot32();
    function_.image.push_back({s, false, true, value ? 0xffffffffu : 0u, -1, -1});
    return s;
}
Builder::Slot Builder::addressOf(uint32_t global) {
    const Slot s = slot64();
    function_.image.push_back({s, true, false, 0, int32_t(global), -1});
    return s;
}
Builder::Slot Builder::functionPointer(uint32_t function) {
    const Slot s = slot64();
    function_.image.push_back({s, true, false, 0, -1, int32_t(function)});
    return s;
}

Builder::Label Builder::label() {
    labels_.push_back(~0u);
    return {int32_t(labels_.size() - 1)};
}

void Builder::place(Label label, uint32_t loopDepth, bool synthetic) {
    const uint32_t pc = uint32_t(function_.code.size());
    if (!function_.blocks.empty()) function_.blocks.back().endPc = pc;
    labels_[size_t(label.index)] = pc;
    function_.blocks.push_back({pc, pc, synthetic, loopDepth});
    emit(Opcode::Block, kNoSlot, kNoSlot, kNoSlot, kNoSlot, 0, int32_t(function_.blocks.size() - 1));
}

void Builder::emit(Opcode op, Slot d, Slot a, Slot b, Slot c, uint16_t aux, int32_t imm) {
    function_.code.push_back({op, d, a, b, c, aux, imm});
    function_.locations.push_back({line_, 1});
}

void Builder::jump(Label to) {
    jumps_.emplace_back(uint32_t(function_.code.size()), to);
    emit(Opcode::Jump);
}

void Builder::branch(Slot condition, Label taken, Label notTaken) { branch(condition, taken, notTaken, Label{}); }

void Builder::branch(Slot condition, Label taken, Label notTaken, Label reconverge) {
    branches_.push_back({uint32_t(function_.code.size()), taken, notTaken, reconverge});
    emit(Opcode::Branch, kNoSlot, condition, kNoSlot, kNoSlot, 0, int32_t(branches_.size() - 1));
}

void Builder::load(Slot d, Slot address, unsigned bytes, unsigned count, int32_t offset) {
    emit(Opcode::Load, d, address, kNoSlot, kNoSlot, packElements(bytes, count), offset);
}
void Builder::store(Slot address, Slot value, unsigned bytes, unsigned count, int32_t offset) {
    emit(Opcode::Store, kNoSlot, address, value, kNoSlot, packElements(bytes, count), offset);
}

uint32_t Builder::global(std::string name, MemorySpace space, uint64_t bytes, std::vector<std::byte> initial) {
    Global g;
    g.name = std::move(name);
    g.space = space;
    g.bytes = bytes;
    g.initial = std::move(initial);
    globals_.push_back(std::move(g));
    return uint32_t(globals_.size() - 1);
}

uint32_t Builder::shared(std::string name, uint64_t bytes, std::optional<ElementType> element) {
    const uint32_t index = global(std::move(name), MemorySpace::Shared, bytes);
    globals_[index].element = element;
    globals_[index].dynamicShared = bytes == 0;
    function_.shared.push_back({index, sharedBytes_});
    sharedBytes_ += uint32_t((bytes + 15) / 16 * 16);
    return index;
}

Function Builder::finish() {
    Function f = function_;
    f.blocks.back().endPc = uint32_t(f.code.size());
    f.slotCount = nextSlot_;
    for (const auto& [pc, to] : jumps_) f.code[pc].imm = int32_t(labels_[size_t(to.index)]);
    for (const Fixup& b : branches_) {
        BranchInfo info{labels_[size_t(b.taken.index)], labels_[size_t(b.notTaken.index)], ~0u, b.branch};
        if (b.reconverge.index >= 0) {
            info.reconverge = labels_[size_t(b.reconverge.index)];
            f.code[info.reconverge].aux |= 1;
        }
        f.branches.push_back(info);
    }
    return f;
}

Program Builder::build() {
    Program program;
    program.functions.push_back(finish());
    program.globals = globals_;
    return program;
}

} // namespace sim
