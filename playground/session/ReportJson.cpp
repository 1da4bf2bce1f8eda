// Conversion of reports, findings and diagnostics.
#include "playground/session/ReportJson.h"

#include "playground/session/Outputs.h"
#include "sim/analysis/MetricCatalog.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace playground {
namespace {

using Json = nlohmann::ordered_json;

Json dim(const sim::Dim3& d) {
    return Json::array({d.x, d.y, d.z});
}

/// Counts are whole; ratios are not. JSON readers like whole numbers without a fraction.
Json number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 9007199254740992.0) return int64_t(value);
    return value;
}

Json countersJson(const sim::Counters& counters) {
    Json list = Json::array();
    for (const sim::Metric& m : sim::metricCatalog())
        list.push_back(
            {{"id", m.id}, {"value", number(m.value(counters))}, {"unit", m.unit}, {"counterpart", m.counterpart}});
    return list;
}

Json linesJson(std::span<const sim::LineCounters> lines) {
    Json list = Json::array();
    for (const sim::LineCounters& line : lines) {
        Json counters = Json::object();
        for (const sim::Metric& m : sim::metricCatalog())
            if (const double value = m.value(line.counters); value != 0) counters[m.id] = number(value);
        list.push_back({{"line", line.line}, {"counters", std::move(counters)}});
    }
    return list;
}

Json outputsJson(const ResolvedLaunch& launch) {
    Json list = Json::array();
    for (const OutputSummary& o : summarizeOutputs(launch))
        list.push_back({{"index", o.index},
                        {"name", o.name},
                        {"type", sim::toString(o.type)},
                        {"count", o.count},
                        {"crc32", o.crc32},
                        {"sum", o.sum},
                        {"head", o.head}});
    return list;
}

std::string hexadecimal(uint64_t value) {
    std::array<char, 24> text;
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return text.data();
}

} // namespace

const char* toString(sim::LaunchStatus status) {
    constexpr std::array names{"finished", "stopped", "limit-exceeded", "cancelled", "rejected"};
    return names[unsigned(status)];
}

Json findingsJson(std::span<const sim::Finding> findings) {
    Json list = Json::array();
    for (const sim::Finding& f : findings) {
        Json entry{{"kind", sim::toString(f.kind)},
                   {"access", sim::toString(f.access)},
                   {"line", f.first.at.line},
                   {"column", f.first.at.column},
                   {"count", f.count},
                   {"first",
                    {{"block", dim(f.first.block)},
                     {"thread", dim(f.first.thread)},
                     {"address", hexadecimal(f.address)},
                     {"bytes", f.bytes},
                     {"allocation", f.allocation},
                     {"offset", f.offset}}}};
        if (f.other)
            entry["other"] = {
                {"line", f.other->at.line}, {"block", dim(f.other->block)}, {"thread", dim(f.other->thread)}};
        entry["message"] = f.message;
        list.push_back(std::move(entry));
    }
    return list;
}

Json diagnosticsJson(std::span<const sim::Diagnostic> diagnostics) {
    constexpr std::array severities{"note", "warning", "error"};
    Json list = Json::array();
    for (const sim::Diagnostic& d : diagnostics)
        list.push_back({{"severity", severities[unsigned(d.severity)]},
                        {"line", d.at.line},
                        {"column", d.at.column},
                        {"message", d.message}});
    return list;
}

Json reportJson(const ResolvedLaunch& launch, const sim::LaunchReport& report) {
    Json json{{"kernel", launch.kernel},
              {"grid", dim(launch.config.grid)},
              {"block", dim(launch.config.block)},
              {"shared_bytes", launch.config.dynamicSharedBytes},
              {"status", toString(report.status)}};
    if (!report.error.empty()) json["error"] = report.error;
    json["counters"] = countersJson(report.total);
    json["lines"] = linesJson(report.byLine);
    json["outputs"] = outputsJson(launch);
    json["instructions"] = {{"warp", report.total.warpInstructions}, {"thread", report.total.threadInstructions}};
    json["wall_ms"] = report.wallMs;
    json["host_threads"] = report.hostThreads;
    json["printed"] = report.printed;
    json["findings"] = findingsJson(report.findings);
    return json;
}

} // namespace playground
