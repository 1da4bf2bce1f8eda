// Lowers a prepared LLVM module to a Program: variables, kernels, and the functions that stay calls.
#include "sim/frontend/ModuleLowering.h"

#include "sim/frontend/DebugTypes.h"
#include "sim/frontend/FunctionLowering.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <set>

namespace sim::frontend {

namespace {

std::string demangledName(const std::string& mangled) {
    llvm::ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(mangled.c_str())) return mangled;
    char* text = demangler.isFunction() ? demangler.getFunctionName(nullptr, nullptr) : demangler.finishDemangle(nullptr, nullptr);
    std::string name = text ? text : mangled;
    std::free(text);
    return name;
}

/// nvvm.annotations: (function, "kernel", 1), (function, "maxntidx", 256), ...
std::map<const llvm::Function*, std::map<std::string, uint64_t>> annotations(const llvm::Module& module) {
    std::map<const llvm::Function*, std::map<std::string, uint64_t>> result;
    const llvm::NamedMDNode* list = module.getNamedMetadata("nvvm.annotations");
    if (!list) return result;
    for (const llvm::MDNode* node : list->operands()) {
        if (node->getNumOperands() < 1) continue;
        const auto* value = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0));
        const auto* function = value ? llvm::dyn_cast<llvm::Function>(value->getValue()) : nullptr;
        for (unsigned k = 1; function && k + 1 < node->getNumOperands(); k += 2) {
            const auto* key = llvm::dyn_cast<llvm::MDString>(node->getOperand(k));
            const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(k + 1));
            if (key && number) result[function][key->getString().str()] = number->getZExtValue();
        }
    }
    return result;
}

MemorySpace spaceOf(const llvm::GlobalVariable& g) {
    switch (g.getAddressSpace()) {
    case 3: return MemorySpace::Shared;
    case 4: return MemorySpace::Constant;
    case 1: return MemorySpace::Global;
    default: return g.isConstant() ? MemorySpace::Constant : MemorySpace::Global;
    }
}

} // namespace

bool ModuleLowering::run() {
    collectGlobals();
    collectFunctions();
    for (const auto& [function, index] : functions_) {
        auto& source = const_cast<llvm::Function&>(*function);
        FunctionLowering(*this, source, program_.functions[size_t(index)]).run();
    }
    layOutShared();
    return std::none_of(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::Error; });
}

int ModuleLowering::globalIndex(const llvm::GlobalVariable* g) const {
    const auto it = globals_.find(g);
    return it == globals_.end() ? -1 : it->second;
}
int ModuleLowering::functionIndex(const llvm::Function* f) const {
    const auto it = functions_.find(f);
    return it == functions_.end() ? -1 : it->second;
}

bool ModuleLowering::inLearnersFile(const llvm::DIScope* scope) const {
    if (!scope || !scope->getFile()) return false;
    const llvm::StringRef file = scope->getFile()->getFilename();
    return file == learnerPath_ || (scope->getFile()->getDirectory() + "/" + file).str() == learnerPath_ ||
           llvm::StringRef(learnerPath_).ends_with(("/" + file).str());
}

SourceLoc ModuleLowering::locate(const llvm::DebugLoc& at) const {
    for (const llvm::DILocation* l = at.get(); l; l = l->getInlinedAt())
        if (inLearnersFile(l->getScope()) && l->getLine()) return {l->getLine(), l->getColumn()};
    return {};
}

void ModuleLowering::unsupported(const SourceLoc& at, std::string what) {
    Diagnostic d{.severity = Diagnostic::Severity::Error, .at = at, .message = "The simulator does not support " + std::move(what) + "."};
    for (const Diagnostic& known : diagnostics_)
        if (known.message == d.message && known.at == d.at) return;
    diagnostics_.push_back(std::move(d));
}

