// Editing: positions, undo, indentation, search, UTF-8.
#include "playground/session/TextDocument.h"

#include <gtest/gtest.h>

using playground::TextDocument;
using playground::TextPosition;

namespace {

TEST(TextDocument, KeepsTextAndNormalisesLineEnds) {
    TextDocument d("a\r\nb\n");
    EXPECT_EQ(d.text(), "a\nb\n");
    EXPECT_EQ(d.lines().size(), 3u);
}

TEST(TextDocument, TypingUndoesAsOneAndRedoes) {
    TextDocument d("x");
    d.moveToEnd(false);
    for (const char* c : {"a", "b", "c"}) d.insert(c);
    EXPECT_EQ(d.text(), "xabc");
    EXPECT_TRUE(d.undo());
    EXPECT_EQ(d.text(), "x");
    EXPECT_TRUE(d.redo());
    EXPECT_EQ(d.text(), "xabc");
    EXPECT_FALSE(d.redo());
}

TEST(TextDocument, BackspacesUndoAsOne) {
    TextDocument d("abc");
    d.moveToEnd(false);
    d.backspace(false), d.backspace(false);
    EXPECT_EQ(d.text(), "a");
    d.undo();
    EXPECT_EQ(d.text(), "abc");
    EXPECT_EQ(d.cursor(), (TextPosition{0, 3}));
}

TEST(TextDocument, NewLineKeepsIndentAndOpensABlock) {
    TextDocument d("    if (a) {");
    d.moveToEnd(false);
    d.newLine();
    EXPECT_EQ(d.text(), "    if (a) {\n        ");
    d.typeClosingBrace();
    EXPECT_EQ(d.text(), "    if (a) {\n    }");
}

TEST(TextDocument, TabIndentsSelectedLinesAndShiftTabTakesItBack) {
    TextDocument d("a\nb\nc");
    d.setCursor({0, 0}, false);
    d.setCursor({2, 0}, true);
    d.tab();
    EXPECT_EQ(d.text(), "    a\n    b\nc");
    d.unindent();
    EXPECT_EQ(d.text(), "a\nb\nc");
}

TEST(TextDocument, NeverSplitsACharacter) {
    TextDocument d("x\xe7\xba\xbf\xe7\xa8\x8by"); // x, two CJK characters, y
    d.setCursor({0, 2}, false);
    EXPECT_EQ(d.cursor().column, 1u);
    d.moveRight(false, false);
    EXPECT_EQ(d.cursor().column, 4u);
    d.backspace(false);
    EXPECT_EQ(d.text(), "x\xe7\xa8\x8by");
    d.insert("\xff");
    EXPECT_EQ(d.text(), "x\xef\xbf\xbd\xe7\xa8\x8by");
}

TEST(TextDocument, VerticalMovesRememberTheColumn) {
    TextDocument d("long line\nx\nlong line");
    d.setCursor({0, 6}, false);
    d.moveDown(1, false);
    EXPECT_EQ(d.cursor(), (TextPosition{1, 1}));
    d.moveDown(1, false);
    EXPECT_EQ(d.cursor(), (TextPosition{2, 6}));
}

TEST(TextDocument, SearchWrapsBothWays) {
    TextDocument d("one two\ntwo one");
    EXPECT_TRUE(d.findNext("two"));
    EXPECT_EQ(d.selectionBegin(), (TextPosition{0, 4}));
    EXPECT_TRUE(d.findNext("two"));
    EXPECT_EQ(d.selectionBegin(), (TextPosition{1, 0}));
    EXPECT_TRUE(d.findNext("two"));
    EXPECT_EQ(d.selectionBegin(), (TextPosition{0, 4}));
    EXPECT_TRUE(d.findNext("two", false));
    EXPECT_EQ(d.selectionBegin(), (TextPosition{1, 0}));
    EXPECT_FALSE(d.findNext("three"));
}

TEST(TextDocument, FindsMatchingBracketsAcrossLines) {
    TextDocument d("f(a,\n  g(b))");
    d.setCursor({0, 1}, false);
    TextPosition open, close;
    ASSERT_TRUE(d.matchBracket(open, close));
    EXPECT_EQ(open, (TextPosition{0, 1}));
    EXPECT_EQ(close, (TextPosition{1, 6}));
    d.setCursor({0, 3}, false);
    EXPECT_FALSE(d.matchBracket(open, close));
}

TEST(TextDocument, CommentsAndUncommentsLines) {
    TextDocument d("a\n  b");
    d.selectAll();
    d.toggleComment();
    EXPECT_EQ(d.text(), "// a\n  // b");
    d.toggleComment();
    EXPECT_EQ(d.text(), "a\n  b");
}

TEST(TextDocument, SurvivesRandomEditsAndUndoesThemAll) {
    TextDocument d("int a;\n\tint b; // \xc3\xa9\n");
    const std::string start = d.text();
    uint32_t seed = 7;
    const auto next = [&](uint32_t n) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 8) % n;
    };
    for (int i = 0; i < 3000; ++i) {
        d.setCursor({next(6), next(12)}, next(3) == 0);
        switch (next(7)) {
        case 0: d.insert("\xe2\x82\xac{"); break;
        case 1: d.newLine(); break;
        case 2: d.backspace(next(2)); break;
        case 3: d.deleteForward(next(2)); break;
        case 4: d.tab(); break;
        case 5: d.unindent(); break;
        default: d.toggleComment();
        }
        ASSERT_EQ(d.clamp(d.cursor()), d.cursor());
        ASSERT_EQ(playground::sanitiseUtf8(d.text()), d.text());
    }
    while (d.undo()) {
    }
    EXPECT_EQ(d.text(), start);
}

} // namespace
