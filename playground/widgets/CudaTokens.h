// Cuts a line of CUDA C++ into coloured pieces.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace playground {

enum class TokenKind : uint8_t { Plain, Keyword, Type, Builtin, Number, String, Comment, Directive };

struct Token {
    size_t begin = 0, end = 0;
    TokenKind kind = TokenKind::Plain;
};

/// Tokens that cover the line without gaps. `inComment` carries a /* comment across lines; start it with false.
std::vector<Token> tokenise(std::string_view line, bool& inComment);

} // namespace playground
