// Which findings of the simulator explain which errors of the driver.
#include "gpu/Explain.h"

#include <algorithm>
#include <vector>

namespace gpu {
namespace {

using sim::FindingKind;

/// Kinds that can be behind this end of a run, the likeliest first (CUDA driver API, CUresult).
std::vector<FindingKind> causesOf(const RunResult& result) {
    if (result.status == RunStatus::TimeLimit)
        return {FindingKind::Deadlock, FindingKind::EndlessLoop, FindingKind::Livelock, FindingKind::DivergentBarrier,
                FindingKind::LimitExceeded};
    if (result.status != RunStatus::Failed) return {};
    switch (result.error.code) {
    case 700: // CUDA_ERROR_ILLEGAL_ADDRESS
    case 717: // CUDA_ERROR_INVALID_ADDRESS_SPACE
        return {FindingKind::OutOfBoundsGlobal, FindingKind::NullPointer,         FindingKind::OutOfBoundsShared,
                FindingKind::OutOfBoundsLocal,  FindingKind::OutOfBoundsConstant, FindingKind::UseAfterFree};
    case 716: return {FindingKind::Misaligned};
    case 710: return {FindingKind::AssertFailed};
    case 715: // CUDA_ERROR_ILLEGAL_INSTRUCTION
    case 719: // CUDA_ERROR_LAUNCH_FAILED
        return {FindingKind::Trap, FindingKind::AssertFailed, FindingKind::OutOfBoundsShared,
                FindingKind::OutOfBoundsLocal};
    case 1:
    case 701: return {FindingKind::InvalidLaunch};
    default: return {};
    }
}

std::string place(const sim::Dim3& at) {
    return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

} // namespace

const sim::Finding* findCause(const RunResult& result, std::span<const sim::Finding> findings) {
    for (const FindingKind kind : causesOf(result)) {
        const auto found =
            std::find_if(findings.begin(), findings.end(), [&](const sim::Finding& f) { return f.kind == kind; });
        if (found != findings.end()) return &*found;
    }
    return nullptr;
}

std::string explain(const RunResult& result, std::span<const sim::Finding> findings) {
    const sim::Finding* cause = findCause(result, findings);
    if (cause == nullptr) return result.reason;
    return result.reason + " The simulator saw it at line " + std::to_string(cause->first.at.line) + ", thread " +
           place(cause->first.thread) + " of block " + place(cause->first.block) + ": " + cause->message;
}

} // namespace gpu
