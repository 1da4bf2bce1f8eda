// Calls: LLVM and NVVM intrinsics, and the runtime functions that a kernel may call.
#include "sim/frontend/FunctionLowering.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace sim::frontend {

namespace {

/// The readable name of a construct that is refused, and what to use instead.
std::string refusal(llvm::StringRef name) {
    if (name.starts_with("__cudaPushCall") || name.starts_with("cudaLaunch") || name.contains("cudaGetParameterBuffer"))
        return "launching a kernel from a kernel (dynamic parallelism); launch it separately";
    static constexpr const char* kTextureFunctions[] = {"__nv_tex", "tex1D",  "tex2D",  "tex3D",      "texCubemap",
                                                        "surf1D",   "surf2D", "surf3D", "surfCubemap"};
    if (llvm::any_of(kTextureFunctions, [&](const char* f) { return name.contains(f); }))
        return "textures and surfaces; read the data through a plain pointer";
    return "the function '" + name.str() + "'";
}

} // namespace

void FunctionLowering::lowerCall(const llvm::CallBase& i) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
        if (lowerIntrinsic(*intrinsic)) return;
        unsupported("the intrinsic '" + intrinsic->getCalledFunction()->getName().str() + "'");
    } else if (i.isInlineAsm()) {
        if (lowerInlineAssembly(i)) return;
        const auto* text = llvm::cast<llvm::InlineAsm>(i.getCalledOperand());
        unsupported("the inline PTX \"" + text->getAsmString() + "\"; use the CUDA C++ function for it");
    } else if (const llvm::Function* callee = i.getCalledFunction()) {
        if (const int index = module_.functionIndex(callee); index >= 0) return lowerCallToFunction(i, index);
        if (lowerLibraryCall(i, callee->getName()) || lowerRuntimeCall(i, callee->getName())) return;
        unsupported(refusal(callee->getName()));
    } else {
        return lowerCallToFunction(i, -1);
    }
    std::vector<Operand> placeholder;
    for (const Leaf& leaf : leavesOf(i.getType())) placeholder.push_back(newRegister(leaf));
    define(&i, std::move(placeholder));
}

bool FunctionLowering::lowerInlineAssembly(const llvm::CallBase& i) {
    // Reads of special registers are the one use of PTX that lessons and samples need.
    const std::string text = llvm::cast<llvm::InlineAsm>(i.getCalledOperand())->getAsmString();
    struct Row { const char* name; SpecialRegister which; };
    static constexpr Row kRows[] = {
        {"%laneid", SpecialRegister::LaneId}, {"%warpid", SpecialRegister::WarpId}, {"%smid", SpecialRegister::SmId},
        {"%nsmid", SpecialRegister::NumSm}, {"%nwarpid", SpecialRegister::NumWarpSlots}, {"%clock64", SpecialRegister::Clock64},
        {"%clock", SpecialRegister::Clock}, {"%globaltimer", SpecialRegister::GlobalTimer},
        {"%lanemask_eq", SpecialRegister::LaneMaskEq}, {"%lanemask_lt", SpecialRegister::LaneMaskLt},
        {"%lanemask_le", SpecialRegister::LaneMaskLe}, {"%lanemask_gt", SpecialRegister::LaneMaskGt},
        {"%lanemask_ge", SpecialRegister::LaneMaskGe}, {"%gridid", SpecialRegister::GridId},
        {"%dynamic_smem_size", SpecialRegister::DynamicSharedBytes}};
    if (text.empty()) { // A compiler barrier, as in asm volatile("" ::: "memory").
        define(&i, {});
        return i.getType()->isVoidTy();
    }
    // The whole text has to be "mov.u32 $0, %laneid;": of two instructions, the second would be lost.
    llvm::StringRef rest = llvm::StringRef(text).trim();
    rest.consume_back(";");
    if (!rest.consume_front("mov.")) return false;
    const auto [target, source] = rest.split(',');
    const auto [type, output] = target.split(' ');
    if (!llvm::is_contained({"u32", "s32", "b32", "u64", "s64", "b64"}, type) || output.trim() != "$0") return false;
    for (const Row& row : kRows) {
        if (source.trim() != row.name) continue;
        const auto leaves = leavesOf(i.getType());
        if (leaves.size() != 1) return false;
        if (row.which < SpecialRegister::PreloadedCount) define(&i, {special(row.which)});
        else define(&i, {emitTo(leaves[0], Opcode::ReadSpecial, {}, {}, {}, uint16_t(row.which))});
        return true;
    }
    return false;
}

