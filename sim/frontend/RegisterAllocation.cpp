// Gives virtual registers slots of the frame and writes the bytecode.
//
// A register is live in segments of positions; instruction k of the linear order reads at 2k and writes at 2k + 1.
// Registers joined by a copy share a slot when their segments do not meet, so that most phi copies vanish. Writes
// touch active lanes only, so ordinary per-thread liveness is right under divergence too: the lanes that wait
// elsewhere keep their values. For that, slots of different layouts are kept apart (see Layout).
#include "sim/frontend/FunctionLowering.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sim::frontend {

namespace {

struct Segment {
    uint32_t from, to; ///< [from, to)
};
using Segments = std::vector<Segment>; // sorted, disjoint

bool overlap(const Segments& x, const Segments& y) {
    for (size_t i = 0, j = 0; i < x.size() && j < y.size();) {
        if (x[i].to <= y[j].from) ++i;
        else if (y[j].to <= x[i].from) ++j;
        else return true;
    }
    return false;
}

void normalise(Segments& s) {
    std::sort(s.begin(), s.end(), [](const Segment& a, const Segment& b) { return a.from < b.from; });
    Segments merged;
    for (const Segment& one : s)
        if (!merged.empty() && one.from <= merged.back().to) merged.back().to = std::max(merged.back().to, one.to);
        else merged.push_back(one);
    s = std::move(merged);
}

Segments join(Segments a, const Segments& b) {
    a.insert(a.end(), b.begin(), b.end());
    normalise(a);
    return a;
}

class Allocator {
public:
    Allocator(MachineFunction& machine, Function& out, uint16_t firstFree) : machine_(machine), out_(out), firstFree_(firstFree) {}

    void run() {
        layOutBlocks();
        findPartialDefinitions();
        solveLiveness();
        buildSegments();
        coalesce();
        assign();
        write();
    }

private:
    bool isVirtual(const Operand& o) const {
        return o.valid() && machine_.registers[o.reg].fixed < 0 && machine_.registers[o.reg].outgoing < 0;
    }

    /// Edge blocks go right behind the block they leave, the rest keeps the source's order.
    void layOutBlocks() {
        std::vector<std::vector<uint32_t>> edges(machine_.blocks.size());
        for (uint32_t b = 0; b < machine_.blocks.size(); ++b)
            for (const uint32_t s : machine_.blocks[b].successors)
                if (machine_.blocks[s].synthetic) edges[b].push_back(s);
        for (uint32_t b = 0; b < machine_.blocks.size(); ++b) {
            if (machine_.blocks[b].synthetic) continue;
            order_.push_back(b);
            for (const uint32_t s : edges[b]) order_.push_back(s);
        }
        first_.resize(machine_.blocks.size());
        uint32_t position = 0;
        for (const uint32_t b : order_) {
            first_[b] = position;
            position += uint32_t(machine_.blocks[b].code.size());
        }
    }

    /// A vector register filled by several copies comes to life at the first of them.
    void findPartialDefinitions() {
        firstPartial_.assign(machine_.registers.size(), kNone);
        for (const uint32_t b : order_)
            for (uint32_t k = 0; k < machine_.blocks[b].code.size(); ++k) {
                const MachineInstruction& i = machine_.blocks[b].code[k];
                if (isPartial(i) && firstPartial_[i.d.reg] == kNone) firstPartial_[i.d.reg] = first_[b] + k;
            }
    }
    bool isPartial(const MachineInstruction& i) const {
        if (!isVirtual(i.d) || (i.op != Opcode::Mov32 && i.op != Opcode::Mov64)) return false;
        return machine_.registers[i.d.reg].slots != (i.op == Opcode::Mov64 ? 2 : 1);
    }

