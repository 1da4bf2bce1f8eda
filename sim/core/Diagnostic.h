// A position in the learner's source, and what the compiler has to say about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim {

/// 1-based line and column in the learner's file; line 0 means unknown. Code inlined from a header or a device
/// function carries the position where the learner's own text was left (headers) or the callee's (own functions).
struct SourceLoc {
    uint32_t line = 0;
    uint32_t column = 0;
    bool operator==(const SourceLoc&) const = default;
};

struct Diagnostic {
    enum class Severity : uint8_t { Note, Warning, Error };
    Severity severity = Severity::Error;
    SourceLoc at;          ///< Line 0 when the message has no place in the learner's file.
    std::string message;   ///< One sentence; what to do comes in it where that is known.
    std::string rendered;  ///< With source line and caret, as a compiler prints it; may span lines.
};

} // namespace sim
