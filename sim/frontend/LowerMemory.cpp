// Loads, stores, addresses, atomics, and values taken apart and put together.
#include "sim/frontend/FunctionLowering.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

namespace sim::frontend {

FunctionLowering::Address FunctionLowering::addressOf(const llvm::Value* pointer) const {
    int64_t offset = 0;
    for (;;) {
        if (llvm::isa<llvm::Constant>(pointer)) break;
        const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
        llvm::APInt bytes(64, 0);
        if (!gep || gep->getType()->isVectorTy() || !gep->accumulateConstantOffset(module_.layout(), bytes)) break;
        // Offsets are 32-bit immediates.
        const int64_t sum = offset + bytes.getSExtValue();
        if (sum != int32_t(sum)) break;
        offset = sum;
        pointer = gep->getPointerOperand();
    }
    return {pointer, offset};
}

Operand FunctionLowering::foldedBase(const Address& address) { return use(address.base); }

std::vector<uint64_t> FunctionLowering::leafOffsets(llvm::Type* type) {
    const llvm::DataLayout& layout = module_.layout();
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        const uint64_t step = layout.getTypeStoreSize(vector->getElementType());
        std::vector<uint64_t> offsets(vector->getNumElements());
        for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = i * step;
        return offsets;
    }
    std::vector<uint64_t> offsets;
    const auto append = [&](llvm::Type* element, uint64_t at) {
        for (const uint64_t o : leafOffsets(element)) offsets.push_back(at + o);
    };
    if (auto* s = llvm::dyn_cast<llvm::StructType>(type)) {
        for (unsigned e = 0; e < s->getNumElements(); ++e) append(s->getElementType(e), layout.getStructLayout(s)->getElementOffset(e));
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        const uint64_t step = layout.getTypeAllocSize(array->getElementType());
        for (uint64_t e = 0; e < array->getNumElements(); ++e) append(array->getElementType(), e * step);
    } else {
        offsets.push_back(0);
    }
    return offsets;
}

Operand FunctionLowering::loadInPieces(const Leaf& leaf, Operand base, int64_t offset, unsigned pieceBytes) {
    // The source promises less alignment than the value is wide (packed structs): hardware needs several loads.
    Operand whole;
    for (unsigned at = 0; at < leaf.bytes(); at += pieceBytes) {
        Operand piece = newRegister(1);
        MachineInstruction& load = emit(Opcode::Load, piece, base);
        load.imm = int32_t(offset + at);
        load.aux = packElements(pieceBytes, 1);
        if (leaf.wide()) piece = emit64(Opcode::ZeroExtend32To64, piece);
        if (at) piece = leaf.wide() ? emit64(Opcode::ShlI64, piece, constant64(at * 8)) : emit32(Opcode::ShlI32, piece, constant32(at * 8));
        whole = !at ? piece : leaf.wide() ? emit64(Opcode::OrI64, whole, piece) : emit32(Opcode::OrI32, whole, piece);
    }
    return whole;
}

void FunctionLowering::storeInPieces(const Leaf& leaf, Operand base, int64_t offset, unsigned pieceBytes, Operand value) {
    for (unsigned at = 0; at < leaf.bytes(); at += pieceBytes) {
        Operand piece = value;
        if (leaf.wide()) piece = emit32(Opcode::Truncate64To32, at ? emit64(Opcode::ShrU64, value, constant64(at * 8)) : value);
        else if (at) piece = emit32(Opcode::ShrU32, value, constant32(at * 8));
        MachineInstruction& store = emit(Opcode::Store, {}, base, piece);
        store.imm = int32_t(offset + at);
        store.aux = packElements(pieceBytes, 1);
    }
}

namespace {

/// How many leaves from `first` on one instruction can move: equal width, adjacent, at most 16 aligned bytes.
unsigned accessRun(const std::vector<Leaf>& leaves, const std::vector<uint64_t>& offsets, unsigned first, uint64_t alignment) {
    const unsigned bytes = leaves[first].bytes();
    unsigned best = 1;
    for (unsigned count : {2u, 4u, 8u, 16u}) {
        if (first + count > leaves.size() || bytes * count > 16 || bytes * count > alignment) break;
        if (offsets[first] % (bytes * count)) break;
        bool adjacent = true;
        for (unsigned k = 1; k < count; ++k)
            adjacent &= leaves[first + k].bytes() == bytes && offsets[first + k] == offsets[first] + k * bytes && !leaves[first + k].predicate();
        if (!adjacent) break;
        best = count;
    }
    return best;
}

} // namespace

Operand FunctionLowering::newTuple(const Leaf& leaf, unsigned count) {
    const Operand tuple = newRegister(uint16_t(leaf.slots() * count));
    machine_.registers[tuple.reg].wide = leaf.wide();
    return tuple;
}

