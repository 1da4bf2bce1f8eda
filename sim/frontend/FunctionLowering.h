// Lowers one LLVM function to bytecode.
//
// Every LLVM value becomes one operand per scalar leaf: an i32 one, a <4 x float> four, a {i32, i1} two. What a leaf
// is says where it lives: predicates for i1, one slot up to 32 bits (zero-extended), two slots up to 64.
#pragma once

#include "sim/frontend/MachineCode.h"
#include "sim/frontend/ModuleLowering.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace sim::frontend {

/// One scalar of a value.
struct Leaf {
    enum class Kind : uint8_t { Predicate, Integer, Half, BFloat, Float, Double, Pointer } kind = Kind::Integer;
    unsigned bits = 32;
    bool wide() const { return bits > 32; }
    bool predicate() const { return kind == Kind::Predicate; }
    unsigned bytes() const { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }
    uint16_t slots() const { return wide() ? 2 : 1; }
};

class DebugVariables;

class FunctionLowering {
public:
    FunctionLowering(ModuleLowering& module, llvm::Function& source, Function& out);
    void run();

private:
    struct Address {                    ///< base + offset of a load, store or atomic.
        const llvm::Value* base;
        int64_t offset;
    };
    struct Contraction {                ///< product +- addend as one fused operation.
        const llvm::BinaryOperator* product;
        const llvm::Value* addend;
        Opcode op32, op64;
    };

    // FunctionLowering.cpp: values, constants and the order of work.
    std::vector<Leaf> leavesOf(llvm::Type* type);
    Operand newRegister(uint16_t slots, bool predicate = false);
    Operand newRegister(const Leaf& leaf) { return newRegister(leaf.slots(), leaf.predicate()); }
    Operand fixedRegister(uint16_t slot, uint16_t slots, bool predicate = false);
    Operand special(SpecialRegister which);
    Operand constant32(uint32_t bits) { return constantBits(bits, false, false, -1, -1); }
    Operand constant64(uint64_t bits) { return constantBits(bits, true, false, -1, -1); }
    Operand constantPredicate(bool value) { return constantBits(value ? ~0u : 0u, false, true, -1, -1); }
    Operand constantBits(uint64_t bits, bool wide, bool predicate, int global, int function);
    Operand constantLeaf(const llvm::Constant* value, unsigned leaf);
    bool constantAddress(const llvm::Constant* value, int& global, int& function, int64_t& offset) const;
    /// The operand of a leaf of a value; emits nothing.
    Operand use(const llvm::Value* value, unsigned leaf = 0);
    const std::vector<Operand>& uses(const llvm::Value* value);
    void define(const llvm::Value* value, std::vector<Operand> operands) { values_[value] = std::move(operands); }
    MachineInstruction& emit(Opcode op, Operand d = {}, Operand a = {}, Operand b = {}, Operand c = {});
    /// Emits into a new register of the leaf's class and returns it.
    Operand emitTo(const Leaf& leaf, Opcode op, Operand a = {}, Operand b = {}, Operand c = {}, uint16_t aux = 0);
    Operand emit32(Opcode op, Operand a = {}, Operand b = {}, Operand c = {}, uint16_t aux = 0);
    Operand emit64(Opcode op, Operand a = {}, Operand b = {}, Operand c = {}, uint16_t aux = 0);
    Operand emitP(Opcode op, Operand a = {}, Operand b = {}, Operand c = {}, uint16_t aux = 0);
    void copy(Operand to, Operand from, const Leaf& leaf);
    void unsupported(const std::string& what);
    void placeParameters();
    void planFolding();
    void markNeeded();
    void realOperands(const llvm::Instruction& i, std::vector<const llvm::Value*>& out) const;
    void lowerBlock(const llvm::BasicBlock& block, DebugVariables& debug);
    /// What a debugger would show for a value here; invalid when nothing holds it.
    Operand shownValue(const llvm::Value* v);
    void lower(const llvm::Instruction& i);