bool FunctionLowering::lowerIntrinsic(const llvm::IntrinsicInst& i) {
    using namespace llvm;
    switch (i.getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::assume:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::donothing:
    case Intrinsic::prefetch: return true;
    case Intrinsic::trap:
    case Intrinsic::debugtrap: emit(Opcode::Trap).aux = 0; return true;
    case Intrinsic::expect:
    case Intrinsic::ssa_copy:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group: define(&i, uses(i.getArgOperand(0))); return true;
    case Intrinsic::nvvm_barrier0: emit(Opcode::Barrier).aux = uint16_t(BarrierOp::Sync); return true;
    case Intrinsic::nvvm_bar_sync:
    case Intrinsic::nvvm_barrier_sync:
    case Intrinsic::nvvm_barrier_n: {
        const auto* id = dyn_cast<ConstantInt>(i.getArgOperand(0));
        if (!id || !id->isZero()) return false;
        emit(Opcode::Barrier).aux = uint16_t(BarrierOp::Sync);
        return true;
    }
    case Intrinsic::nvvm_barrier0_popc:
    case Intrinsic::nvvm_barrier0_and:
    case Intrinsic::nvvm_barrier0_or: {
        const Operand p = emitP(Opcode::NeI32, use(i.getArgOperand(0)), constant32(0));
        const BarrierOp op = i.getIntrinsicID() == Intrinsic::nvvm_barrier0_popc  ? BarrierOp::Count
                             : i.getIntrinsicID() == Intrinsic::nvvm_barrier0_and ? BarrierOp::And : BarrierOp::Or;
        define(&i, {emit32(Opcode::Barrier, p, {}, {}, uint16_t(op))});
        return true;
    }
    case Intrinsic::nvvm_membar_cta: emit(Opcode::Fence).aux = 0; return true;
    case Intrinsic::nvvm_membar_gl: emit(Opcode::Fence).aux = 1; return true;
    case Intrinsic::nvvm_membar_sys: emit(Opcode::Fence).aux = 2; return true;
    case Intrinsic::nvvm_ldg_global_i:
    case Intrinsic::nvvm_ldg_global_f:
    case Intrinsic::nvvm_ldg_global_p:
    case Intrinsic::nvvm_ldu_global_i:
    case Intrinsic::nvvm_ldu_global_f:
    case Intrinsic::nvvm_ldu_global_p: {
        std::vector<Operand> results;
        const uint64_t align = cast<ConstantInt>(i.getArgOperand(1))->getZExtValue();
        loadLeaves(leavesOf(i.getType()), leafOffsets(i.getType()), use(i.getArgOperand(0)), 0, align, results);
        define(&i, std::move(results));
        return true;
    }
    default:
        return lowerSpecialRegister(i) || lowerWarpIntrinsic(i) || lowerMathIntrinsic(i) || lowerIntegerIntrinsic(i) ||
               lowerAtomicIntrinsic(i);
    }
}