void FunctionLowering::loadLeaves(const std::vector<Leaf>& leaves, const std::vector<uint64_t>& offsets, Operand base,
                                  int64_t offset, uint64_t alignment, std::vector<Operand>& out) {
    for (unsigned l = 0; l < leaves.size();) {
        const Leaf& leaf = leaves[l];
        const int64_t at = offset + int64_t(offsets[l]);
        if (alignment < leaf.bytes()) {
            Operand whole = loadInPieces(leaf, base, at, unsigned(alignment));
            out.push_back(leaf.predicate() ? emitP(Opcode::I32ToP, whole) : whole);
            ++l;
            continue;
        }
        const unsigned count = leaf.predicate() ? 1 : accessRun(leaves, offsets, l, alignment);
        const Operand tuple = newTuple(leaf, count);
        MachineInstruction& load = emit(Opcode::Load, tuple, base);
        load.imm = int32_t(at);
        load.aux = packElements(leaf.bytes(), count);
        for (unsigned k = 0; k < count; ++k) {
            const Operand element{tuple.reg, uint16_t(k * leaf.slots())};
            out.push_back(leaf.predicate() ? emitP(Opcode::I32ToP, element) : element);
        }
        l += count;
    }
}

void FunctionLowering::storeLeaves(const std::vector<Leaf>& leaves, const std::vector<uint64_t>& offsets, Operand base,
                                   int64_t offset, uint64_t alignment, const std::vector<Operand>& values) {
    for (unsigned l = 0; l < leaves.size();) {
        const Leaf& leaf = leaves[l];
        const int64_t at = offset + int64_t(offsets[l]);
        Operand value = leaf.predicate() ? emit32(Opcode::PToI32, values[l]) : values[l];
        if (alignment < leaf.bytes()) {
            storeInPieces(leaf, base, at, unsigned(alignment), value);
            ++l;
            continue;
        }
        const unsigned count = leaf.predicate() ? 1 : accessRun(leaves, offsets, l, alignment);
        if (count > 1) {
            // The elements must lie side by side; those of one vector load already do.
            bool together = true;
            for (unsigned k = 1; k < count; ++k)
                together &= values[l + k] == Operand{value.reg, uint16_t(value.slot + k * leaf.slots())};
            if (!together) {
                const Operand tuple = newTuple(leaf, count);
                for (unsigned k = 0; k < count; ++k) copy({tuple.reg, uint16_t(k * leaf.slots())}, values[l + k], leaf);
                value = tuple;
            }
        }
        MachineInstruction& store = emit(Opcode::Store, {}, base, value);
        store.imm = int32_t(at);
        store.aux = packElements(leaf.bytes(), count);
        store.vectorSlots = uint16_t(leaf.slots() * count);
        l += count;
    }
}

void FunctionLowering::lowerLoad(const llvm::LoadInst& i) {
    const Address address = addressOf(i.getPointerOperand());
    std::vector<Operand> results;
    loadLeaves(leavesOf(i.getType()), leafOffsets(i.getType()), foldedBase(address), address.offset, i.getAlign().value(), results);
    define(&i, std::move(results));
}

void FunctionLowering::lowerStore(const llvm::StoreInst& i) {
    const Address address = addressOf(i.getPointerOperand());
    const llvm::Value* value = i.getValueOperand();
    const std::vector<Operand> operands = uses(value);
    storeLeaves(leavesOf(value->getType()), leafOffsets(value->getType()), foldedBase(address), address.offset, i.getAlign().value(), operands);
}

void FunctionLowering::lowerGep(const llvm::GetElementPtrInst& i) {
    const Address start = addressOf(i.getPointerOperand());
    int64_t offset = start.offset;
    Operand address = foldedBase(start);
    const llvm::DataLayout& layout = module_.layout();
    for (auto it = llvm::gep_type_begin(i), end = llvm::gep_type_end(i); it != end; ++it) {
        const llvm::Value* index = it.getOperand();
        if (llvm::StructType* s = it.getStructTypeOrNull()) {
            offset += int64_t(layout.getStructLayout(s)->getElementOffset(unsigned(llvm::cast<llvm::ConstantInt>(index)->getZExtValue())));
            continue;
        }
        const int64_t scale = int64_t(it.getSequentialElementStride(layout));
        if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(index)) {
            offset += c->getSExtValue() * scale;
            continue;
        }
        if (scale != int32_t(scale)) unsupported("array elements of 2 GiB and more");
        const auto* wide = llvm::dyn_cast<llvm::SExtInst>(index);
        const bool narrow = index->getType()->isIntegerTy(32) || (wide && wide->getSrcTy()->isIntegerTy(32));
        if (narrow) address = emit64(Opcode::AddressS32, address, use(wide ? wide->getOperand(0) : index));
        else if (index->getType()->isIntegerTy(64)) address = emit64(Opcode::AddressI64, address, use(index));
        else {
            const Operand extended = signExtended(use(index), index->getType()->getIntegerBitWidth());
            address = emit64(Opcode::AddressS32, address, extended);
        }
        machine_.blocks[current_].code.back().imm = int32_t(scale);
    }
    if (offset != int32_t(offset)) address = emit64(Opcode::AddI64, address, constant64(uint64_t(offset)));
    else if (offset) {
        address = emit64(Opcode::AddImm64, address);
        machine_.blocks[current_].code.back().imm = int32_t(offset);
    }
    define(&i, {address});
}