    template <class F>
    void forUses(const MachineInstruction& i, F f) const {
        for (const Operand* o : {&i.a, &i.b, &i.c, &i.extra})
            if (isVirtual(*o)) f(o->reg);
    }
    /// The register an instruction brings to life, or kNone.
    uint32_t definition(const MachineInstruction& i, uint32_t position) const {
        if (!isVirtual(i.d)) return kNone;
        if (isPartial(i) && firstPartial_[i.d.reg] != position) return kNone;
        return i.d.reg;
    }

    void solveLiveness() {
        const size_t registers = machine_.registers.size();
        std::vector<std::vector<bool>> used(machine_.blocks.size(), std::vector<bool>(registers)), killed = used;
        liveIn_ = liveOut_ = used;
        for (const uint32_t b : order_) {
            const auto& code = machine_.blocks[b].code;
            for (uint32_t k = 0; k < code.size(); ++k) {
                forUses(code[k], [&](uint32_t r) { if (!killed[b][r]) used[b][r] = true; });
                if (const uint32_t d = definition(code[k], first_[b] + k); d != kNone) killed[b][d] = true;
            }
            for (const uint32_t r : machine_.blocks[b].debugLiveIn) if (!killed[b][r]) used[b][r] = true;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
                const uint32_t b = *it;
                for (const uint32_t s : machine_.blocks[b].successors)
                    for (size_t r = 0; r < registers; ++r)
                        if (liveIn_[s][r] && !liveOut_[b][r]) liveOut_[b][r] = true;
                for (size_t r = 0; r < registers; ++r) {
                    const bool in = used[b][r] || (liveOut_[b][r] && !killed[b][r]);
                    if (in && !liveIn_[b][r]) liveIn_[b][r] = changed = true;
                }
            }
        }
    }

    void buildSegments() {
        segments_.assign(machine_.registers.size(), {});
        std::vector<uint32_t> liveUntil(machine_.registers.size(), 0);
        for (const uint32_t b : order_) {
            const MachineBlock& block = machine_.blocks[b];
            const uint32_t begin = 2 * first_[b], end = 2 * (first_[b] + uint32_t(block.code.size()));
            std::fill(liveUntil.begin(), liveUntil.end(), 0);
            for (size_t r = 0; r < liveUntil.size(); ++r)
                if (liveOut_[b][r]) liveUntil[r] = end;
            for (const auto& [r, index] : block.debugUses) liveUntil[r] = std::max(liveUntil[r], begin + 2 * std::min<uint32_t>(index, uint32_t(block.code.size())));
            for (uint32_t k = uint32_t(block.code.size()); k-- > 0;) {
                const MachineInstruction& i = block.code[k];
                const uint32_t position = first_[b] + k;
                if (const uint32_t d = definition(i, position); d != kNone) {
                    segments_[d].push_back({2 * position + 1, std::max(liveUntil[d], 2 * position + 2)});
                    liveUntil[d] = 0;
                }
                // Instructions that are not plain lane-by-lane work must not write over what they still read.
                const uint32_t lastRead = mayShareSlots(i) ? 2 * position + 1 : 2 * position + 2;
                forUses(i, [&](uint32_t r) { liveUntil[r] = std::max(liveUntil[r], lastRead); });
                if (isPartial(i)) liveUntil[i.d.reg] = std::max(liveUntil[i.d.reg], 2 * position + 2);
            }
            for (size_t r = 0; r < liveUntil.size(); ++r)
                if (liveUntil[r]) segments_[r].push_back({begin, liveUntil[r]});
        }
        for (Segments& s : segments_) normalise(s);
    }

    bool mayShareSlots(const MachineInstruction& i) const {
        if (!isVirtual(i.d)) return true;
        const std::string_view format = formatOf(i.op);
        if (i.op >= Opcode::Load || format.find('v') != std::string_view::npos) return false;
        for (const Operand* o : {&i.a, &i.b, &i.c})
            if (isVirtual(*o) && (machine_.registers[o->reg].slots != machine_.registers[i.d.reg].slots ||
                                  layoutOf(machine_.registers[o->reg]) != layoutOf(machine_.registers[i.d.reg])))
                return false;
        return true;
    }

