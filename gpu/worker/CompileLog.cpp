// Line by line through a log of NVRTC, as these look:
//
//     kernel.cu(3): error: identifier "foo" is undefined
//           foo = 3;
//           ^
//     ptxas info    : Function properties for _Z4copyPfPKfi
//     ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//     ptxas info    : Used 10 registers, used 0 barriers, 1024 bytes smem
#include "gpu/worker/CompileLog.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gpu {
namespace {

using sim::Diagnostic;
using Severity = Diagnostic::Severity;

constexpr std::string_view kNameFile = "__nv_name_map"; // Where NVRTC looks name expressions up.

struct Head {
    std::string_view file;
    uint32_t line = 0;
    Severity severity{};
    std::string_view message;
};

/// "file(line): severity[ #number]: message"
std::optional<Head> parseHead(std::string_view text) {
    struct Mark {
        std::string_view text;
        Severity severity;
    };
    static constexpr std::array<Mark, 4> kMarks{{{"): error", Severity::Error},
                                                 {"): catastrophic error", Severity::Error},
                                                 {"): warning", Severity::Warning},
                                                 {"): note", Severity::Note}}};
    for (const Mark& mark : kMarks) {
        const size_t close = text.find(mark.text);
        if (close == std::string_view::npos) continue;
        const size_t open = text.rfind('(', close);
        const size_t colon = text.find(": ", close + mark.text.size());
        const size_t start = close + mark.text.size();
        if (open == std::string_view::npos || colon == std::string_view::npos || colon - start > 12) continue;
        Head head{text.substr(0, open), 0, mark.severity, text.substr(colon + 2)};
        const std::string_view number = text.substr(open + 1, close - open - 1);
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), head.line);
        if (error == std::errc{} && end == number.data() + number.size()) return head;
    }
    return std::nullopt;
}

/// The column that a caret line points at; NVRTC indents the source line above it by two.
uint32_t caretColumn(std::string_view text) {
    const size_t caret = text.find_first_not_of(" \t");
    if (caret == std::string_view::npos || text[caret] != '^' || caret < 2) return 0;
    return text.find_first_not_of(" \t\r", caret + 1) == std::string_view::npos ? uint32_t(caret - 1) : 0;
}

std::string nameProblem(std::string_view message, std::string_view kernel) {
    const std::string quoted = "'" + std::string(kernel) + "'";
    if (message.find("is undefined") != std::string_view::npos || message.find("no instance") != std::string_view::npos)
        return "The text has no kernel named " + quoted + ".";
    if (message.find("non-__global__") != std::string_view::npos)
        return quoted + " is not a kernel: declare it __global__.";
    if (message.find("overloaded") != std::string_view::npos)
        return "The text has several kernels named " + quoted + ": give each a name of its own.";
    return "The kernel " + quoted + " could not be looked up: " + std::string(message);
}

Diagnostic toDiagnostic(const Head& head, std::string_view fileName, std::string_view kernel) {
    Diagnostic diagnostic{head.severity, {}, std::string(head.message), {}};
    if (head.file == fileName)
        diagnostic.at.line = head.line;
    else if (head.file == kNameFile)
        diagnostic.message = nameProblem(head.message, kernel);
    else
        diagnostic.message += " (" + std::string(head.file) + ":" + std::to_string(head.line) + ")";
    if (head.message.find("host functions are not allowed") != std::string_view::npos)
        diagnostic.message =
            "This function runs on the CPU (it has neither __global__ nor __device__); the GPU's run-time "
            "compiler takes device code only. Put host code between #ifndef __CUDACC_RTC__ and #endif.";
    return diagnostic;
}

template <class Visit>
void eachLine(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The number right before `unit`, or -1.
int numberBefore(std::string_view text, std::string_view unit) {
    const size_t at = text.find(unit);
    if (at == std::string_view::npos) return -1;
    size_t start = at;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
    int value = -1;
    std::from_chars(text.data() + start, text.data() + at, value);
    return value;
}

} // namespace

std::vector<Diagnostic> parseCompileLog(std::string_view log, std::string_view fileName, std::string_view kernel) {
    std::vector<Diagnostic> diagnostics;
    bool open = false, named = false;
    eachLine(log, [&](std::string_view line) {
        if (const auto head = parseHead(line)) {
            // A wrong name is reported twice, first with its reason.
            open = head->file != kNameFile || !named;
            named = named || head->file == kNameFile;
            if (!open) return;
            diagnostics.push_back(toDiagnostic(*head, fileName, kernel));
            if (head->file != kNameFile) diagnostics.back().rendered = line;
            return;
        }
        if (line.empty() || line.starts_with("ptxas") || line.starts_with("Remark:")) open = false;
        if (!open || diagnostics.back().rendered.empty()) return;
        Diagnostic& last = diagnostics.back();
        last.rendered.append("\n").append(line);
        if (const uint32_t column = caretColumn(line); column != 0) {
            if (last.at.line != 0) last.at.column = column;
            open = false;
        }
    });
    for (Diagnostic& diagnostic : diagnostics)
        if (diagnostic.rendered.empty()) diagnostic.rendered = diagnostic.message;
    return diagnostics;
}

AssemblerReport parseAssemblerReport(std::string_view log, std::string_view loweredName) {
    AssemblerReport report;
    bool inside = false;
    eachLine(log, [&](std::string_view line) {
        if (!line.starts_with("ptxas")) return;
        constexpr std::string_view kFunction = "Function properties for ", kEntry = "Compiling entry function ";
        if (const size_t at = line.find(kFunction); at != std::string_view::npos)
            inside = line.substr(at + kFunction.size()) == loweredName;
        else if (line.find(kEntry) != std::string_view::npos)
            inside = false;
        if (!inside) return;
        const auto set = [&](int& field, std::string_view unit) {
            if (const int value = numberBefore(line, unit); value >= 0) field = value;
        };
        set(report.stackBytes, " bytes stack frame");
        set(report.spillStoreBytes, " bytes spill stores");
        set(report.spillLoadBytes, " bytes spill loads");
        set(report.registers, " registers");
        set(report.sharedBytes, " bytes smem");
    });
    return report;
}

} // namespace gpu