void FunctionLowering::lowerAlloca(const llvm::AllocaInst& i) {
    const auto it = localOffsets_.find(&i);
    const Operand base = constant64(regionBase(kLocalRegion) + (it == localOffsets_.end() ? 0 : it->second));
    if (out_.kernel) return define(&i, {base});
    // A called function's frame starts where the caller's ends.
    const Operand address = emit64(Opcode::AddressS32, base, special(SpecialRegister::LocalBase));
    machine_.blocks[current_].code.back().imm = 1;
    define(&i, {address});
}

namespace {

/// True when a value is the same for all threads of a block: made of parameters, constants and block indices only.
bool isUniform(const llvm::Value* v, unsigned depth = 0) {
    if (llvm::isa<llvm::Constant>(v)) return true;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(v)) return argument->getParent()->getReturnType()->isVoidTy();
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(v)) {
        const llvm::StringRef name = call->getCalledFunction()->getName();
        return name.contains("sreg.ctaid") || name.contains("sreg.nctaid") || name.contains("sreg.ntid");
    }
    const auto* i = llvm::dyn_cast<llvm::Instruction>(v);
    if (!i || depth > 16 || !(llvm::isa<llvm::GetElementPtrInst>(i) || llvm::isa<llvm::CastInst>(i) || llvm::isa<llvm::BinaryOperator>(i))) return false;
    return llvm::all_of(i->operands(), [&](const llvm::Use& operand) { return isUniform(operand, depth + 1); });
}

/// Integer operations that REDUX combines over a warp.
bool isRedux(AtomicOp op, AtomicType type) {
    return (type == AtomicType::I32 || type == AtomicType::U32) && op != AtomicOp::Exchange && op != AtomicOp::Inc && op != AtomicOp::Dec;
}

} // namespace

void FunctionLowering::emitAtomic(const llvm::Instruction& i, const llvm::Value* pointer, AtomicOp op, AtomicType type, Operand value) {
    // An atomic whose old value nobody reads is a reduction (PTX red).
    const Operand d = i.use_empty() ? Operand{} : newRegister(isWide(type) ? 2 : 1);
    const Operand base = use(pointer);
    MachineInstruction& atomic = emit(Opcode::Atomic, d, base, value);
    atomic.aux = packAtomic(op, type);
    atomic.aggregated = out_.kernel && !d.valid() && isRedux(op, type) && isUniform(pointer);
    define(&i, {d});
}

namespace {

AtomicType atomicType(const llvm::Type& type, bool isSigned) {
    if (type.isFloatTy()) return AtomicType::F32;
    if (type.isDoubleTy()) return AtomicType::F64;
    if (type.isHalfTy()) return AtomicType::F16;
    if (type.isBFloatTy()) return AtomicType::BF16;
    if (type.isIntegerTy(16)) return AtomicType::U16;
    if (type.isIntegerTy(64) || type.isPointerTy()) return isSigned ? AtomicType::I64 : AtomicType::U64;
    return isSigned ? AtomicType::I32 : AtomicType::U32;
}

} // namespace

void FunctionLowering::lowerAtomicRmw(const llvm::AtomicRMWInst& i) {
    using Rmw = llvm::AtomicRMWInst;
    AtomicOp op = AtomicOp::Add;
    bool isSigned = false;
    switch (i.getOperation()) {
    case Rmw::Add:
    case Rmw::FAdd: op = AtomicOp::Add; break;
    case Rmw::Sub: op = AtomicOp::Sub; break;
    case Rmw::FSub: op = AtomicOp::Sub; break;
    case Rmw::Xchg: op = AtomicOp::Exchange; break;
    case Rmw::And: op = AtomicOp::And; break;
    case Rmw::Or: op = AtomicOp::Or; break;
    case Rmw::Xor: op = AtomicOp::Xor; break;
    case Rmw::Max: isSigned = true; [[fallthrough]];
    case Rmw::UMax:
    case Rmw::FMax: op = AtomicOp::Max; break;
    case Rmw::Min: isSigned = true; [[fallthrough]];
    case Rmw::UMin:
    case Rmw::FMin: op = AtomicOp::Min; break;
    case Rmw::UIncWrap: op = AtomicOp::Inc; break;
    case Rmw::UDecWrap: op = AtomicOp::Dec; break;
    default: unsupported("this atomic operation");
    }
    emitAtomic(i, i.getPointerOperand(), op, atomicType(*i.getValOperand()->getType(), isSigned), use(i.getValOperand()));
}

