// Markdown blocks and code tokens.
#include "playground/widgets/CudaTokens.h"
#include "playground/widgets/MarkdownText.h"

#include <gtest/gtest.h>

using namespace playground;
using Kind = MarkdownBlock::Kind;

namespace {

TEST(Markdown, BlocksOfALesson) {
    const auto blocks = parseMarkdown("# Title\n\nSome **bold** text.\n\n- one\n- two\n\n3. three\n\n```cuda\nint "
                                      "a;\nint b;\n```\n\n> quote\n\n---\n");
    ASSERT_EQ(blocks.size(), 8u);
    EXPECT_EQ(blocks[0].kind, Kind::Heading);
    EXPECT_EQ(blocks[1].spans[1].text, "bold");
    EXPECT_TRUE(blocks[1].spans[1].bold);
    EXPECT_EQ(blocks[2].kind, Kind::ListItem);
    EXPECT_EQ(blocks[2].marker, "\u2022");
    EXPECT_EQ(blocks[4].marker, "3.");
    EXPECT_EQ(blocks[5].spans[0].text, "int a;\nint b;");
    EXPECT_EQ(blocks[6].kind, Kind::Quote);
    EXPECT_EQ(blocks[7].kind, Kind::Rule);
}

TEST(Markdown, ActionLinksMayHaveSpaces) {
    const auto blocks = parseMarkdown("Go [there](action:set stride=2; view global) and [here](https://example.org).");
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(blocks[0].spans[1].text, "there");
    EXPECT_EQ(blocks[0].spans[1].link, "action:set stride=2; view global");
    EXPECT_EQ(blocks[0].spans[3].link, "https://example.org");
}

TEST(Markdown, Tables) {
    const auto blocks = parseMarkdown("| a | b |\n|---|---|\n| 1 | `x` |\n");
    ASSERT_EQ(blocks.size(), 1u);
    ASSERT_EQ(blocks[0].rows.size(), 2u);
    EXPECT_EQ(blocks[0].rows[0][1][0].text, "b");
    EXPECT_TRUE(blocks[0].rows[1][1][0].code);
}

TEST(Markdown, OddInputIsText) {
    for (const char* text : {"", "[x](action:never closed\nnext", "](action:", "**", "| a", "<b>html</b>", "&amp;"})
        parseMarkdown(text);
    EXPECT_EQ(parseMarkdown("a &lt; b")[0].spans[0].text, "a < b");
}

TEST(Tokens, CoverTheLineWithoutGaps) {
    bool comment = false;
    for (const char* line :
         {"#define N 3 // n", "__global__ void f(float* a) { a[0] = 1.5e-3f; }", "/* open", "still",
          "close */ int x = 'a';", "const char* s = \"a\\\"b\";", "\"never closed", "x\xe7\xba\xbf"}) {
        const std::string_view text = line;
        size_t at = 0;
        for (const Token& t : tokenise(text, comment)) {
            EXPECT_EQ(t.begin, at);
            EXPECT_GT(t.end, t.begin);
            at = t.end;
        }
        EXPECT_EQ(at, text.size());
    }
}

TEST(Tokens, Kinds) {
    bool comment = false;
    const auto tokens = tokenise("__shared__ float a = 2; // c", comment);
    EXPECT_EQ(tokens[0].kind, TokenKind::Builtin);
    EXPECT_EQ(tokens[2].kind, TokenKind::Type);
    EXPECT_EQ(tokens.back().kind, TokenKind::Comment);
    tokenise("/* a", comment);
    EXPECT_TRUE(comment);
    EXPECT_EQ(tokenise("b */ int", comment)[0].kind, TokenKind::Comment);
    EXPECT_FALSE(comment);
}

} // namespace
