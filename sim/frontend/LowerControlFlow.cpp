// Blocks, branches, phis, calls and returns, and where diverged lanes meet again.
#include "sim/frontend/FunctionLowering.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

namespace sim::frontend {

namespace {

/// A block in which a kernel's lanes only end: they leave one by one instead of waiting for each other.
bool onlyReturns(const llvm::BasicBlock& block) {
    return llvm::isa<llvm::ReturnInst>(block.getFirstNonPHIOrDbg()) && !llvm::isa<llvm::PHINode>(block.front());
}

} // namespace

void FunctionLowering::orderBlocks() {
    const llvm::DominatorTree dominators(source_);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::BasicBlock& block : source_) {
        blockIndex_[&block] = uint32_t(order_.size());
        order_.push_back(&block);
        MachineBlock machine;
        machine.loopDepth = loops.getLoopDepth(&block);
        for (const llvm::Instruction& i : block)
            if (i.getDebugLoc() && !llvm::isa<llvm::PHINode>(i)) {
                machine.at = module_.locate(i.getDebugLoc());
                break;
            }
        machine_.blocks.push_back(std::move(machine));
    }
}

void FunctionLowering::parallelCopy(std::vector<std::pair<Operand, Operand>> copies, const std::vector<Leaf>& leaves) {
    // All copies happen at once; one whose target another still reads waits, and a cycle is cut with a spare register.
    std::vector<bool> done(copies.size(), false);
    for (size_t left = copies.size(); left > 0;) {
        bool moved = false;
        for (size_t k = 0; k < copies.size(); ++k) {
            if (done[k]) continue;
            bool blocked = false;
            for (size_t o = 0; o < copies.size(); ++o) blocked |= o != k && !done[o] && copies[o].second.reg == copies[k].first.reg;
            if (blocked) continue;
            if (copies[k].first != copies[k].second) copy(copies[k].first, copies[k].second, leaves[k]);
            done[k] = moved = true;
            --left;
        }
        if (moved) continue;
        for (size_t k = 0; k < copies.size(); ++k) {
            if (done[k]) continue;
            const Operand spare = newRegister(leaves[k]);
            copy(spare, copies[k].second, leaves[k]);
            copies[k].second = spare;
            break;
        }
    }
}

void FunctionLowering::phiCopies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
    std::vector<std::pair<Operand, Operand>> copies;
    std::vector<Leaf> leaves;
    for (const llvm::PHINode& phi : to.phis()) {
        if (!needed_.contains(&phi)) continue;
        const llvm::Value* value = phi.getIncomingValueForBlock(&from);
        if (llvm::isa<llvm::UndefValue>(value)) continue;
        const auto phiLeaves = leavesOf(phi.getType());
        for (unsigned l = 0; l < phiLeaves.size(); ++l) {
            copies.emplace_back(values_.at(&phi)[l], use(value, l));
            leaves.push_back(phiLeaves[l]);
        }
    }
    parallelCopy(std::move(copies), leaves);
}

void FunctionLowering::lowerTerminator(const llvm::Instruction& i) {
    const llvm::BasicBlock& from = *i.getParent();
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i)) {
        if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
            phiCopies(from, *branch->getSuccessor(0));
            emit(Opcode::Jump);
            machine_.blocks[current_].successors = {blockIndex_.at(branch->getSuccessor(0))};
            return;
        }
        emit(Opcode::Branch, {}, use(branch->getCondition()));
        const uint32_t here = current_;
        for (unsigned s = 0; s < 2; ++s) {
            const llvm::BasicBlock* to = branch->getSuccessor(s);
            uint32_t target = blockIndex_.at(to);
            // Copies for the target's phis go onto the edge: a block of their own.
            if (llvm::any_of(to->phis(), [&](const llvm::PHINode& phi) { return needed_.contains(&phi); })) {
                machine_.blocks.push_back({.successors = {target}, .synthetic = true, .loopDepth = machine_.blocks[here].loopDepth, .at = at_});
                target = current_ = uint32_t(machine_.blocks.size() - 1);
                phiCopies(from, *to);
                emit(Opcode::Jump);
                current_ = here;
            }
            machine_.blocks[here].successors.push_back(target);
        }
        return;
    }
    if (const auto* ret = llvm::dyn_cast<llvm::ReturnInst>(&i)) return lowerReturn(*ret);
    if (llvm::isa<llvm::UnreachableInst>(i)) {
        // After a call that does not return (__trap, a failed assert) nothing is left to do.
        emit(Opcode::Trap).aux = 1;
        return;
    }
    unsupported(std::string("the control flow of '") + i.getOpcodeName() + "'");
}

