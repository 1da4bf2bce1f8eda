// Prepares Clang's IR for lowering: everything inlined that can be, variables in SSA form, the source's shape kept.
#pragma once

#include <llvm/IR/Module.h>

namespace sim::frontend {

/// "As written": inline, promote variables to SSA, keep every branch, load and store of the source. Loads whose
/// value nobody uses are dropped (lowering skips them), as every compiler would.
void prepareAsWritten(llvm::Module& module);

/// "As compiled": LLVM's -O3 pipeline for nvptx64, then what lowering needs.
void prepareAsCompiled(llvm::Module& module);

} // namespace sim::frontend
