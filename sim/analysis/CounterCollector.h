// Counts, per instruction, what the memory accesses, branches and barriers of a launch cost.
#pragma once

#include "sim/analysis/BankConflicts.h"
#include "sim/bytecode/Program.h"
#include "sim/core/Counters.h"
#include "sim/core/WarpEvents.h"

#include <vector>

namespace sim {

/// Fills everything of Counters but the instruction counts, which the machine knows per basic block without events.
/// One collector per host thread; merge() adds them up afterwards.
class CounterCollector final : public Observer {
public:
    explicit CounterCollector(const Function& function);
    /// Tells that pcs from `firstPc` on are the code of a called function.
    void cover(const Function& callee, uint32_t firstPc);

    void onMemoryAccess(const MemoryAccess& access) override;
    void onBranch(const BranchEvent& event) override;
    void onBarrier(const BarrierEvent& event) override;

    void merge(const CounterCollector& other);
    /// Indexed by pc.
    const std::vector<Counters>& byPc() const { return byPc_; }

private:
    Counters& at(Pc pc);

    std::vector<Counters> byPc_;
    std::vector<SharedOperation> operations_; ///< By pc: what an access to shared memory would ask of the banks.
};

} // namespace sim