bool FunctionLowering::lowerSpecialRegister(const llvm::IntrinsicInst& i) {
    using namespace llvm;
    SpecialRegister which;
    switch (i.getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x: which = SpecialRegister::TidX; break;
    case Intrinsic::nvvm_read_ptx_sreg_tid_y: which = SpecialRegister::TidY; break;
    case Intrinsic::nvvm_read_ptx_sreg_tid_z: which = SpecialRegister::TidZ; break;
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x: which = SpecialRegister::NtidX; break;
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y: which = SpecialRegister::NtidY; break;
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z: which = SpecialRegister::NtidZ; break;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x: which = SpecialRegister::CtaidX; break;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y: which = SpecialRegister::CtaidY; break;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z: which = SpecialRegister::CtaidZ; break;
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x: which = SpecialRegister::NctaidX; break;
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y: which = SpecialRegister::NctaidY; break;
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z: which = SpecialRegister::NctaidZ; break;
    case Intrinsic::nvvm_read_ptx_sreg_laneid: which = SpecialRegister::LaneId; break;
    case Intrinsic::nvvm_read_ptx_sreg_warpid: which = SpecialRegister::WarpId; break;
    case Intrinsic::nvvm_read_ptx_sreg_warpsize: define(&i, {constant32(32)}); return true;
    case Intrinsic::nvvm_read_ptx_sreg_smid: which = SpecialRegister::SmId; break;
    case Intrinsic::nvvm_read_ptx_sreg_nsmid: which = SpecialRegister::NumSm; break;
    case Intrinsic::nvvm_read_ptx_sreg_nwarpid: which = SpecialRegister::NumWarpSlots; break;
    case Intrinsic::nvvm_read_ptx_sreg_gridid: which = SpecialRegister::GridId; break;
    case Intrinsic::nvvm_read_ptx_sreg_clock: which = SpecialRegister::Clock; break;
    case Intrinsic::nvvm_read_ptx_sreg_clock64: which = SpecialRegister::Clock64; break;
    case Intrinsic::nvvm_read_ptx_sreg_globaltimer: which = SpecialRegister::GlobalTimer; break;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq: which = SpecialRegister::LaneMaskEq; break;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt: which = SpecialRegister::LaneMaskLt; break;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_le: which = SpecialRegister::LaneMaskLe; break;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt: which = SpecialRegister::LaneMaskGt; break;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge: which = SpecialRegister::LaneMaskGe; break;
    default: return false;
    }
    if (which < SpecialRegister::PreloadedCount) define(&i, {special(which)});
    else define(&i, {emitTo(leavesOf(i.getType())[0], Opcode::ReadSpecial, {}, {}, {}, uint16_t(which))});
    return true;
}

Operand FunctionLowering::shuffle(Operand value, Operand lane, Operand clamp, Operand mask, ShuffleMode mode) {
    const Operand d = newRegister(1);
    MachineInstruction& s = emit(Opcode::Shuffle, d, value, lane, clamp);
    s.aux = uint16_t(mode);
    if (mask.valid()) {
        s.aux |= 16;
        s.extra = mask;
    }
    return d;
}

