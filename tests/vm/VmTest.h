// Helpers for tests of the machine: launch a program built by hand and look at what it left.
#pragma once

#include "sim/bytecode/Builder.h"
#include "sim/bytecode/Verifier.h"
#include "sim/vm/Machine.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace sim::vm::test {

template <class T> constexpr ElementType elementOf() {
    if constexpr (std::is_same_v<T, float>) return ElementType::F32;
    else if constexpr (std::is_same_v<T, double>) return ElementType::F64;
    else if constexpr (sizeof(T) == 8) return ElementType::U64;
    else if constexpr (sizeof(T) == 2) return ElementType::U16;
    else if constexpr (sizeof(T) == 1) return ElementType::U8;
    else return std::is_signed_v<T> ? ElementType::I32 : ElementType::U32;
}

template <class T> Buffer bufferOf(std::string name, const std::vector<T>& values) {
    Buffer b;
    b.name = std::move(name);
    b.type = elementOf<T>();
    b.count = values.size();
    b.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(b.bytes.data(), values.data(), b.bytes.size());
    return b;
}
template <class T> std::vector<T> valuesOf(const Buffer& b) {
    std::vector<T> values(b.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), b.bytes.data(), b.bytes.size());
    return values;
}

inline Argument argument(int buffer, int64_t offset = 0) {
    Argument a;
    a.buffer = buffer;
    a.byteOffset = offset;
    return a;
}
template <class T> Argument scalar(T value) {
    Argument a;
    a.scalar.resize(sizeof value);
    std::memcpy(a.scalar.data(), &value, sizeof value);
    return a;
}

/// Launches functions[0] with one host thread; a program that breaks the rules fails the test.
inline RunResult launchProgram(const Program& program, Dim3 grid, Dim3 block, const std::vector<Argument>& arguments, std::vector<Buffer>& buffers,
                               LaunchOptions options = {}, uint32_t dynamicShared = 0, std::vector<Observer*> observers = {}) {
    for (const std::string& error : verify(program)) ADD_FAILURE() << error;
    if (options.hostThreads == 0) options.hostThreads = 1;
    if (options.limits.maxSeconds > 20) options.limits.maxSeconds = 20;
    return run(program, program.functions[0], {grid, block, dynamicShared}, arguments, buffers, options,
               [&](unsigned) { return observers; });
}

/// Keeps every event, with copies of what it points to.
struct Recorder final : Observer {
    struct Access {
        MemoryAccess event;
        std::vector<uint64_t> address;
    };
    std::vector<Access> accesses;
    std::vector<BranchEvent> branches;
    std::vector<BarrierEvent> barriers;
    std::vector<StepEvent> steps;
    int released = 0, begun = 0, ended = 0;
    bool stepping = false;

    void onBlockBegin(BlockId) override { ++begun; }
    void onBlockEnd(BlockId) override { ++ended; }
    void onMemoryAccess(const MemoryAccess& e) override { accesses.push_back({e, {e.address, e.address + 32}}); }
    void onBranch(const BranchEvent& e) override { branches.push_back(e); }
    void onBarrier(const BarrierEvent& e) override { barriers.push_back(e); }
    void onBarrierRelease(BlockId) override { ++released; }
    void onStep(const StepEvent& e) override { steps.push_back(e); }
    bool wantsSteps(BlockId, WarpId) const override { return stepping; }
};

} // namespace sim::vm::test
