// CUDA C++ text to Program: parse, prepare, lower.
#include "sim/frontend/Frontend.h"

#include "sim/frontend/ClangDriver.h"
#include "sim/frontend/IrPasses.h"
#include "sim/frontend/ModuleLowering.h"

#include <llvm/IR/DebugInfo.h>

#include <algorithm>

namespace sim::frontend {

namespace {

/// "kernel.cu:12:5: error: ...", the line and a caret, for messages that Clang did not make.
std::string render(const Diagnostic& d, const std::string& source, const std::string& fileName) {
    if (!d.at.line) return fileName + ": error: " + d.message + "\n";
    size_t from = 0;
    for (uint32_t line = 1; line < d.at.line && from != std::string::npos; ++line) {
        from = source.find('\n', from);
        if (from != std::string::npos) ++from;
    }
    std::string text = fileName + ":" + std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + ": error: " + d.message + "\n";
    if (from == std::string::npos) return text;
    const std::string line = source.substr(from, source.find('\n', from) - from);
    text += line + "\n" + std::string(d.at.column ? d.at.column - 1 : 0, ' ') + "^\n";
    return text;
}

} // namespace

CompileResult compileCuda(const std::string& source, const CompileOptions& options) {
    CompileResult result;
    ParsedModule parsed = parseCuda(source, options);
    result.diagnostics = std::move(parsed.diagnostics);
    if (!parsed.module) return result;
    if (options.asCompiled) prepareAsCompiled(*parsed.module);
    else prepareAsWritten(*parsed.module);

    auto program = std::make_shared<Program>();
    program->source = source;
    const size_t before = result.diagnostics.size();
    ModuleLowering lowering(*parsed.module, learnerPath(options), *program, result.diagnostics);
    const bool ok = lowering.run();
    for (size_t k = before; k < result.diagnostics.size(); ++k) result.diagnostics[k].rendered = render(result.diagnostics[k], source, options.fileName);
    if (ok) result.program = std::move(program);
    return result;
}

} // namespace sim::frontend
