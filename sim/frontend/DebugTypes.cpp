// Types of the learner's program, read from debug info.
#include "sim/frontend/DebugTypes.h"

#include <llvm/BinaryFormat/Dwarf.h>

namespace sim::frontend {

namespace dwarf = llvm::dwarf;

const llvm::DIType* stripQualifiers(const llvm::DIType* type) {
    while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
        switch (derived->getTag()) {
        case dwarf::DW_TAG_const_type:
        case dwarf::DW_TAG_volatile_type:
        case dwarf::DW_TAG_restrict_type:
        case dwarf::DW_TAG_typedef:
        case dwarf::DW_TAG_member: type = derived->getBaseType(); continue;
        default: return type;
        }
    }
    return type;
}

const llvm::DIType* pointee(const llvm::DIType* type) {
    type = stripQualifiers(type);
    if (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type))
        return derived->getTag() == dwarf::DW_TAG_pointer_type ? derived->getBaseType() : nullptr;
    if (const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
        return composite->getTag() == dwarf::DW_TAG_array_type ? composite->getBaseType() : nullptr;
    return nullptr;
}

std::string typeName(const llvm::DIType* type) {
    if (!type) return "void";
    if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
        const std::string base = typeName(derived->getBaseType());
        switch (derived->getTag()) {
        case dwarf::DW_TAG_pointer_type: {
            std::string name = base;
            if (!base.ends_with('*')) name += ' ';
            name += '*';
            return name;
        }
        case dwarf::DW_TAG_reference_type: return base + " &";
        case dwarf::DW_TAG_const_type: return base.ends_with('*') ? base + " const" : std::string("const ").append(base);
        case dwarf::DW_TAG_volatile_type: return std::string("volatile ").append(base);
        case dwarf::DW_TAG_restrict_type: return base + "__restrict__";
        case dwarf::DW_TAG_member: return base;
        default: return derived->getName().str();
        }
    }
    if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type); composite && composite->getTag() == dwarf::DW_TAG_array_type) {
        std::string name = typeName(composite->getBaseType());
        for (const llvm::DINode* element : composite->getElements())
            if (const auto* range = llvm::dyn_cast<llvm::DISubrange>(element)) {
                const auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
                name += '[';
                if (count && count->getSExtValue() >= 0) name += std::to_string(count->getSExtValue());
                name += ']';
            }
        return name;
    }
    return type->getName().str();
}

std::optional<ElementType> elementOf(const llvm::DIType* type) {
    const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(stripQualifiers(type));
    if (!basic) return std::nullopt;
    const bool isSigned = basic->getEncoding() == dwarf::DW_ATE_signed || basic->getEncoding() == dwarf::DW_ATE_signed_char;
    if (basic->getEncoding() == dwarf::DW_ATE_float) {
        if (basic->getSizeInBits() == 16) return ElementType::F16;
        return basic->getSizeInBits() == 64 ? ElementType::F64 : ElementType::F32;
    }
    switch (basic->getSizeInBits()) {
    case 8: return isSigned ? ElementType::I8 : ElementType::U8;
    case 16: return isSigned ? ElementType::I16 : ElementType::U16;
    case 32: return isSigned ? ElementType::I32 : ElementType::U32;
    case 64: return isSigned ? ElementType::I64 : ElementType::U64;
    default: return std::nullopt;
    }
}

void describeType(const llvm::DIType* type, Variable& v) {
    using Format = Variable::Format;
    v.type = typeName(type);
    const llvm::DIType* plain = stripQualifiers(type);
    v.bytes = plain ? plain->getSizeInBits() / 8 : 4;
    v.bits = plain ? unsigned(plain->getSizeInBits()) : 32;
    v.format = Format::Bytes;
    if (const auto* enumeration = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain)) {
        if (enumeration->getTag() == dwarf::DW_TAG_enumeration_type) v.format = Format::Signed;
        if (const llvm::DIType* element = pointee(plain)) {
            while (const llvm::DIType* inner = pointee(element)) element = inner;
            const uint64_t whole = v.bytes;
            describeType(element, v);
            v.type = typeName(type);
            v.bytes = whole;
        }
        return;
    }
    if (llvm::isa_and_nonnull<llvm::DIDerivedType>(plain)) {
        v.format = Format::Pointer;
        v.bits = 64;
        v.bytes = 8;
        return;
    }
    const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain);
    if (!basic) return;
    switch (basic->getEncoding()) {
    case dwarf::DW_ATE_boolean: v.format = Format::Bool; break;
    case dwarf::DW_ATE_float: v.format = Format::Float; break;
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_signed_char: v.format = Format::Signed; break;
    default: v.format = Format::Unsigned; break;
    }
}

MemberAt memberAt(const llvm::DIType* type, uint64_t bit) {
    MemberAt result{"", type};
    for (;;) {
        const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(stripQualifiers(result.type));
        if (!composite) return result;
        if (composite->getTag() == dwarf::DW_TAG_array_type) {
            const llvm::DIType* element = composite->getBaseType();
            const uint64_t size = element ? stripQualifiers(element)->getSizeInBits() : 0;
            if (!size) return result;
            result.path.append("[").append(std::to_string(bit / size)).append("]");
            bit %= size;
            result.type = element;
            continue;
        }
        const llvm::DIDerivedType* found = nullptr;
        for (const llvm::DINode* node : composite->getElements()) {
            const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
            if (!member || member->getTag() != dwarf::DW_TAG_member || member->isStaticMember()) continue;
            if (member->getOffsetInBits() <= bit && bit < member->getOffsetInBits() + member->getSizeInBits()) found = member;
        }
        if (!found) return result;
        result.path.append(".").append(found->getName().str());
        bit -= found->getOffsetInBits();
        result.type = found->getBaseType();
    }
}

} // namespace sim::frontend
