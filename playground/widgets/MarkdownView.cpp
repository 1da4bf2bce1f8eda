// Word wrapping and drawing of Markdown.
#include "playground/widgets/MarkdownView.h"

#include "playground/widgets/CudaTokens.h"
#include "playground/widgets/Draw.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

/// One word (or a run of one style inside it) with its font.
struct Piece {
    std::string_view text;
    const MarkdownSpan* span;
    ImFont* font;
    float width;
};

struct Flow {
    float x0, x1, x, y, leading;
    bool draw = true;
    std::string clicked;
    bool first = true;
};

ImFont* fontOf(const MarkdownSpan& span, ImFont* base) {
    if (span.code) return fonts().mono;
    if (base != fonts().body) return base;
    return span.bold ? fonts().bold : span.italic ? fonts().italic : base;
}

bool isAction(const MarkdownSpan& span) {
    return span.link.starts_with("action:");
}

void drawLinkPart(Flow& f, const Piece& p, const Rect& box, ImU32& colour) {
    colour = theme().link;
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(box.min(), box.max())) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        fillRect({box.x0 - 1, box.y0, box.x1 + 1, box.y1}, theme().hover, snap(2));
        if (!isAction(*p.span)) tooltip({}, p.span->link);
        if (ImGui::IsMouseClicked(0)) f.clicked = p.span->link;
    }
    hLine(box.x0, box.x1, box.y1 - snap(2), withAlpha(theme().link, isAction(*p.span) ? 0.9f : 0.45f));
    layoutLog().add("link", p.span->text, box.min(), box.max());
}

void put(Flow& f, const Piece& p) {
    if (f.x > f.x0 && f.x + p.width > f.x1 && p.text != " ") f.x = f.x0, f.y += f.leading;
    if (f.x == f.x0 && p.text == " " && !f.first) return;
    f.first = false;
    const float height = f.leading;
    const Rect box{f.x, f.y, f.x + p.width, f.y + height};
    ImU32 colour = theme().text;
    if (p.span->code && !p.text.empty())
        fillRect({box.x0 - 1, box.y0 + snap(2), box.x1 + 1, box.y1 - snap(1)}, theme().neutralSoft, snap(2));
    if (!p.span->link.empty()) drawLinkPart(f, p, box, colour);
    ImGui::GetWindowDrawList()->AddText(p.font, p.font->FontSize,
                                        {std::round(f.x), std::round(f.y + (height - p.font->FontSize) / 2)}, colour,
                                        p.text.data(), p.text.data() + p.text.size());
    f.x += p.width;
}

/// True where a line may break between two characters of scripts without spaces.
bool isWide(unsigned char c) {
    return c >= 0xe3;
}

/// True for the space of "1 000": it belongs to the number.
bool isDigitSpace(const std::string& text, size_t at) {
    const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    return at > 0 && text[at] == ' ' && digit(at - 1) && digit(at + 1) && digit(at + 2) && digit(at + 3) &&
           !digit(at + 4);
}

void putSpan(Flow& f, const MarkdownSpan& span, ImFont* base) {
    ImFont* font = fontOf(span, base);
    const std::string& text = span.text;
    if (text == "\n") {
        f.x = f.x0, f.y += f.leading;
        return;
    }
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        if (text[i] == ' ')
            ++end;
        else if (isWide(static_cast<unsigned char>(text[i])))
            end = std::min(text.size(), i + 3);
        else
            while (end < text.size() && (text[end] != ' ' || isDigitSpace(text, end)) &&
                   !isWide(static_cast<unsigned char>(text[end])))
                ++end;
        const std::string_view word(text.data() + i, end - i);
        put(f, {word, &span, font,
                font->CalcTextSizeA(font->FontSize, 3.4e38f, 0, word.data(), word.data() + word.size()).x});
        i = end;
    }
}

float drawSpans(const MarkdownSpans& spans, float x0, float x1, float y, ImFont* font, std::string& clicked) {
    Flow f{x0, x1, x0, y, std::round(font->FontSize * 1.45f), true, {}, true};
    for (const MarkdownSpan& span : spans) putSpan(f, span, font);
    if (!f.clicked.empty()) clicked = f.clicked;
    return f.y + f.leading;
}

ImU32 codeColour(TokenKind kind) {
    const Theme& t = theme();
    const ImU32 colours[] = {t.text, t.keyword, t.type, t.builtin, t.number, t.string, t.comment, t.directive};
    return colours[size_t(kind)];
}

float drawCode(const std::string& text, float x0, float x1, float y) {
    ImFont* font = fonts().mono;
    const float leading = std::round(font->FontSize * 1.35f), pad = snap(8);
    const size_t lines = size_t(std::count(text.begin(), text.end(), '\n')) + 1;
    const Rect box{x0, y, x1, y + float(lines) * leading + 2 * pad};
    fillRect(box, theme().sunken, snap(3));
    strokeRect(box, theme().line, 1, snap(3));
    ImGui::PushClipRect(box.min(), box.max(), true);
    bool comment = false;
    float ty = y + pad;
    for (size_t at = 0; at <= text.size(); ty += leading) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line(text.data() + at, end - at);
        float x = x0 + pad;
        for (const Token& token : tokenise(line, comment)) {
            const char *b = line.data() + token.begin, *e = line.data() + token.end;
            ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {x, ty}, codeColour(token.kind), b, e);
            x += font->CalcTextSizeA(font->FontSize, 3.4e38f, 0, b, e).x;
        }
        at = end + 1;
    }
    ImGui::PopClipRect();
    return box.y1;
}

