// Collects steps, addresses and values of the requested warps as events come in.
#include "sim/analysis/TraceRecorder.h"

#include <cstring>
#include <utility>

namespace sim {
namespace {

constexpr uint32_t kSlotBytes = 128;

TracedAccess copyOf(const MemoryAccess& access) {
    TracedAccess t;
    t.active = access.active;
    t.space = access.space;
    t.kind = access.kind;
    t.bytes = access.bytes;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!access.active.has(lane)) continue;
        t.address[lane] = access.address[lane];
        if (access.host && access.host[lane]) std::memcpy(t.value[lane].data(), access.host[lane], access.bytes);
    }
    return t;
}

/// An atomic's value is the old one, which the instruction returned: 32 words, or 32 double words in two slots.
void takeOldValues(TracedAccess& access, const StepEvent& step) {
    const unsigned each = step.resultBytes / kWarpSize;
    if (access.kind != AccessKind::Atomic || access.bytes > each) return;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (access.active.has(lane))
            std::memcpy(access.value[lane].data(), static_cast<const char*>(step.result) + lane * each, access.bytes);
}

} // namespace

TraceRecorder::TraceRecorder(const Function& function, std::vector<TraceRequest> requests)
    : hidden_(function.code.size()), recordings_(requests.size()) {
    for (size_t pc = 0; pc < function.code.size(); ++pc)
        hidden_[pc] = function.code[pc].op == Opcode::Block || function.code[pc].op == Opcode::Jump;
    for (const BasicBlock& block : function.blocks)
        if (block.synthetic)
            for (uint32_t pc = block.firstPc; pc < block.endPc; ++pc) hidden_[pc] = true;
    for (size_t i = 0; i < requests.size(); ++i) {
        recordings_[i].maxSteps = requests[i].maxSteps;
        recordings_[i].trace.block = requests[i].block;
        recordings_[i].trace.warp = requests[i].warp;
        byWarp_.emplace(key(requests[i].block, requests[i].warp), i);
    }
}

TraceRecorder::Recording* TraceRecorder::find(const WarpPosition& at) {
    const auto found = byWarp_.find(key(at.block, at.warp));
    return found == byWarp_.end() ? nullptr : &recordings_[found->second];
}

bool TraceRecorder::wantsSteps(BlockId block, WarpId warp) const {
    return byWarp_.contains(key(block, warp));
}

void TraceRecorder::onMemoryAccess(const MemoryAccess& access) {
    if (recordings_.empty()) return;
    Recording* r = find(access.at);
    if (!r || r->trace.steps.size() >= r->maxSteps) return;
    r->trace.accesses.push_back(copyOf(access));
    ++r->pending;
}

void TraceRecorder::onStep(const StepEvent& event) {
    Recording* r = find(event.at);
    if (!r || (event.at.pc.value < hidden_.size() && hidden_[event.at.pc.value])) return;
    WarpTrace& trace = r->trace;
    if (trace.steps.size() >= r->maxSteps) {
        trace.truncated = true;
        return;
    }
    if (trace.steps.empty()) trace.initial = event.live | event.active;

    TraceStep step;
    step.pc = event.at.pc;
    step.active = event.active;
    step.live = event.live;
    if (r->pending) {
        step.access = int32_t(trace.accesses.size() - r->pending);
        step.accessCount = uint8_t(r->pending);
        if (event.result)
            for (size_t i = size_t(step.access); i < trace.accesses.size(); ++i)
                takeOldValues(trace.accesses[i], event);
        r->pending = 0;
    }
    if (event.result && event.resultBytes) {
        step.valueOffset = uint32_t(trace.values.size());
        step.valueSlots = uint8_t((event.resultBytes + kSlotBytes - 1) / kSlotBytes);
        trace.values.resize(trace.values.size() + step.valueSlots);
        std::memcpy(trace.values[step.valueOffset].data(), event.result, event.resultBytes);
    }
    trace.steps.push_back(step);
}

void TraceRecorder::merge(TraceRecorder&& other) {
    for (size_t i = 0; i < recordings_.size() && i < other.recordings_.size(); ++i)
        if (recordings_[i].trace.steps.empty()) recordings_[i] = std::move(other.recordings_[i]);
}

std::vector<WarpTrace> TraceRecorder::take() {
    std::vector<WarpTrace> traces;
    traces.reserve(recordings_.size());
    for (Recording& r : recordings_) traces.push_back(std::move(r.trace));
    recordings_.clear();
    byWarp_.clear();
    return traces;
}

} // namespace sim
