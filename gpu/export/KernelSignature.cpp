// Finds "__global__ ... name(" in a text without its comments and takes the parameter list apart.
#include "gpu/export/KernelSignature.h"

#include <algorithm>
#include <cctype>

namespace gpu {
namespace {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string withoutComments(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "//")
            i = std::min(text.find('\n', i), text.size()) - 1;
        else if (text.substr(i, 2) == "/*") {
            const size_t end = text.find("*/", i + 2);
            i = end == std::string_view::npos ? text.size() : end + 1;
            result += ' ';
        } else
            result += text[i];
    }
    return result;
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    std::string result;
    for (const char c : text) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!space)
            result += c;
        else if (!result.ends_with(' '))
            result += ' ';
    }
    return result;
}

void removeWord(std::string& text, std::string_view word) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const bool whole =
            (at == 0 || !isWord(text[at - 1])) && (at + word.size() >= text.size() || !isWord(text[at + word.size()]));
        if (whole)
            text.erase(at, word.size());
        else
            at += word.size();
    }
}

Parameter parseParameter(std::string_view declaration) {
    std::string text(declaration.substr(0, std::min(declaration.find('='), declaration.size())));
    for (const char* word : {"__restrict__", "__restrict", "__grid_constant__"}) removeWord(text, word);
    text = trimmed(text);
    Parameter parameter;
    if (text.ends_with("[]"))
        text = trimmed(std::string_view(text).substr(0, text.size() - 2)), parameter.pointer = true;
    size_t start = text.size();
    while (start > 0 && isWord(text[start - 1])) --start;
    const std::string last = text.substr(start), before = trimmed(std::string_view(text).substr(0, start));
    static const std::vector<std::string> kTypeWords{"int",  "float",    "double", "char", "short",
                                                     "long", "unsigned", "signed", "bool", "const"};
    const bool isName = !last.empty() && !before.empty() && before != "const" && !before.ends_with("::") &&
                        std::find(kTypeWords.begin(), kTypeWords.end(), last) == kTypeWords.end();
    parameter.name = isName ? last : "";
    parameter.type = isName ? before : text;
    if (parameter.pointer) parameter.type += "*";
    std::string compact;
    for (const char c : parameter.type) {
        if (c == '*' && compact.ends_with(' ')) compact.pop_back();
        compact += c;
    }
    parameter.type = compact;
    parameter.pointer = compact.ends_with('*');
    return parameter;
}

/// The text between the parenthesis at `open` and its partner, split at its own commas.
std::optional<std::vector<Parameter>> parseList(std::string_view text, size_t open) {
    std::vector<Parameter> parameters;
    int depth = 0;
    size_t start = open + 1;
    for (size_t i = open; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
        if ((c == ',' && depth == 1) || depth == 0) {
            const std::string one = trimmed(text.substr(start, i - start));
            if (!one.empty() && one != "void") parameters.push_back(parseParameter(one));
            start = i + 1;
            if (depth == 0) return parameters;
        }
    }
    return std::nullopt;
}

} // namespace

std::string baseName(std::string_view kernel) {
    kernel = kernel.substr(0, std::min(kernel.find('<'), kernel.size()));
    if (const size_t colons = kernel.rfind("::"); colons != std::string_view::npos) kernel = kernel.substr(colons + 2);
    return trimmed(kernel);
}

std::optional<std::vector<Parameter>> parseSignature(std::string_view source, std::string_view kernel) {
    const std::string text = withoutComments(source), name = baseName(kernel);
    for (size_t at = text.find("__global__"); at != std::string::npos; at = text.find("__global__", at + 1)) {
        const size_t end = std::min(text.find_first_of("{;", at), text.size());
        for (size_t found = text.find(name, at); found < end; found = text.find(name, found + 1)) {
            if (isWord(text[found - 1]) || (found + name.size() < text.size() && isWord(text[found + name.size()])))
                continue;
            const size_t open = text.find_first_not_of(" \t\r\n", found + name.size());
            if (open != std::string::npos && text[open] == '(') return parseList(text, open);
        }
    }
    return std::nullopt;
}

} // namespace gpu
