// Arithmetic, conversions, comparisons and selects, scalar leaf by scalar leaf.
#include "sim/frontend/FunctionLowering.h"

#include <llvm/IR/Operator.h>

namespace sim::frontend {

using llvm::CmpInst;
using llvm::Instruction;

Operand FunctionLowering::zeroExtended(Operand a, unsigned bits) {
    if (bits == 8) return emit32(Opcode::ZeroExtend8, a);
    if (bits == 16) return emit32(Opcode::ZeroExtend16, a);
    if (bits < 32) return emit32(Opcode::AndI32, a, constant32((1u << bits) - 1));
    if (bits > 32 && bits < 64) return emit64(Opcode::AndI64, a, constant64((uint64_t{1} << bits) - 1));
    return a;
}

Operand FunctionLowering::signExtended(Operand a, unsigned bits) {
    if (bits == 8) return emit32(Opcode::SignExtend8, a);
    if (bits == 16) return emit32(Opcode::SignExtend16, a);
    if (bits < 32) {
        const Operand by = constant32(32 - bits);
        return emit32(Opcode::ShrS32, emit32(Opcode::ShlI32, a, by), by);
    }
    if (bits > 32 && bits < 64) {
        const Operand by = constant64(64 - bits);
        return emit64(Opcode::ShrS64, emit64(Opcode::ShlI64, a, by), by);
    }
    return a;
}

Operand FunctionLowering::toFloat(Operand a, const Leaf& leaf) {
    return emit32(leaf.kind == Leaf::Kind::BFloat ? Opcode::BF16ToF32 : Opcode::F16ToF32, a);
}
Operand FunctionLowering::fromFloat(Operand a, const Leaf& leaf) {
    return emit32(leaf.kind == Leaf::Kind::BFloat ? Opcode::F32ToBF16 : Opcode::F32ToF16, a);
}

void FunctionLowering::lowerBinary(const llvm::BinaryOperator& i) {
    const auto leaves = leavesOf(i.getType());
    std::vector<Operand> results;
    for (unsigned l = 0; l < leaves.size(); ++l)
        results.push_back(binaryLeaf(i.getOpcode(), leaves[l], use(i.getOperand(0), l), use(i.getOperand(1), l)));
    define(&i, std::move(results));
}

Operand FunctionLowering::halfLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b) {
    // Rounding to float first is innocuous for + - * /: float has more than twice the digits of half plus two.
    const Leaf single{Leaf::Kind::Float, 32};
    return fromFloat(binaryLeaf(opcode, single, toFloat(a, leaf), toFloat(b, leaf)), leaf);
}

Operand FunctionLowering::binaryLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b) {
    switch (leaf.kind) {
    case Leaf::Kind::Half:
    case Leaf::Kind::BFloat: return halfLeaf(opcode, leaf, a, b);
    case Leaf::Kind::Float:
    case Leaf::Kind::Double: {
        const bool d = leaf.wide();
        switch (opcode) {
        case Instruction::FAdd: return emitTo(leaf, d ? Opcode::AddF64 : Opcode::AddF32, a, b);
        case Instruction::FSub: return emitTo(leaf, d ? Opcode::SubF64 : Opcode::SubF32, a, b);
        case Instruction::FMul: return emitTo(leaf, d ? Opcode::MulF64 : Opcode::MulF32, a, b);
        case Instruction::FDiv: return emitTo(leaf, d ? Opcode::DivF64 : Opcode::DivF32, a, b);
        default: return emitTo(leaf, d ? Opcode::RemF64 : Opcode::RemF32, a, b);
        }
    }
    case Leaf::Kind::Predicate:
        switch (opcode) {
        case Instruction::And:
        case Instruction::Mul: return emitP(Opcode::AndP, a, b);
        case Instruction::Or: return emitP(Opcode::OrP, a, b);
        default: return emitP(Opcode::XorP, a, b);
        }
    default: return integerLeaf(opcode, leaf, a, b);
    }
}

