// The code editor with its gutter, search bar and messages.
#include "playground/panels/Panel.h"

#include "playground/session/Gutter.h"
#include "playground/widgets/CodeView.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"

#include <imgui_stdlib.h>

namespace playground {
namespace {

constexpr Text kGutterTexts[] = {Text::GutterExecutions, Text::GutterLanes, Text::GutterSectors, Text::GutterConflicts,
                                 Text::GutterNone};

CodePlace place(TextPosition p) {
    return {p.line, p.column};
}

void addMessages(const Session& s, CodeViewInput& in) {
    if (s.result() == nullptr) return;
    for (const sim::Diagnostic& d : s.result()->compiled.diagnostics) {
        if (d.severity == sim::Diagnostic::Severity::Note || d.at.line == 0) continue;
        in.messages.push_back({d.at.line, d.at.column, d.severity == sim::Diagnostic::Severity::Error, d.message});
    }
    if (s.picture() == nullptr) return;
    for (const sim::Finding& f : s.picture()->report.findings) in.findingLines.push_back(f.first.at.line);
}

CodeViewInput makeInput(Session& s) {
    const TextDocument& d = s.document();
    CodeViewInput in;
    in.lines = d.lines();
    in.revision = d.revision();
    in.cursor = place(d.cursor());
    in.selectionBegin = place(d.selectionBegin());
    in.selectionEnd = place(d.selectionEnd());
    in.focused = s.ui.focus == Pane::Code;
    TextPosition open, close;
    in.hasBrackets = in.focused && d.matchBracket(open, close);
    in.bracketOpen = place(open);
    in.bracketClose = place(close);
    if (const TraceRow* row = s.row()) in.currentLine = row->line;
    in.hoveredLine = s.selection().hoveredLine;
    in.stale = s.picture() == nullptr || s.picture()->request.source != d.text();
    in.gutterTitle = s.ui.gutter == GutterMetric::None ? "" : tr(kGutterTexts[int(s.ui.gutter)]);
    if (s.picture())
        for (GutterFigure& f : gutterFigures(s.picture()->report, s.ui.gutter))
            in.gutter.push_back({f.line, f.text, f.magnitude, f.excess});
    addMessages(s, in);
    in.revealLine = s.ui.revealLine;
    in.revealCursor = s.ui.revealCursor;
    return in;
}

void applyEvents(Session& s, const CodeViewEvents& e) {
    TextDocument& d = s.document();
    const TextPosition at{e.place.line, e.place.column};
    if (e.pressed) {
        s.ui.focus = Pane::Code;
        if (e.clicks == 1)
            d.setCursor(at, ImGui::GetIO().KeyShift);
        else if (e.clicks == 2)
            d.selectWord(at);
        else
            d.selectLine(at.line);
    }
    if (e.dragged) {
        d.setCursor(at, true);
        s.ui.revealCursor = true;
    }
    if (e.gutterClicked != 0) s.goToLine(e.gutterClicked);
}

/// Title row: file, an "edited" mark, the choice of the gutter's figure.
float drawHeader(Session& s, const Rect& box) {
    const float y = box.y0 + snap(6), h = controlHeight();
    const float choice = snap(160), right = box.x1 - snap(8) - choice;
    float x = box.x0 + snap(12);
    if (const Variant* v = s.variant()) {
        const std::string name = v->file.substr(v->file.rfind('/') + 1);
        const Rect title{x, y, right - snap(8), y + h};
        x += drawText(fonts().bold, title, theme().text, name) + snap(8);
        if (mouseIn({title.x0, y, x, y + h})) tooltip(v->file, v->help);
        if (s.edited() && right - x > snap(48))
            drawText(fonts().small, {x, y, right - snap(8), y + h}, theme().link, tr(Text::CodeEdited));
    }
    ImVec2 at{right, y};
    std::vector<std::string> labels;
    for (Text t : kGutterTexts) labels.emplace_back(tr(t));
    const int picked = dropDown("gutter", at, choice, labels, int(s.ui.gutter),
                                {tr(Text::GutterChoice), tr(Text::GutterChoiceHelp), {}});
    if (picked >= 0) s.ui.gutter = GutterMetric(picked);
    return y + h + snap(6);
}

float drawSearch(Session& s, const Rect& box, float y) {
    if (!s.ui.searchShown) return y;
    const float h = controlHeight();
    fillRect({box.x0, y - snap(2), box.x1, y + h + snap(4)}, theme().raised);
    ImGui::SetCursorScreenPos({box.x0 + snap(12), y + (h - ImGui::GetFrameHeight()) / 2});
    ImGui::SetNextItemWidth(box.width() - snap(24) - 3 * (h + snap(4)));
    static bool wasFocused = false;
    if (s.ui.focus == Pane::Search && !wasFocused) ImGui::SetKeyboardFocusHere();
    wasFocused = s.ui.focus == Pane::Search;
    ImGui::InputTextWithHint("##search", tr(Text::SearchHint), &s.ui.search);
    if (ImGui::IsItemActivated()) s.ui.focus = Pane::Search;
    ImVec2 at{box.x1 - snap(8) - 3 * (h + snap(2)), y};
    if (iconButton("previous", at, Icon::Up, {tr(Text::SearchPrevious), {}, "Shift+F3"})) s.search(false);
    if (iconButton("next", at, Icon::Down, {tr(Text::SearchNext), {}, "F3"})) s.search(true);
    if (iconButton("close", at, Icon::Close, {tr(Text::SearchClose), {}, "Esc"}))
        s.ui.searchShown = false, s.ui.focus = Pane::Code;
    return y + h + snap(6);
}

} // namespace

void drawCodePanel(Session& s, const Rect& box) {
    float y = drawHeader(s, box);
    y = drawSearch(s, box, y);
    hLine(box.x0, box.x1, y - 1, theme().line);
    const CodeViewInput in = makeInput(s);
    const CodeViewEvents events = drawCodeView("code", {box.x0, y, box.x1, box.y1}, in);
    s.ui.revealLine = 0;
    s.ui.revealCursor = false;
    applyEvents(s, events);
}

} // namespace playground
