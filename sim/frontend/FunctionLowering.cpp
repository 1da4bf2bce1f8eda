// Values, constants and the order of work when a function is lowered.
#include "sim/frontend/FunctionLowering.h"

#include <algorithm>

#include "sim/frontend/DebugVariables.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace sim::frontend {

FunctionLowering::FunctionLowering(ModuleLowering& module, llvm::Function& source, Function& out)
    : module_(module), source_(source), out_(out), nextFixed_(uint16_t(SpecialRegister::PreloadedCount)) {}

void FunctionLowering::run() {
    placeParameters();
    planFolding();
    markNeeded();
    orderBlocks();
    DebugVariables debug(module_, source_, out_, machine_);
    for (const llvm::BasicBlock* block : order_) {
        // Registers of phis must exist before the first jump to them is lowered.
        for (const llvm::PHINode& phi : block->phis()) {
            if (!needed_.contains(&phi)) continue;
            std::vector<Operand> registers;
            for (const Leaf& leaf : leavesOf(phi.getType())) registers.push_back(newRegister(leaf));
            define(&phi, std::move(registers));
        }
    }
    for (const llvm::BasicBlock* block : order_) lowerBlock(*block, debug);
    findReconvergence();
    debug.resolve(localOffsets_);
    allocateRegisters(machine_, out_, nextFixed_);
    debug.writeRanges();
}

std::vector<Leaf> FunctionLowering::leavesOf(llvm::Type* type) {
    using Kind = Leaf::Kind;
    if (type->isVoidTy()) return {};
    if (type->isIntegerTy(1)) return {{Kind::Predicate, 1}};
    if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
        if (integer->getBitWidth() > 64) unsupported("integers of more than 64 bits");
        return {{Kind::Integer, std::min(integer->getBitWidth(), 64u)}};
    }
    if (type->isHalfTy()) return {{Kind::Half, 16}};
    if (type->isBFloatTy()) return {{Kind::BFloat, 16}};
    if (type->isFloatTy()) return {{Kind::Float, 32}};
    if (type->isDoubleTy()) return {{Kind::Double, 64}};
    if (type->isPointerTy()) return {{Kind::Pointer, 64}};
    std::vector<Leaf> leaves;
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        leaves.assign(vector->getNumElements(), leavesOf(vector->getElementType()).front());
    } else if (auto* s = llvm::dyn_cast<llvm::StructType>(type)) {
        for (llvm::Type* element : s->elements())
            for (const Leaf& leaf : leavesOf(element)) leaves.push_back(leaf);
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        for (uint64_t i = 0; i < array->getNumElements(); ++i)
            for (const Leaf& leaf : leavesOf(array->getElementType())) leaves.push_back(leaf);
    } else {
        unsupported("values of this type");
        leaves.push_back({});
    }
    return leaves;
}

Operand FunctionLowering::newRegister(uint16_t slots, bool predicate) {
    machine_.registers.push_back({.slots = slots, .predicate = predicate, .wide = slots == 2});
    return {uint32_t(machine_.registers.size() - 1), 0};
}

Operand FunctionLowering::fixedRegister(uint16_t slot, uint16_t slots, bool predicate) {
    const Operand r = newRegister(slots, predicate);
    machine_.registers[r.reg].fixed = slot;
    return r;
}

Operand FunctionLowering::special(SpecialRegister which) {
    auto [it, added] = specials_.try_emplace(uint16_t(which));
    if (added) it->second = fixedRegister(uint16_t(which), 1);
    return it->second;
}

Operand FunctionLowering::constantBits(uint64_t bits, bool wide, bool predicate, int global, int function) {
    auto [it, added] = constants_.try_emplace({bits, wide, predicate, global, function});
    if (!added) return it->second;
    const uint16_t slots = wide ? 2 : 1;
    out_.image.push_back({.slot = nextFixed_, .wide = wide, .predicate = predicate, .bits = bits, .global = global, .function = function});
    it->second = fixedRegister(nextFixed_, slots, predicate);
    nextFixed_ = uint16_t(nextFixed_ + slots);
    return it->second;
}

bool FunctionLowering::constantAddress(const llvm::Constant* value, int& global, int& function, int64_t& offset) const {
    if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(value)) return (global = module_.globalIndex(g)) >= 0;
    if (const auto* f = llvm::dyn_cast<llvm::Function>(value)) return (function = module_.functionIndex(f)) >= 0;
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return true;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        offset += integer->getSExtValue();
        return true;
    }
    const auto* e = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!e) return false;
    switch (e->getOpcode()) {
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr: return constantAddress(e->getOperand(0), global, function, offset);
    case llvm::Instruction::GetElementPtr: {
        llvm::APInt bytes(64, 0);
        if (!llvm::cast<llvm::GEPOperator>(e)->accumulateConstantOffset(module_.layout(), bytes)) return false;
        offset += bytes.getSExtValue();
        return constantAddress(e->getOperand(0), global, function, offset);
    }
    default: return false;
    }
}

