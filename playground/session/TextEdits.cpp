// Changes of a text and their undoing.
#include "playground/session/TextDocument.h"

#include <algorithm>

namespace playground {
namespace {

constexpr size_t kIndent = 4;
constexpr uint8_t kTyping = 1, kErasing = 2;

size_t indentOf(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

} // namespace

TextPosition TextDocument::endOf(TextPosition begin, std::string_view text) {
    const size_t newLines = size_t(std::count(text.begin(), text.end(), '\n'));
    if (newLines == 0) return {begin.line, begin.column + text.size()};
    return {begin.line + newLines, text.size() - text.rfind('\n') - 1};
}

TextPosition TextDocument::rawReplace(TextPosition begin, TextPosition end, std::string_view text) {
    const std::string tail = lines_[end.line].substr(end.column);
    lines_[begin.line].resize(begin.column);
    lines_.erase(lines_.begin() + long(begin.line) + 1, lines_.begin() + long(end.line) + 1);
    std::vector<std::string> added;
    size_t start = 0;
    for (size_t newLine; (newLine = text.find('\n', start)) != std::string_view::npos; start = newLine + 1)
        added.emplace_back(text.substr(start, newLine - start));
    added.emplace_back(text.substr(start));
    for (std::string& line : added)
        if (!line.empty() && line.back() == '\r') line.pop_back();
    lines_[begin.line] += added.front();
    lines_.insert(lines_.begin() + long(begin.line) + 1, added.begin() + 1, added.end());
    const size_t last = begin.line + added.size() - 1;
    const TextPosition after{last, lines_[last].size()};
    lines_[last] += tail;
    return after;
}

void TextDocument::replace(TextPosition begin, TextPosition end, std::string_view text, uint8_t kind) {
    Edit edit{begin, {}, cursor_, anchor_, textBetween(begin, end), std::string(text), kind};
    edit.endAfter = rawReplace(begin, end, text);
    edit.inserted = textBetween(begin, edit.endAfter);
    redo_.clear();
    Edit* last = undo_.empty() ? nullptr : &undo_.back();
    if (kind == kTyping && last && last->kind == kTyping && last->endAfter == begin && edit.removed.empty()) {
        last->inserted += edit.inserted;
        last->endAfter = edit.endAfter;
    } else if (kind == kErasing && last && last->kind == kErasing && end == last->begin && edit.inserted.empty()) {
        last->removed = edit.removed + last->removed;
        last->begin = last->endAfter = begin;
    } else {
        undo_.push_back(edit);
    }
    cursor_ = anchor_ = edit.endAfter;
    wishedColumn_ = -1;
    ++revision_;
}

void TextDocument::replaceAll(std::string_view text) {
    const TextPosition keep = cursor_;
    replace({0, 0}, {lines_.size() - 1, lines_.back().size()}, text);
    cursor_ = anchor_ = clamp(keep);
}

void TextDocument::insert(std::string_view text) {
    const std::string clean = sanitiseUtf8(text);
    const bool typing = clean.size() <= 4 && clean != "\n" && clean != " ";
    replace(selectionBegin(), selectionEnd(), clean, typing ? kTyping : 0);
}

void TextDocument::newLine() {
    const TextPosition at = selectionBegin();
    const std::string& line = lines_[at.line];
    size_t indent = std::min(indentOf(line), at.column);
    const size_t last = at.column == 0 ? std::string::npos : line.find_last_not_of(' ', at.column - 1);
    if (last != std::string::npos && line[last] == '{') indent += kIndent;
    replace(at, selectionEnd(), "\n" + std::string(indent, ' '));
}

void TextDocument::typeClosingBrace() {
    const std::string& line = lines_[cursor_.line];
    if (!hasSelection() && cursor_.column >= kIndent && indentOf(line) >= cursor_.column) {
        replace({cursor_.line, cursor_.column - kIndent}, cursor_, "}");
        return;
    }
    insert("}");
}

void TextDocument::tab() {
    if (selectionBegin().line == selectionEnd().line) {
        const size_t spaces = kIndent - selectionBegin().column % kIndent;
        replace(selectionBegin(), selectionEnd(), std::string(spaces, ' '));
        return;
    }
    const size_t first = selectionBegin().line, last = selectionEnd().line - (selectionEnd().column == 0 ? 1 : 0);
    std::string text;
    for (size_t line = first; line <= last; ++line)
        text += (line > first ? "\n" : "") + (lines_[line].empty() ? "" : std::string(kIndent, ' ') + lines_[line]);
    replace({first, 0}, {last, lines_[last].size()}, text);
    anchor_ = {first, 0};
}

void TextDocument::unindent() {
    const size_t first = selectionBegin().line;
    const size_t last = selectionEnd().line - (selectionEnd().column == 0 && selectionEnd().line > first ? 1 : 0);
    const bool many = hasSelection();
    const TextPosition at = cursor_;
    std::string text;
    size_t removed = 0;
    for (size_t line = first; line <= last; ++line) {
        removed = std::min(indentOf(lines_[line]), kIndent);
        text += (line > first ? "\n" : "") + lines_[line].substr(removed);
    }
    replace({first, 0}, {last, lines_[last].size()}, text);
    if (many)
        anchor_ = {first, 0};
    else
        setCursor({at.line, at.column - std::min(at.column, removed)}, false);
}

void TextDocument::backspace(bool byWord) {
    if (hasSelection()) {
        replace(selectionBegin(), selectionEnd(), "");
        return;
    }
    if (cursor_ == TextPosition{0, 0}) return;
    const std::string& line = lines_[cursor_.line];
    TextPosition begin = before(cursor_, byWord);
    const bool inIndent = cursor_.column > 0 && indentOf(line) >= cursor_.column;
    if (!byWord && inIndent) begin = {cursor_.line, (cursor_.column - 1) / kIndent * kIndent};
    replace(begin, cursor_, "", kErasing);
}

void TextDocument::deleteForward(bool byWord) {
    if (hasSelection()) {
        replace(selectionBegin(), selectionEnd(), "");
        return;
    }
    const TextPosition end = after(cursor_, byWord);
    if (end != cursor_) replace(cursor_, end, "");
}

void TextDocument::toggleComment() {
    const size_t first = selectionBegin().line;
    const size_t last = selectionEnd().line - (selectionEnd().column == 0 && selectionEnd().line > first ? 1 : 0);
    bool all = true;
    for (size_t line = first; line <= last; ++line)
        all = all && (indentOf(lines_[line]) == lines_[line].size() ||
                      lines_[line].compare(indentOf(lines_[line]), 2, "//") == 0);
    std::string text;
    for (size_t line = first; line <= last; ++line) {
        std::string changed = lines_[line];
        const size_t at = indentOf(changed);
        if (at < changed.size() && all)
            changed.erase(at, changed.compare(at, 3, "// ") == 0 ? 3 : 2);
        else if (at < changed.size())
            changed.insert(at, "// ");
        text += (line > first ? "\n" : "") + changed;
    }
    replace({first, 0}, {last, lines_[last].size()}, text);
    anchor_ = {first, 0};
}

bool TextDocument::undo() {
    if (undo_.empty()) return false;
    Edit edit = undo_.back();
    undo_.pop_back();
    rawReplace(edit.begin, edit.endAfter, edit.removed);
    cursor_ = edit.cursorBefore;
    anchor_ = edit.anchorBefore;
    redo_.push_back(std::move(edit));
    wishedColumn_ = -1;
    ++revision_;
    return true;
}

bool TextDocument::redo() {
    if (redo_.empty()) return false;
    Edit edit = redo_.back();
    redo_.pop_back();
    rawReplace(edit.begin, endOf(edit.begin, edit.removed), edit.inserted);
    cursor_ = anchor_ = edit.endAfter;
    undo_.push_back(std::move(edit));
    wishedColumn_ = -1;
    ++revision_;
    return true;
}

} // namespace playground
