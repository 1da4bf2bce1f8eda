// Splits and convergence entries.
#include "sim/vm/Convergence.h"

#include "sim/vm/Calls.h"

namespace sim::vm {

const Instruction* resume(Warp& warp, const Split& split) {
    warp.setActive(split.mask);
    warp.entry = split.entry;
    if (warp.frame != split.frame) enterFrame(warp, split.frame);
    return warp.code + split.pc;
}

const Instruction* nextSplit(Warp& warp) {
    if (warp.ready.empty()) {
        warp.setActive(0);
        return nullptr;
    }
    const Split split = warp.ready.back();
    warp.ready.pop_back();
    return resume(warp, split);
}

int32_t pushEntry(Warp& warp, const ConvergenceEntry& entry) {
    if (warp.freeEntries.empty()) {
        warp.entries.push_back(entry);
        return int32_t(warp.entries.size() - 1);
    }
    const int32_t index = warp.freeEntries.back();
    warp.freeEntries.pop_back();
    warp.entries[size_t(index)] = entry;
    return index;
}

const Instruction* diverge(Warp& warp, const BranchTargets& targets, uint32_t taken) {
    int32_t entry = warp.entry;
    if (targets.reconverge != ~0u) {
        const ConvergenceEntry* inner = entry >= 0 ? &warp.entries[size_t(entry)] : nullptr;
        if (!inner || inner->pc != targets.reconverge || inner->frame != warp.frame || inner->callee != -1)
            entry = pushEntry(warp, {targets.reconverge, warp.active, 0, entry, warp.frame, -1});
    }
    warp.ready.push_back({targets.notTaken, warp.active & ~taken, entry, warp.frame});
    warp.setActive(taken);
    warp.entry = entry;
    return warp.code + targets.taken;
}

namespace {

/// Lanes of `entry` that all arrived become a ready split there.
void complete(Warp& warp, int32_t index) {
    const ConvergenceEntry entry = warp.entries[size_t(index)];
    warp.freeEntries.push_back(index);
    if (entry.callee >= 0) finishCall(warp, entry.callee, entry.expected);
    if (entry.expected == 0) return;
    if (entry.parent >= 0 && warp.entries[size_t(entry.parent)].callee == kJoin) {
        ConvergenceEntry& join = warp.entries[size_t(entry.parent)];
        join.arrived |= entry.expected;
        if (join.arrived == join.expected) complete(warp, entry.parent);
        return;
    }
    warp.ready.push_back({entry.pc, entry.expected, entry.parent, entry.frame});
}

/// `lanes` will never arrive at this entry.
void leave(Warp& warp, int32_t index, uint32_t lanes) {
    ConvergenceEntry& entry = warp.entries[size_t(index)];
    entry.expected &= ~lanes;
    if (entry.arrived == entry.expected) complete(warp, index);
}

/// The running split waits at the entry, or goes on with all lanes when it is the last to arrive.
bool arriveAt(Warp& warp, int32_t index) {
    ConvergenceEntry& entry = warp.entries[size_t(index)];
    entry.arrived |= warp.active;
    if (entry.arrived != entry.expected) return false;
    warp.setActive(entry.expected);
    warp.entry = entry.parent;
    warp.freeEntries.push_back(index);
    return true;
}

} // namespace

bool arrive(Warp& warp, uint32_t pc) {
    while (warp.entry >= 0) {
        int32_t index = warp.entry;
        const auto isHere = [&](const ConvergenceEntry& e) { return e.frame == warp.frame && e.callee == -1; };
        while (index >= 0 && isHere(warp.entries[size_t(index)]) && warp.entries[size_t(index)].pc != pc)
            index = warp.entries[size_t(index)].parent;
        if (index < 0 || !isHere(warp.entries[size_t(index)])) return true;
        while (warp.entry != index) {
            const int32_t inner = warp.entry;
            warp.entry = warp.entries[size_t(inner)].parent;
            leave(warp, inner, warp.active);
        }
        if (!arriveAt(warp, index)) return false;
    }
    return true;
}

void endLanes(Warp& warp, uint32_t lanes) {
    warp.live &= ~lanes;
    for (int32_t index = warp.entry; index >= 0;) {
        const int32_t parent = warp.entries[size_t(index)].parent;
        leave(warp, index, lanes);
        index = parent;
    }
}

const Instruction* returnLanes(Warp& warp) {
    for (;;) {
        const int32_t index = warp.entry;
        if (index < 0) return nullptr;
        if (warp.entries[size_t(index)].callee == warp.frame) break;
        warp.entry = warp.entries[size_t(index)].parent;
        leave(warp, index, warp.active);
    }
    const ConvergenceEntry entry = warp.entries[size_t(warp.entry)];
    if (!arriveAt(warp, warp.entry)) return nextSplit(warp);
    finishCall(warp, entry.callee, entry.expected);
    enterFrame(warp, entry.frame);
    const bool join = warp.entry >= 0 && warp.entries[size_t(warp.entry)].callee == kJoin;
    if (join && !arriveAt(warp, warp.entry)) return nextSplit(warp);
    return warp.code + entry.pc;
}

bool releaseArrived(Warp& warp) {
    for (int32_t index = warp.entry; index >= 0; index = warp.entries[size_t(index)].parent) {
        ConvergenceEntry& entry = warp.entries[size_t(index)];
        if (entry.arrived == 0 || entry.callee != -1) continue;
        const uint32_t lanes = entry.arrived;
        entry.expected &= ~lanes;
        entry.arrived = 0;
        warp.ready.push_back({entry.pc, lanes, entry.parent, entry.frame});
        return true;
    }
    return false;
}

void resetWarp(Warp& warp, uint32_t initial) {
    warp.live = warp.initial = initial;
    warp.unsynced = 0;
    warp.ready.assign(1, Split{0, initial, -1, 0});
    warp.atBarrier.clear();
    warp.atWarpSync.clear();
    warp.entries.clear();
    warp.freeEntries.clear();
    warp.frames.resize(1);
    enterFrame(warp, 0);
    warp.atomicsInSlice = 0;
    warp.stepped = 0;
}

} // namespace sim::vm
