// Running blocks: warps in order until each waits or ends, barriers, and what to do when nothing can run.
#include "sim/vm/Worker.h"

#include "sim/vm/Calls.h"
#include "sim/vm/Convergence.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sim::vm {

void LaunchContext::stop(LaunchStatus why, std::string what) {
    const std::lock_guard lock(stopMutex);
    if (stopped) return;
    status = why;
    error = std::move(what);
    stopped = true;
}

void Worker::runWarp(Warp& warp) {
    warp.fuel = warp.granted = kSlice;
    const Instruction* next = nextSplit(warp);
    if (warp.stepObserver)
        while (next) next = step(warp, next);
    else
        while (next) next = (*warp.handlers)[uint16_t(next->op)](warp, next);
    account(warp.granted - warp.fuel);
}

namespace {
/// Slots that an instruction has written to from d on.
uint32_t resultSlots(const Instruction& i, Opcode op) {
    const char kind = formatOf(op)[0];
    if (i.d == kNoSlot || kind == '-') return 0;
    switch (op) {
    case Opcode::Load: return ((i.aux & 15u) > 4 ? 2u : 1u) * (i.aux >> 4);
    case Opcode::Atomic: case Opcode::CompareSwap: return isWide(AtomicType(i.aux >> 8)) ? 2 : 1;
    case Opcode::ReadSpecial: {
        const SpecialRegister r = SpecialRegister(i.aux);
        return r == SpecialRegister::Clock64 || r == SpecialRegister::GlobalTimer || r == SpecialRegister::GridId ? 2 : 1;
    }
    default: return kind == 'D' ? 2 : 1;
    }
}
} // namespace

/// Executes `i` and tells the observer of steps, if there is one.
const Instruction* Worker::step(Warp& warp, const Instruction* i) {
    if (!warp.stepObserver) return (*warp.handlers)[uint16_t(i->op)](warp, i);
    const uint32_t active = warp.active, live = warp.live;
    const std::byte* const registers = warp.registers;
    const size_t parked = warp.atWarpSync.size();
    warp.gathered = 0;
    const Instruction* const next = (*warp.handlers)[uint16_t(i->op)](warp, i);
    if (warp.atWarpSync.size() > parked) return next; // waits for other lanes; will run later
    const uint32_t pc = warp.pcOf(i);
    if (launch_.linked.hiddenAt(pc)) return next;
    const uint32_t slots = resultSlots(*i, launch_.linked.opcodeAt(pc));
    const void* result = slots ? registers + size_t{i->d} * kSlotBytes : nullptr;
    warp.stepObserver->onStep({warp.at(i), LaneMask{active | warp.gathered}, LaneMask{live}, result, slots * kSlotBytes});
    return next;
}

void Worker::runSteps(Warp& warp, uint64_t instructions) {
    warp.fuel = warp.granted = kSlice;
    const Instruction* next = nextSplit(warp);
    for (uint64_t left = instructions; next && left > 0; next = step(warp, next))
        left -= launch_.linked.hiddenAt(warp.pcOf(next)) ? 0 : 1;
    account(warp.granted - warp.fuel);
    warp.stepped += instructions;
    if (next) {
        if (unreported_ >= uint64_t{kSlice} && !withinLimits()) return stopAt(warp, next);
        if (warp.stepped >= kSteppedSlice) yield(warp, next);
        else warp.ready.push_back({warp.pcOf(next), warp.active, warp.entry, warp.frame});
    }
    if (warp.stepped >= kSteppedSlice) warp.stepped = 0;
}

/// The running split has had its share: the warp's other lanes come first now, unless the warp runs in lockstep.
void Worker::yield(Warp& warp, const Instruction* next) {
    const Split split{warp.pcOf(next), warp.active, warp.entry, warp.frame};
    if (launch_.schedule.lockstep) {
        warp.ready.push_back(split);
        return;
    }
    if (warp.atomicsInSlice > 0) releaseArrived(warp);
    warp.atomicsInSlice = 0;
    warp.ready.insert(warp.ready.begin(), split);
}

const Instruction* Worker::endSlice(Warp& warp, const Instruction* next) {
    account(warp.granted - warp.fuel);
    warp.fuel = warp.granted = kSlice;
    if (!withinLimits()) {
        stopAt(warp, next);
        return nullptr;
    }
    yield(warp, next);
    return nullptr;
}

void Worker::releaseBarrier() {
    const uint32_t votes = block_->votes, waiting = block_->waiting;
    block_->waiting = block_->gridWaiting = block_->votes = 0;
    for (auto& warp : block_->warps) {
        for (const ParkedSplit& parked : warp->atBarrier) {
            if (parked.at->d != kNoSlot && parked.at->aux != unsigned(BarrierOp::Sync)) {
                const uint32_t result = parked.at->aux == unsigned(BarrierOp::Count) ? votes
                                        : parked.at->aux == unsigned(BarrierOp::And) ? votes == waiting : votes > 0;
                std::byte* d = warp->file.data() + (size_t{warp->frames[size_t(parked.split.frame)].base} + parked.at->d) * kSlotBytes;
                for (unsigned l = 0; l < kWarpSize; ++l)
                    if (parked.split.mask >> l & 1u) std::memcpy(d + l * 4, &result, 4);
            }
            const auto same = [&](const Split& s) {
                return s.pc == parked.split.pc && s.entry == parked.split.entry && s.frame == parked.split.frame;
            };
            const auto twin = std::find_if(warp->ready.begin(), warp->ready.end(), same);
            if (twin != warp->ready.end()) twin->mask |= parked.split.mask;
            else warp->ready.insert(warp->ready.begin(), parked.split);
        }
        warp->atBarrier.clear();
    }
    for (Observer* o : observers_) o->onBarrierRelease(block_->id);
}