void ModuleLowering::collectGlobals() {
    for (const llvm::GlobalVariable& g : module_.globals()) {
        if (g.use_empty() || g.getName().starts_with("llvm.")) continue;
        // threadIdx and its kin are declared, but only their fields' getters are ever called.
        const bool shared = g.getAddressSpace() == 3;
        if (g.isDeclaration() && !shared) continue;
        globals_[&g] = int(program_.globals.size());
        Global global;
        global.name = demangledName(g.getName().str());
        global.space = spaceOf(g);
        global.bytes = layout().getTypeAllocSize(g.getValueType());
        global.alignment = uint32_t(g.getAlign().valueOrOne().value());
        global.dynamicShared = shared && (g.isDeclaration() || global.bytes == 0);
        global.hidden = g.hasPrivateLinkage();
        describeGlobal(g, global);
        program_.globals.push_back(std::move(global));
    }
    for (const auto& [g, index] : globals_) {
        Global& global = program_.globals[size_t(index)];
        if (global.space == MemorySpace::Shared || !g->hasInitializer() || g->getInitializer()->isNullValue() ||
            llvm::isa<llvm::UndefValue>(g->getInitializer()))
            continue;
        global.initial.resize(global.bytes);
        addInitialBytes(g->getInitializer(), 0, global);
    }
}

void ModuleLowering::describeGlobal(const llvm::GlobalVariable& g, Global& global) const {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    g.getDebugInfo(expressions);
    if (expressions.empty()) return;
    const llvm::DIGlobalVariable* variable = expressions.front()->getVariable();
    if (!variable->getName().empty()) global.name = variable->getName().str();
    global.type = typeName(variable->getType());
    global.at = {variable->getLine(), 1};
    const llvm::DIType* type = stripQualifiers(variable->getType());
    if (const auto* array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type); array && array->getTag() == llvm::dwarf::DW_TAG_array_type) {
        for (const llvm::DINode* element : array->getElements())
            if (const auto* range = llvm::dyn_cast<llvm::DISubrange>(element))
                if (const auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
                    global.extents.push_back(uint32_t(std::max<int64_t>(count->getSExtValue(), 0)));
        type = array->getBaseType();
    }
    global.element = elementOf(type);
}

void ModuleLowering::addInitialBytes(const llvm::Constant* value, uint64_t at, Global& global) {
    const auto put = [&](uint64_t bits, uint64_t bytes) {
        for (uint64_t k = 0; k < bytes && at + k < global.initial.size(); ++k) global.initial[at + k] = std::byte(bits >> (8 * k));
    };
    if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
    if (const auto* i = llvm::dyn_cast<llvm::ConstantInt>(value)) return put(i->getZExtValue(), (i->getBitWidth() + 7) / 8);
    if (const auto* f = llvm::dyn_cast<llvm::ConstantFP>(value)) {
        const llvm::APInt bits = f->getValueAPF().bitcastToAPInt();
        return put(bits.getZExtValue(), bits.getBitWidth() / 8);
    }
    if (value->getType()->isPointerTy()) {
        const llvm::Constant* base = value;
        llvm::APInt offset(64, 0);
        base = llvm::cast<llvm::Constant>(base->stripAndAccumulateConstantOffsets(layout(), offset, true));
        if (const auto* e = llvm::dyn_cast<llvm::ConstantExpr>(base); e && e->getOpcode() == llvm::Instruction::AddrSpaceCast) base = e->getOperand(0);
        Global::Relocation r{at, -1, -1, offset.getSExtValue()};
        if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(base)) r.global = globalIndex(g);
        else if (const auto* f = llvm::dyn_cast<llvm::Function>(base)) r.function = functionIndex(f);
        global.relocations.push_back(r);
        return;
    }
    const llvm::Type* type = value->getType();
    for (unsigned e = 0; const llvm::Constant* element = value->getAggregateElement(e); ++e) {
        const uint64_t offset = type->isStructTy()
                                    ? uint64_t(layout().getStructLayout(llvm::cast<llvm::StructType>(const_cast<llvm::Type*>(type)))->getElementOffset(e))
                                    : e * uint64_t(layout().getTypeAllocSize(element->getType()));
        addInitialBytes(element, at + offset, global);
    }
}