Operand FunctionLowering::integerLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b) {
    const bool w = leaf.wide();
    const unsigned bits = leaf.bits;
    const auto op = [&](Opcode narrow, Opcode wide) { return emitTo(leaf, w ? wide : narrow, a, b); };
    switch (opcode) {
    case Instruction::Add: return zeroExtended(op(Opcode::AddI32, Opcode::AddI64), bits);
    case Instruction::Sub: return zeroExtended(op(Opcode::SubI32, Opcode::SubI64), bits);
    case Instruction::Mul: return zeroExtended(op(Opcode::MulI32, Opcode::MulI64), bits);
    case Instruction::Shl: return zeroExtended(op(Opcode::ShlI32, Opcode::ShlI64), bits);
    case Instruction::And: return op(Opcode::AndI32, Opcode::AndI64);
    case Instruction::Or: return op(Opcode::OrI32, Opcode::OrI64);
    case Instruction::Xor: return op(Opcode::XorI32, Opcode::XorI64);
    case Instruction::LShr: return op(Opcode::ShrU32, Opcode::ShrU64);
    case Instruction::UDiv: return op(Opcode::DivU32, Opcode::DivU64);
    case Instruction::URem: return op(Opcode::RemU32, Opcode::RemU64);
    case Instruction::AShr: a = signExtended(a, bits); return zeroExtended(op(Opcode::ShrS32, Opcode::ShrS64), bits);
    case Instruction::SDiv:
    case Instruction::SRem:
        a = signExtended(a, bits);
        b = signExtended(b, bits);
        return zeroExtended(opcode == Instruction::SDiv ? op(Opcode::DivS32, Opcode::DivS64) : op(Opcode::RemS32, Opcode::RemS64), bits);
    default: unsupported("this integer operation"); return a;
    }
}

void FunctionLowering::lowerContraction(const llvm::BinaryOperator& i, const Contraction& c) {
    const auto leaves = leavesOf(i.getType());
    std::vector<Operand> results;
    for (unsigned l = 0; l < leaves.size(); ++l)
        results.push_back(fused(c.op32, c.op64, leaves[l], use(c.product->getOperand(0), l),
                                use(c.product->getOperand(1), l), use(c.addend, l)));
    define(&i, std::move(results));
}

Operand FunctionLowering::fused(Opcode op32, Opcode op64, const Leaf& leaf, Operand x, Operand y, Operand z) {
    if (leaf.bits != 16) return emitTo(leaf, leaf.wide() ? op64 : op32, x, y, z);
    // The exact product of two halves plus a half fits a double, which is then rounded once. A bfloat16's exponents
    // reach further than a double's fraction: its sum may be rounded up to three times on the way down.
    const Leaf wide{Leaf::Kind::Double, 64};
    const auto widen = [&](Operand v) { return emitTo(wide, Opcode::F32ToF64, toFloat(v, leaf)); };
    const Operand sum = emitTo(wide, op64, widen(x), widen(y), widen(z));
    if (leaf.kind == Leaf::Kind::Half) return emit32(Opcode::F64ToF16, sum);
    return fromFloat(emit32(Opcode::F64ToF32, sum), leaf);
}

void FunctionLowering::lowerCast(const llvm::CastInst& i) {
    const llvm::Value* from = i.getOperand(0);
    if (i.getOpcode() == Instruction::BitCast) return lowerBitcast(i, *from);
    const auto source = leavesOf(from->getType()), target = leavesOf(i.getType());
    std::vector<Operand> results;
    for (unsigned l = 0; l < target.size(); ++l) results.push_back(castLeaf(i, source[l], target[l], use(from, l)));
    define(&i, std::move(results));
}