/// Lanes that wait for a member mask although nothing else can run: when the missing ones have ended meanwhile they
/// try again, else they go on without them.
bool Worker::releaseWarpSyncs(Warp& warp) {
    if (warp.atWarpSync.empty()) return false;
    uint32_t waiting = 0;
    for (const ParkedSplit& parked : warp.atWarpSync) waiting |= parked.split.mask;
    for (const ParkedSplit& parked : warp.atWarpSync) {
        if (parked.members & warp.live & ~waiting) {
            report(warp, parked.at, FindingKind::MaskMismatch, parked.split.mask,
                   "waits for lanes of the member mask that never execute this");
            warp.unsynced |= parked.split.mask;
        }
        warp.ready.push_back(parked.split);
    }
    warp.atWarpSync.clear();
    return true;
}

bool Worker::resolveStuck() {
    bool released = false;
    for (auto& warp : block_->warps) released |= releaseWarpSyncs(*warp);
    if (released) return true;
    for (auto& warp : block_->warps)
        for (const ParkedSplit& parked : warp->atBarrier) {
            report(*warp, parked.at, FindingKind::DivergentBarrier, parked.split.mask,
                   std::to_string(block_->waiting) + " of " + std::to_string(block_->live) +
                       " threads arrive at the __syncthreads(); all threads of a block have to");
            released = true;
        }
    if (released) {
        releaseBarrier();
        return true;
    }
    for (auto& warp : block_->warps)
        for (const ConvergenceEntry& entry : warp->entries)
            if (warp->live & entry.arrived)
                report(*warp, warp->code + entry.pc, FindingKind::Deadlock, warp->live & entry.arrived, "waits here for lanes that never come");
    launch_.stop(LaunchStatus::Stopped, "The threads of a block wait for each other for ever.");
    return false;
}

void Worker::account(int32_t instructions) {
    instructions_ += uint64_t(instructions);
    unreported_ += uint64_t(instructions);
}

bool Worker::withinLimits() {
    const uint64_t total = launch_.instructions.fetch_add(unreported_) + unreported_;
    unreported_ = 0;
    if (launch_.cancel && launch_.cancel->load(std::memory_order_relaxed))
        launch_.stop(LaunchStatus::Cancelled, "The launch was cancelled.");
    else if (total > launch_.limits.maxWarpInstructions)
        launch_.stop(LaunchStatus::LimitExceeded, "The launch executed more than " + std::to_string(launch_.limits.maxWarpInstructions) +
                         " warp instructions. Launch fewer threads, look for a loop that does not end, or raise the limit.");
    else if (std::chrono::duration<double>(std::chrono::steady_clock::now() - launch_.started).count() > launch_.limits.maxSeconds)
        launch_.stop(LaunchStatus::LimitExceeded, "The launch ran longer than its time limit. Launch fewer threads, look for a loop that "
                                                  "does not end, or raise the limit.");
    return !launch_.stopped.load(std::memory_order_relaxed);
}

/// A limit ended the launch while the warp was about to execute `at`: names the loop that would not end.
void Worker::stopAt(const Warp& warp, const Instruction* at) {
    if (launch_.status != LaunchStatus::LimitExceeded) return;
    const BasicBlock& block = launch_.linked.blockAt(warp.pcOf(at));
    if (block.loopDepth == 0) return;
    if (launch_.schedule.lockstep && warp.atomicsInSlice > 0 && (warp.live & ~warp.active)) {
        report(warp, at, FindingKind::Livelock, warp.active,
               "loops here until another lane of its warp goes on, but that lane waits for this one to leave the loop: in lockstep "
               "(before Volta) the warp never gets further");
        return;
    }
    report(warp, at, FindingKind::EndlessLoop, warp.active, "the loop at this line was still running when the launch reached its limit");
}

Party Worker::partyOf(const Warp& warp, const Instruction* at, unsigned lane) const {
    return {launch_.linked.locationAt(warp.pcOf(at)), block_->index,
            launch_.config.block.coordinate(uint64_t{warp.id.value} * kWarpSize + lane)};
}

void Worker::report(const Warp& warp, const Instruction* at, FindingKind kind, uint32_t lanes, const std::string& message) {
    const LaneMask mask{lanes};
    Finding finding;
    finding.kind = kind;
    finding.count = mask.count();
    finding.first = partyOf(warp, at, mask.lowest());
    if (findings_.repeat(kind, finding.access, finding.first.at, finding.count)) return;
    const auto triple = [](const Dim3& d) {
        return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
    };
    finding.message = "thread " + triple(finding.first.thread) + " of block " + triple(finding.first.block) + ": " + message;
    findings_.add(std::move(finding), block_->id.value);
}

const Instruction* Worker::stop(LaunchStatus why, std::string what) {
    launch_.stop(why, std::move(what));
    return nullptr;
}

} // namespace sim::vm
