// Layout and drawing of the code editor.
#include "playground/widgets/CodeView.h"

#include "playground/widgets/Controls.h"
#include "playground/widgets/CudaTokens.h"
#include "playground/widgets/LayoutLog.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

/// Colours of the text, computed once per revision.
struct Colouring {
    uint64_t revision = 0;
    std::vector<std::vector<Token>> lines;
};
Colouring colouring;

void recolour(const CodeViewInput& in) {
    if (colouring.revision == in.revision && colouring.lines.size() == in.lines.size()) return;
    colouring.revision = in.revision;
    colouring.lines.clear();
    bool comment = false;
    for (const std::string& line : in.lines) colouring.lines.push_back(tokenise(line, comment));
}

ImU32 colourOf(TokenKind kind) {
    const Theme& t = theme();
    switch (kind) {
    case TokenKind::Plain: return t.text;
    case TokenKind::Keyword: return t.keyword;
    case TokenKind::Type: return t.type;
    case TokenKind::Builtin: return t.builtin;
    case TokenKind::Number: return t.number;
    case TokenKind::String: return t.string;
    case TokenKind::Comment: return t.comment;
    case TokenKind::Directive: return t.directive;
    }
    return t.text;
}

/// Where everything stands. A line with messages takes one extra row for each, below it.
struct Layout {
    const CodeViewInput& in;
    Rect box;
    ImFont* font;
    float rowHeight, numberRight, gutterRight, textLeft, top;
    std::vector<uint32_t> rowOf; ///< First row of each line; one past the end too.

    float y(size_t line) const { return top + float(rowOf[line]) * rowHeight; }
    float x(size_t line, size_t column) const {
        const std::string& text = in.lines[line];
        return textLeft + (column == 0 ? 0
                                       : font->CalcTextSizeA(font->FontSize, 3.4e38f, 0, text.data(),
                                                             text.data() + std::min(column, text.size()))
                                             .x);
    }
    CodePlace at(ImVec2 mouse) const;
};

CodePlace Layout::at(ImVec2 mouse) const {
    const float row = std::max(0.0f, (mouse.y - top) / rowHeight);
    const auto it = std::upper_bound(rowOf.begin(), rowOf.end() - 1, uint32_t(row));
    const size_t line = std::min(in.lines.size() - 1, size_t(it == rowOf.begin() ? 0 : it - rowOf.begin() - 1));
    const std::string& text = in.lines[line];
    size_t column = 0;
    float x = textLeft;
    while (column < text.size()) {
        size_t next = column + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
        const float width = font->CalcTextSizeA(font->FontSize, 3.4e38f, 0, text.data() + column, text.data() + next).x;
        if (mouse.x < x + width / 2) break;
        x += width;
        column = next;
    }
    return {line, column};
}

Layout makeLayout(const CodeViewInput& in, const Rect& box, float top, float scrollX) {
    Layout l{in, box, fonts().mono, std::round(fonts().mono->FontSize * 1.4f), 0, 0, 0, top, {}};
    const float digit = textWidth(l.font, "0");
    l.numberRight = box.x0 + snap(12) + digit * 3;
    l.gutterRight = l.numberRight + (in.gutterTitle[0] != '\0' ? snap(12) + digit * 6 : snap(4));
    l.textLeft = l.gutterRight + snap(14) - scrollX;
    l.rowOf.resize(in.lines.size() + 1);
    std::vector<uint32_t> extra(in.lines.size(), 0);
    for (const CodeMessage& m : in.messages)
        if (m.line >= 1 && m.line <= in.lines.size()) ++extra[m.line - 1];
    for (size_t i = 0; i < in.lines.size(); ++i) l.rowOf[i + 1] = l.rowOf[i] + 1 + extra[i];
    return l;
}

void drawBands(const Layout& l, size_t line, float y) {
    const Theme& t = theme();
    const Rect band{l.box.x0, y, l.box.x1, y + l.rowHeight};
    if (l.in.currentLine == line + 1) {
        fillRect(band, t.selectBand);
        fillRect({band.x0, band.y0, band.x0 + snap(3), band.y1}, t.select);
    } else if (l.in.hoveredLine == line + 1) {
        fillRect(band, t.hover);
    }
    const CodePlace b = l.in.selectionBegin, e = l.in.selectionEnd;
    if (b == e || line < b.line || line > e.line) return;
    const float x0 = l.x(line, line == b.line ? b.column : 0);
    const float x1 = line == e.line ? l.x(line, e.column) : l.x(line, l.in.lines[line].size()) + textWidth(l.font, " ");
    fillRect({x0, y, x1, y + l.rowHeight}, withAlpha(t.link, 0.35f));
}

