// Layout of measured figures.
#include "playground/cli/GpuText.h"

#include "gpu/Explain.h"
#include "playground/cli/ReportText.h"

#include <iomanip>
#include <ostream>
#include <sstream>

namespace playground::cli {
namespace {

std::string microseconds(double value) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << value << " us";
    return text.str();
}

std::string gigabytes(double bytesPerSecond) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << bytesPerSecond / 1e9 << " GB/s";
    return text.str();
}

void printPhase(std::ostream& out, const char* name, const gpu::Samples& samples, uint64_t bytes) {
    if (samples.empty()) return;
    out << "  " << std::left << std::setw(10) << name << std::right << std::setw(12) << microseconds(samples.median())
        << "  median of " << samples.count() << ", " << microseconds(samples.minimum()) << " to "
        << microseconds(samples.maximum());
    if (bytes) out << "; " << bytes << " bytes, " << gigabytes(gpu::perSecond(double(bytes), samples.median()));
    out << "\n";
}

} // namespace

void printGpuResult(std::ostream& out, const ResolvedLaunch& launch, const gpu::RunResult& r) {
    out << launch.kernel << " on the GPU: " << gpu::toString(r.status);
    if (!r.device.name.empty())
        out << ", " << r.device.name << ", driver " << r.platform.driverVersion << ", NVRTC " << r.platform.nvrtcMajor
            << "." << r.platform.nvrtcMinor;
    out << "\n";
    if (!r.reason.empty()) out << r.reason << "\n";
    if (!r.whatToDo.empty()) out << r.whatToDo << "\n";
    if (!r.printed.empty()) out << "Printed by the kernel\n" << r.printed << (r.printed.back() == '\n' ? "" : "\n");
    if (!r.printedErrors.empty()) out << r.printedErrors << (r.printedErrors.back() == '\n' ? "" : "\n");
    if (r.status != gpu::RunStatus::Finished) return;

    const gpu::Timings& t = r.timings;
    out << "Times (measured" << (t.flushedCache ? ", cache flushed before each launch" : "")
        << (t.pinned ? ", pinned copies" : ", pageable copies") << ")\n";
    printPhase(out, "copy in", t.copyIn, t.bytesIn);
    printPhase(out, "kernel", t.kernel, 0);
    printPhase(out, "copy out", t.copyOut, t.bytesOut);
    out << "  first launch, cold: kernel " << microseconds(t.firstKernel) << ", launching call "
        << microseconds(t.firstLaunchCall) << "\n";
    if (!t.emptyLaunch.empty())
        out << "  floor of any launch (an empty kernel, waited for): " << microseconds(t.emptyLaunch.median()) << "\n";
    const auto known = [](int value) { return value < 0 ? std::string("?") : std::to_string(value); };
    out << "Resources (measured): " << known(r.resources.registers) << " registers a thread, "
        << known(r.resources.sharedBytes) << " bytes of static shared memory, " << known(r.resources.localBytes)
        << " bytes of local memory, " << known(r.resources.residentBlocks) << " blocks fit a multiprocessor\n";
    if (!r.countersReason.empty()) out << "No hardware counters: " << r.countersReason << "\n";
}

void printComparison(std::ostream& out, const sim::LaunchReport& report, const gpu::RunResult& result,
                     const std::vector<OutputAgreement>& outputs, const std::vector<CounterPair>& counters) {
    if (result.status != gpu::RunStatus::Finished) {
        const std::string cause = gpu::explain(result, report.findings);
        if (!cause.empty() && cause != result.reason) out << cause << "\n";
        return;
    }
    out << "Same result? (GPU against simulator)\n";
    for (const OutputAgreement& o : outputs) out << "  " << gpu::describe(o.comparison, o.buffer) << "\n";
    if (outputs.empty()) out << "  the launch has no outputs\n";
    if (counters.empty()) return;
    out << "Counters            simulated        measured\n";
    for (const CounterPair& c : counters) {
        const char* verdict = c.equal() ? "equal" : c.exact ? "DIFFERS" : "differs: the compiler decides";
        out << std::right << std::setw(29) << showNumber(c.simulated) << std::setw(16) << showNumber(c.measured) << "  "
            << c.name << ": " << verdict << "\n";
    }
}

void printRecorded(std::ostream& out, const std::string& sentence) {
    if (!sentence.empty()) out << "Kernel time: " << sentence << "\n";
}

} // namespace playground::cli
