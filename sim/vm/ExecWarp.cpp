// Instructions in which lanes exchange values: shuffles, votes, matches, reductions.
#include "sim/vm/Convergence.h"
#include "sim/vm/Worker.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace sim::vm {

namespace {

template <class T> T* slot(Warp& w, uint16_t index) {
    return reinterpret_cast<T*>(w.registers + size_t{index} * kSlotBytes);
}
uint32_t first(Warp& w, uint16_t index) { return slot<uint32_t>(w, index)[LaneMask{w.active}.lowest()]; }

template <class Body> void eachActive(const Warp& w, Body body) {
    for (uint32_t rest = w.active; rest; rest &= rest - 1) body(unsigned(std::countr_zero(rest)));
}

// The lane that PTX shfl reads, and whether it lies inside the segment (PTX ISA, "shfl.sync").
struct Source {
    unsigned lane;
    bool inside;
};
Source sourceLane(ShuffleMode mode, unsigned lane, uint32_t operand, uint32_t clampSegment) {
    const unsigned b = operand & 31u, clamp = clampSegment & 31u, segment = clampSegment >> 8 & 31u;
    const unsigned maxLane = (lane & segment) | (clamp & ~segment & 31u), minLane = lane & segment;
    int j = 0;
    bool inside = false;
    switch (mode) {
    case ShuffleMode::Up: j = int(lane) - int(b); inside = j >= int(maxLane); break;
    case ShuffleMode::Down: j = int(lane + b); inside = j <= int(maxLane); break;
    case ShuffleMode::Bfly: j = int(lane ^ b); inside = j <= int(maxLane); break;
    case ShuffleMode::Idx: j = int(minLane | (b & ~segment & 31u)); inside = j <= int(maxLane); break;
    }
    return {inside ? unsigned(j) : lane, inside};
}

const Instruction* shuffle(Warp& w, const Instruction* i) {
    uint32_t old[kWarpSize], absent = 0;
    std::memcpy(old, slot<uint32_t>(w, i->a), sizeof old);
    uint32_t operand[kWarpSize], clamp[kWarpSize];
    std::memcpy(operand, slot<uint32_t>(w, i->b), sizeof operand);
    std::memcpy(clamp, slot<uint32_t>(w, i->c), sizeof clamp);
    uint32_t* d = slot<uint32_t>(w, i->d);
    const ShuffleMode mode = ShuffleMode(i->aux & 3);
    eachActive(w, [&](unsigned l) {
        const Source source = sourceLane(mode, l, operand[l], clamp[l]);
        const bool present = w.active >> source.lane & 1u;
        if (!present) absent |= 1u << l;
        d[l] = present ? old[source.lane] : 0; // an H200 gives 0; CUDA leaves it open
    });
    if (absent)
        w.worker->report(w, i, FindingKind::AbsentLaneRead, absent,
                         "reads a value from a lane that does not take part in the shuffle; what it gets is unspecified");
    return i + 1;
}

const Instruction* vote(Warp& w, const Instruction* i) {
    const uint32_t members = first(w, i->b) & w.active, p = *slot<uint32_t>(w, i->a) & members;
    bool result = false;
    switch (VoteMode(i->aux)) {
    case VoteMode::All: result = p == members; break;
    case VoteMode::Any: result = p != 0; break;
    case VoteMode::Uniform: result = p == members || p == 0; break;
    case VoteMode::Ballot: eachActive(w, [&](unsigned l) { slot<uint32_t>(w, i->d)[l] = p; }); return i + 1;
    }
    uint32_t& d = *slot<uint32_t>(w, i->d);
    d = (d & ~w.active) | (result ? w.active : 0);
    return i + 1;
}

template <class T> uint32_t equalLanes(const T* a, unsigned lane, uint32_t members) {
    uint32_t equal = 0;
    for (unsigned l = 0; l < kWarpSize; ++l)
        if (members >> l & 1u && std::memcmp(a + l, a + lane, sizeof(T)) == 0) equal |= 1u << l;
    return equal;
}

const Instruction* match(Warp& w, const Instruction* i) {
    const uint32_t members = first(w, i->b) & w.active;
    const bool wide = i->aux & 2, all = i->aux & 1;
    uint64_t value[kWarpSize];
    std::memcpy(value, w.registers + size_t{i->a} * kSlotBytes, wide ? 256 : 128);
    uint32_t result[kWarpSize] = {}, allEqual = 0;
    eachActive(w, [&](unsigned l) {
        const uint32_t equal = wide ? equalLanes(value, l, members) : equalLanes(reinterpret_cast<const uint32_t*>(value), l, members);
        if (equal == members) allEqual |= 1u << l;
        result[l] = !all ? equal : equal == members ? members : 0;
    });
    eachActive(w, [&](unsigned l) { slot<uint32_t>(w, i->d)[l] = result[l]; });
    if (all && i->c != kNoSlot) {
        uint32_t& p = *slot<uint32_t>(w, i->c);
        p = (p & ~w.active) | (allEqual & w.active);
    }
    return i + 1;
}

template <class T> uint32_t reduce(const uint32_t* a, uint32_t members, AtomicOp op) {
    uint32_t result = 0;
    bool begun = false;
    for (uint32_t rest = members; rest; rest &= rest - 1) {
        const uint32_t v = a[std::countr_zero(rest)];
        if (!begun) result = v;
        else
            switch (op) {
            case AtomicOp::Add: result += v; break;
            case AtomicOp::Min: result = uint32_t(std::min(T(result), T(v))); break;
            case AtomicOp::Max: result = uint32_t(std::max(T(result), T(v))); break;
            case AtomicOp::And: result &= v; break;
            case AtomicOp::Or: result |= v; break;
            case AtomicOp::Xor: result ^= v; break;
            default: break;
            }
        begun = true;
    }
    return result;
}

const Instruction* redux(Warp& w, const Instruction* i) {
    const uint32_t members = first(w, i->b) & w.active;
    const AtomicOp op = AtomicOp(i->aux & 0xff);
    const uint32_t* a = slot<uint32_t>(w, i->a);
    const uint32_t result = AtomicType(i->aux >> 8) == AtomicType::I32 ? reduce<int32_t>(a, members, op) : reduce<uint32_t>(a, members, op);
    eachActive(w, [&](unsigned l) { slot<uint32_t>(w, i->d)[l] = result; });
    return i + 1;
}

const Instruction* activeMask(Warp& w, const Instruction* i) {
    eachActive(w, [&](unsigned l) { slot<uint32_t>(w, i->d)[l] = w.active; });
    return i + 1;
}

const Instruction* warpSync(Warp& w, const Instruction* i) {
    if (w.observer) w.observer->onBarrier({w.at(i), LaneMask{w.active}, false});
    return i + 1;
}

/// Member mask of a synchronising instruction; all active lanes when it has none.
uint32_t membersOf(Warp& w, const Instruction* i) {
    switch (i->op) {
    case Opcode::Shuffle: return i->aux & 16 ? first(w, uint16_t(i->imm)) : w.active;
    case Opcode::WarpSync: return first(w, i->a);
    default: return first(w, i->b);
    }
}

/// Splits parked at `i`, or at any __syncwarp() when it is one: its calls match each other wherever they stand.
bool isPartner(const ParkedSplit& parked, const Instruction* i) {
    return parked.at == i || (i->op == Opcode::WarpSync && parked.at->op == Opcode::WarpSync);
}

/// Waits, as Volta's WARPSYNC does, until every live lane of `members` is here; then runs F once for all of them.
/// Splits that came separately go on separately, unless they wait for the same reconvergence.
template <Handler F> const Instruction* gather(Warp& w, const Instruction* i, uint32_t members) {
    uint32_t here = w.active;
    for (const ParkedSplit& p : w.atWarpSync)
        if (isPartner(p, i)) here |= p.split.mask;
    if ((members & ~here) != 0) {
        w.atWarpSync.push_back({{w.pcOf(i), w.active, w.entry, w.frame}, i, members});
        return nextSplit(w);
    }
    uint32_t mine = w.active;
    for (const ParkedSplit& p : w.atWarpSync) {
        if (!isPartner(p, i)) continue;
        const Split next{p.split.pc + 1, p.split.mask, p.split.entry, p.split.frame};
        if (p.at == i && next.entry == w.entry && next.frame == w.frame) mine |= next.mask;
        else w.ready.push_back(next);
    }
    std::erase_if(w.atWarpSync, [&](const ParkedSplit& p) { return isPartner(p, i); });
    w.setActive(i->op == Opcode::WarpSync ? mine : here);
    w.gathered = w.active;
    const Instruction* next = F(w, i);
    w.setActive(mine);
    return next;
}

/// Runs F when the lanes of the member mask are all active, which is nearly always; else gathers them first.
template <Handler F> const Instruction* together(Warp& w, const Instruction* i) {
    const uint32_t members = membersOf(w, i);
    if (w.active & ~members) [[unlikely]]
        w.worker->report(w, i, FindingKind::MaskMismatch, w.active & ~members, "executes this with a member mask that leaves itself out");
    if ((members & w.live & ~w.active) == 0) [[likely]] return F(w, i);
    if (w.unsynced & w.active) {
        w.unsynced &= ~w.active;
        return F(w, i);
    }
    return gather<F>(w, i, members & w.live);
}

} // namespace

void addWarp(HandlerTables& t) {
    const auto set = [&](Opcode op, Handler h) { t.set(op, h, h); };
    set(Opcode::Shuffle, together<shuffle>);
    set(Opcode::Vote, together<vote>);
    set(Opcode::Match, together<match>);
    set(Opcode::Redux, together<redux>);
    set(Opcode::WarpSync, together<warpSync>);
    set(Opcode::ActiveMask, activeMask);
}

} // namespace sim::vm
