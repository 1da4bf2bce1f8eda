// Records every step of chosen warps, with addresses and values, for stepping forwards and backwards.
#pragma once

#include "sim/bytecode/Program.h"
#include "sim/core/Trace.h"
#include "sim/core/WarpEvents.h"

#include <unordered_map>
#include <vector>

namespace sim {

/// One recorder per host thread, all with the same requests; the owner merges them. Steps beyond a request's limit
/// are dropped and the trace is marked. A request for a warp that never ran gives an empty trace.
class TraceRecorder final : public Observer {
public:
    TraceRecorder(const Function& function, std::vector<TraceRequest> requests);

    void onMemoryAccess(const MemoryAccess& access) override;
    void onStep(const StepEvent& event) override;
    bool wantsSteps(BlockId block, WarpId warp) const override;

    /// Takes over the traces of warps that ran under the other recorder.
    void merge(TraceRecorder&& other);
    /// The traces in the order of the requests; leaves the recorder empty.
    std::vector<WarpTrace> take();

private:
    struct Recording {
        uint32_t maxSteps = 0;
        size_t pending = 0; ///< Accesses of the instruction under way, at the end of trace.accesses.
        WarpTrace trace;
    };
    Recording* find(const WarpPosition& at);
    static uint64_t key(BlockId block, WarpId warp) { return uint64_t{block.value} << 32 | warp.value; }

    std::vector<bool> hidden_; ///< By pc: block heads, jumps and synthetic code, which are no steps.
    std::vector<Recording> recordings_;
    std::unordered_map<uint64_t, size_t> byWarp_;
};

} // namespace sim