    /// Where lane l's bytes lie in a slot depends on the layout. Slots of different layouts must never mix: while some
    /// lanes write one, others that wait on another path keep their values in the bytes of theirs.
    ///
    ///     narrow      bytes 4l..4l+3        wide        bytes 8l..8l+7 of a slot pair
    ///     predicate   bit l of the first word
    enum Layout : unsigned { kNarrow, kWide, kPredicate, kLayouts };
    static unsigned layoutOf(const VirtualRegister& r) { return r.predicate ? kPredicate : r.wide ? kWide : kNarrow; }

    uint32_t group(uint32_t r) {
        while (parent_[r] != r) r = parent_[r] = parent_[parent_[r]];
        return r;
    }

    void coalesce() {
        parent_.resize(machine_.registers.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
        // Deep loops first: their copies run most often.
        std::vector<uint32_t> blocks = order_;
        std::stable_sort(blocks.begin(), blocks.end(), [&](uint32_t x, uint32_t y) { return machine_.blocks[x].loopDepth > machine_.blocks[y].loopDepth; });
        for (const uint32_t b : blocks)
            for (const MachineInstruction& i : machine_.blocks[b].code) {
                if (i.op != Opcode::Mov32 && i.op != Opcode::Mov64 && i.op != Opcode::MovP) continue;
                if (!isVirtual(i.d) || !isVirtual(i.a) || i.d.slot || i.a.slot) continue;
                const auto &d = machine_.registers[i.d.reg], &a = machine_.registers[i.a.reg];
                if (d.slots != a.slots || layoutOf(d) != layoutOf(a)) continue;
                const uint32_t x = group(i.d.reg), y = group(i.a.reg);
                if (x == y || overlap(segments_[x], segments_[y])) continue;
                parent_[y] = x;
                segments_[x] = join(std::move(segments_[x]), segments_[y]);
            }
    }

    void assign() {
        std::vector<uint32_t> groups;
        for (uint32_t r = 0; r < parent_.size(); ++r)
            if (parent_[r] == r && isVirtual({r, 0}) && !segments_[r].empty()) groups.push_back(r);
        std::stable_sort(groups.begin(), groups.end(), [&](uint32_t x, uint32_t y) { return segments_[x].front().from < segments_[y].front().from; });
        std::array<std::vector<Segments>, kLayouts> occupied; // by slot inside each layout's own range
        for (const uint32_t g : groups) {
            const uint16_t slots = machine_.registers[g].slots;
            const unsigned layout = layoutOf(machine_.registers[g]);
            const uint32_t step = layout == kWide ? 2 : 1;
            std::vector<Segments>& range = occupied[layout];
            uint32_t at = 0;
            for (;; at += step) {
                if (range.size() < at + slots) range.resize(at + slots);
                bool free = true;
                for (uint16_t k = 0; k < slots && free; ++k) free = !overlap(range[at + k], segments_[g]);
                if (free) break;
            }
            for (uint16_t k = 0; k < slots; ++k) range[at + k] = join(std::move(range[at + k]), segments_[g]);
            machine_.registers[g].assigned = at;
        }
        std::array<uint32_t, kLayouts> base{};
        frameSlots_ = firstFree_;
        for (unsigned layout = 0; layout < kLayouts; ++layout) {
            base[layout] = frameSlots_;
            frameSlots_ += uint32_t(occupied[layout].size());
        }
        for (const uint32_t g : groups) machine_.registers[g].assigned += base[layoutOf(machine_.registers[g])];
        for (uint32_t r = 0; r < parent_.size(); ++r)
            if (isVirtual({r, 0})) machine_.registers[r].assigned = machine_.registers[group(r)].assigned;
        out_.slotCount = frameSlots_;
    }

    uint16_t slotOf(const Operand& o) const {
        if (!o.valid()) return kNoSlot;
        const VirtualRegister& r = machine_.registers[o.reg];
        if (r.fixed >= 0) return uint16_t(r.fixed + o.slot);
        if (r.outgoing >= 0) return uint16_t(frameSlots_ + uint32_t(r.outgoing) + o.slot);
        return r.assigned == kNone ? kNoSlot : uint16_t(r.assigned + o.slot);
    }

    static bool isCopy(Opcode op) { return op == Opcode::Mov32 || op == Opcode::Mov64 || op == Opcode::MovP; }

    void write() {
        std::vector<uint32_t> head(machine_.blocks.size(), kNone);
        struct Fix { uint32_t pc, block; };
        std::vector<Fix> jumps;
        std::vector<std::pair<uint32_t, uint32_t>> branches; // index in out_.branches, block
        for (size_t n = 0; n < order_.size(); ++n) {
            MachineBlock& block = machine_.blocks[order_[n]];
            const uint32_t next = n + 1 < order_.size() ? order_[n + 1] : kNone;
            head[order_[n]] = uint32_t(out_.code.size());
            put({.op = Opcode::Block, .aux = uint16_t(block.isReconvergencePoint ? 1 : 0), .imm = int32_t(out_.blocks.size())}, block.at);
            out_.blocks.push_back({.firstPc = head[order_[n]], .synthetic = block.synthetic, .loopDepth = block.loopDepth});
            block.pcs.clear();
            for (const MachineInstruction& m : block.code) {
                block.pcs.push_back(uint32_t(out_.code.size()));
                Instruction i{.op = m.op, .d = slotOf(m.d), .a = slotOf(m.a), .b = slotOf(m.b), .c = slotOf(m.c), .aux = m.aux, .imm = m.imm};
                if (m.extra.valid()) i.imm = slotOf(m.extra);
                if (isCopy(m.op) && i.d == i.a) continue;
                if (m.op == Opcode::Jump) {
                    if (block.successors[0] == next) continue;
                    jumps.push_back({uint32_t(out_.code.size()), block.successors[0]});
                } else if (m.op == Opcode::Branch) {
                    i.imm = int32_t(out_.branches.size());
                    branches.emplace_back(uint32_t(out_.branches.size()), order_[n]);
                    out_.branches.push_back({.pc = uint32_t(out_.code.size())});
                } else if (m.op == Opcode::Call || m.op == Opcode::CallIndirect) {
                    i.aux = uint16_t(frameSlots_);
                }
                if (m.aggregated) out_.aggregatedReductions.push_back(uint32_t(out_.code.size()));
                put(i, m.at);
            }
            block.pcs.push_back(uint32_t(out_.code.size()));
            out_.blocks.back().endPc = uint32_t(out_.code.size());
        }
        for (const Fix& jump : jumps) out_.code[jump.pc].imm = int32_t(head[jump.block]);
        for (const auto& [index, b] : branches) {
            const MachineBlock& block = machine_.blocks[b];
            out_.branches[index].taken = head[block.successors[0]];
            out_.branches[index].notTaken = head[block.successors[1]];
            if (block.reconverge != kNone) out_.branches[index].reconverge = head[block.reconverge];
        }
    }
    void put(const Instruction& i, const SourceLoc& at) {
        out_.code.push_back(i);
        out_.locations.push_back(at);
    }

    MachineFunction& machine_;
    Function& out_;
    uint16_t firstFree_;
    uint32_t frameSlots_ = 0;
    std::vector<uint32_t> order_, first_, firstPartial_, parent_;
    std::vector<std::vector<bool>> liveIn_, liveOut_;
    std::vector<Segments> segments_;
};

} // namespace

void allocateRegisters(MachineFunction& machine, Function& out, uint16_t firstFree) { Allocator(machine, out, firstFree).run(); }

} // namespace sim::frontend
