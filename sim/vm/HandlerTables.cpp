// Putting the handler tables together and choosing one for this host.
#include "sim/vm/Handlers.h"

#include "sim/vm/Arithmetic.h"
#include "sim/vm/Worker.h"

namespace sim::vm {

#define LEVEL(n)                                \
    namespace level##n {                        \
    void addArithmetic(HandlerTables& tables);  \
    void addMemory(HandlerTables& tables);      \
    void addAtomic(HandlerTables& tables);      \
    }
LEVEL(0)
LEVEL(1)
LEVEL(2)
#undef LEVEL

namespace {

const Instruction* missing(Warp& warp, const Instruction*) {
    return warp.worker->stop(LaunchStatus::Stopped, "The program contains an instruction that the simulator cannot run.");
}

HandlerTables build(void (*arithmetic)(HandlerTables&), void (*memory)(HandlerTables&), void (*atomic)(HandlerTables&)) {
    HandlerTables t;
    t.full.fill(missing);
    t.partial.fill(missing);
    addControlFlow(t);
    addWarp(t);
    addMath(t);
    addHost(t);
    addRounding(t);
    arithmetic(t);
    memory(t);
    atomic(t);
    return t;
}

} // namespace

const HandlerTables* handlerTables(unsigned level) {
#ifdef SIM_VM_X86_LEVELS
    if (level == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        static const HandlerTables tables = build(level1::addArithmetic, level1::addMemory, level1::addAtomic);
        return &tables;
    }
    if (level == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
        static const HandlerTables tables = build(level2::addArithmetic, level2::addMemory, level2::addAtomic);
        return &tables;
    }
#endif
    if (level != 0) return nullptr;
    static const HandlerTables tables = build(level0::addArithmetic, level0::addMemory, level0::addAtomic);
    return &tables;
}

const HandlerTables& handlerTables() {
    for (unsigned level = kInstructionSetLevels - 1; level > 0; --level)
        if (const HandlerTables* tables = handlerTables(level)) return *tables;
    return *handlerTables(0);
}

void reportZeroDivision(Warp& warp, const Instruction* at, uint32_t lanes) {
    warp.worker->report(warp, at, FindingKind::IntegerDivisionByZero, lanes, "divides an integer by zero");
}

} // namespace sim::vm
