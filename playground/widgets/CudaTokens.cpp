// A small lexer: enough for colours, no more.
#include "playground/widgets/CudaTokens.h"

#include <algorithm>
#include <array>

namespace playground {
namespace {

constexpr std::array<std::string_view, 46> kKeywords = {"alignas",
                                                        "auto",
                                                        "break",
                                                        "case",
                                                        "catch",
                                                        "class",
                                                        "const",
                                                        "const_cast",
                                                        "constexpr",
                                                        "continue",
                                                        "default",
                                                        "delete",
                                                        "do",
                                                        "else",
                                                        "enum",
                                                        "explicit",
                                                        "extern",
                                                        "false",
                                                        "for",
                                                        "friend",
                                                        "goto",
                                                        "if",
                                                        "inline",
                                                        "namespace",
                                                        "new",
                                                        "noexcept",
                                                        "nullptr",
                                                        "operator",
                                                        "private",
                                                        "public",
                                                        "reinterpret_cast",
                                                        "return",
                                                        "sizeof",
                                                        "static",
                                                        "static_assert",
                                                        "static_cast",
                                                        "struct",
                                                        "switch",
                                                        "template",
                                                        "this",
                                                        "true",
                                                        "typedef",
                                                        "typename",
                                                        "using",
                                                        "volatile",
                                                        "while"};
constexpr std::array<std::string_view, 42> kTypes = {
    "bool",     "char",       "double",    "double2",       "float", "float2",    "float3",
    "float4",   "half",       "__half",    "int",           "int2",  "int3",      "int4",
    "int8_t",   "int16_t",    "int32_t",   "int64_t",       "long",  "short",     "signed",
    "size_t",   "uchar4",     "uint2",     "uint3",         "uint4", "uint8_t",   "uint16_t",
    "uint32_t", "uint64_t",   "unsigned",  "void",          "dim3",  "ptrdiff_t", "uintptr_t",
    "ushort2",  "ulonglong2", "longlong2", "__nv_bfloat16", "half2", "__half2",   "cudaStream_t"};
constexpr std::array<std::string_view, 22> kBuiltins = {"threadIdx",    "blockIdx",
                                                        "blockDim",     "gridDim",
                                                        "warpSize",     "__global__",
                                                        "__device__",   "__host__",
                                                        "__shared__",   "__constant__",
                                                        "__restrict__", "__launch_bounds__",
                                                        "__managed__",  "__forceinline__",
                                                        "__noinline__", "__syncthreads",
                                                        "__syncwarp",   "printf",
                                                        "assert",       "min",
                                                        "max",          "sqrtf"};

template <class List>
bool has(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

TokenKind kindOf(std::string_view word) {
    if (has(kKeywords, word)) return TokenKind::Keyword;
    if (has(kTypes, word)) return TokenKind::Type;
    if (has(kBuiltins, word) || word.starts_with("__") || word.starts_with("atomic")) return TokenKind::Builtin;
    return TokenKind::Plain;
}

size_t endOfString(std::string_view line, size_t at) {
    const char quote = line[at++];
    while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
    return std::min(line.size(), at + 1);
}

size_t endOfNumber(std::string_view line, size_t at) {
    while (at < line.size() && (isLetter(line[at]) || isDigit(line[at]) || line[at] == '.' || line[at] == '\'' ||
                                ((line[at] == '+' || line[at] == '-') && (line[at - 1] == 'e' || line[at - 1] == 'E'))))
        ++at;
    return at;
}

Token next(std::string_view line, size_t at, bool& inComment) {
    if (inComment || line.substr(at, 2) == "/*") {
        const size_t close = line.find("*/", inComment ? at : at + 2);
        inComment = close == std::string_view::npos;
        return {at, inComment ? line.size() : close + 2, TokenKind::Comment};
    }
    if (line.substr(at, 2) == "//") return {at, line.size(), TokenKind::Comment};
    const char c = line[at];
    if (c == '#' && line.find_first_not_of(" \t") == at) {
        const size_t comment = line.find("//", at);
        return {at, std::min(comment, line.size()), TokenKind::Directive};
    }
    if (c == '"' || c == '\'') return {at, endOfString(line, at), TokenKind::String};
    if (isDigit(c) || (c == '.' && at + 1 < line.size() && isDigit(line[at + 1])))
        return {at, endOfNumber(line, at + 1), TokenKind::Number};
    if (isLetter(c)) {
        size_t end = at;
        while (end < line.size() && (isLetter(line[end]) || isDigit(line[end]))) ++end;
        return {at, end, kindOf(line.substr(at, end - at))};
    }
    size_t end = at + 1;
    while (end < line.size() && !isLetter(line[end]) && !isDigit(line[end]) && line[end] != '"' && line[end] != '\'' &&
           line[end] != '/' && line[end] != '.')
        ++end;
    return {at, end, TokenKind::Plain};
}

} // namespace

std::vector<Token> tokenise(std::string_view line, bool& inComment) {
    std::vector<Token> tokens;
    for (size_t at = 0; at < line.size();) {
        tokens.push_back(next(line, at, inComment));
        at = tokens.back().end;
    }
    return tokens;
}

} // namespace playground
