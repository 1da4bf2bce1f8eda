// Follows the learner's variables from debug info to the slots that hold them.
#include "sim/frontend/DebugVariables.h"

#include "sim/frontend/DebugTypes.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugProgramInstruction.h>

#include <algorithm>
#include <set>

namespace sim::frontend {

uint32_t DebugVariables::indexOf(const llvm::DbgVariableRecord& record) {
    const auto fragment = record.getExpression()->getFragmentInfo();
    const Key key{record.getVariable(), record.getDebugLoc().getInlinedAt(), fragment ? fragment->OffsetInBits : 0};
    const auto [it, added] = index_.try_emplace(key, uint32_t(out_.variables.size()));
    if (added) {
        Variable v;
        describe(record, v);
        out_.variables.push_back(std::move(v));
        scopes_.push_back({record.getVariable()->getScope(), key.inlinedAt});
        records_.emplace_back();
    }
    return it->second;
}

void DebugVariables::describe(const llvm::DbgVariableRecord& record, Variable& v) const {
    const llvm::DILocalVariable* variable = record.getVariable();
    v.name = variable->getName().str();
    v.line = variable->getLine();
    const llvm::DIType* type = variable->getType();
    if (const auto fragment = record.getExpression()->getFragmentInfo()) {
        const MemberAt member = memberAt(type, fragment->OffsetInBits);
        v.name += member.path;
        type = member.type;
    }
    describeType(type, v);
}

bool DebugVariables::inScope(const Scope& scope, const llvm::DILocation* at) const {
    for (; at; at = at->getInlinedAt()) {
        if (at->getInlinedAt() != scope.inlinedAt) continue;
        for (const llvm::DIScope* s = at->getScope(); s; s = s->getScope())
            if (s == scope.scope) return true;
        return false;
    }
    return false;
}

void DebugVariables::note(const llvm::Instruction& i, uint32_t block, uint32_t index, const Resolver& resolve) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(i.getDbgRecordRange())) {
        // Variables of header functions are nobody's business here.
        if (!module_.inLearnersFile(record.getVariable()->getScope())) continue;
        const uint32_t variable = indexOf(record);
        if (record.isDbgDeclare()) {
            if (const auto* slot = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress())) inMemory_[variable] = slot;
            continue;
        }
        Operand value;
        const llvm::DIExpression* expression = record.getExpression();
        const bool plain = expression->getNumElements() == 0 || (expression->isFragment() && expression->getNumElements() == 3);
        if (plain && !record.isKillLocation() && record.getNumVariableLocationOps() == 1) value = resolve(record.getVariableLocationOp(0));
        records_[variable].push_back({variable, block, index, value});
    }
    if (i.getDebugLoc()) places_.push_back({block, index, i.getDebugLoc().get()});
}

const DebugVariables::Record* DebugVariables::lastIn(uint32_t variable, uint32_t block) const {
    const Record* last = nullptr;
    for (const Record& r : records_[variable])
        if (r.block == block) last = &r;
    return last;
}

void DebugVariables::resolve(const std::map<const llvm::AllocaInst*, uint32_t>& localOffsets) {
    std::vector<std::vector<uint32_t>> predecessors(machine_.blocks.size());
    for (uint32_t b = 0; b < machine_.blocks.size(); ++b)
        for (const uint32_t s : machine_.blocks[b].successors) predecessors[s].push_back(b);
    entry_.resize(out_.variables.size());
    for (uint32_t v = 0; v < out_.variables.size(); ++v) {
        if (const auto it = inMemory_.find(v); it != inMemory_.end()) {
            const auto offset = localOffsets.find(it->second);
            if (offset != localOffsets.end()) out_.variables[v].ranges.push_back({.firstPc = 0, .endPc = ~0u, .inLocalMemory = true, .localOffset = offset->second});
            continue;
        }
        // Forward data flow: a location holds at a block's start when all known predecessors end with it.
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t b = 1; b < machine_.blocks.size(); ++b) {
                Operand meet;
                bool known = false, conflict = false;
                for (const uint32_t p : predecessors[b]) {
                    const Record* last = lastIn(v, p);
                    const auto in = entry_[v].find(p);
                    if (!last && in == entry_[v].end()) continue;
                    const Operand out = last ? last->value : in->second;
                    conflict |= known && out != meet;
                    meet = out;
                    known = true;
                }
                if (!known) continue;
                if (conflict) meet = {};
                const auto in = entry_[v].find(b);
                if (in != entry_[v].end() && (in->second == meet || !in->second.valid())) continue;
                entry_[v][b] = meet;
                changed = true;
            }
        }
        // Keep what a variable in scope shows alive, up to its last instruction in scope in each block.
        std::map<uint32_t, uint32_t> lastInScope;
        for (const Place& place : places_)
            if (inScope(scopes_[v], place.at)) lastInScope[place.block] = std::max(lastInScope[place.block], place.index + 1);
        for (const auto& [block, end] : lastInScope) {
            Operand here;
            if (const auto in = entry_[v].find(block); in != entry_[v].end()) here = in->second;
            const auto keep = [&](const Operand& value, uint32_t until, bool fromStart) {
                if (!value.valid() || machine_.registers[value.reg].fixed >= 0) return;
                if (fromStart) machine_.blocks[block].debugLiveIn.push_back(value.reg);
                machine_.blocks[block].debugUses.emplace_back(value.reg, until);
            };
            bool fromStart = true;
            for (const Record& r : records_[v]) {
                if (r.block != block) continue;
                if (r.index > 0) keep(here, std::min(r.index, end), fromStart);
                here = r.value;
                fromStart = false;
            }
            keep(here, end, fromStart);
        }
    }
}

void DebugVariables::writeRanges() {
    const auto slotOf = [&](const Operand& o) -> uint32_t {
        if (!o.valid()) return kNone;
        const VirtualRegister& r = machine_.registers[o.reg];
        return r.fixed >= 0 ? uint32_t(r.fixed) + o.slot : r.assigned == kNone ? kNone : r.assigned + o.slot;
    };
    for (uint32_t v = 0; v < out_.variables.size(); ++v) {
        Variable& variable = out_.variables[v];
        if (inMemory_.contains(v)) continue;
        for (uint32_t b = 0; b < machine_.blocks.size(); ++b) {
            const MachineBlock& block = machine_.blocks[b];
            Operand here;
            if (const auto in = entry_[v].find(b); in != entry_[v].end()) here = in->second;
            uint32_t from = block.pcs.empty() ? 0 : block.pcs.front();
            const auto add = [&](uint32_t until) {
                if (here.valid() && machine_.registers[here.reg].predicate) variable.bits = 1;
                if (const uint32_t slot = slotOf(here); slot != kNone && from < until)
                    variable.ranges.push_back({.firstPc = from, .endPc = until, .slot = uint16_t(slot)});
            };
            for (const Record& r : records_[v]) {
                if (r.block != b) continue;
                const uint32_t pc = block.pcs[std::min<size_t>(r.index, block.pcs.size() - 1)];
                add(pc);
                from = pc;
                here = r.value;
            }
            if (!block.pcs.empty()) add(block.pcs.back());
        }
        std::sort(variable.ranges.begin(), variable.ranges.end(), [](const VariableRange& x, const VariableRange& y) { return x.firstPc < y.firstPc; });
        uint32_t lastLine = 0;
        for (const Place& place : places_)
            if (inScope(scopes_[v], place.at)) lastLine = std::max(lastLine, uint32_t(place.at->getLine()));
        variable.scopeFirstLine = variable.line;
        variable.scopeLastLine = lastLine;
    }
}

} // namespace sim::frontend
