// Layout of the text report.
#include "playground/cli/ReportText.h"

#include "playground/session/Outputs.h"
#include "playground/session/ReportJson.h"
#include "sim/analysis/MetricCatalog.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace playground::cli {
namespace {

std::string show(const sim::Dim3& d) {
    std::string text = "(" + std::to_string(d.x);
    if (d.y != 1 || d.z != 1) text += ", " + std::to_string(d.y);
    if (d.z != 1) text += ", " + std::to_string(d.z);
    return text + ")";
}

std::string shortest(double value) {
    std::ostringstream text;
    text << std::setprecision(9) << value;
    return text.str();
}

void printCounters(std::ostream& out, const sim::Counters& counters) {
    size_t width = 0;
    for (const sim::Metric& m : sim::metricCatalog())
        if (m.value(counters) != 0) width = std::max(width, std::string_view(m.name).size());
    out << "Counters (simulated)\n";
    for (const sim::Metric& m : sim::metricCatalog()) {
        const double value = m.value(counters);
        if (value == 0) continue;
        out << "  " << std::left << std::setw(int(width)) << m.name << "  " << std::right << std::setw(14)
            << showNumber(value) << " " << m.unit << "\n";
    }
}

/// One row per executed line, with the columns that explain most.
void printLines(std::ostream& out, const ResolvedLaunch& launch, const sim::LaunchReport& report) {
    if (report.byLine.empty()) return;
    std::vector<std::string> source;
    std::istringstream text(launch.source);
    for (std::string line; std::getline(text, line);) source.push_back(line);
    out << "Lines (simulated)\n  line   warp instr  lanes  ld sect/req  st sect/req  conflicts  divergent\n";
    const auto cell = [&](int width, double value) {
        out << std::right << std::setw(width) << (value != 0 ? showNumber(value) : "-");
    };
    for (const sim::LineCounters& line : report.byLine) {
        const auto value = [&](const char* id) { return sim::findMetric(id)->value(line.counters); };
        out << std::setw(6) << line.line;
        cell(13, double(line.counters.warpInstructions));
        cell(7, value("active-lanes"));
        cell(13, value("global-load-sectors-per-request"));
        cell(13, value("global-store-sectors-per-request"));
        cell(11, value("shared-bank-conflicts"));
        cell(11, value("divergent-branches"));
        if (line.line >= 1 && line.line <= source.size()) out << "  " << source[line.line - 1];
        out << "\n";
    }
}

void printOutputs(std::ostream& out, const ResolvedLaunch& launch) {
    const auto outputs = summarizeOutputs(launch);
    if (outputs.empty()) return;
    out << "Outputs (simulated)\n";
    for (const OutputSummary& o : outputs) {
        out << "  " << o.name << ": " << sim::toString(o.type) << "[" << o.count << "], crc32 " << o.crc32 << ", sum "
            << shortest(o.sum) << ", starts";
        for (const double value : o.head) out << " " << shortest(value);
        out << "\n";
    }
}

std::string place(const sim::Party& party) {
    return "block " + show(party.block) + " thread " + show(party.thread);
}

void printFindings(std::ostream& out, const ResolvedLaunch& launch, const sim::LaunchReport& report) {
    if (report.findings.empty()) {
        out << (report.status == sim::LaunchStatus::Finished ? "No findings\n" : "");
        return;
    }
    out << "Findings (simulated)\n";
    for (const sim::Finding& f : report.findings) {
        out << "  " << launch.fileName << ":" << f.first.at.line << ":" << f.first.at.column << ": "
            << sim::toString(f.kind) << ": " << f.message << "\n"
            << "      " << f.count << (f.count == 1 ? " time" : " times") << "; first in " << place(f.first);
        if (f.other) out << "; other: line " << f.other->at.line << ", " << place(*f.other);
        out << "\n";
    }
}

} // namespace

std::string showNumber(double value) {
    std::ostringstream text;
    if (value == std::floor(value) && std::fabs(value) < 1e15)
        text << std::fixed << std::setprecision(0) << value;
    else
        text << std::fixed << std::setprecision(2) << value;
    return text.str();
}

void printDiagnostics(std::ostream& out, const std::vector<sim::Diagnostic>& diagnostics) {
    for (const sim::Diagnostic& d : diagnostics) {
        const std::string& text = d.rendered.empty() ? d.message : d.rendered;
        out << text << (text.empty() || text.back() == '\n' ? "" : "\n");
    }
}

void printReport(std::ostream& out, const ResolvedLaunch& launch, const sim::LaunchReport& report) {
    out << launch.kernel << "<<<" << show(launch.config.grid) << ", " << show(launch.config.block);
    if (launch.config.dynamicSharedBytes) out << ", " << launch.config.dynamicSharedBytes;
    out << ">>> " << toString(report.status) << ", simulated in " << showNumber(report.wallMs) << " ms on "
        << report.hostThreads << (report.hostThreads == 1 ? " thread\n" : " threads\n");
    if (!report.error.empty()) out << report.error << "\n";
    if (!report.printed.empty())
        out << "Printed by the kernel\n" << report.printed << (report.printed.back() == '\n' ? "" : "\n");
    if (report.total.warpInstructions) printCounters(out, report.total);
    printLines(out, launch, report);
    printOutputs(out, launch);
    printFindings(out, launch, report);
}

} // namespace playground::cli
