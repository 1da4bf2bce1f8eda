// A small assembler: builds a kernel instruction by instruction, for tests and benchmarks.
#pragma once

#include "sim/bytecode/Program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sim {

/// Writes one function. Blocks are opened in the order of the code; labels may be used before they are placed.
///
///     Builder b("add");
///     const auto p = b.pointer("data");
///     const auto i = b.special(SpecialRegister::TidX);
///     ...
///     b.exit();
///     Program program = b.build();
class Builder {
public:
    using Slot = uint16_t;
    /// A block that branches can name.
    struct Label {
        int32_t index = -1;
    };

    explicit Builder(std::string name, bool kernel = true);

    // --- frame ---------------------------------------------------------------------------------------------
    Slot slot32();
    Slot slot64();
    Slot slots(unsigned count);
    Slot predicate() { return slot32(); }
    Slot special(SpecialRegister s) const { return Slot(s); }
    Slot pointer(std::string name, std::optional<ElementType> element = std::nullopt);
    Slot scalar(std::string name, std::string type, uint32_t bytes);
    Slot constant32(uint32_t value);
    Slot constant64(uint64_t value);
    Slot constantF32(float value);
    Slot predicateConstant(bool value);
    Slot addressOf(uint32_t global);
    Slot functionPointer(uint32_t function);

    // --- code ----------------------------------------------------------------------------------------------
    /// Source line of what follows.
    void line(uint32_t number) { line_ = number; }
    Label label();
    /// Starts the block `label`; the block before has to have ended. The first block starts by itself.
    void place(Label label, uint32_t loopDepth = 0, bool synthetic = false);
    void emit(Opcode op, Slot d = kNoSlot, Slot a = kNoSlot, Slot b = kNoSlot, Slot c = kNoSlot, uint16_t aux = 0, int32_t imm = 0);
    void jump(Label to);
    void branch(Slot condition, Label taken, Label notTaken);
    void branch(Slot condition, Label taken, Label notTaken, Label reconverge);
    void exit() { emit(Opcode::Exit); }
    void load(Slot d, Slot address, unsigned bytes = 4, unsigned count = 1, int32_t offset = 0);
    void store(Slot address, Slot value, unsigned bytes = 4, unsigned count = 1, int32_t offset = 0);
    void sync() { emit(Opcode::Barrier); }

    // --- variables -----------------------------------------------------------------------------------------
    /// A variable of the module; returns its index.
    uint32_t global(std::string name, MemorySpace space, uint64_t bytes, std::vector<std::byte> initial = {});
    /// A __shared__ array of the kernel; 0 bytes makes it the dynamic one.
    uint32_t shared(std::string name, uint64_t bytes, std::optional<ElementType> element = ElementType::F32);
    void local(uint32_t bytes) { function_.localBytes = bytes; }
    /// Not of kernels: the widths of what it returns.
    void results(std::vector<uint8_t> widths) { function_.resultWidths = std::move(widths); }

    /// Resolves labels and gives the finished function; `index` is where the caller will put it.
    Function finish();
    /// A program of this function alone.
    Program build();

    const std::vector<Global>& globals() const { return globals_; }

private:
    struct Fixup {
        uint32_t branch = 0;
        Label taken, notTaken, reconverge;
    };

    Function function_;
    std::vector<Global> globals_;
    std::vector<uint32_t> labels_;
    std::vector<Fixup> branches_;
    std::vector<std::pair<uint32_t, Label>> jumps_;
    uint16_t nextSlot_;
    uint32_t line_ = 1, sharedBytes_ = 0;
};

} // namespace sim
