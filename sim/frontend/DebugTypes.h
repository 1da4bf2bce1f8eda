// Types of the learner's program, read from debug info.
#pragma once

#include "sim/bytecode/Program.h"

#include <llvm/IR/DebugInfoMetadata.h>

namespace sim::frontend {

/// "const float *", "int[3][4]", as in the source.
std::string typeName(const llvm::DIType* type);
/// Fills bits, format, bytes and type of a variable.
void describeType(const llvm::DIType* type, Variable& v);
/// The plain number that a type is (through const and typedef), or nothing.
std::optional<ElementType> elementOf(const llvm::DIType* type);
/// What a pointer points to, or an array consists of; nullptr otherwise.
const llvm::DIType* pointee(const llvm::DIType* type);
const llvm::DIType* stripQualifiers(const llvm::DIType* type);

/// The member of a struct that starts at a bit offset: ".x", with its type.
struct MemberAt {
    std::string path;
    const llvm::DIType* type = nullptr;
};
MemberAt memberAt(const llvm::DIType* type, uint64_t bit);

} // namespace sim::frontend
