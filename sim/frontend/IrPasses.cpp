// The pass pipelines between Clang and lowering.
#include "sim/frontend/IrPasses.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace sim::frontend {

namespace {

bool isKernel(const llvm::Function& f) {
    const llvm::NamedMDNode* annotations = f.getParent()->getNamedMetadata("nvvm.annotations");
    if (!annotations) return false;
    for (const llvm::MDNode* node : annotations->operands()) {
        if (node->getNumOperands() < 3) continue;
        const auto* value = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0));
        const auto* key = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(1));
        if (value && value->getValue() == &f && key && key->getString() == "kernel") return true;
    }
    return false;
}

/// Functions that can reach themselves; they stay calls.
std::set<const llvm::Function*> recursiveFunctions(llvm::Module& module) {
    std::set<const llvm::Function*> recursive;
    llvm::CallGraph graph(module);
    for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
        if (!it.hasCycle()) continue;
        for (const llvm::CallGraphNode* node : *it)
            if (node->getFunction()) recursive.insert(node->getFunction());
    }
    return recursive;
}

void markForInlining(llvm::Module& module) {
    const auto recursive = recursiveFunctions(module);
    for (llvm::Function& f : module) {
        f.removeFnAttr(llvm::Attribute::NoInline);
        f.removeFnAttr(llvm::Attribute::OptimizeNone);
        if (f.isDeclaration() || isKernel(f) || recursive.contains(&f)) continue;
        f.setLinkage(llvm::GlobalValue::InternalLinkage);
        f.setComdat(nullptr);
        f.addFnAttr(llvm::Attribute::AlwaysInline);
    }
}

/// Numeric type of which an aggregate consists throughout, or nullptr: float for float4, i32 for int2.
llvm::Type* uniformLeaf(llvm::Type* type) {
    if (auto* s = llvm::dyn_cast<llvm::StructType>(type)) {
        llvm::Type* leaf = nullptr;
        for (llvm::Type* element : s->elements()) {
            llvm::Type* one = uniformLeaf(element);
            if (!one || (leaf && leaf != one)) return nullptr;
            leaf = one;
        }
        return leaf;
    }
    if (auto* a = llvm::dyn_cast<llvm::ArrayType>(type)) return uniformLeaf(a->getElementType());
    return type->isIntegerTy() || type->isFloatingPointTy() ? type : nullptr;
}

/// The type that both ends of a copy suggest for its pieces.
llvm::Type* leafOfCopy(const llvm::MemCpyInst& copy) {
    for (llvm::Value* end : {copy.getRawDest(), copy.getRawSource()}) {
        llvm::Value* base = end->stripPointerCasts();
        if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(base))
            if (llvm::Type* leaf = uniformLeaf(slot->getAllocatedType())) return leaf;
    }
    return nullptr;
}

/// Replaces one fixed-size copy by the loads and stores that nvcc emits for it: pieces as wide as the alignment
/// allows, at most 16 bytes (PTX ld.v4). A float4 assignment becomes one 16-byte load and one 16-byte store.
void expandCopy(llvm::MemCpyInst& copy, uint64_t size) {
    llvm::IRBuilder<> ir(&copy);
    llvm::Type* leaf = leafOfCopy(copy);
    const uint64_t align = std::min(copy.getSourceAlign().valueOrOne().value(), copy.getDestAlign().valueOrOne().value());
    for (uint64_t at = 0; at < size;) {
        uint64_t piece = std::min<uint64_t>(align, 16);
        while (piece > size - at || (at % piece) != 0) piece /= 2;
        const uint64_t leafBytes = leaf ? leaf->getPrimitiveSizeInBits() / 8 : 0;
        llvm::Type* type;
        if (leafBytes && leafBytes < piece) type = llvm::FixedVectorType::get(leaf, unsigned(piece / leafBytes));
        else if (leafBytes == piece) type = leaf;
        else if (piece == 16) type = llvm::FixedVectorType::get(ir.getInt32Ty(), 4);
        else type = ir.getIntNTy(unsigned(piece * 8));
        llvm::Value* from = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), copy.getRawSource(), at);
        llvm::Value* to = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), copy.getRawDest(), at);
        ir.CreateAlignedStore(ir.CreateAlignedLoad(type, from, llvm::Align(piece)), to, llvm::Align(piece));
        at += piece;
    }
    copy.eraseFromParent();
}

/// Largest copy that is written out; longer ones become loops.
constexpr uint64_t kMaxExpandedCopy = 1024;

void expandCopies(llvm::Module& module) {
    for (llvm::Function& f : module)
        for (llvm::BasicBlock& block : f)
            for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
                auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&i);
                if (!copy) continue;
                const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
                if (length && length->getZExtValue() <= kMaxExpandedCopy) expandCopy(*copy, length->getZExtValue());
            }
}

/// Joins blocks that only Clang's bookkeeping separates; no branch of the source goes away.
void joinStraightLines(llvm::Function& f) {
    llvm::removeUnreachableBlocks(f);
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(f)) llvm::MergeBlockIntoPredecessor(&block);
    // An empty block that only jumps on, entered by a jump, folds into its target.
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(f)) {
        if (&block == &f.getEntryBlock()) continue;
        auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        if (jump && jump->isUnconditional() && block.getFirstNonPHIOrDbg() == jump && jump->getSuccessor(0) != &block &&
            !llvm::isa<llvm::PHINode>(block.front()))
            llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
    }
}

class Pipeline {
public:
    explicit Pipeline(llvm::TargetMachine* target = nullptr) : builder_(target) {
        builder_.registerModuleAnalyses(modules_);
        builder_.registerCGSCCAnalyses(sccs_);
        builder_.registerFunctionAnalyses(functions_);
        builder_.registerLoopAnalyses(loops_);
        builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
    }
    void run(llvm::Module& module, llvm::ModulePassManager passes) { passes.run(module, modules_); }
    llvm::PassBuilder& builder() { return builder_; }

private:
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager sccs_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
};

/// What lowering relies on whatever ran before: no switch, one return, no joined-up straight lines left.
void finish(llvm::Module& module, Pipeline& pipeline) {
    llvm::FunctionPassManager last;
    last.addPass(llvm::LowerSwitchPass());
    last.addPass(llvm::UnifyFunctionExitNodesPass());
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
    pipeline.run(module, std::move(passes));
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        joinStraightLines(f);
    }
}

std::unique_ptr<llvm::TargetMachine> nvptxTarget() {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", error);
    if (!target) return nullptr;
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine("nvptx64-nvidia-cuda", "sm_90", "+ptx83", {}, std::nullopt));
}

} // namespace

void prepareAsWritten(llvm::Module& module) {
    markForInlining(module);
    expandCopies(module);
    Pipeline pipeline;
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager promote;
    promote.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    promote.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(promote)));
    pipeline.run(module, std::move(passes));
    finish(module, pipeline);
}

void prepareAsCompiled(llvm::Module& module) {
    markForInlining(module);
    const auto target = nvptxTarget();
    Pipeline pipeline(target.get());
    pipeline.run(module, pipeline.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3));
    expandCopies(module);
    finish(module, pipeline);
}

} // namespace sim::frontend