Operand FunctionLowering::constantLeaf(const llvm::Constant* value, unsigned leaf) {
    if (llvm::isa<llvm::UndefValue>(value) || llvm::isa<llvm::ConstantAggregateZero>(value)) {
        const Leaf l = leavesOf(value->getType())[leaf];
        return constantBits(0, l.wide(), l.predicate(), -1, -1);
    }
    if (const auto* i = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        if (i->getBitWidth() == 1) return constantPredicate(i->isOne());
        return constantBits(i->getZExtValue(), i->getBitWidth() > 32, false, -1, -1);
    }
    if (const auto* f = llvm::dyn_cast<llvm::ConstantFP>(value)) {
        const llvm::APInt bits = f->getValueAPF().bitcastToAPInt();
        return constantBits(bits.getZExtValue(), bits.getBitWidth() > 32, false, -1, -1);
    }
    if (value->getType()->isVectorTy() || value->getType()->isAggregateType()) {
        for (unsigned e = 0, at = 0;; ++e) {
            const llvm::Constant* element = value->getAggregateElement(e);
            if (!element) break;
            const unsigned count = unsigned(leavesOf(element->getType()).size());
            if (leaf < at + count) return constantLeaf(element, leaf - at);
            at += count;
        }
    }
    int global = -1, function = -1;
    int64_t offset = 0;
    if (constantAddress(value, global, function, offset)) return constantBits(uint64_t(offset), true, false, global, function);
    unsupported("this constant expression");
    return constant64(0);
}

Operand FunctionLowering::use(const llvm::Value* value, unsigned leaf) {
    if (const auto* c = llvm::dyn_cast<llvm::Constant>(value)) return constantLeaf(c, leaf);
    return uses(value).at(leaf);
}

const std::vector<Operand>& FunctionLowering::uses(const llvm::Value* value) {
    const auto it = values_.find(value);
    if (it != values_.end() && !it->second.empty()) return it->second;
    std::vector<Operand> operands;
    const auto leaves = leavesOf(value->getType());
    if (const auto* c = llvm::dyn_cast<llvm::Constant>(value)) {
        for (unsigned l = 0; l < leaves.size(); ++l) operands.push_back(constantLeaf(c, l));
    } else {
        // A use before its definition in block order: the definition will fill these registers.
        for (const Leaf& leaf : leaves) operands.push_back(newRegister(leaf));
    }
    auto& slot = values_[value];
    slot = std::move(operands);
    return slot;
}

MachineInstruction& FunctionLowering::emit(Opcode op, Operand d, Operand a, Operand b, Operand c) {
    auto& code = machine_.blocks[current_].code;
    code.push_back({.op = op, .d = d, .a = a, .b = b, .c = c, .at = at_});
    return code.back();
}

Operand FunctionLowering::emitTo(const Leaf& leaf, Opcode op, Operand a, Operand b, Operand c, uint16_t aux) {
    const Operand d = newRegister(leaf);
    emit(op, d, a, b, c).aux = aux;
    return d;
}
Operand FunctionLowering::emit32(Opcode op, Operand a, Operand b, Operand c, uint16_t aux) {
    return emitTo({Leaf::Kind::Integer, 32}, op, a, b, c, aux);
}
Operand FunctionLowering::emit64(Opcode op, Operand a, Operand b, Operand c, uint16_t aux) {
    return emitTo({Leaf::Kind::Integer, 64}, op, a, b, c, aux);
}
Operand FunctionLowering::emitP(Opcode op, Operand a, Operand b, Operand c, uint16_t aux) {
    return emitTo({Leaf::Kind::Predicate, 1}, op, a, b, c, aux);
}

void FunctionLowering::copy(Operand to, Operand from, const Leaf& leaf) {
    emit(leaf.predicate() ? Opcode::MovP : leaf.wide() ? Opcode::Mov64 : Opcode::Mov32, to, from);
}

void FunctionLowering::unsupported(const std::string& what) { module_.unsupported(at_, what); }

