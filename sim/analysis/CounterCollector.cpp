// Turns events into AccessCounters and BranchCounters.
#include "sim/analysis/CounterCollector.h"

#include "sim/analysis/Coalescing.h"

#include <algorithm>

namespace sim {
namespace {

SectorCount sectorsOf(const MemoryAccess& a, SharedOperation operation) {
    if (operation == SharedOperation::OneLane) return {1, 1};
    if (a.space == MemorySpace::Local) return countLocalSectors(a.active, a.address, a.bytes);
    const bool atomic = a.kind == AccessKind::Atomic || a.kind == AccessKind::Reduction;
    return (atomic ? countAtomicSectors : countSectors)(a.active, a.address, a.bytes, a.contiguous);
}

} // namespace

CounterCollector::CounterCollector(const Function& function) {
    cover(function, 0);
}

void CounterCollector::cover(const Function& callee, uint32_t firstPc) {
    const size_t end = std::max(byPc_.size(), firstPc + callee.code.size());
    byPc_.resize(end);
    operations_.resize(end, SharedOperation::Load);
    std::ranges::copy(sharedOperations(callee), operations_.begin() + firstPc);
}

Counters& CounterCollector::at(Pc pc) {
    if (pc.value >= byPc_.size()) {
        byPc_.resize(pc.value + 1);
        operations_.resize(pc.value + 1, SharedOperation::Load);
    }
    return byPc_[pc.value];
}

void CounterCollector::onMemoryAccess(const MemoryAccess& access) {
    if (access.space == MemorySpace::Invalid) return;
    AccessCounters& c = at(access.at.pc).of(access.space, access.kind);
    const SharedOperation operation = operations_[access.at.pc.value];
    const uint32_t threads = access.active.count();
    ++c.requests;
    c.threads += threads;
    c.bytes += uint64_t{threads} * access.bytes;
    if (access.space == MemorySpace::Shared) {
        const WavefrontCount w =
            countWavefronts(access.active, access.address, access.bytes, access.contiguous, operation);
        c.wavefronts += w.wavefronts;
        c.idealWavefronts += w.ideal;
        c.worstDegree = std::max(c.worstDegree, w.degree());
    } else if (access.space != MemorySpace::Constant) {
        const SectorCount s = sectorsOf(access, operation);
        c.sectors += s.sectors;
        c.idealSectors += s.ideal;
        c.worstDegree = std::max(c.worstDegree, s.sectors);
    }
}

void CounterCollector::onBranch(const BranchEvent& event) {
    BranchCounters& b = at(event.at.pc).branch;
    const uint32_t taken = event.taken.count(), notTaken = (event.active & ~event.taken).count();
    ++b.executed;
    b.divergent += taken != 0 && notTaken != 0;
    b.takenThreads += taken;
    b.notTakenThreads += notTaken;
}

void CounterCollector::onBarrier(const BarrierEvent& event) {
    if (event.wholeBlock) ++at(event.at.pc).barriers;
}

void CounterCollector::merge(const CounterCollector& other) {
    if (other.byPc_.size() > byPc_.size()) byPc_.resize(other.byPc_.size());
    for (size_t pc = 0; pc < other.byPc_.size(); ++pc) byPc_[pc] += other.byPc_[pc];
}

} // namespace sim