void drawGutter(const Layout& l, size_t line, float y, const CodeGutterFigure* figure) {
    const Theme& t = theme();
    const bool finding =
        std::find(l.in.findingLines.begin(), l.in.findingLines.end(), line + 1) != l.in.findingLines.end();
    const Rect number{l.box.x0, y, l.numberRight, y + l.rowHeight};
    drawText(l.font, number,
             finding                        ? t.excessText
             : l.in.currentLine == line + 1 ? t.text
                                            : t.textDim,
             std::to_string(line + 1), Align::Right);
    if (finding)
        drawIcon(Icon::Finding, {l.box.x0 + snap(4), y + snap(5), l.box.x0 + snap(14), y + l.rowHeight - snap(5)},
                 t.excessText);
    if (figure == nullptr) return;
    const float alpha = l.in.stale ? 0.4f : 1.0f;
    const Rect cell{l.numberRight + snap(10), y + 1, l.gutterRight, y + l.rowHeight - 1};
    const float length = std::max(snap(2), float(figure->magnitude) * cell.width());
    fillRect({cell.x1 - length, cell.y0, cell.x1, cell.y1},
             withAlpha(figure->excess ? t.excess : t.neutral, (t.dark ? 0.30f : 0.35f) * alpha));
    const Rect inner{cell.x0, cell.y0, cell.x1 - snap(4), cell.y1};
    drawText(l.font, inner, withAlpha(figure->excess ? t.excessText : t.text, alpha), figure->text, Align::Right);
}

void drawTokens(const Layout& l, size_t line, float y) {
    const std::string& text = l.in.lines[line];
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = l.textLeft;
    const float ty = std::round(y + (l.rowHeight - l.font->FontSize) / 2);
    for (const Token& token : colouring.lines[line]) {
        const char *b = text.data() + token.begin, *e = text.data() + token.end;
        list->AddText(l.font, l.font->FontSize, {x, ty}, colourOf(token.kind), b, e);
        x += l.font->CalcTextSizeA(l.font->FontSize, 3.4e38f, 0, b, e).x;
    }
    layoutLog().add("code", text, {l.textLeft, ty}, {x, ty + l.font->FontSize});
}

void drawMessage(const Layout& l, const CodeMessage& m, float y) {
    const Theme& t = theme();
    const ImU32 colour = m.error ? t.excessText : t.link;
    const float x0 = std::max(l.gutterRight + snap(14), l.textLeft);
    const Rect box{x0, y + 1, l.box.x1 - snap(16), y + l.rowHeight - 1};
    fillRect({x0 - snap(4), box.y0, box.x1, box.y1}, m.error ? t.excessSoft : t.neutralSoft, snap(3));
    drawIcon(m.error ? Icon::Finding : Icon::Up, {x0, box.y0 + snap(4), x0 + snap(12), box.y1 - snap(4)}, colour);
    drawText(fonts().small, {x0 + snap(16), box.y0, box.x1 - snap(4), box.y1}, t.text, m.text);
    if (m.column == 0 || m.line == 0) return;
    const size_t line = m.line - 1, column = std::min<size_t>(m.column - 1, l.in.lines[line].size());
    const float u0 = l.x(line, column),
                u1 = std::max(u0 + textWidth(l.font, "0"), l.x(line, std::min(column + 1, l.in.lines[line].size())));
    fillRect({u0, l.y(line) + l.rowHeight - snap(3), u1, l.y(line) + l.rowHeight - 1}, colour);
}

void drawCursor(const Layout& l) {
    if (!l.in.focused || l.in.cursor.line >= l.in.lines.size()) return;
    const float x = std::round(l.x(l.in.cursor.line, l.in.cursor.column)), y = l.y(l.in.cursor.line);
    fillRect({x, y + 1, x + std::max(1.5f, snap(2)), y + l.rowHeight - 1}, theme().select);
}

void drawBrackets(const Layout& l) {
    if (!l.in.hasBrackets) return;
    for (const CodePlace& p : {l.in.bracketOpen, l.in.bracketClose}) {
        const float x0 = l.x(p.line, p.column), y = l.y(p.line);
        strokeRect({std::floor(x0), y + 1, std::ceil(l.x(p.line, p.column + 1)), y + l.rowHeight - 1},
                   theme().lineStrong);
    }
}