bool FunctionLowering::lowerWarpIntrinsic(const llvm::IntrinsicInst& i) {
    using namespace llvm;
    const auto argument = [&](unsigned k) { return use(i.getArgOperand(k)); };
    const auto synchronised = [&](ShuffleMode mode) {
        define(&i, {shuffle(argument(1), argument(2), argument(3), argument(0), mode)});
        return true;
    };
    const auto vote = [&](VoteMode mode) {
        const Leaf leaf = leavesOf(i.getType())[0];
        define(&i, {emitTo(leaf, Opcode::Vote, argument(1), argument(0), {}, uint16_t(mode))});
        return true;
    };
    const auto reduce = [&](AtomicOp op, AtomicType type) {
        define(&i, {emit32(Opcode::Redux, argument(0), argument(1), {}, packAtomic(op, type))});
        return true;
    };
    const auto match = [&](bool all, bool wide) {
        const Operand d = newRegister(1), p = newRegister(1, true);
        emit(Opcode::Match, d, argument(1), argument(0), all ? p : Operand{}).aux = uint16_t((all ? 1 : 0) | (wide ? 2 : 0));
        if (all && i.getType()->isStructTy()) define(&i, {d, p});
        else define(&i, {d});
        return true;
    };
    switch (i.getIntrinsicID()) {
    case Intrinsic::nvvm_bar_warp_sync: emit(Opcode::WarpSync, {}, argument(0)); return true;
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32: return synchronised(ShuffleMode::Up);
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32: return synchronised(ShuffleMode::Down);
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32: return synchronised(ShuffleMode::Bfly);
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32: return synchronised(ShuffleMode::Idx);
    case Intrinsic::nvvm_vote_all_sync: return vote(VoteMode::All);
    case Intrinsic::nvvm_vote_any_sync: return vote(VoteMode::Any);
    case Intrinsic::nvvm_vote_uni_sync: return vote(VoteMode::Uniform);
    case Intrinsic::nvvm_vote_ballot_sync: return vote(VoteMode::Ballot);
    case Intrinsic::nvvm_activemask: define(&i, {emit32(Opcode::ActiveMask)}); return true;
    case Intrinsic::nvvm_match_any_sync_i32: return match(false, false);
    case Intrinsic::nvvm_match_any_sync_i64: return match(false, true);
    case Intrinsic::nvvm_match_all_sync_i32p: return match(true, false);
    case Intrinsic::nvvm_match_all_sync_i64p: return match(true, true);
    case Intrinsic::nvvm_redux_sync_add: return reduce(AtomicOp::Add, AtomicType::U32);
    case Intrinsic::nvvm_redux_sync_umin: return reduce(AtomicOp::Min, AtomicType::U32);
    case Intrinsic::nvvm_redux_sync_umax: return reduce(AtomicOp::Max, AtomicType::U32);
    case Intrinsic::nvvm_redux_sync_min: return reduce(AtomicOp::Min, AtomicType::I32);
    case Intrinsic::nvvm_redux_sync_max: return reduce(AtomicOp::Max, AtomicType::I32);
    case Intrinsic::nvvm_redux_sync_and: return reduce(AtomicOp::And, AtomicType::U32);
    case Intrinsic::nvvm_redux_sync_or: return reduce(AtomicOp::Or, AtomicType::U32);
    case Intrinsic::nvvm_redux_sync_xor: return reduce(AtomicOp::Xor, AtomicType::U32);
    default: return false;
    }
}

