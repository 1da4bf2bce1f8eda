// Turns CUDA C++ text into an LLVM module of its device code, in process and without a CUDA toolkit.
#pragma once

#include "sim/Simulator.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>

namespace sim::frontend {

struct ParsedModule {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;       ///< nullptr when an error was found.
    std::vector<Diagnostic> diagnostics;
};

/// Parses `source` for nvptx64 (device side only) and generates unoptimised IR with debug info. The prelude is a
/// precompiled header made on first use and kept in the user's cache folder.
ParsedModule parseCuda(const std::string& source, const CompileOptions& options);

/// The path under which the learner's text appears to the compiler and in debug info.
std::string learnerPath(const CompileOptions& options);

} // namespace sim::frontend