void reveal(const CodeViewInput& in, const Layout& l) {
    size_t line = in.revealLine >= 1 ? in.revealLine - 1 : in.revealCursor ? in.cursor.line : SIZE_MAX;
    if (line >= in.lines.size()) return;
    const float y = float(l.rowOf[line]) * l.rowHeight, scroll = ImGui::GetScrollY(), height = l.box.height();
    if (in.revealLine >= 1 && (y < scroll + l.rowHeight || y > scroll + height - 3 * l.rowHeight))
        ImGui::SetScrollY(std::max(0.0f, y - height * 0.4f));
    else if (y < scroll)
        ImGui::SetScrollY(y);
    else if (y + l.rowHeight * 2 > scroll + height)
        ImGui::SetScrollY(y - height + l.rowHeight * 2);
    if (!in.revealCursor) return;
    const float x = l.x(line, in.cursor.column), right = l.box.x1 - snap(24);
    if (x > right)
        ImGui::SetScrollX(ImGui::GetScrollX() + x - right + snap(40));
    else if (x < l.gutterRight + snap(14))
        ImGui::SetScrollX(std::max(0.0f, ImGui::GetScrollX() - (l.gutterRight + snap(54) - x)));
}

void react(const Layout& l, bool hovered, CodeViewEvents& events) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    events.visibleLines = size_t(std::max(1.0f, l.box.height() / l.rowHeight - 1));
    if (hovered) events.hoveredLine = uint32_t(l.at(mouse).line + 1);
    const bool inText = mouse.x > l.gutterRight + snap(6);
    if (hovered && inText) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (ImGui::IsItemClicked()) {
        events.place = l.at(mouse);
        if (!inText) {
            events.gutterClicked = uint32_t(events.place.line + 1);
            return;
        }
        events.pressed = true;
        static double lastTime = 0;
        static ImVec2 lastPos;
        static int count = 0;
        const double now = ImGui::GetTime();
        count = now - lastTime < 0.35 && std::fabs(mouse.x - lastPos.x) + std::fabs(mouse.y - lastPos.y) < 6
                    ? count % 3 + 1
                    : 1;
        lastTime = now;
        lastPos = mouse;
        events.clicks = count;
    } else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 2)) {
        events.dragged = true;
        events.place = l.at(mouse);
    }
}

void drawLines(const Layout& l) {
    for (size_t line = 0; line < l.in.lines.size(); ++line) {
        const float y = l.y(line);
        if (y > l.box.y1) break;
        if (l.top + float(l.rowOf[line + 1]) * l.rowHeight < l.box.y0) continue;
        drawBands(l, line, y);
        ImGui::PushClipRect({l.gutterRight + snap(8), l.box.y0}, {l.box.x1, l.box.y1}, true);
        drawTokens(l, line, y);
        float below = y + l.rowHeight;
        for (const CodeMessage& m : l.in.messages)
            if (m.line == line + 1) drawMessage(l, m, below), below += l.rowHeight;
        ImGui::PopClipRect();
        const auto figure =
            std::find_if(l.in.gutter.begin(), l.in.gutter.end(), [&](const auto& f) { return f.line == line + 1; });
        drawGutter(l, line, y, figure == l.in.gutter.end() ? nullptr : &*figure);
    }
}

} // namespace

CodeViewEvents drawCodeView(const char* id, const Rect& box, const CodeViewInput& in) {
    CodeViewEvents events;
    recolour(in);
    beginScroll(id, box, true);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float scrollX = ImGui::GetScrollX();
    const Layout l = makeLayout(in, box, std::round(origin.y), scrollX);
    size_t longest = 0;
    for (size_t i = 0; i < in.lines.size(); ++i)
        if (in.lines[i].size() > in.lines[longest].size()) longest = i;
    const float width = l.x(longest, in.lines[longest].size()) + scrollX - box.x0 + snap(40);
    const float height = std::max(float(l.rowOf.back() + 1) * l.rowHeight, box.height() - snap(14));
    ImGui::InvisibleButton("text", {std::max(width, box.width() - snap(14)), height});
    react(l, ImGui::IsItemHovered(), events);
    drawLines(l);
    ImGui::PushClipRect({l.gutterRight + snap(8), box.y0}, {box.x1, box.y1}, true);
    drawBrackets(l);
    drawCursor(l);
    ImGui::PopClipRect();
    reveal(in, l);
    layoutLog().add("editor", id, box.min(), box.max());
    endScroll();
    return events;
}

} // namespace playground