bool FunctionLowering::lowerMathIntrinsic(const llvm::IntrinsicInst& i) {
    using namespace llvm;
    struct Row { Opcode narrow, wide; };
    const auto direct = [&](Opcode narrow, Opcode wide, unsigned arity) {
        const auto leaves = leavesOf(i.getType());
        std::vector<Operand> results;
        for (unsigned l = 0; l < leaves.size(); ++l) {
            Operand v[3];
            for (unsigned k = 0; k < arity; ++k) {
                v[k] = use(i.getArgOperand(k), l);
                if (leaves[l].bits == 16) v[k] = toFloat(v[k], leaves[l]);
            }
            const Leaf leaf = leaves[l].bits == 16 ? Leaf{Leaf::Kind::Float, 32} : leaves[l];
            const Operand r = emitTo(leaf, leaf.wide() ? wide : narrow, v[0], v[1], v[2]);
            results.push_back(leaves[l].bits == 16 ? fromFloat(r, leaves[l]) : r);
        }
        define(&i, std::move(results));
        return true;
    };
    const auto math = [&](MathFunction f) {
        const Leaf leaf = leavesOf(i.getType())[0];
        if (leaf.bits == 16 || i.getType()->isVectorTy()) return false;
        define(&i, {emitTo(leaf, leaf.wide() ? Opcode::MathF64 : Opcode::MathF32, use(i.getArgOperand(0)),
                           arityOf(f) > 1 ? use(i.getArgOperand(1)) : Operand{}, {}, uint16_t(f))});
        return true;
    };
    switch (i.getIntrinsicID()) {
    case Intrinsic::fabs: return direct(Opcode::AbsF32, Opcode::AbsF64, 1);
    case Intrinsic::sqrt: return direct(Opcode::SqrtF32, Opcode::SqrtF64, 1);
    case Intrinsic::floor: return direct(Opcode::FloorF32, Opcode::FloorF64, 1);
    case Intrinsic::ceil: return direct(Opcode::CeilF32, Opcode::CeilF64, 1);
    case Intrinsic::trunc: return direct(Opcode::TruncF32, Opcode::TruncF64, 1);
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven: return direct(Opcode::RintF32, Opcode::RintF64, 1);
    case Intrinsic::minnum: return direct(Opcode::MinF32, Opcode::MinF64, 2);
    case Intrinsic::maxnum: return direct(Opcode::MaxF32, Opcode::MaxF64, 2);
    case Intrinsic::copysign: return direct(Opcode::CopySignF32, Opcode::CopySignF64, 2);
    case Intrinsic::fma:
    case Intrinsic::fmuladd: {
        const auto leaves = leavesOf(i.getType());
        std::vector<Operand> results;
        for (unsigned l = 0; l < leaves.size(); ++l)
            results.push_back(fused(Opcode::FmaF32, Opcode::FmaF64, leaves[l], use(i.getArgOperand(0), l),
                                    use(i.getArgOperand(1), l), use(i.getArgOperand(2), l)));
        define(&i, std::move(results));
        return true;
    }
    case Intrinsic::round: return math(MathFunction::round);
    case Intrinsic::sin: return math(MathFunction::sin);
    case Intrinsic::cos: return math(MathFunction::cos);
    case Intrinsic::exp: return math(MathFunction::exp);
    case Intrinsic::exp2: return math(MathFunction::exp2);
    case Intrinsic::log: return math(MathFunction::log);
    case Intrinsic::log2: return math(MathFunction::log2);
    case Intrinsic::log10: return math(MathFunction::log10);
    case Intrinsic::pow: return math(MathFunction::pow);
    default: return false;
    }
}

