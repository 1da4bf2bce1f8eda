// The launching half of the front door: runs the machine with the observers of the analysis and joins their results.
#include "sim/Simulator.h"
#include "sim/analysis/CounterCollector.h"
#include "sim/analysis/TraceRecorder.h"
#include "sim/vm/Machine.h"

#include <map>
#include <memory>
#include <utility>

namespace sim {

namespace {

/// The kernel as observers see it: with the code of the functions it calls behind its own, as the machine links it.
Function observedFunction(const Function& kernel, const vm::LinkedCode& linked) {
    Function observed = kernel;
    for (size_t f = 1; f < linked.functions().size(); ++f) {
        const vm::LinkedFunction& callee = linked.functions()[f];
        const Function& from = *callee.function;
        observed.code.insert(observed.code.end(), from.code.begin(), from.code.end());
        observed.locations.insert(observed.locations.end(), from.locations.begin(), from.locations.end());
        for (BasicBlock b : from.blocks) {
            b.firstPc += callee.firstPc;
            b.endPc += callee.firstPc;
            observed.blocks.push_back(b);
        }
    }
    return observed;
}

/// Register copies are the compiler's own; real instruction sets coalesce them away.
bool isCopy(Opcode op) { return op == Opcode::Mov32 || op == Opcode::Mov64 || op == Opcode::MovP; }

/// Every instruction of a block ran as often as the block; heads, jumps and the compiler's own copies do not count.
void addInstructionCounts(std::vector<Counters>& byPc, const Function& observed, const vm::LinkedCode& linked,
                          const std::vector<vm::BlockCounter>& blocks) {
    for (size_t b = 0; b < observed.blocks.size(); ++b)
        for (uint32_t pc = observed.blocks[b].firstPc; pc < observed.blocks[b].endPc; ++pc) {
            if (linked.hiddenAt(pc) || isCopy(observed.code[pc].op)) continue;
            byPc[pc].warpInstructions += blocks[b].warps;
            byPc[pc].threadInstructions += blocks[b].threads;
        }
}

void rollUp(LaunchReport& report, std::vector<Counters> byPc, const Function& observed, size_t kernelLength) {
    std::map<uint32_t, Counters> lines;
    for (size_t pc = 0; pc < byPc.size(); ++pc) {
        if (byPc[pc].warpInstructions == 0) continue;
        report.total += byPc[pc];
        lines[pc < observed.locations.size() ? observed.locations[pc].line : 0] += byPc[pc];
    }
    for (auto& [line, counters] : lines)
        if (line != 0) report.byLine.push_back({line, counters});
    byPc.resize(kernelLength);
    report.byPc = std::move(byPc);
}

LaunchReport unknownKernel(const Program& program, const std::string& kernel) {
    LaunchReport report;
    report.status = LaunchStatus::Rejected;
    std::string names;
    for (const Function& f : program.functions)
        if (f.kernel) names += (names.empty() ? "" : ", ") + f.name;
    report.error = "There is no single kernel called '" + kernel + "'; " +
                   (names.empty() ? "the program has no __global__ function." : "choose one of: " + names + ".");
    Finding finding;
    finding.kind = FindingKind::InvalidLaunch;
    finding.count = 1;
    finding.message = report.error;
    report.findings.push_back(std::move(finding));
    return report;
}

/// The observers of one host thread.
struct Watch {
    CounterCollector counters;
    std::unique_ptr<TraceRecorder> recorder;
};

} // namespace

LaunchReport launch(const Program& program, const std::string& kernel, const LaunchConfig& config,
                    std::span<const Argument> arguments, std::vector<Buffer>& buffers, const LaunchOptions& options) {
    const Function* function = program.findKernel(kernel);
    if (!function) return unknownKernel(program, kernel);
    const vm::LinkedCode linked(program, *function);
    const Function observed = observedFunction(*function, linked);
    std::vector<std::unique_ptr<Watch>> watches;
    const auto observers = [&](unsigned) {
        Watch& watch = *watches.emplace_back(std::make_unique<Watch>(Watch{CounterCollector(observed), nullptr}));
        std::vector<Observer*> list{&watch.counters};
        if (!options.traces.empty()) {
            watch.recorder = std::make_unique<TraceRecorder>(observed, options.traces);
            list.push_back(watch.recorder.get());
        }
        list.insert(list.end(), options.observers.begin(), options.observers.end());
        return list;
    };
    vm::RunResult run = vm::run(program, *function, config, arguments, buffers, options, observers);
    LaunchReport report;
    report.status = run.status;
    report.error = std::move(run.error);
    report.findings = std::move(run.findings);
    report.printed = std::move(run.printed);
    report.wallMs = run.wallMs;
    report.hostThreads = run.hostThreads;
    report.allocations = std::move(run.allocations);
    if (watches.empty()) return report;
    for (size_t w = 1; w < watches.size(); ++w) watches[0]->counters.merge(watches[w]->counters);
    std::vector<Counters> byPc = watches[0]->counters.byPc();
    addInstructionCounts(byPc, observed, linked, run.blocks);
    rollUp(report, std::move(byPc), observed, function->code.size());
    if (watches[0]->recorder) {
        for (size_t w = 1; w < watches.size(); ++w) watches[0]->recorder->merge(std::move(*watches[w]->recorder));
        report.traces = watches[0]->recorder->take();
    }
    return report;
}

} // namespace sim
