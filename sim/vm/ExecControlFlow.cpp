// Block heads, branches, calls, barriers and ends.
#include "sim/vm/Convergence.h"
#include "sim/vm/LaneAccess.h"
#include "sim/vm/Worker.h"

#include <cstring>

namespace sim::vm {

namespace {

uint32_t& predicate(Warp& w, uint16_t slot) {
    return *reinterpret_cast<uint32_t*>(w.registers + size_t{slot} * kSlotBytes);
}
uint64_t lane64(const Warp& w, uint16_t slot, unsigned lane) {
    uint64_t value;
    std::memcpy(&value, w.registers + size_t{slot} * kSlotBytes + lane * 8, sizeof value);
    return value;
}
uint32_t lane32(const Warp& w, uint16_t slot, unsigned lane) {
    uint32_t value;
    std::memcpy(&value, w.registers + size_t{slot} * kSlotBytes + lane * 4, sizeof value);
    return value;
}

template <bool Full> const Instruction* block(Warp& w, const Instruction* i) {
    if ((i->aux & 1) && w.entry >= 0 && !arrive(w, w.pcOf(i))) return nextSplit(w);
    BlockCounter& counter = w.counters[i->imm];
    ++counter.warps;
    counter.threads += Full ? kWarpSize : LaneMask{w.active}.count(); // lanes that arrive may make the warp full: popcount fits both
    w.fuel -= int32_t(counter.instructions);
    if (w.fuel <= 0) [[unlikely]] return w.worker->endSlice(w, i + 1);
    return i + 1;
}

const Instruction* jump(Warp& w, const Instruction* i) { return w.code + i->imm; }

const Instruction* branch(Warp& w, const Instruction* i) {
    const uint32_t taken = predicate(w, i->a) & w.active;
    if (w.observer) w.observer->onBranch({w.at(i), LaneMask{w.active}, LaneMask{taken}});
    const BranchTargets& targets = w.branches[i->imm];
    if (taken == w.active) return w.code + targets.taken;
    if (taken == 0) return w.code + targets.notTaken;
    return diverge(w, targets, taken);
}

const Instruction* exit(Warp& w, const Instruction*) {
    w.worker->block().live -= LaneMask{w.active}.count();
    endLanes(w, w.active);
    return nextSplit(w);
}

const Instruction* stackOverflow(Warp& w, const Instruction* i) {
    w.worker->report(w, i, FindingKind::OutOfBoundsLocal, w.active, "the call stack is full: the recursion goes too deep");
    return w.worker->stop(LaunchStatus::Stopped, "A thread's call stack is full.");
}

const Instruction* callDirect(Warp& w, const Instruction* i) {
    const LinkedFunction* function = w.worker->launch().linked.findFunction(uint32_t(i->imm));
    const Instruction* next = function ? call(w, i, *function) : nullptr;
    return next ? next : stackOverflow(w, i);
}

/// The lanes with the first lane's target call now; the others come back to this instruction later. All meet
/// behind it.
const Instruction* callIndirect(Warp& w, const Instruction* i) {
    const uint64_t address = lane64(w, i->a, LaneMask{w.active}.lowest());
    uint32_t same = 0;
    for (uint32_t rest = w.active; rest; rest &= rest - 1)
        if (lane64(w, i->a, LaneMask{rest}.lowest()) == address) same |= rest & -rest;
    const uint64_t index = (address - functionAddress(0)) / 16;
    const LinkedFunction* function = address % 16 == 0 && index < w.worker->launch().program.functions.size()
                                         ? w.worker->launch().linked.findFunction(uint32_t(index)) : nullptr;
    if (!function) {
        w.worker->report(w, i, FindingKind::Trap, same, "calls through a pointer that is not a function's address");
        return w.worker->stop(LaunchStatus::Stopped, "A thread called through a bad function pointer.");
    }
    const uint32_t pc = w.pcOf(i);
    const bool joining = w.entry >= 0 && w.entries[size_t(w.entry)].callee == kJoin && w.entries[size_t(w.entry)].pc == pc + 1;
    if (!joining && same != w.active) w.entry = pushEntry(w, {pc + 1, w.active, 0, w.entry, w.frame, kJoin});
    if (same != w.active) {
        w.ready.push_back({pc, w.active & ~same, w.entry, w.frame});
        w.setActive(same);
    }
    const Instruction* next = call(w, i, *function);
    return next ? next : stackOverflow(w, i);
}

const Instruction* ret(Warp& w, const Instruction* i) {
    return w.frame == 0 ? exit(w, i) : returnLanes(w);
}

const Instruction* barrier(Warp& w, const Instruction* i) {
    ThreadBlock& block = w.worker->block();
    const bool grid = i->aux == uint16_t(BarrierOp::Grid);
    if (grid && !w.worker->launch().config.cooperative) {
        w.worker->report(w, i, FindingKind::Trap, w.active, "waits for the whole grid in a launch that is not cooperative; launch it with "
                                                            "cudaLaunchCooperativeKernel (here: --cooperative)");
        return w.worker->stop(LaunchStatus::Stopped, "The barrier of the grid needs a cooperative launch.");
    }
    if (w.observer) w.observer->onBarrier({w.at(i), LaneMask{w.active}, true});
    if (i->a != kNoSlot && i->aux != uint16_t(BarrierOp::Sync)) block.votes += LaneMask{predicate(w, i->a) & w.active}.count();
    (grid ? block.gridWaiting : block.waiting) += LaneMask{w.active}.count();
    w.atBarrier.push_back({{w.pcOf(i) + 1, w.active, w.entry, w.frame}, i, 0});
    return nextSplit(w);
}

const Instruction* trap(Warp& w, const Instruction* i) {
    const bool unreachable = i->aux == 1;
    w.worker->report(w, i, FindingKind::Trap, w.active,
                     unreachable ? "reaches code that the compiler takes for unreachable: the program's behaviour is undefined before"
                                 : "executes __trap()");
    return w.worker->stop(LaunchStatus::Stopped, unreachable ? "A thread reached unreachable code." : "A thread executed __trap().");
}

const Instruction* assertFail(Warp& w, const Instruction* i) {
    const unsigned lane = LaneMask{w.active}.lowest();
    const std::string text = peekText(w, lane, lane64(w, i->a, lane));
    std::string where;
    if (i->b != kNoSlot) where = " (" + peekText(w, lane, lane64(w, i->b, lane)) + ":" + std::to_string(lane32(w, i->c, lane)) + ")";
    w.worker->report(w, i, FindingKind::AssertFailed, w.active, "assertion `" + text + "' failed" + where);
    return w.worker->stop(LaunchStatus::Stopped, "A device-side assertion failed: " + text + where);
}

} // namespace

void addControlFlow(HandlerTables& t) {
    t.set(Opcode::Block, block<true>, block<false>);
    t.set(Opcode::Jump, jump, jump);
    t.set(Opcode::Branch, branch, branch);
    t.set(Opcode::Exit, exit, exit);
    t.set(Opcode::Call, callDirect, callDirect);
    t.set(Opcode::CallIndirect, callIndirect, callIndirect);
    t.set(Opcode::Return, ret, ret);
    t.set(Opcode::Barrier, barrier, barrier);
    t.set(Opcode::Trap, trap, trap);
    t.set(Opcode::AssertFail, assertFail, assertFail);
}

} // namespace sim::vm