bool FunctionLowering::lowerIntegerIntrinsic(const llvm::IntrinsicInst& i) {
    using namespace llvm;
    if (!i.getType()->isIntOrIntVectorTy() && !i.getType()->isStructTy()) return false;
    const Type* type = i.getType()->isStructTy() ? i.getType()->getStructElementType(0) : i.getType();
    if (!type->isIntOrIntVectorTy()) return false;
    const auto leaves = leavesOf(const_cast<Type*>(type));
    std::vector<Operand> results;
    for (unsigned l = 0; l < leaves.size(); ++l) {
        const Leaf& leaf = leaves[l];
        const bool w = leaf.wide();
        const unsigned bits = leaf.bits;
        const auto constant = [&](uint64_t v) { return w ? constant64(v) : constant32(uint32_t(v)); };
        const auto op = [&](Opcode narrow, Opcode wide, Operand a, Operand b = {}, Operand c = {}) {
            return emitTo(leaf, w ? wide : narrow, a, b, c);
        };
        const auto argument = [&](unsigned k) { return use(i.getArgOperand(k), l); };
        const auto ordered = [&](Opcode narrow, Opcode wide) {
            return zeroExtended(op(narrow, wide, signExtended(argument(0), bits), signExtended(argument(1), bits)), bits);
        };
        switch (i.getIntrinsicID()) {
        case Intrinsic::abs: {
            const Operand a = signExtended(argument(0), bits);
            results.push_back(zeroExtended(op(Opcode::MaxS32, Opcode::MaxS64, a, op(Opcode::SubI32, Opcode::SubI64, constant(0), a)), bits));
            break;
        }
        case Intrinsic::smin: results.push_back(ordered(Opcode::MinS32, Opcode::MinS64)); break;
        case Intrinsic::smax: results.push_back(ordered(Opcode::MaxS32, Opcode::MaxS64)); break;
        case Intrinsic::umin: results.push_back(op(Opcode::MinU32, Opcode::MinU64, argument(0), argument(1))); break;
        case Intrinsic::umax: results.push_back(op(Opcode::MaxU32, Opcode::MaxU64, argument(0), argument(1))); break;
        case Intrinsic::ctpop: results.push_back(op(Opcode::Popcount32, Opcode::Popcount64, argument(0))); break;
        case Intrinsic::ctlz: {
            const Operand zeros = op(Opcode::Clz32, Opcode::Clz64, argument(0));
            const unsigned spare = (w ? 64 : 32) - bits;
            results.push_back(spare ? op(Opcode::SubI32, Opcode::SubI64, zeros, constant(spare)) : zeros);
            break;
        }
        case Intrinsic::cttz: {
            Operand a = argument(0);
            if (bits != 32 && bits != 64) a = op(Opcode::OrI32, Opcode::OrI64, a, constant(uint64_t{1} << bits));
            results.push_back(op(Opcode::Ctz32, Opcode::Ctz64, a));
            break;
        }
        case Intrinsic::bitreverse: {
            const Operand r = op(Opcode::Reverse32, Opcode::Reverse64, argument(0));
            const unsigned spare = (w ? 64 : 32) - bits;
            results.push_back(spare ? op(Opcode::ShrU32, Opcode::ShrU64, r, constant(spare)) : r);
            break;
        }
        case Intrinsic::bswap: {
            const Operand a = argument(0);
            const auto swap32 = [&](Operand v) { return emit32(Opcode::Permute32, v, constant32(0), constant32(0x0123)); };
            if (bits == 64) results.push_back(emit64(Opcode::Combine64, swap32(emit32(Opcode::HighHalf64, a)), swap32(emit32(Opcode::Truncate64To32, a))));
            else if (bits == 32) results.push_back(swap32(a));
            else results.push_back(emit32(Opcode::Permute32, a, constant32(0), constant32(0x4401)));
            break;
        }
        case Intrinsic::fshl:
        case Intrinsic::fshr: {
            if (bits != 32 && bits != 64) return false;
            const bool left = i.getIntrinsicID() == Intrinsic::fshl;
            results.push_back(left ? op(Opcode::FunnelShl32, Opcode::FunnelShl64, argument(0), argument(1), argument(2))
                                   : op(Opcode::FunnelShr32, Opcode::FunnelShr64, argument(0), argument(1), argument(2)));
            break;
        }
        case Intrinsic::usub_sat: {
            const Operand a = argument(0), b = argument(1);
            results.push_back(op(Opcode::SubI32, Opcode::SubI64, op(Opcode::MaxU32, Opcode::MaxU64, a, b), b));
            break;
        }
        case Intrinsic::uadd_sat: {
            if (bits != 32 && bits != 64) return false;
            const Operand a = argument(0), sum = op(Opcode::AddI32, Opcode::AddI64, a, argument(1));
            const Operand carried = emitP(w ? Opcode::LtU64 : Opcode::LtU32, sum, a);
            results.push_back(selectLeaf(leaf, carried, constant(~uint64_t{0}), sum));
            break;
        }
        case Intrinsic::uadd_with_overflow: {
            const Operand a = argument(0), sum = zeroExtended(op(Opcode::AddI32, Opcode::AddI64, a, argument(1)), bits);
            define(&i, {sum, emitP(w ? Opcode::LtU64 : Opcode::LtU32, sum, a)});
            return true;
        }
        case Intrinsic::usub_with_overflow: {
            const Operand a = argument(0), b = argument(1);
            const Operand difference = zeroExtended(op(Opcode::SubI32, Opcode::SubI64, a, b), bits);
            define(&i, {difference, emitP(w ? Opcode::LtU64 : Opcode::LtU32, a, b)});
            return true;
        }
        case Intrinsic::umul_with_overflow: {
            if (bits != 32 && bits != 64) return false;
            const Operand a = argument(0), b = argument(1);
            const Operand high = op(Opcode::MulHiU32, Opcode::MulHiU64, a, b);
            define(&i, {op(Opcode::MulI32, Opcode::MulI64, a, b), emitP(w ? Opcode::NeI64 : Opcode::NeI32, high, constant(0))});
            return true;
        }
        default: return false;
        }
    }
    define(&i, std::move(results));
    return true;
}

