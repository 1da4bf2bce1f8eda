// Follows the learner's variables from debug info to the slots that hold them.
#pragma once

#include "sim/frontend/MachineCode.h"
#include "sim/frontend/ModuleLowering.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <map>

namespace sim::frontend {

class DebugVariables {
public:
    using Resolver = std::function<Operand(const llvm::Value*)>;

    DebugVariables(const ModuleLowering& module, const llvm::Function& source, Function& out, MachineFunction& machine)
        : module_(module), source_(source), out_(out), machine_(machine) {}

    /// Called before each instruction is lowered into code[index] of `block`.
    void note(const llvm::Instruction& i, uint32_t block, uint32_t index, const Resolver& resolve);
    /// Propagates locations over the control flow and keeps the registers of variables in scope alive.
    void resolve(const std::map<const llvm::AllocaInst*, uint32_t>& localOffsets);
    /// After register allocation: writes Variable::ranges.
    void writeRanges();

private:
    struct Key {
        const llvm::DILocalVariable* variable;
        const llvm::DILocation* inlinedAt;
        uint64_t fragment;               ///< Bit offset of the piece, 0 for the whole.
        auto operator<=>(const Key&) const = default;
    };
    struct Record {
        uint32_t variable, block, index;
        Operand value;
    };
    struct Scope {
        const llvm::DILocalScope* scope;
        const llvm::DILocation* inlinedAt;
    };
    uint32_t indexOf(const llvm::DbgVariableRecord& record);
    void describe(const llvm::DbgVariableRecord& record, Variable& v) const;
    bool inScope(const Scope& scope, const llvm::DILocation* at) const;
    /// Last record of the variable in the block, or nullptr.
    const Record* lastIn(uint32_t variable, uint32_t block) const;

    const ModuleLowering& module_;
    const llvm::Function& source_;
    Function& out_;
    MachineFunction& machine_;
    std::map<Key, uint32_t> index_;
    std::vector<Scope> scopes_;                       ///< By variable.
    std::vector<std::vector<Record>> records_;        ///< By variable, in code order.
    std::vector<std::map<uint32_t, Operand>> entry_;  ///< By variable: block -> location at its start.
    struct Place { uint32_t block, index; const llvm::DILocation* at; };
    std::vector<Place> places_;                       ///< Of every lowered instruction.
    std::map<uint32_t, const llvm::AllocaInst*> inMemory_;
};

} // namespace sim::frontend