void FunctionLowering::placeParameters() {
    machine_.blocks.clear();
    const bool kernel = out_.kernel;
    unsigned index = 0;
    std::vector<std::pair<const llvm::Argument*, Operand>> booleans;
    for (const llvm::Argument& argument : source_.args()) {
        std::vector<Operand> operands;
        const auto leaves = leavesOf(argument.getType());
        if (kernel && leaves.size() > 1) unsupported("a kernel parameter of this type");
        for (const Leaf& leaf : leaves) {
            if (kernel && operands.empty()) out_.parameters[index].slot = nextFixed_;
            operands.push_back(fixedRegister(nextFixed_, leaf.slots(), leaf.predicate() && !kernel));
            nextFixed_ = uint16_t(nextFixed_ + leaf.slots());
        }
        define(&argument, std::move(operands));
        ++index;
    }
    // Results come back in the same slots, so that constants must start behind both.
    uint16_t results = kArgumentSlot;
    for (const Leaf& leaf : leavesOf(source_.getReturnType())) {
        if (!kernel) out_.resultWidths.push_back(leaf.wide() ? 8 : 4);
        results = uint16_t(results + leaf.slots());
    }
    nextFixed_ = std::max(nextFixed_, results);
    uint32_t local = 0;
    for (const llvm::Instruction& i : llvm::instructions(source_)) {
        const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&i);
        if (!slot) continue;
        const auto size = slot->getAllocationSize(module_.layout());
        at_ = module_.locate(slot->getDebugLoc());
        if (!size || size->isScalable()) { unsupported("a local array whose size is only known at run time"); continue; }
        const uint32_t align = uint32_t(std::max<uint64_t>(slot->getAlign().value(), 4));
        local = (local + align - 1) / align * align;
        localOffsets_[slot] = local;
        local += uint32_t(size->getFixedValue());
    }
    out_.localBytes = (local + 15) / 16 * 16;
}

namespace {

/// Pure instructions are lowered only when somebody uses them; a load nobody uses is one of them (see IrPasses.h).
bool hasEffect(const llvm::Instruction& i) {
    if (i.isTerminator()) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return load->isVolatile() || load->isAtomic();
    return i.mayHaveSideEffects();
}

} // namespace

void FunctionLowering::planFolding() {
    using llvm::Instruction;
    // nvcc contracts a * b + c into a fused multiply-add, also when the product has other uses; when both operands
    // are products, the first one fuses (NVPTX: PerformFADDCombine).
    const auto product = [](const llvm::Value* v) -> const llvm::BinaryOperator* {
        const auto* m = llvm::dyn_cast<llvm::BinaryOperator>(v);
        return m && m->getOpcode() == Instruction::FMul && m->hasAllowContract() ? m : nullptr;
    };
    for (const Instruction& i : llvm::instructions(source_)) {
        const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&i);
        if (!sum || !sum->getType()->isFPOrFPVectorTy() || !sum->hasAllowContract()) continue;
        const llvm::Value *x = sum->getOperand(0), *y = sum->getOperand(1);
        if (sum->getOpcode() == Instruction::FAdd) {
            if (const auto* m = product(x)) contractions_[sum] = {m, y, Opcode::FmaF32, Opcode::FmaF64};
            else if (const auto* n = product(y)) contractions_[sum] = {n, x, Opcode::FmaF32, Opcode::FmaF64};
        } else if (sum->getOpcode() == Instruction::FSub) {
            if (const auto* m = product(x)) contractions_[sum] = {m, y, Opcode::FmsF32, Opcode::FmsF64};
            else if (const auto* n = product(y)) contractions_[sum] = {n, x, Opcode::FnmaF32, Opcode::FnmaF64};
        }
    }
}

void FunctionLowering::realOperands(const llvm::Instruction& i, std::vector<const llvm::Value*>& out) const {
    if (const auto it = contractions_.find(&i); it != contractions_.end()) {
        out.insert(out.end(), {it->second.product->getOperand(0), it->second.product->getOperand(1), it->second.addend});
        return;
    }
    const llvm::Value* pointer = nullptr;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) pointer = load->getPointerOperand();
    else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
        pointer = store->getPointerOperand();
        out.push_back(store->getValueOperand());
    }
    if (pointer) {
        out.push_back(addressOf(pointer).base);
        return;
    }
    if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
        out.push_back(addressOf(gep->getPointerOperand()).base);
        for (const llvm::Use& index : gep->indices()) {
            const auto* wide = llvm::dyn_cast<llvm::SExtInst>(index);
            out.push_back(wide && wide->getSrcTy()->isIntegerTy(32) ? wide->getOperand(0) : index.get());
        }
        return;
    }
    for (const llvm::Use& operand : i.operands()) out.push_back(operand);
}

void FunctionLowering::markNeeded() {
    std::vector<const llvm::Instruction*> work;
    const auto need = [&](const llvm::Instruction* i) {
        if (needed_.insert(i).second) work.push_back(i);
    };
    for (const llvm::Instruction& i : llvm::instructions(source_))
        if (hasEffect(i)) need(&i);
    std::vector<const llvm::Value*> operands;
    while (!work.empty()) {
        const llvm::Instruction* i = work.back();
        work.pop_back();
        operands.clear();
        realOperands(*i, operands);
        for (const llvm::Value* v : operands)
            if (const auto* operand = llvm::dyn_cast<llvm::Instruction>(v)) need(operand);
    }
}

