// Lowers a prepared LLVM module to a Program.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/core/Diagnostic.h"

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

namespace sim::frontend {

/// What all functions of a module share while they are lowered.
class ModuleLowering {
public:
    ModuleLowering(llvm::Module& module, std::string learnerPath, Program& program, std::vector<Diagnostic>& diagnostics)
        : module_(module), learnerPath_(std::move(learnerPath)), program_(program), diagnostics_(diagnostics) {}

    /// False when something is not supported; diagnostics say what, where and what to use instead.
    bool run();

    const llvm::DataLayout& layout() const { return module_.getDataLayout(); }
    /// Index into Program::globals of a variable, or -1 when it is not part of the program.
    int globalIndex(const llvm::GlobalVariable* g) const;
    int functionIndex(const llvm::Function* f) const;
    Program& program() { return program_; }

    /// The learner's line of an instruction: its own, or the one it was inlined from when that is in a header.
    SourceLoc locate(const llvm::DebugLoc& at) const;
    bool inLearnersFile(const llvm::DIScope* scope) const;
    /// Records an unsupported construct; lowering goes on so that all are reported at once.
    void unsupported(const SourceLoc& at, std::string what);

private:
    void collectGlobals();
    void collectFunctions();
    void addInitialBytes(const llvm::Constant* value, uint64_t at, Global& global);
    void describeGlobal(const llvm::GlobalVariable& g, Global& global) const;
    void layOutShared();

    llvm::Module& module_;
    std::string learnerPath_;
    Program& program_;
    std::vector<Diagnostic>& diagnostics_;
    std::map<const llvm::GlobalVariable*, int> globals_;
    std::map<const llvm::Function*, int> functions_;
};

} // namespace sim::frontend
