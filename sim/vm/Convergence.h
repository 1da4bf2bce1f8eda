// How the lanes of a warp part, wait for each other and come together again.
#pragma once

#include "sim/vm/Warp.h"

namespace sim::vm {

/// Makes `split` the running one; returns its next instruction.
const Instruction* resume(Warp& warp, const Split& split);

/// Takes the split that became ready last, or returns nullptr when every lane waits or has ended.
const Instruction* nextSplit(Warp& warp);

/// Lanes `taken` of the running split go one way, the others the other way. They will meet at targets.reconverge:
/// the innermost entry is used when it is for that place already (a loop whose lanes leave one by one), else a new
/// one is pushed. Returns the first instruction of the taken side.
const Instruction* diverge(Warp& warp, const BranchTargets& targets, uint32_t taken);

/// The running split reaches the reconvergence block at `pc`. True: it goes on, perhaps with more lanes.
/// False: it waits there now, and another split has to be chosen.
bool arrive(Warp& warp, uint32_t pc);

/// Lanes of the running split end; nobody waits for them any more.
void endLanes(Warp& warp, uint32_t lanes);

/// Calls `function` (of LinkedCode) from the running split; nullptr when the call stack is full.
const Instruction* call(Warp& warp, const Instruction* at, const LinkedFunction& function);
/// The running split returns to its caller, where the lanes that called together go on together.
const Instruction* returnLanes(Warp& warp);

/// Lets lanes that wait at a convergence entry of the running split's chain go on alone, so that a lane which holds
/// a lock can release it while the others spin. Returns false when none waits.
bool releaseArrived(Warp& warp);

int32_t pushEntry(Warp& warp, const ConvergenceEntry& entry);
/// ConvergenceEntry::callee of the place after an indirect call, where the lanes of all targets meet.
inline constexpr int32_t kJoin = -2;

/// Prepares a warp for the lanes `initial` of a new block at pc 0.
void resetWarp(Warp& warp, uint32_t initial);

} // namespace sim::vm
