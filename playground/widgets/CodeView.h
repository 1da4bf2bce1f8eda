// A code editor's picture: lines in colour, gutter figures, selection, inline messages. The owner keeps the text.
#pragma once

#include "playground/widgets/Draw.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace playground {

struct CodePlace {
    size_t line = 0, column = 0; ///< 0-based; column in bytes.
    auto operator<=>(const CodePlace&) const = default;
};

struct CodeMessage {
    uint32_t line = 0;   ///< 1-based.
    uint32_t column = 0; ///< 1-based, 0 for none.
    bool error = true;
    std::string text;
};

struct CodeGutterFigure {
    uint32_t line = 0; ///< 1-based.
    std::string text;
    double magnitude = 0;
    bool excess = false;
};

struct CodeViewInput {
    std::span<const std::string> lines;
    uint64_t revision = 0; ///< Of the lines; colours are kept while it stays.
    CodePlace cursor, selectionBegin, selectionEnd;
    bool focused = false;
    bool hasBrackets = false;
    CodePlace bracketOpen, bracketClose;
    uint32_t currentLine = 0; ///< Of the selected step; 0 for none.
    uint32_t hoveredLine = 0; ///< Lit from other views.
    bool stale = false;       ///< The gutter belongs to an older text: drawn pale.
    std::vector<CodeGutterFigure> gutter;
    const char* gutterTitle = "";
    std::vector<CodeMessage> messages;
    std::vector<uint32_t> findingLines;
    uint32_t revealLine = 0; ///< Scroll until seen; 0 for none.
    bool revealCursor = false;
};

struct CodeViewEvents {
    bool pressed = false, dragged = false; ///< In the text, at `place`.
    int clicks = 0;                        ///< 1, 2 or 3.
    CodePlace place;
    uint32_t gutterClicked = 0; ///< 1-based line whose gutter was clicked.
    uint32_t hoveredLine = 0;
    size_t visibleLines = 1;
};

CodeViewEvents drawCodeView(const char* id, const Rect& box, const CodeViewInput& input);

} // namespace playground