bool FunctionLowering::lowerAtomicIntrinsic(const llvm::IntrinsicInst& i) {
    // Scoped and wrapping atomics that Clang emits as intrinsics rather than atomicrmw.
    const llvm::StringRef name = i.getCalledFunction()->getName();
    const bool inc = name.starts_with("llvm.nvvm.atomic.load.inc"), dec = name.starts_with("llvm.nvvm.atomic.load.dec");
    struct Row { const char* verb; AtomicOp op; };
    static constexpr Row kRows[] = {{".add.", AtomicOp::Add}, {".and.", AtomicOp::And}, {".or.", AtomicOp::Or}, {".xor.", AtomicOp::Xor},
                                    {".max.", AtomicOp::Max}, {".min.", AtomicOp::Min}, {".exch.", AtomicOp::Exchange},
                                    {".inc.", AtomicOp::Inc}, {".dec.", AtomicOp::Dec}};
    const llvm::Type* type = i.getType();
    const AtomicType kind = type->isFloatTy() ? AtomicType::F32 : type->isDoubleTy() ? AtomicType::F64
                            : type->isIntegerTy(64) ? AtomicType::I64 : AtomicType::I32;
    if (inc || dec) {
        emitAtomic(i, i.getArgOperand(0), inc ? AtomicOp::Inc : AtomicOp::Dec, AtomicType::U32, use(i.getArgOperand(1)));
        return true;
    }
    if (!name.starts_with("llvm.nvvm.atomic.")) return false;
    if (name.contains(".cas.")) {
        const Operand old = newRegister(isWide(kind) ? 2 : 1);
        const Operand base = use(i.getArgOperand(0)), expected = use(i.getArgOperand(1));
        emit(Opcode::CompareSwap, old, base, expected, use(i.getArgOperand(2))).aux =
            packAtomic(AtomicOp::Add, type->isIntegerTy(16) ? AtomicType::U16 : kind);
        define(&i, {old});
        return true;
    }
    for (const Row& row : kRows)
        if (name.contains(row.verb)) {
            emitAtomic(i, i.getArgOperand(0), row.op, kind, use(i.getArgOperand(1)));
            return true;
        }
    return false;
}

bool FunctionLowering::lowerRuntimeCall(const llvm::CallBase& i, llvm::StringRef name) {
    const auto argument = [&](unsigned k) { return use(i.getArgOperand(k)); };
    if (name == "vprintf") {
        const Operand d = newRegister(1);
        emit(Opcode::Printf, d, argument(0), argument(1));
        define(&i, {d});
    } else if (name == "__playground_grid_sync") {
        emit(Opcode::Barrier).aux = uint16_t(BarrierOp::Grid);
    } else if (name == "__assertfail") {
        emit(Opcode::AssertFail, {}, argument(0), argument(1), argument(2));
    } else if (name == "malloc" || name == "_Znwm" || name == "_Znam") {
        define(&i, {emit64(Opcode::Malloc, argument(0))});
    } else if (name == "free" || name == "_ZdlPv" || name == "_ZdaPv" || name == "_ZdlPvm" || name == "_ZdaPvm") {
        emit(Opcode::Free, {}, argument(0));
    } else {
        return false;
    }
    return true;
}

} // namespace sim::frontend
