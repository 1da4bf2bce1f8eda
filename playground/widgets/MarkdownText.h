// Markdown as plain blocks and spans, ready to be laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace playground {

struct MarkdownSpan {
    std::string text; ///< "\n" alone is a forced line break.
    bool bold = false, italic = false, code = false;
    std::string link; ///< Target; empty for none.
};

using MarkdownSpans = std::vector<MarkdownSpan>;

struct MarkdownBlock {
    enum class Kind : uint8_t { Paragraph, Heading, ListItem, Code, Quote, Rule, Table };
    Kind kind = Kind::Paragraph;
    unsigned level = 0;                           ///< Of a heading (1..6) or the depth of a list item (0..).
    std::string marker;                           ///< Of a list item: "\u2022" or "3."; empty for its later paragraphs.
    MarkdownSpans spans;                          ///< Code: one span with the text.
    std::vector<std::vector<MarkdownSpans>> rows; ///< Table; the first row is its head.
};

/// Never fails: what is not Markdown is text. Raw HTML is shown as it stands.
std::vector<MarkdownBlock> parseMarkdown(std::string_view text);

} // namespace playground
