// Kernel arguments as the command line and case files spell them: in:f32[1024]=hash, out:u8[300]=const:7, i32=5. A
// pointer to element 6 of a buffer is in:f32[1024]@6=hash, a null pointer is null.
#pragma once

#include "playground/session/Lesson.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace playground {

struct SimArgument {
    bool buffer = false;
    bool output = false; ///< Of a buffer: report its contents afterwards.
    sim::ElementType type = sim::ElementType::F32;
    uint64_t count = 0;            ///< Elements of a buffer.
    uint64_t offset = 0;           ///< Element of the buffer that the argument points to.
    std::string value = "const:0"; ///< A buffer's init formula, or a scalar's expression.
};

/// nullopt with a sentence in `problem` that says what to write.
std::optional<SimArgument> parseSimArgument(std::string_view spec, std::string& problem);

/// Fills the launch's buffers, arguments and output flags. Returns an empty string or a sentence that says what is
/// wrong with which argument.
std::string addArguments(ResolvedLaunch& launch, std::span<const SimArgument> arguments);

/// Empty, or a sentence when number or kind of the arguments do not fit the kernel's parameters.
std::string checkArguments(const ResolvedLaunch& launch, const sim::Function& kernel);

/// Names the launch's buffers after the kernel's parameters.
void nameBuffers(ResolvedLaunch& launch, const sim::Function& kernel);

} // namespace playground