Operand FunctionLowering::castLeaf(const llvm::CastInst& i, const Leaf& from, const Leaf& to, Operand a) {
    const auto pick = [](bool wide, Opcode narrow, Opcode widened) { return wide ? widened : narrow; };
    switch (i.getOpcode()) {
    case Instruction::AddrSpaceCast:
    case Instruction::IntToPtr:
        return from.wide() ? a : emit64(Opcode::ZeroExtend32To64, a);
    case Instruction::PtrToInt:
    case Instruction::Trunc: {
        if (to.predicate()) return emitP(Opcode::I32ToP, from.wide() ? emit32(Opcode::Truncate64To32, a) : a);
        if (!to.wide() && from.wide()) a = emit32(Opcode::Truncate64To32, a);
        return zeroExtended(a, to.bits);
    }
    case Instruction::ZExt:
        if (from.predicate()) a = emit32(Opcode::PToI32, a);
        return to.wide() && !from.wide() ? emit64(Opcode::ZeroExtend32To64, a) : a;
    case Instruction::SExt: {
        if (from.predicate()) a = emit32(Opcode::Select32, a, constant32(~0u), constant32(0));
        else a = signExtended(a, from.bits);
        if (to.wide() && !from.wide()) a = emit64(Opcode::SignExtend32To64, a);
        return zeroExtended(a, to.bits);
    }
    case Instruction::FPExt:
        if (from.bits == 16) a = toFloat(a, from);
        return to.wide() ? emit64(Opcode::F32ToF64, a) : a;
    case Instruction::FPTrunc:
        if (from.wide() && to.kind == Leaf::Kind::Half) return emit32(Opcode::F64ToF16, a);
        if (from.wide()) a = emit32(Opcode::F64ToF32, a);
        return to.bits == 16 ? fromFloat(a, to) : a;
    case Instruction::FPToSI:
    case Instruction::FPToUI: {
        if (from.bits == 16) a = toFloat(a, from);
        // Narrow unsigned targets convert as signed: the value fits, and negative ones wrap as on the device.
        const bool s = i.getOpcode() == Instruction::FPToSI || to.bits < 32;
        const Opcode op = from.wide() ? (s ? pick(to.wide(), Opcode::F64ToS32, Opcode::F64ToS64) : pick(to.wide(), Opcode::F64ToU32, Opcode::F64ToU64))
                                      : (s ? pick(to.wide(), Opcode::F32ToS32, Opcode::F32ToS64) : pick(to.wide(), Opcode::F32ToU32, Opcode::F32ToU64));
        const Operand r = emitTo(to, op, a);
        return to.predicate() ? emitP(Opcode::I32ToP, r) : zeroExtended(r, to.bits);
    }
    case Instruction::SIToFP:
    case Instruction::UIToFP: {
        const bool s = i.getOpcode() == Instruction::SIToFP;
        if (from.predicate()) a = s ? emit32(Opcode::Select32, a, constant32(~0u), constant32(0)) : emit32(Opcode::PToI32, a);
        else if (s) a = signExtended(a, from.bits);
        const Opcode op = to.wide() ? (s ? pick(from.wide(), Opcode::S32ToF64, Opcode::S64ToF64) : pick(from.wide(), Opcode::U32ToF64, Opcode::U64ToF64))
                                    : (s ? pick(from.wide(), Opcode::S32ToF32, Opcode::S64ToF32) : pick(from.wide(), Opcode::U32ToF32, Opcode::U64ToF32));
        const Leaf result = to.bits == 16 ? Leaf{Leaf::Kind::Float, 32} : to;
        const Operand r = emitTo(result, op, a);
        return to.bits == 16 ? fromFloat(r, to) : r;
    }
    default: unsupported("this conversion"); return a;
    }
}

void FunctionLowering::lowerBitcast(const llvm::Value& to, const llvm::Value& from) {
    const auto source = leavesOf(from.getType()), target = leavesOf(to.getType());
    const auto& operands = uses(&from);
    if (source.size() == target.size() && !source.empty() && source[0].bits == target[0].bits) return define(&to, operands);
    // Through 32-bit words, lowest first: pack the source into them, cut the target out of them.
    std::vector<Operand> words;
    unsigned filled = 0;
    for (unsigned l = 0; l < source.size(); ++l) {
        Operand v = operands[l];
        if (source[l].predicate()) return unsupported("reinterpreting a vector of bool");
        if (source[l].wide()) {
            words.push_back(emit32(Opcode::Truncate64To32, v));
            words.push_back(emit32(Opcode::HighHalf64, v));
            continue;
        }
        if (source[l].bits == 32) { words.push_back(v); continue; }
        if (filled % 32 == 0) words.push_back(v);
        else words.back() = emit32(Opcode::OrI32, words.back(), emit32(Opcode::ShlI32, v, constant32(filled % 32)));
        filled += source[l].bits;
    }
    std::vector<Operand> results;
    unsigned bit = 0;
    for (const Leaf& leaf : target) {
        if (leaf.wide()) results.push_back(emit64(Opcode::Combine64, words[bit / 32], words[bit / 32 + 1]));
        else if (leaf.bits == 32) results.push_back(words[bit / 32]);
        else {
            Operand v = words[bit / 32];
            if (bit % 32) v = emit32(Opcode::ShrU32, v, constant32(bit % 32));
            results.push_back(zeroExtended(v, leaf.bits));
        }
        bit += leaf.bits;
    }
    define(&to, std::move(results));
}

void FunctionLowering::lowerCompare(const llvm::CmpInst& i) {
    const auto leaves = leavesOf(i.getOperand(0)->getType());
    std::vector<Operand> results;
    for (unsigned l = 0; l < leaves.size(); ++l) {
        const Operand a = use(i.getOperand(0), l), b = use(i.getOperand(1), l);
        results.push_back(i.isFPPredicate() ? compareFloats(i.getPredicate(), leaves[l], a, b)
                                            : compareIntegers(i.getPredicate(), leaves[l], a, b));
    }
    define(&i, std::move(results));
}