Operand FunctionLowering::shownValue(const llvm::Value* v) {
    if (const auto it = values_.find(v); it != values_.end() && !it->second.empty()) return it->second.front();
    const auto* c = llvm::dyn_cast_or_null<llvm::Constant>(v);
    if (!c || llvm::isa<llvm::UndefValue>(c) || leavesOf(c->getType()).size() != 1) return {};
    return use(v);
}

void FunctionLowering::lowerBlock(const llvm::BasicBlock& block, DebugVariables& debug) {
    current_ = blockIndex_.at(&block);
    if (&block == &source_.getEntryBlock() && out_.kernel) {
        // A bool parameter arrives as a byte.
        for (const llvm::Argument& argument : source_.args())
            if (argument.getType()->isIntegerTy(1)) define(&argument, {emitP(Opcode::I32ToP, use(&argument))});
    }
    for (const llvm::Instruction& i : block) {
        debug.note(i, current_, uint32_t(machine_.blocks[current_].code.size()), [&](const llvm::Value* v) { return shownValue(v); });
        if (llvm::isa<llvm::PHINode>(i) || !needed_.contains(&i)) continue;
        if (i.getDebugLoc()) at_ = module_.locate(i.getDebugLoc());
        // Forward references made registers already; the results are moved there.
        const auto before = values_.find(&i);
        const std::vector<Operand> expected = before == values_.end() ? std::vector<Operand>{} : before->second;
        if (i.isTerminator()) lowerTerminator(i);
        else lower(i);
        if (expected.empty()) continue;
        const auto leaves = leavesOf(i.getType());
        for (unsigned l = 0; l < leaves.size(); ++l) copy(expected[l], values_[&i][l], leaves[l]);
        values_[&i] = expected;
    }
}

void FunctionLowering::lower(const llvm::Instruction& i) {
    if (const auto it = contractions_.find(&i); it != contractions_.end())
        return lowerContraction(llvm::cast<llvm::BinaryOperator>(i), it->second);
    if (const auto* x = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return lowerBinary(*x);
    if (const auto* x = llvm::dyn_cast<llvm::CastInst>(&i)) return lowerCast(*x);
    if (const auto* x = llvm::dyn_cast<llvm::CmpInst>(&i)) return lowerCompare(*x);
    if (const auto* x = llvm::dyn_cast<llvm::SelectInst>(&i)) return lowerSelect(*x);
    if (const auto* x = llvm::dyn_cast<llvm::LoadInst>(&i)) return lowerLoad(*x);
    if (const auto* x = llvm::dyn_cast<llvm::StoreInst>(&i)) return lowerStore(*x);
    if (const auto* x = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) return lowerGep(*x);
    if (const auto* x = llvm::dyn_cast<llvm::AllocaInst>(&i)) return lowerAlloca(*x);
    if (const auto* x = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return lowerAtomicRmw(*x);
    if (const auto* x = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return lowerCompareExchange(*x);
    if (const auto* x = llvm::dyn_cast<llvm::CallBase>(&i)) return lowerCall(*x);
    if (const auto* x = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) return lowerExtractElement(*x);
    if (const auto* x = llvm::dyn_cast<llvm::InsertElementInst>(&i)) return lowerInsertElement(*x);
    if (const auto* x = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) return lowerShuffleVector(*x);
    if (const auto* x = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) return lowerExtractValue(*x);
    if (const auto* x = llvm::dyn_cast<llvm::InsertValueInst>(&i)) return lowerInsertValue(*x);
    if (llvm::isa<llvm::FreezeInst>(i)) return define(&i, uses(i.getOperand(0)));
    if (i.getOpcode() == llvm::Instruction::FNeg) {
        std::vector<Operand> results;
        const auto leaves = leavesOf(i.getType());
        for (unsigned l = 0; l < leaves.size(); ++l) {
            const Operand a = use(i.getOperand(0), l);
            if (leaves[l].bits == 16) results.push_back(emit32(Opcode::XorI32, a, constant32(0x8000)));
            else results.push_back(emitTo(leaves[l], leaves[l].wide() ? Opcode::NegF64 : Opcode::NegF32, a));
        }
        return define(&i, std::move(results));
    }
    if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&i)) {
        emit(Opcode::Fence).aux = fence->getSyncScopeID() == llvm::SyncScope::System ? 2 : 1;
        return;
    }
    unsupported(std::string("the instruction '") + i.getOpcodeName() + "'");
    std::vector<Operand> placeholder;
    for (const Leaf& leaf : leavesOf(i.getType())) placeholder.push_back(newRegister(leaf));
    define(&i, std::move(placeholder));
}

} // namespace sim::frontend
