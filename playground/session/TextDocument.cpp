// Cursor movement, selection and search in a text; TextEdits.cpp changes it.
#include "playground/session/TextDocument.h"

#include <algorithm>

namespace playground {
namespace {

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
bool isWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

size_t characters(std::string_view text) {
    return size_t(std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); }));
}

size_t byteOfCharacter(std::string_view text, size_t index) {
    size_t at = 0;
    for (; index > 0 && at < text.size(); --index) at += characterBytes(text, at);
    return at;
}

char partnerOf(char c) {
    switch (c) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case ')': return '(';
    case ']': return '[';
    case '}': return '{';
    default: return 0;
    }
}

} // namespace

size_t characterBytes(std::string_view text, size_t at) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    size_t wanted = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    size_t n = 1;
    while (n < wanted && at + n < text.size() && isContinuation(text[at + n])) ++n;
    return n;
}

std::string sanitiseUtf8(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        const size_t wanted = c < 0x80                ? 1
                              : c >= 0xc2 && c < 0xe0 ? 2
                              : c >= 0xe0 && c < 0xf0 ? 3
                              : c >= 0xf0 && c < 0xf5 ? 4
                                                      : 0;
        size_t n = 1;
        while (n < wanted && i + n < text.size() && isContinuation(text[i + n])) ++n;
        if (wanted == 0 || n < wanted || c == 0)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(i, n);
        i += n;
    }
    return out;
}

void TextDocument::setText(std::string_view text) {
    lines_.assign(1, {});
    cursor_ = anchor_ = {};
    undo_.clear();
    redo_.clear();
    wishedColumn_ = -1;
    rawReplace({}, {}, text);
    ++revision_;
}

std::string TextDocument::text() const {
    std::string out;
    for (size_t i = 0; i < lines_.size(); ++i) {
        if (i > 0) out += '\n';
        out += lines_[i];
    }
    return out;
}

TextPosition TextDocument::clamp(TextPosition at) const {
    at.line = std::min(at.line, lines_.size() - 1);
    const std::string& line = lines_[at.line];
    at.column = std::min(at.column, line.size());
    while (at.column > 0 && at.column < line.size() && isContinuation(line[at.column])) --at.column;
    return at;
}

std::string TextDocument::textBetween(TextPosition begin, TextPosition end) const {
    if (begin.line == end.line) return lines_[begin.line].substr(begin.column, end.column - begin.column);
    std::string out = lines_[begin.line].substr(begin.column);
    for (size_t line = begin.line + 1; line < end.line; ++line) out += '\n' + lines_[line];
    return out + '\n' + lines_[end.line].substr(0, end.column);
}

std::string TextDocument::selectedText() const {
    return textBetween(selectionBegin(), selectionEnd());
}

void TextDocument::setCursor(TextPosition at, bool extend) {
    cursor_ = clamp(at);
    if (!extend) anchor_ = cursor_;
    wishedColumn_ = -1;
}

void TextDocument::selectAll() {
    anchor_ = {0, 0};
    cursor_ = {lines_.size() - 1, lines_.back().size()};
}

void TextDocument::selectWord(TextPosition at) {
    at = clamp(at);
    const std::string& line = lines_[at.line];
    size_t begin = at.column, end = at.column;
    while (begin > 0 && isWord(line[begin - 1])) --begin;
    while (end < line.size() && isWord(line[end])) ++end;
    anchor_ = {at.line, begin};
    cursor_ = {at.line, end};
}

void TextDocument::selectLine(size_t line) {
    line = std::min(line, lines_.size() - 1);
    anchor_ = {line, 0};
    cursor_ = line + 1 < lines_.size() ? TextPosition{line + 1, 0} : TextPosition{line, lines_[line].size()};
}

TextPosition TextDocument::before(TextPosition at, bool byWord) const {
    if (at.column == 0) return at.line == 0 ? at : TextPosition{at.line - 1, lines_[at.line - 1].size()};
    const std::string& line = lines_[at.line];
    if (byWord) {
        while (at.column > 0 && line[at.column - 1] == ' ') --at.column;
        if (at.column > 0 && isWord(line[at.column - 1])) {
            while (at.column > 0 && isWord(line[at.column - 1])) --at.column;
            return at;
        }
        if (at.column == 0) return at;
    }
    --at.column;
    return clamp(at);
}