void FunctionLowering::lowerCompareExchange(const llvm::AtomicCmpXchgInst& i) {
    const AtomicType type = atomicType(*i.getNewValOperand()->getType(), false);
    const Operand old = newRegister(isWide(type) ? 2 : 1);
    const Operand base = use(i.getPointerOperand()), expected = use(i.getCompareOperand());
    MachineInstruction& swap = emit(Opcode::CompareSwap, old, base, expected, use(i.getNewValOperand()));
    swap.aux = packAtomic(AtomicOp::Add, type);
    bool flagUsed = false;
    for (const llvm::User* user : i.users())
        if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(user)) flagUsed |= extract->getIndices()[0] == 1 && needed_.contains(extract);
        else flagUsed = true;
    Operand success = constantPredicate(false);
    if (flagUsed) success = emitP(isWide(type) ? Opcode::EqI64 : Opcode::EqI32, old, expected);
    define(&i, {old, success});
}

unsigned FunctionLowering::leafIndex(llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
    unsigned leaf = 0;
    for (const unsigned index : indices) {
        for (unsigned e = 0; e < index; ++e) {
            llvm::Type* element = type->isStructTy() ? type->getStructElementType(e) : type->getArrayElementType();
            leaf += unsigned(leavesOf(element).size());
        }
        type = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
    }
    return leaf;
}

void FunctionLowering::lowerExtractValue(const llvm::ExtractValueInst& i) {
    const unsigned first = leafIndex(i.getAggregateOperand()->getType(), i.getIndices());
    const size_t count = leavesOf(i.getType()).size();
    std::vector<Operand> results;
    for (unsigned l = 0; l < count; ++l) results.push_back(use(i.getAggregateOperand(), first + l));
    define(&i, std::move(results));
}

void FunctionLowering::lowerInsertValue(const llvm::InsertValueInst& i) {
    std::vector<Operand> results = uses(i.getAggregateOperand());
    const unsigned first = leafIndex(i.getType(), i.getIndices());
    const size_t count = leavesOf(i.getInsertedValueOperand()->getType()).size();
    for (unsigned l = 0; l < count; ++l) results[first + l] = use(i.getInsertedValueOperand(), l);
    define(&i, std::move(results));
}

void FunctionLowering::lowerExtractElement(const llvm::ExtractElementInst& i) {
    const auto leaves = leavesOf(i.getVectorOperandType());
    if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(i.getIndexOperand())) {
        const unsigned index = unsigned(std::min<uint64_t>(c->getZExtValue(), leaves.size() - 1));
        return define(&i, {use(i.getVectorOperand(), index)});
    }
    const bool wide = i.getIndexOperand()->getType()->isIntegerTy(64);
    Operand result = use(i.getVectorOperand(), 0);
    for (unsigned e = 1; e < leaves.size(); ++e) {
        const Operand here = emitP(wide ? Opcode::EqI64 : Opcode::EqI32, use(i.getIndexOperand()), wide ? constant64(e) : constant32(e));
        result = selectLeaf(leaves[e], here, use(i.getVectorOperand(), e), result);
    }
    define(&i, {result});
}

void FunctionLowering::lowerInsertElement(const llvm::InsertElementInst& i) {
    std::vector<Operand> results = uses(i.getOperand(0));
    const auto leaves = leavesOf(i.getType());
    const Operand value = use(i.getOperand(1));
    if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(2))) {
        if (c->getZExtValue() < results.size()) results[c->getZExtValue()] = value;
        return define(&i, std::move(results));
    }
    const bool wide = i.getOperand(2)->getType()->isIntegerTy(64);
    for (unsigned e = 0; e < leaves.size(); ++e) {
        const Operand here = emitP(wide ? Opcode::EqI64 : Opcode::EqI32, use(i.getOperand(2)), wide ? constant64(e) : constant32(e));
        results[e] = selectLeaf(leaves[e], here, value, results[e]);
    }
    define(&i, std::move(results));
}

void FunctionLowering::lowerShuffleVector(const llvm::ShuffleVectorInst& i) {
    const unsigned first = unsigned(leavesOf(i.getOperand(0)->getType()).size());
    std::vector<Operand> results;
    for (const int index : i.getShuffleMask())
        results.push_back(index < 0 ? use(i.getOperand(0), 0)
                          : unsigned(index) < first ? use(i.getOperand(0), unsigned(index)) : use(i.getOperand(1), unsigned(index) - first));
    define(&i, std::move(results));
}

} // namespace sim::frontend