    // LowerArithmetic.cpp
    void lowerBinary(const llvm::BinaryOperator& i);
    Operand binaryLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b);
    Operand integerLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b);
    Operand halfLeaf(unsigned opcode, const Leaf& leaf, Operand a, Operand b);
    void lowerContraction(const llvm::BinaryOperator& i, const Contraction& c);
    void lowerCast(const llvm::CastInst& i);
    Operand castLeaf(const llvm::CastInst& i, const Leaf& from, const Leaf& to, Operand a);
    void lowerBitcast(const llvm::Value& to, const llvm::Value& from);
    void lowerCompare(const llvm::CmpInst& i);
    Operand compareIntegers(llvm::CmpInst::Predicate p, const Leaf& leaf, Operand a, Operand b);
    Operand compareFloats(llvm::CmpInst::Predicate p, const Leaf& leaf, Operand a, Operand b);
    void lowerSelect(const llvm::SelectInst& i);
    Operand selectLeaf(const Leaf& leaf, Operand condition, Operand a, Operand b);
    /// Low `bits` of a 32- or 64-bit register, the rest cleared / filled with the sign.
    Operand zeroExtended(Operand a, unsigned bits);
    Operand signExtended(Operand a, unsigned bits);
    /// The fused multiply-add `op32` or `op64` of one leaf; 16-bit floats are computed in double and rounded.
    Operand fused(Opcode op32, Opcode op64, const Leaf& leaf, Operand x, Operand y, Operand z);
    Operand toFloat(Operand a, const Leaf& leaf);
    Operand fromFloat(Operand a, const Leaf& leaf);

    // LowerMemory.cpp
    Address addressOf(const llvm::Value* pointer) const;
    void lowerLoad(const llvm::LoadInst& i);
    void lowerStore(const llvm::StoreInst& i);
    void loadLeaves(const std::vector<Leaf>& leaves, const std::vector<uint64_t>& offsets, Operand base, int64_t offset,
                    uint64_t alignment, std::vector<Operand>& out);
    void storeLeaves(const std::vector<Leaf>& leaves, const std::vector<uint64_t>& offsets, Operand base, int64_t offset,
                     uint64_t alignment, const std::vector<Operand>& values);
    /// A register of `count` elements side by side.
    Operand newTuple(const Leaf& leaf, unsigned count);
    Operand loadInPieces(const Leaf& leaf, Operand base, int64_t offset, unsigned pieceBytes);
    void storeInPieces(const Leaf& leaf, Operand base, int64_t offset, unsigned pieceBytes, Operand value);
    std::vector<uint64_t> leafOffsets(llvm::Type* type);
    void lowerGep(const llvm::GetElementPtrInst& i);
    Operand foldedBase(const Address& address);
    void lowerAlloca(const llvm::AllocaInst& i);
    void lowerAtomicRmw(const llvm::AtomicRMWInst& i);
    void lowerCompareExchange(const llvm::AtomicCmpXchgInst& i);
    void lowerExtractElement(const llvm::ExtractElementInst& i);
    void lowerInsertElement(const llvm::InsertElementInst& i);
    void lowerShuffleVector(const llvm::ShuffleVectorInst& i);
    void lowerExtractValue(const llvm::ExtractValueInst& i);
    void lowerInsertValue(const llvm::InsertValueInst& i);
    unsigned leafIndex(llvm::Type* type, llvm::ArrayRef<unsigned> indices);
    void emitAtomic(const llvm::Instruction& i, const llvm::Value* pointer, AtomicOp op, AtomicType type, Operand value);

    // LowerControlFlow.cpp
    void orderBlocks();
    void lowerTerminator(const llvm::Instruction& i);
    void phiCopies(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
    void parallelCopy(std::vector<std::pair<Operand, Operand>> copies, const std::vector<Leaf>& leaves);
    void lowerCallToFunction(const llvm::CallBase& i, int function);
    void lowerReturn(const llvm::ReturnInst& i);
    void findReconvergence();

    // LowerIntrinsics.cpp
    void lowerCall(const llvm::CallBase& i);
    bool lowerIntrinsic(const llvm::IntrinsicInst& i);
    bool lowerSpecialRegister(const llvm::IntrinsicInst& i);
    bool lowerWarpIntrinsic(const llvm::IntrinsicInst& i);
    bool lowerMathIntrinsic(const llvm::IntrinsicInst& i);
    bool lowerIntegerIntrinsic(const llvm::IntrinsicInst& i);
    bool lowerAtomicIntrinsic(const llvm::IntrinsicInst& i);
    bool lowerLibraryCall(const llvm::CallBase& i, llvm::StringRef name);

    // LowerLibrary.cpp
    bool lowerComposedLibraryCall(const llvm::CallBase& i, llvm::StringRef name);
    bool lowerRoundedConversion(const llvm::CallBase& i, llvm::StringRef name);

    bool lowerRuntimeCall(const llvm::CallBase& i, llvm::StringRef name);
    bool lowerInlineAssembly(const llvm::CallBase& i);
    Operand shuffle(Operand value, Operand lane, Operand clamp, Operand mask, ShuffleMode mode);

    ModuleLowering& module_;
    llvm::Function& source_;
    Function& out_;
    MachineFunction machine_;
    std::map<const llvm::BasicBlock*, uint32_t> blockIndex_;
    std::vector<const llvm::BasicBlock*> order_;
    std::unordered_map<const llvm::Value*, std::vector<Operand>> values_;
    std::map<std::tuple<uint64_t, bool, bool, int, int>, Operand> constants_;
    std::map<uint16_t, Operand> specials_;
    std::unordered_map<const llvm::Instruction*, Contraction> contractions_;
    std::set<const llvm::Instruction*> needed_;
    std::map<const llvm::AllocaInst*, uint32_t> localOffsets_;
    uint32_t current_ = 0;              ///< Block being lowered.
    SourceLoc at_;                      ///< Of the instruction being lowered.
    uint16_t nextFixed_ = 0;            ///< Next free preloaded slot.
};

/// Gives every virtual register a slot and writes the bytecode.
void allocateRegisters(MachineFunction& machine, Function& out, uint16_t firstFree);

} // namespace sim::frontend
