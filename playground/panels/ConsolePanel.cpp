// Problems, printf output and counters of the launch.
#include "playground/panels/Panel.h"
#include "playground/session/CounterRows.h"
#include "playground/session/Figures.h"
#include "playground/session/ThreadPicture.h"
#include "playground/widgets/Controls.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

struct Problem {
    bool error = true;
    uint32_t line = 0;
    std::string text, where;
};

std::vector<Problem> problemsOf(const Session& s) {
    std::vector<Problem> problems;
    const RunResult* r = s.result();
    if (r == nullptr) return problems;
    for (const sim::Diagnostic& d : r->compiled.diagnostics)
        if (d.severity != sim::Diagnostic::Severity::Note)
            problems.push_back({d.severity == sim::Diagnostic::Severity::Error, d.at.line, d.message, ""});
    if (!r->problem.empty()) problems.push_back({true, 0, r->problem, ""});
    if (r->launched && !r->report.error.empty()) problems.push_back({true, 0, r->report.error, ""});
    if (!r->launched) return problems;
    const sim::LaunchConfig& c = r->launch.config;
    for (const sim::Finding& f : r->report.findings) {
        std::string where = fill(tr(Text::FindingThread),
                                 {formatCoordinate(f.first.thread, c.block), formatCoordinate(f.first.block, c.grid)});
        if (f.count > 1) where += ", " + fill(tr(Text::FindingTimes), {formatCount(f.count)});
        problems.push_back({true, f.first.at.line, f.message, where});
    }
    return problems;
}

/// Wrapped text; returns its height.
float wrapped(ImFont* font, ImVec2 at, float width, ImU32 colour, const std::string& text) {
    const float height = font->CalcTextSizeA(font->FontSize, 3.4e38f, width, text.c_str()).y;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, at, colour, text.c_str(), nullptr, width);
    return height;
}

void drawProblems(Session& s, const Rect& box, const std::vector<Problem>& problems) {
    if (problems.empty()) {
        drawText(fonts().body, {box.x0, box.y0, box.x1, box.y0 + snap(24)}, theme().good, tr(Text::NoProblems));
        return;
    }
    beginScroll("problems", box);
    float y = ImGui::GetCursorScreenPos().y;
    const float x = box.x0, textX = x + snap(84), width = box.x1 - snap(18) - textX;
    for (size_t i = 0; i < problems.size(); ++i) {
        const Problem& p = problems[i];
        const std::string text = p.text + (p.where.empty() ? "" : "  (" + p.where + ")");
        const float height = std::max(
            snap(22), fonts().body->CalcTextSizeA(fonts().body->FontSize, 3.4e38f, width, text.c_str()).y + snap(6));
        const Rect row{x, y, box.x1 - snap(14), y + height};
        ImGui::SetCursorScreenPos(row.min());
        ImGui::PushID(int(i));
        if (ImGui::InvisibleButton("problem", {row.width(), height}) && p.line > 0) s.goToLine(p.line);
        if (ImGui::IsItemHovered()) fillRect(row, theme().hover), s.hoverLine(p.line);
        ImGui::PopID();
        drawIcon(p.error ? Icon::Finding : Icon::Up, {x, y + snap(5), x + snap(12), y + snap(17)},
                 p.error ? theme().excessText : theme().link);
        if (p.line > 0)
            drawText(fonts().mono, {x + snap(16), y, textX - snap(6), y + snap(22)}, theme().link,
                     fill(tr(Text::FindingAt), {std::to_string(p.line)}));
        wrapped(fonts().body, {textX, y + snap(3)}, width, theme().text, text);
        y += height;
    }
    endScroll();
}

void drawOutput(const Session& s, const Rect& box) {
    const RunResult* p = s.picture();
    if (p == nullptr || p->report.printed.empty()) {
        drawText(fonts().body, {box.x0, box.y0, box.x1, box.y0 + snap(24)}, theme().textDim, tr(Text::NoOutput));
        return;
    }
    beginScroll("output", box);
    ImGui::PushFont(fonts().mono);
    ImGui::PushTextWrapPos(box.width() - snap(16));
    ImGui::TextUnformatted(p->report.printed.data(), p->report.printed.data() + p->report.printed.size());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    endScroll();
}

/// Left edges of the counter table's columns.
struct CounterColumns {
    float label, value, unit, name, end;
};

void counterLine(const CounterColumns& c, float y, const CounterRow& row, ImFont* numbers, ImU32 colour) {
    const float h = snap(22);
    const ImU32 dim = theme().textDim;
    drawText(fonts().body, {c.label, y, c.value - snap(8), y + h}, colour, row.label);
    drawText(numbers, {c.value, y, c.unit - snap(8), y + h}, row.excess ? theme().excessText : colour, row.value,
             Align::Right);
    drawText(fonts().small, {c.unit, y, c.name - snap(8), y + h}, dim, row.unit);
    if (c.end - c.name > snap(120)) drawText(fonts().monoSmall, {c.name, y, c.end, y + h}, dim, row.name);
}

void drawCounters(const Session& s, const Rect& box) {
    if (s.picture() == nullptr) return;
    const std::vector<CounterRow> rows = counterRows(s.picture()->report.total);
    const float h = snap(22), label = box.x0 + snap(28);
    const float value = label + std::min(box.width() * 0.36f, snap(232)), unit = value + snap(104),
                name = unit + snap(118);
    const CounterColumns columns{label, value, unit, name, box.x1 - snap(16)};
    CounterRow head;
    head.label = tr(Text::ColumnCounter), head.value = tr(Text::ColumnValue), head.unit = tr(Text::ColumnUnit),
    head.name = tr(Text::ColumnMetric);
    counterLine(columns, box.y0 - snap(2), head, fonts().body, theme().textDim);
    beginScroll("counters", {box.x0, box.y0 + snap(20), box.x1, box.y1});
    const float origin = ImGui::GetCursorScreenPos().y;
    ImGui::Dummy({1, float(rows.size()) * h});
    for (size_t i = 0; i < rows.size(); ++i) {
        const float y = std::round(origin + float(i) * h);
        drawBadge({box.x0, y + snap(3)}, "S", tr(Text::SimulatedHelp));
        counterLine(columns, y, rows[i], fonts().mono, theme().text);
        if (mouseIn({label, y, box.x1, y + h}))
            tooltip(rows[i].label, rows[i].help + (rows[i].name.empty() ? "" : "\n" + rows[i].name));
    }
    endScroll();
}

} // namespace

void drawConsolePanel(Session& s, const Rect& box) {
    const std::vector<Problem> problems = problemsOf(s);
    std::vector<std::string> tabs = {tr(Text::TabProblems), tr(Text::TabOutput), tr(Text::TabCounters)};
    if (!problems.empty()) tabs[0] += " (" + std::to_string(problems.size()) + ")";
    ImVec2 at{box.x0 + snap(8), box.y0 + snap(6)};
    const int picked = segments("tabs", at, tabs, int(s.ui.console), box.width() - snap(16));
    if (picked >= 0) s.ui.console = ConsoleTab(picked);
    const Rect body{box.x0 + snap(12), box.y0 + snap(6) + controlHeight() + snap(6), box.x1 - snap(4),
                    box.y1 - snap(4)};
    if (body.height() < snap(20)) return;
    switch (s.ui.console) {
    case ConsoleTab::Problems: drawProblems(s, body, problems); break;
    case ConsoleTab::Output: drawOutput(s, body); break;
    case ConsoleTab::Counters: drawCounters(s, body); break;
    }
}

} // namespace playground