/// Width of the longest piece of a cell that cannot be broken, and of the whole cell on one line.
void measureCell(const MarkdownSpans& spans, ImFont* base, float& longest, float& whole) {
    float line = 0;
    for (const MarkdownSpan& span : spans) {
        ImFont* font = fontOf(span, base);
        line += textWidth(font, span.text);
        for (size_t at = 0; at < span.text.size();) {
            const size_t end = std::min(span.text.find(' ', at), span.text.size());
            longest = std::max(longest, textWidth(font, std::string_view(span.text).substr(at, end - at)));
            at = end + 1;
        }
    }
    whole = std::max(whole, line);
}

/// Column widths: what cannot be broken first, the rest by how much text each column has.
std::vector<float> columnWidths(const MarkdownBlock& block, float width, float pad) {
    const size_t columns = block.rows[0].size();
    std::vector<float> least(columns, 0), wish(columns, 0);
    float leastSum = 0, wishSum = 0;
    for (size_t c = 0; c < columns; ++c) {
        for (size_t r = 0; r < block.rows.size(); ++r)
            if (c < block.rows[r].size())
                measureCell(block.rows[r][c], r == 0 ? fonts().bold : fonts().body, least[c], wish[c]);
        least[c] += 2 * pad;
        leastSum += least[c];
        wishSum += std::max(1.0f, wish[c] + 2 * pad - least[c]);
    }
    const float spare = std::max(0.0f, width - leastSum);
    for (size_t c = 0; c < columns; ++c) least[c] += spare * std::max(1.0f, wish[c] + 2 * pad - least[c]) / wishSum;
    return least;
}

float drawTable(const MarkdownBlock& block, float x0, float x1, float y, std::string& clicked) {
    if (block.rows.empty() || block.rows[0].empty()) return y;
    const float pad = snap(6);
    const std::vector<float> widths = columnWidths(block, x1 - x0, pad);
    for (size_t r = 0; r < block.rows.size(); ++r) {
        float x = x0, bottom = y;
        for (size_t c = 0; c < std::min(widths.size(), block.rows[r].size()); ++c) {
            bottom = std::max(bottom, drawSpans(block.rows[r][c], x + (c > 0 ? pad : 0), x + widths[c] - pad,
                                                y + snap(3), r == 0 ? fonts().bold : fonts().body, clicked));
            x += widths[c];
        }
        y = bottom + snap(3);
        hLine(x0, x1, y, r == 0 ? theme().lineStrong : theme().line);
    }
    return y;
}

float drawBlock(const MarkdownBlock& block, float x0, float x1, float y, std::string& clicked) {
    using Kind = MarkdownBlock::Kind;
    switch (block.kind) {
    case Kind::Heading: {
        ImFont* font = block.level <= 1 ? fonts().title : block.level == 2 ? fonts().heading : fonts().bold;
        return drawSpans(block.spans, x0, x1, y + (block.level == 1 ? 0 : snap(8)), font, clicked);
    }
    case Kind::Code: return drawCode(block.spans[0].text, x0, x1, y);
    case Kind::Rule: hLine(x0, x1, y + snap(4), theme().line); return y + snap(8);
    case Kind::Table: return drawTable(block, x0, x1, y, clicked);
    case Kind::Quote: {
        const float bottom = drawSpans(block.spans, x0 + snap(16), x1, y, fonts().body, clicked);
        fillRect({x0, y, x0 + snap(3), bottom}, theme().lineStrong);
        return bottom;
    }
    case Kind::ListItem: {
        const float indent = snap(24) * float(block.level + 1);
        ImFont* font = fonts().body;
        const float leading = std::round(font->FontSize * 1.45f);
        drawText(font, {x0 + indent - snap(24), y, x0 + indent - snap(8), y + leading}, theme().textDim, block.marker,
                 Align::Right);
        return drawSpans(block.spans, x0 + indent, x1, y, font, clicked);
    }
    case Kind::Paragraph: break;
    }
    return drawSpans(block.spans, x0, x1, y, fonts().body, clicked);
}

} // namespace

std::string drawMarkdown(const std::vector<MarkdownBlock>& blocks, float width) {
    std::string clicked;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float y = origin.y;
    for (size_t i = 0; i < blocks.size(); ++i) {
        const bool tight = i > 0 && blocks[i].kind == MarkdownBlock::Kind::ListItem &&
                           blocks[i - 1].kind == MarkdownBlock::Kind::ListItem;
        if (i > 0) y += tight ? snap(4) : snap(12);
        y = std::round(drawBlock(blocks[i], origin.x, origin.x + width, y, clicked));
    }
    ImGui::SetCursorScreenPos({origin.x, y});
    ImGui::Dummy({width, snap(16)});
    return clicked;
}

} // namespace playground
