// A compiled translation unit: functions of bytecode, module variables, and the map back to the source.
#pragma once

#include "sim/bytecode/Instruction.h"
#include "sim/core/Diagnostic.h"
#include "sim/core/Dim3.h"
#include "sim/core/LaunchConfig.h"
#include "sim/core/MemorySpace.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sim {

/// A conditional branch's targets. `reconverge` is the head of the immediate post-dominator; ~0u when the paths
/// only meet at the function's end, where lanes leave one by one.
struct BranchInfo {
    uint32_t taken = 0, notTaken = 0;   ///< pcs of Block instructions (or of edge code that leads to one).
    uint32_t reconverge = ~0u;          ///< pc of a Block with aux bit 0 set, or ~0u.
    uint32_t pc = 0;                    ///< Of the Branch instruction.
};

/// A basic block: [firstPc, endPc), firstPc being its Block instruction. Edge blocks made by the compiler to hold
/// copies are blocks too, but are marked, and count nothing.
struct BasicBlock {
    uint32_t firstPc = 0, endPc = 0;
    bool synthetic = false;
    uint32_t loopDepth = 0;
};

/// A constant placed in the frame image: the value is splat over 32 lanes of the slot(s) before a warp starts.
struct ImageConstant {
    uint16_t slot = 0;
    bool wide = false;                  ///< 64-bit: two slots.
    bool predicate = false;             ///< bits = lane mask (0 or all ones).
    uint64_t bits = 0;
    int32_t global = -1;                ///< >= 0: the address of Program::globals[global] is added to bits.
    int32_t function = -1;              ///< >= 0: the device address of Program::functions[function] (functionAddress()).
};

struct Parameter {
    std::string name;                   ///< As in the source.
    std::string type;                   ///< As in the source, e.g. "const float *".
    uint32_t bytes = 0;                 ///< 1, 2, 4, 8, or a struct's size.
    uint16_t slot = kNoSlot;            ///< Where its value lives; for a by-value struct, where its address (in the
                                        ///< parameter region) lives.
    bool pointer = false;
    bool byValueStruct = false;
    uint32_t offset = 0;                ///< In the parameter region (by-value structs only).
    std::optional<ElementType> element; ///< For a pointer: what it points to, when it is a plain number.
};

/// A local variable of the learner's, from debug info: which slot holds it over which pcs.
struct VariableRange {
    uint32_t firstPc = 0, endPc = 0;    ///< Valid after firstPc has executed, before endPc executes.
    uint16_t slot = kNoSlot;
    bool inLocalMemory = false;         ///< Then `localOffset` in the frame's local memory holds it.
    uint32_t localOffset = 0;
};
struct Variable {
    std::string name, type;             ///< As in the source.
    uint32_t line = 0;                  ///< Of the declaration.
    uint32_t scopeFirstLine = 0, scopeLastLine = 0;
    unsigned bits = 32;                 ///< 1 (bool as predicate), 8, 16, 32 or 64; of one element when it is an array.
    enum class Format : uint8_t { Signed, Unsigned, Float, Pointer, Bool, Bytes } format = Format::Signed;
    uint64_t bytes = 4;                 ///< Whole size; > bits/8 for arrays and structs.
    std::vector<VariableRange> ranges;
};

/// Where a __shared__ variable lies in a kernel's shared memory: static variables from 0, then the dynamic array.
struct SharedVariable {
    uint32_t global = 0;                ///< Index into Program::globals.
    uint32_t offset = 0;                ///< Bytes from the start of the block's shared memory.
};

struct Function {
    std::string name;                   ///< As the learner writes it: "vector_add", "t16<17>".
    std::string mangledName;
    bool kernel = false;
    std::vector<Parameter> parameters;
    std::vector<Instruction> code;
    std::vector<SourceLoc> locations;   ///< One per instruction.
    std::vector<BasicBlock> blocks;
    std::vector<BranchInfo> branches;
    std::vector<ImageConstant> image;
    /// Sorted pcs of reductions that compilers perform once per warp: 32-bit integer ones at an address that is the
    /// same for all threads, whose operands are first combined across the lanes (REDUX, then one lane's RED).
    std::vector<uint32_t> aggregatedReductions;
    std::vector<Variable> variables;
    uint32_t slotCount = 0;             ///< Frame size in slots, specials, parameters and constants included.
    uint32_t localBytes = 0;            ///< Local memory of one frame, per thread.
    uint32_t parameterBytes = 0;        ///< Size of the parameter region.
    uint32_t maxThreadsPerBlock = 0;    ///< From __launch_bounds__, 0 when absent.
    uint32_t minBlocksPerSm = 0;
    std::vector<uint8_t> resultWidths;  ///< Not of kernels: bytes (4 or 8) of each scalar returned; see kArgumentSlot.
    SourceLoc at;                       ///< Of the declaration.
    std::vector<SharedVariable> shared; ///< The __shared__ variables it (or a callee) uses; kernels only.
};

/// A variable with an address: __device__, __constant__, __managed__, __shared__, or a string literal.
struct Global {
    std::string name;
    std::string type;
    MemorySpace space = MemorySpace::Global;
    uint64_t bytes = 0;                 ///< 0 for extern __shared__ arrays: they get the launch's dynamic bytes.
    uint32_t alignment = 1;
    bool dynamicShared = false;
    bool hidden = false;                ///< Compiler-made (string literals): not shown to the learner.
    std::vector<std::byte> initial;     ///< Initial bytes; empty: zero (Global, Constant) or uninitialised (Shared).
    struct Relocation { uint64_t offset; int32_t global; int32_t function; int64_t addend; };
    std::vector<Relocation> relocations;///< Addresses to place into `initial` (vtables, pointers to variables).
    std::optional<ElementType> element; ///< For arrays and scalars of plain numbers.
    std::vector<uint32_t> extents;      ///< Array extents, outermost first.
    SourceLoc at;
};

struct Program {
    std::vector<Function> functions;
    std::vector<Global> globals;
    std::string source;                 ///< The text it was compiled from.
    /// Bytes of static shared memory of one block of `kernel`.
    uint32_t staticSharedBytes(const Function& kernel) const;

    /// The kernel called `name`: exact, or without its template arguments when only one instance exists.
    /// nullptr when there is none or several.
    const Function* findKernel(const std::string& name) const;
};

/// Device address by which a function pointer names functions[index].
constexpr uint64_t functionAddress(uint32_t index) { return 0x1000 + uint64_t{index} * 16; }

} // namespace sim