TextPosition TextDocument::after(TextPosition at, bool byWord) const {
    const std::string& line = lines_[at.line];
    if (at.column >= line.size()) return at.line + 1 < lines_.size() ? TextPosition{at.line + 1, 0} : at;
    if (byWord && isWord(line[at.column])) {
        while (at.column < line.size() && isWord(line[at.column])) ++at.column;
    } else {
        at.column += characterBytes(line, at.column);
    }
    while (byWord && at.column < line.size() && line[at.column] == ' ') ++at.column;
    return at;
}

void TextDocument::moveLeft(bool extend, bool byWord) {
    setCursor(!extend && !byWord && hasSelection() ? selectionBegin() : before(cursor_, byWord), extend);
}

void TextDocument::moveRight(bool extend, bool byWord) {
    setCursor(!extend && !byWord && hasSelection() ? selectionEnd() : after(cursor_, byWord), extend);
}

void TextDocument::vertical(int64_t lines, bool extend) {
    const int64_t wished = wishedColumn_ >= 0
                               ? wishedColumn_
                               : int64_t(characters(std::string_view(lines_[cursor_.line]).substr(0, cursor_.column)));
    const int64_t target = int64_t(cursor_.line) + lines;
    if (target < 0)
        setCursor({0, 0}, extend);
    else if (target >= int64_t(lines_.size()))
        moveToEnd(extend);
    else
        setCursor({size_t(target), byteOfCharacter(lines_[size_t(target)], size_t(wished))}, extend);
    wishedColumn_ = wished;
}

void TextDocument::moveUp(size_t count, bool extend) {
    vertical(-int64_t(count), extend);
}
void TextDocument::moveDown(size_t count, bool extend) {
    vertical(int64_t(count), extend);
}

void TextDocument::moveHome(bool extend) {
    const std::string& line = lines_[cursor_.line];
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    setCursor({cursor_.line, cursor_.column == first ? 0 : first}, extend);
}

void TextDocument::moveEnd(bool extend) {
    setCursor({cursor_.line, lines_[cursor_.line].size()}, extend);
}
void TextDocument::moveToEnd(bool extend) {
    setCursor({lines_.size() - 1, lines_.back().size()}, extend);
}

bool TextDocument::findNext(std::string_view needle, bool forwards) {
    if (needle.empty()) return false;
    const size_t n = lines_.size();
    const TextPosition from = forwards ? selectionEnd() : selectionBegin();
    for (size_t k = 0; k <= n; ++k) {
        const size_t line = forwards ? (from.line + k) % n : (from.line + n * 2 - k) % n;
        const std::string& text = lines_[line];
        size_t at;
        if (forwards)
            at = text.find(needle, k == 0 ? from.column : 0);
        else if (k == 0)
            at = from.column == 0 ? std::string::npos : text.rfind(needle, from.column - 1);
        else
            at = text.rfind(needle);
        if (!forwards && k == 0 && at != std::string::npos && at + needle.size() > from.column) at = std::string::npos;
        if (at == std::string::npos) continue;
        anchor_ = {line, at};
        cursor_ = {line, at + needle.size()};
        wishedColumn_ = -1;
        return true;
    }
    return false;
}

bool TextDocument::matchBracket(TextPosition& open, TextPosition& close) const {
    for (size_t offset : {size_t{0}, size_t{1}}) {
        if (offset > cursor_.column || cursor_.column - offset >= lines_[cursor_.line].size()) continue;
        const TextPosition at{cursor_.line, cursor_.column - offset};
        const char c = lines_[at.line][at.column], partner = partnerOf(c);
        if (partner == 0) continue;
        const bool forwards = c == '(' || c == '[' || c == '{';
        int depth = 0;
        TextPosition p = at;
        while (true) {
            const char here = p.column < lines_[p.line].size() ? lines_[p.line][p.column] : ' ';
            depth += here == c ? 1 : here == partner ? -1 : 0;
            if (depth == 0) {
                open = forwards ? at : p;
                close = forwards ? p : at;
                return true;
            }
            const TextPosition next = forwards ? after(p, false) : before(p, false);
            if (next == p) break;
            p = next;
        }
    }
    return false;
}

} // namespace playground