void FunctionLowering::lowerReturn(const llvm::ReturnInst& i) {
    if (out_.kernel) {
        emit(Opcode::Exit);
        return;
    }
    if (i.getReturnValue()) {
        const auto leaves = leavesOf(i.getReturnValue()->getType());
        std::vector<Operand> staged;
        for (unsigned l = 0; l < leaves.size(); ++l) {
            Operand v = use(i.getReturnValue(), l);
            if (leaves[l].predicate()) v = emit32(Opcode::PToI32, v);
            const Operand copyOfIt = newRegister(leaves[l].slots());
            emit(leaves[l].wide() ? Opcode::Mov64 : Opcode::Mov32, copyOfIt, v);
            staged.push_back(copyOfIt);
        }
        uint16_t slot = kArgumentSlot;
        for (unsigned l = 0; l < leaves.size(); ++l) {
            emit(leaves[l].wide() ? Opcode::Mov64 : Opcode::Mov32, fixedRegister(slot, leaves[l].slots()), staged[l]);
            slot = uint16_t(slot + leaves[l].slots());
        }
    }
    emit(Opcode::Return);
}

void FunctionLowering::lowerCallToFunction(const llvm::CallBase& i, int function) {
    const auto outgoing = [&](uint16_t slot, uint16_t slots) {
        const Operand r = newRegister(slots);
        machine_.registers[r.reg].outgoing = slot;
        return r;
    };
    uint16_t slot = kArgumentSlot;
    for (const llvm::Use& argument : i.args()) {
        const auto leaves = leavesOf(argument->getType());
        for (unsigned l = 0; l < leaves.size(); ++l) {
            const Operand r = outgoing(slot, leaves[l].slots());
            machine_.registers[r.reg].predicate = leaves[l].predicate();
            copy(r, use(argument.get(), l), leaves[l]);
            slot = uint16_t(slot + leaves[l].slots());
        }
    }
    if (function >= 0) emit(Opcode::Call).imm = function;
    else emit(Opcode::CallIndirect, {}, use(i.getCalledOperand()));
    slot = kArgumentSlot;
    std::vector<Operand> results;
    for (const Leaf& leaf : leavesOf(i.getType())) {
        const Operand value = newRegister(leaf.slots());
        emit(leaf.wide() ? Opcode::Mov64 : Opcode::Mov32, value, outgoing(slot, leaf.slots()));
        results.push_back(leaf.predicate() ? emitP(Opcode::I32ToP, value) : value);
        slot = uint16_t(slot + leaf.slots());
    }
    define(&i, std::move(results));
}

void FunctionLowering::findReconvergence() {
    // Compilers reconverge diverged lanes at the branch's immediate post-dominator (BSSY/BSYNC on Volta and later).
    const llvm::PostDominatorTree tree(source_);
    for (const llvm::BasicBlock& block : source_) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        if (!branch || branch->isUnconditional()) continue;
        const llvm::DomTreeNode* node = tree.getNode(&block);
        const llvm::DomTreeNode* meet = node ? node->getIDom() : nullptr;
        const llvm::BasicBlock* at = meet ? meet->getBlock() : nullptr;
        if (!at || (out_.kernel && onlyReturns(*at))) continue;
        machine_.blocks[blockIndex_.at(&block)].reconverge = blockIndex_.at(at);
        machine_.blocks[blockIndex_.at(at)].isReconvergencePoint = true;
    }
}

} // namespace sim::frontend