Operand FunctionLowering::compareIntegers(CmpInst::Predicate p, const Leaf& leaf, Operand a, Operand b) {
    if (leaf.predicate()) {
        const Operand differ = emitP(Opcode::XorP, a, b);
        if (p == CmpInst::ICMP_NE) return differ;
        if (p == CmpInst::ICMP_EQ) return emitP(Opcode::NotP, differ);
        unsupported("ordering two bools");
        return differ;
    }
    if (CmpInst::isSigned(p)) {
        a = signExtended(a, leaf.bits);
        b = signExtended(b, leaf.bits);
    }
    const bool w = leaf.wide();
    switch (p) {
    case CmpInst::ICMP_EQ: return emitP(w ? Opcode::EqI64 : Opcode::EqI32, a, b);
    case CmpInst::ICMP_NE: return emitP(w ? Opcode::NeI64 : Opcode::NeI32, a, b);
    case CmpInst::ICMP_SLT: return emitP(w ? Opcode::LtS64 : Opcode::LtS32, a, b);
    case CmpInst::ICMP_SLE: return emitP(w ? Opcode::LeS64 : Opcode::LeS32, a, b);
    case CmpInst::ICMP_SGT: return emitP(w ? Opcode::LtS64 : Opcode::LtS32, b, a);
    case CmpInst::ICMP_SGE: return emitP(w ? Opcode::LeS64 : Opcode::LeS32, b, a);
    case CmpInst::ICMP_ULT: return emitP(w ? Opcode::LtU64 : Opcode::LtU32, a, b);
    case CmpInst::ICMP_ULE: return emitP(w ? Opcode::LeU64 : Opcode::LeU32, a, b);
    case CmpInst::ICMP_UGT: return emitP(w ? Opcode::LtU64 : Opcode::LtU32, b, a);
    default: return emitP(w ? Opcode::LeU64 : Opcode::LeU32, b, a);
    }
}

Operand FunctionLowering::compareFloats(CmpInst::Predicate p, const Leaf& leaf, Operand a, Operand b) {
    if (leaf.bits == 16) {
        a = toFloat(a, leaf);
        b = toFloat(b, leaf);
    }
    const bool w = leaf.wide();
    const auto eq = [&] { return emitP(w ? Opcode::EqF64 : Opcode::EqF32, a, b); };
    const auto ne = [&] { return emitP(w ? Opcode::NeF64 : Opcode::NeF32, a, b); };
    const auto lt = [&](Operand x, Operand y) { return emitP(w ? Opcode::LtF64 : Opcode::LtF32, x, y); };
    const auto le = [&](Operand x, Operand y) { return emitP(w ? Opcode::LeF64 : Opcode::LeF32, x, y); };
    const auto ordered = [&] { return emitP(w ? Opcode::OrderedF64 : Opcode::OrderedF32, a, b); };
    const auto negate = [&](Operand x) { return emitP(Opcode::NotP, x); };
    switch (p) {
    case CmpInst::FCMP_FALSE: return constantPredicate(false);
    case CmpInst::FCMP_TRUE: return constantPredicate(true);
    case CmpInst::FCMP_OEQ: return eq();
    case CmpInst::FCMP_ONE: return ne();
    case CmpInst::FCMP_OLT: return lt(a, b);
    case CmpInst::FCMP_OLE: return le(a, b);
    case CmpInst::FCMP_OGT: return lt(b, a);
    case CmpInst::FCMP_OGE: return le(b, a);
    case CmpInst::FCMP_ORD: return ordered();
    case CmpInst::FCMP_UNO: return negate(ordered());
    case CmpInst::FCMP_UEQ: return negate(ne());
    case CmpInst::FCMP_UNE: return negate(eq());
    case CmpInst::FCMP_ULT: return negate(le(b, a));
    case CmpInst::FCMP_ULE: return negate(lt(b, a));
    case CmpInst::FCMP_UGT: return negate(le(a, b));
    default: return negate(lt(a, b));
    }
}

Operand FunctionLowering::selectLeaf(const Leaf& leaf, Operand condition, Operand a, Operand b) {
    const Opcode op = leaf.predicate() ? Opcode::SelectP : leaf.wide() ? Opcode::Select64 : Opcode::Select32;
    return emitTo(leaf, op, condition, a, b);
}

void FunctionLowering::lowerSelect(const llvm::SelectInst& i) {
    const auto leaves = leavesOf(i.getType());
    const bool each = i.getCondition()->getType()->isVectorTy();
    std::vector<Operand> results;
    for (unsigned l = 0; l < leaves.size(); ++l)
        results.push_back(selectLeaf(leaves[l], use(i.getCondition(), each ? l : 0), use(i.getTrueValue(), l), use(i.getFalseValue(), l)));
    define(&i, std::move(results));
}

} // namespace sim::frontend
