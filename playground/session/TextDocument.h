// The learner's kernel as an editable text: lines, cursor, selection, undo. UTF-8; positions never split a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace playground {

/// 0-based line, and byte offset in it.
struct TextPosition {
    size_t line = 0, column = 0;
    auto operator<=>(const TextPosition&) const = default;
};

/// Owned by the session; one per kernel text. Lines have no line ends; there is always at least one line.
class TextDocument {
public:
    TextDocument() { lines_.emplace_back(); }
    explicit TextDocument(std::string_view text) { setText(text); }

    void setText(std::string_view text);    ///< Forgets undo and selection.
    void replaceAll(std::string_view text); ///< As an edit that undo takes back.
    std::string text() const;
    const std::vector<std::string>& lines() const { return lines_; }
    uint64_t revision() const { return revision_; } ///< Grows with every change of the text.

    TextPosition cursor() const { return cursor_; }
    TextPosition anchor() const { return anchor_; } ///< Other end of the selection; equals cursor when there is none.
    TextPosition selectionBegin() const { return cursor_ < anchor_ ? cursor_ : anchor_; }
    TextPosition selectionEnd() const { return cursor_ < anchor_ ? anchor_ : cursor_; }
    bool hasSelection() const { return cursor_ != anchor_; }
    std::string selectedText() const;

    void setCursor(TextPosition at, bool extend);
    void selectAll();
    void selectWord(TextPosition at);
    void selectLine(size_t line);

    void moveLeft(bool extend, bool byWord);
    void moveRight(bool extend, bool byWord);
    void moveUp(size_t count, bool extend);
    void moveDown(size_t count, bool extend);
    void moveHome(bool extend); ///< To the first letter, then to the margin.
    void moveEnd(bool extend);
    void moveToStart(bool extend) { setCursor({0, 0}, extend); }
    void moveToEnd(bool extend);

    void insert(std::string_view text); ///< Replaces the selection.
    void newLine();                     ///< Keeps the indent; one more after '{'.
    void typeClosingBrace();            ///< '}' on a blank line steps back one indent.
    void tab();                         ///< Four spaces, or indents the selected lines.
    void unindent();
    void backspace(bool byWord);
    void deleteForward(bool byWord);
    void toggleComment(); ///< "// " before the selected lines, or away.
    bool undo();
    bool redo();
    bool canUndo() const { return !undo_.empty(); }
    bool canRedo() const { return !redo_.empty(); }

    /// Selects the next match after the cursor (wraps). False when there is none.
    bool findNext(std::string_view needle, bool forwards = true);
    /// The bracket that matches the one at or before the cursor; false when there is none.
    bool matchBracket(TextPosition& open, TextPosition& close) const;

    /// Nearest valid position: inside the text and at a character's start.
    TextPosition clamp(TextPosition at) const;

private:
    /// A replacement of [begin, endBefore) by `inserted`, with what it removed.
    struct Edit {
        TextPosition begin, endAfter, cursorBefore, anchorBefore;
        std::string removed, inserted;
        uint8_t kind = 0; ///< 1 typing, 2 backspace: runs of the same kind undo together.
    };

    void replace(TextPosition begin, TextPosition end, std::string_view text, uint8_t kind = 0);
    TextPosition rawReplace(TextPosition begin, TextPosition end, std::string_view text);
    std::string textBetween(TextPosition begin, TextPosition end) const;
    TextPosition before(TextPosition at, bool byWord) const;
    TextPosition after(TextPosition at, bool byWord) const;
    static TextPosition endOf(TextPosition begin, std::string_view text);
    void vertical(int64_t lines, bool extend);

    std::vector<std::string> lines_;
    TextPosition cursor_, anchor_;
    int64_t wishedColumn_ = -1; ///< Characters from the margin that vertical moves aim for.
    std::vector<Edit> undo_, redo_;
    uint64_t revision_ = 1;
};

/// Bytes of the character that starts at text[at] (1 for a stray byte).
size_t characterBytes(std::string_view text, size_t at);
/// `text` with bytes that are not UTF-8 replaced by U+FFFD.
std::string sanitiseUtf8(std::string_view text);

} // namespace playground
