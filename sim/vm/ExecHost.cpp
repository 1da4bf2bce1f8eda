// printf, the device heap, fences, and special registers that change while a warp runs.
#include "sim/vm/LaneAccess.h"
#include "sim/vm/Printf.h"
#include "sim/vm/Worker.h"

#include <cstdio>
#include <cstring>

namespace sim::vm {

namespace {

constexpr size_t kPrintfBytes = size_t{1} << 20;      // cudaLimitPrintfFifoSize, default
constexpr uint64_t kHeapBytes = uint64_t{8} << 20;    // cudaLimitMallocHeapSize, default
constexpr uint32_t kMultiprocessors = 132;            // H200

template <class T> T read(const Warp& w, uint16_t slot, unsigned lane) {
    T value;
    std::memcpy(&value, w.registers + size_t{slot} * kSlotBytes + lane * sizeof(T), sizeof value);
    return value;
}
template <class T> void write(Warp& w, uint16_t slot, unsigned lane, T value) {
    if (slot != kNoSlot) std::memcpy(w.registers + size_t{slot} * kSlotBytes + lane * sizeof(T), &value, sizeof value);
}
template <class Body> void eachActive(const Warp& w, Body body) {
    for (uint32_t rest = w.active; rest; rest &= rest - 1) body(unsigned(std::countr_zero(rest)));
}

const Instruction* printf(Warp& w, const Instruction* i) {
    std::string& out = w.worker->printed();
    eachActive(w, [&](unsigned lane) {
        const uint64_t format = read<uint64_t>(w, i->a, lane);
        const uint64_t buffer = i->b == kNoSlot ? 0 : read<uint64_t>(w, i->b, lane);
        const PrintfArguments arguments{
            [&](uint64_t offset, void* to, size_t bytes) { return peek(w, lane, buffer + offset, to, bytes) == bytes; },
            [&](uint64_t address) { return peekText(w, lane, address); }};
        const PrintfResult result = formatPrintf(peekText(w, lane, format), arguments);
        // A full buffer drops output here; on a device the oldest would be overwritten.
        const bool fits = out.size() + result.text.size() <= kPrintfBytes;
        if (fits) out += result.text;
        write<int32_t>(w, i->d, lane, fits ? result.arguments : -1);
    });
    return i + 1;
}

const Instruction* allocate(Warp& w, const Instruction* i) {
    uint64_t address[kWarpSize];
    eachActive(w, [&](unsigned l) { address[l] = w.worker->allocate(w, i, l, read<uint64_t>(w, i->a, l), kHeapBytes); });
    eachActive(w, [&](unsigned l) { write(w, i->d, l, address[l]); });
    return i + 1;
}

const Instruction* release(Warp& w, const Instruction* i) {
    eachActive(w, [&](unsigned l) {
        const uint64_t address = read<uint64_t>(w, i->a, l);
        if (address == 0) return; // as in C
        if (const char* problem = w.worker->release(address))
            w.worker->report(w, i, FindingKind::UseAfterFree, 1u << l, std::string("frees ") + problem);
    });
    return i + 1;
}

const Instruction* fence(Warp&, const Instruction* i) { return i + 1; } // memory here is sequentially consistent

const Instruction* readSpecial(Warp& w, const Instruction* i) {
    const uint64_t clock = w.worker->clock(w);
    eachActive(w, [&](unsigned l) {
        const uint32_t bit = 1u << l;
        switch (SpecialRegister(i->aux)) {
        case SpecialRegister::Clock: write(w, i->d, l, uint32_t(clock)); break;
        case SpecialRegister::Clock64: case SpecialRegister::GlobalTimer: write(w, i->d, l, clock); break;
        case SpecialRegister::SmId: write(w, i->d, l, w.block.value % kMultiprocessors); break;
        case SpecialRegister::NumSm: write(w, i->d, l, kMultiprocessors); break;
        case SpecialRegister::NumWarpSlots: write(w, i->d, l, 64u); break;
        case SpecialRegister::GridId: write(w, i->d, l, uint64_t{1}); break;
        case SpecialRegister::LaneMaskEq: write(w, i->d, l, bit); break;
        case SpecialRegister::LaneMaskLt: write(w, i->d, l, bit - 1); break;
        case SpecialRegister::LaneMaskLe: write(w, i->d, l, bit | (bit - 1)); break;
        case SpecialRegister::LaneMaskGt: write(w, i->d, l, ~(bit | (bit - 1))); break;
        case SpecialRegister::LaneMaskGe: write(w, i->d, l, ~(bit - 1)); break;
        default: std::memcpy(w.registers + size_t{i->d} * kSlotBytes, w.registers + size_t{i->aux} * kSlotBytes, kSlotBytes); break;
        }
    });
    return i + 1;
}

} // namespace

void addHost(HandlerTables& t) {
    t.set(Opcode::Printf, printf, printf);
    t.set(Opcode::Malloc, allocate, allocate);
    t.set(Opcode::Free, release, release);
    t.set(Opcode::Fence, fence, fence);
    t.set(Opcode::ReadSpecial, readSpecial, readSpecial);
}

} // namespace sim::vm
