// The type of an instruction's handler and the tables of them, one set per instruction set of the host.
#pragma once

#include "sim/vm/LinkedCode.h"

#include <array>

namespace sim::vm {

struct Warp;

/// Executes one instruction for the active lanes; returns the next one of this warp, or nullptr when the warp has
/// to stop for now: all its lanes wait or have ended, its time slice is over, or the launch ends.
using Handler = const Instruction* (*)(Warp&, const Instruction*);
using HandlerTable = std::array<Handler, kHandlerCount>;

/// The same handlers twice: `full` may assume that all 32 lanes are active.
struct HandlerTables {
    HandlerTable full{}, partial{};
    template <class Index>
    void set(Index index, Handler forFull, Handler forPartial) {
        full[uint16_t(index)] = forFull;
        partial[uint16_t(index)] = forPartial;
    }
};

/// The tables for the best instruction set this host has.
const HandlerTables& handlerTables();
/// Tables compiled for one instruction set: 0 the baseline, then wider ones; nullptr when this host (or build)
/// lacks it. For tests, which compare them.
const HandlerTables* handlerTables(unsigned level);
inline constexpr unsigned kInstructionSetLevels = 3;

void addControlFlow(HandlerTables& tables);
void addWarp(HandlerTables& tables);
void addMath(HandlerTables& tables);
void addHost(HandlerTables& tables);
void addRounding(HandlerTables& tables);

} // namespace sim::vm