void ModuleLowering::collectFunctions() {
    const auto notes = annotations(module_);
    for (const llvm::Function& f : module_) {
        const auto note = notes.find(&f);
        const bool kernel = note != notes.end() && note->second.contains("kernel");
        if (f.isDeclaration()) continue;
        functions_[&f] = int(program_.functions.size());
        Function function;
        function.mangledName = f.getName().str();
        function.name = demangledName(function.mangledName);
        function.kernel = kernel;
        if (kernel) {
            const auto number = [&](const char* key) { return note->second.contains(key) ? uint32_t(note->second.at(key)) : 0u; };
            function.maxThreadsPerBlock = number("maxntidx");
            function.minBlocksPerSm = number("minctasm");
        }
        const llvm::DISubprogram* debug = f.getSubprogram();
        if (debug) function.at = {debug->getLine(), 1};
        const llvm::DITypeRefArray types = debug && debug->getType() ? debug->getType()->getTypeArray() : llvm::DITypeRefArray(nullptr);
        for (const llvm::Argument& argument : f.args()) {
            Parameter p;
            p.name = argument.getName().str();
            p.bytes = uint32_t(layout().getTypeStoreSize(argument.getType()));
            p.pointer = argument.getType()->isPointerTy();
            if (argument.hasByValAttr()) {
                p.pointer = false;
                p.byValueStruct = true;
                p.bytes = uint32_t(layout().getTypeAllocSize(argument.getParamByValType()));
                const uint32_t align = uint32_t(argument.getParamAlign().valueOrOne().value());
                function.parameterBytes = (function.parameterBytes + align - 1) / align * align;
                p.offset = function.parameterBytes;
                function.parameterBytes += p.bytes;
            }
            if (types && argument.getArgNo() + 1 < types.size()) {
                const llvm::DIType* type = types[argument.getArgNo() + 1];
                p.type = typeName(type);
                p.element = elementOf(p.pointer ? pointee(type) : type);
            }
            function.parameters.push_back(std::move(p));
        }
        program_.functions.push_back(std::move(function));
    }
}

void ModuleLowering::layOutShared() {
    // Which shared variables each function names, itself or through constants of its frame image.
    for (Function& kernel : program_.functions) {
        if (!kernel.kernel) continue;
        std::set<uint32_t> used, seen;
        std::vector<uint32_t> work{uint32_t(&kernel - program_.functions.data())};
        while (!work.empty()) {
            const uint32_t f = work.back();
            work.pop_back();
            if (!seen.insert(f).second) continue;
            const Function& function = program_.functions[f];
            for (const ImageConstant& c : function.image) {
                if (c.global >= 0 && program_.globals[size_t(c.global)].space == MemorySpace::Shared) used.insert(uint32_t(c.global));
                if (c.function >= 0) work.push_back(uint32_t(c.function));
            }
            for (const Instruction& i : function.code) {
                if (i.op == Opcode::Call) work.push_back(uint32_t(i.imm));
                if (i.op == Opcode::CallIndirect)
                    for (uint32_t other = 0; other < program_.functions.size(); ++other)
                        if (!program_.functions[other].kernel) work.push_back(other);
            }
        }
        uint32_t offset = 0;
        for (const bool dynamic : {false, true})
            for (const uint32_t index : used) {
                const Global& g = program_.globals[index];
                if (g.dynamicShared != dynamic) continue;
                // All extern arrays name the same memory, which starts 16-byte aligned behind the static variables.
                const uint32_t align = dynamic ? std::max(g.alignment, 16u) : g.alignment;
                if (!dynamic || kernel.shared.empty() || !program_.globals[kernel.shared.back().global].dynamicShared)
                    offset = (offset + align - 1) / align * align;
                kernel.shared.push_back({index, offset});
                if (!dynamic) offset += uint32_t(g.bytes);
            }
    }
}

} // namespace sim::frontend
