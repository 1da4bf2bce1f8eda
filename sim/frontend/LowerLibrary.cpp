// Calls of the device math library (__nv_...): what Clang's headers leave to libdevice.
#include "sim/frontend/FunctionLowering.h"

#include <unordered_map>

namespace sim::frontend {

namespace {

enum class Shape : uint8_t {
    Direct,     ///< One opcode on the arguments as they are.
    Math,       ///< MathF32 or MathF64 by the result's (or first argument's) width.
};
struct LibraryRow {
    Shape shape;
    Opcode op{};
    uint16_t aux = 0;
};

using Table = std::unordered_map<std::string, LibraryRow>;

void addRounded(Table& t, const std::string& stem, Opcode op, bool withUnrounded = false) {
    const char* suffixes[] = {"_rn", "_rz", "_ru", "_rd"};
    for (uint16_t r = 0; r < 4; ++r) t["__nv_" + stem + suffixes[r]] = {Shape::Direct, op, r};
    if (withUnrounded) t["__nv_" + stem] = {Shape::Direct, op, 0};
}

void addMath(Table& t) {
    struct Row { const char* name; MathFunction f; };
    static constexpr Row kRows[] = {
        {"sin", MathFunction::sin}, {"cos", MathFunction::cos}, {"tan", MathFunction::tan}, {"sinpi", MathFunction::sinpi},
        {"cospi", MathFunction::cospi}, {"asin", MathFunction::asin}, {"acos", MathFunction::acos}, {"atan", MathFunction::atan},
        {"atan2", MathFunction::atan2}, {"sinh", MathFunction::sinh}, {"cosh", MathFunction::cosh}, {"tanh", MathFunction::tanh},
        {"asinh", MathFunction::asinh}, {"acosh", MathFunction::acosh}, {"atanh", MathFunction::atanh}, {"exp", MathFunction::exp},
        {"exp2", MathFunction::exp2}, {"exp10", MathFunction::exp10}, {"expm1", MathFunction::expm1}, {"log", MathFunction::log},
        {"log2", MathFunction::log2}, {"log10", MathFunction::log10}, {"log1p", MathFunction::log1p}, {"logb", MathFunction::logb},
        {"pow", MathFunction::pow}, {"cbrt", MathFunction::cbrt}, {"rcbrt", MathFunction::rcbrt}, {"rsqrt", MathFunction::rsqrt},
        {"hypot", MathFunction::hypot}, {"rhypot", MathFunction::rhypot}, {"norm3d", MathFunction::norm3d},
        {"rnorm3d", MathFunction::rnorm3d}, {"erf", MathFunction::erf}, {"erfc", MathFunction::erfc}, {"erfinv", MathFunction::erfinv},
        {"erfcinv", MathFunction::erfcinv}, {"erfcx", MathFunction::erfcx}, {"normcdf", MathFunction::normcdf},
        {"normcdfinv", MathFunction::normcdfinv}, {"lgamma", MathFunction::lgamma}, {"tgamma", MathFunction::tgamma},
        {"j0", MathFunction::j0}, {"j1", MathFunction::j1}, {"y0", MathFunction::y0}, {"y1", MathFunction::y1},
        {"cyl_bessel_i0", MathFunction::cylBesselI0}, {"cyl_bessel_i1", MathFunction::cylBesselI1}, {"fdim", MathFunction::fdim},
        {"remainder", MathFunction::remainder}, {"nextafter", MathFunction::nextafter}, {"round", MathFunction::round}};
    for (const Row& row : kRows)
        for (const char* suffix : {"", "f"}) t[std::string("__nv_") + row.name + suffix] = {Shape::Math, {}, uint16_t(row.f)};
    static constexpr Row kFast[] = {
        {"fast_sinf", MathFunction::fastSin}, {"fast_cosf", MathFunction::fastCos}, {"fast_tanf", MathFunction::fastTan},
        {"fast_expf", MathFunction::fastExp}, {"fast_exp10f", MathFunction::fastExp10}, {"fast_logf", MathFunction::fastLog},
        {"fast_log2f", MathFunction::fastLog2}, {"fast_log10f", MathFunction::fastLog10}, {"fast_powf", MathFunction::fastPow},
        {"fast_fdividef", MathFunction::fastDivide}, {"saturatef", MathFunction::saturate}};
    for (const Row& row : kFast) t[std::string("__nv_") + row.name] = {Shape::Math, {}, uint16_t(row.f)};
}

void addDirect(Table& t) {
    struct Row { const char* name; Opcode op; };
    static constexpr Row kRows[] = {
        {"fabsf", Opcode::AbsF32}, {"fabs", Opcode::AbsF64}, {"floorf", Opcode::FloorF32}, {"floor", Opcode::FloorF64},
        {"ceilf", Opcode::CeilF32}, {"ceil", Opcode::CeilF64}, {"truncf", Opcode::TruncF32}, {"trunc", Opcode::TruncF64},
        {"rintf", Opcode::RintF32}, {"rint", Opcode::RintF64}, {"nearbyintf", Opcode::RintF32}, {"nearbyint", Opcode::RintF64},
        {"fminf", Opcode::MinF32}, {"fmin", Opcode::MinF64}, {"fmaxf", Opcode::MaxF32}, {"fmax", Opcode::MaxF64},
        {"copysignf", Opcode::CopySignF32}, {"copysign", Opcode::CopySignF64}, {"fmodf", Opcode::RemF32}, {"fmod", Opcode::RemF64},
        {"sqrtf", Opcode::SqrtF32}, {"sqrt", Opcode::SqrtF64}, {"fmaf", Opcode::FmaF32}, {"fma", Opcode::FmaF64},
        {"min", Opcode::MinS32}, {"max", Opcode::MaxS32}, {"umin", Opcode::MinU32}, {"umax", Opcode::MaxU32},
        {"llmin", Opcode::MinS64}, {"llmax", Opcode::MaxS64}, {"ullmin", Opcode::MinU64}, {"ullmax", Opcode::MaxU64},
        {"mulhi", Opcode::MulHiS32}, {"umulhi", Opcode::MulHiU32}, {"mul64hi", Opcode::MulHiS64}, {"umul64hi", Opcode::MulHiU64},
        {"popc", Opcode::Popcount32}, {"clz", Opcode::Clz32}, {"brev", Opcode::Reverse32}, {"brevll", Opcode::Reverse64},
        {"byte_perm", Opcode::Permute32}, {"float_as_int", Opcode::Mov32}, {"float_as_uint", Opcode::Mov32},
        {"int_as_float", Opcode::Mov32}, {"uint_as_float", Opcode::Mov32}, {"double_as_longlong", Opcode::Mov64},
        {"longlong_as_double", Opcode::Mov64}, {"double2loint", Opcode::Truncate64To32}, {"double2hiint", Opcode::HighHalf64},
        {"half2float", Opcode::F16ToF32}, {"float2half_rn", Opcode::F32ToF16},
        {"float2int_rz", Opcode::F32ToS32}, {"float2uint_rz", Opcode::F32ToU32}, {"float2ll_rz", Opcode::F32ToS64},
        {"float2ull_rz", Opcode::F32ToU64}, {"double2int_rz", Opcode::F64ToS32}, {"double2uint_rz", Opcode::F64ToU32},
        {"double2ll_rz", Opcode::F64ToS64}, {"double2ull_rz", Opcode::F64ToU64}, {"int2double_rn", Opcode::S32ToF64},
        {"uint2double_rn", Opcode::U32ToF64}};
    for (const Row& row : kRows) t[std::string("__nv_") + row.name] = {Shape::Direct, row.op, 0};
    addRounded(t, "fadd", Opcode::AddF32);
    addRounded(t, "fsub", Opcode::SubF32);
    addRounded(t, "fmul", Opcode::MulF32);
    addRounded(t, "fdiv", Opcode::DivF32);
    addRounded(t, "fsqrt", Opcode::SqrtF32);
    addRounded(t, "fmaf", Opcode::FmaF32);
    addRounded(t, "fmaf_ieee", Opcode::FmaF32);
    addRounded(t, "dadd", Opcode::AddF64);
    addRounded(t, "dsub", Opcode::SubF64);
    addRounded(t, "dmul", Opcode::MulF64);
    addRounded(t, "ddiv", Opcode::DivF64);
    addRounded(t, "dsqrt", Opcode::SqrtF64);
    addRounded(t, "fma", Opcode::FmaF64);
    addRounded(t, "double2float", Opcode::F64ToF32);
    addRounded(t, "int2float", Opcode::S32ToF32);
    addRounded(t, "uint2float", Opcode::U32ToF32);
    addRounded(t, "ll2float", Opcode::S64ToF32);
    addRounded(t, "ull2float", Opcode::U64ToF32);
    addRounded(t, "ll2double", Opcode::S64ToF64);
    addRounded(t, "ull2double", Opcode::U64ToF64);
    t["__nv_fmaf"] = {Shape::Direct, Opcode::FmaF32, 0};
    t["__nv_fma"] = {Shape::Direct, Opcode::FmaF64, 0};
}

const Table& libraryTable() {
    static const Table table = [] {
        Table t;
        addMath(t);
        addDirect(t);
        return t;
    }();
    return table;
}

} // namespace

bool FunctionLowering::lowerLibraryCall(const llvm::CallBase& i, llvm::StringRef name) {
    const auto row = libraryTable().find(name.str());
    if (row == libraryTable().end()) return lowerComposedLibraryCall(i, name);
    Operand v[3];
    for (unsigned k = 0; k < std::min<size_t>(i.arg_size(), 3); ++k) v[k] = use(i.getArgOperand(k));
    const Leaf result = leavesOf(i.getType())[0];
    const bool isMath = row->second.shape == Shape::Math;
    const bool wide = leavesOf(i.getArgOperand(0)->getType())[0].wide();
    const Opcode op = isMath ? (wide ? Opcode::MathF64 : Opcode::MathF32) : row->second.op;
    define(&i, {emitTo(result, op, v[0], v[1], v[2], row->second.aux)});
    return true;
}

bool FunctionLowering::lowerComposedLibraryCall(const llvm::CallBase& i, llvm::StringRef name) {
    if (!name.consume_front("__nv_")) return false;
    const auto argument = [&](unsigned k) { return use(i.getArgOperand(k)); };
    const auto done = [&](Operand r) {
        define(&i, {r});
        return true;
    };
    const auto flag = [&](Operand p) { return done(emit32(Opcode::PToI32, p)); };
    const auto mathWithInt = [&](MathFunction f, bool wide) {
        // The integer operand or result of these travels in a slot pair when the function is double.
        const Operand n = wide ? emit64(Opcode::SignExtend32To64, argument(1)) : argument(1);
        return done(emitTo({wide ? Leaf::Kind::Double : Leaf::Kind::Float, wide ? 64u : 32u}, wide ? Opcode::MathF64 : Opcode::MathF32,
                           argument(0), n, {}, uint16_t(f)));
    };
    const auto intResult = [&](MathFunction f, bool wide, bool longResult) {
        const Operand r = wide ? emit64(Opcode::MathF64, argument(0), {}, {}, uint16_t(f)) : emit32(Opcode::MathF32, argument(0), {}, {}, uint16_t(f));
        if (longResult) return done(wide ? r : emit64(Opcode::SignExtend32To64, r));
        return done(wide ? emit32(Opcode::Truncate64To32, r) : r);
    };
    const Operand one32 = constant32(0x3f800000), one64 = constant64(0x3ff0000000000000ull);
    if (name == "abs") return done(emit32(Opcode::MaxS32, argument(0), emit32(Opcode::SubI32, constant32(0), argument(0))));
    if (name == "llabs") return done(emit64(Opcode::MaxS64, argument(0), emit64(Opcode::SubI64, constant64(0), argument(0))));
    if (name == "popcll") return done(emit32(Opcode::Truncate64To32, emit64(Opcode::Popcount64, argument(0))));
    if (name == "clzll") return done(emit32(Opcode::Truncate64To32, emit64(Opcode::Clz64, argument(0))));
    if (name == "ffs" || name == "ffsll") {
        // Position of the lowest one bit, counted from 1; 0 for 0.
        const bool w = name == "ffsll";
        const Operand zeros = w ? emit32(Opcode::Truncate64To32, emit64(Opcode::Ctz64, argument(0))) : emit32(Opcode::Ctz32, argument(0));
        const Operand none = w ? emitP(Opcode::EqI64, argument(0), constant64(0)) : emitP(Opcode::EqI32, argument(0), constant32(0));
        return done(emit32(Opcode::Select32, none, constant32(0), emit32(Opcode::AddI32, zeros, constant32(1))));
    }
    if (name == "hiloint2double") return done(emit64(Opcode::Combine64, argument(1), argument(0)));
    if (name.starts_with("frcp_") || name.starts_with("drcp_")) {
        const bool w = name[0] == 'd';
        const uint16_t rounding = name.ends_with("rz") ? 1 : name.ends_with("ru") ? 2 : name.ends_with("rd") ? 3 : 0;
        return done(w ? emit64(Opcode::DivF64, one64, argument(0), {}, rounding) : emit32(Opcode::DivF32, one32, argument(0), {}, rounding));
    }
    if (name == "frsqrt_rn") return done(emit32(Opcode::MathF32, argument(0), {}, {}, uint16_t(MathFunction::rsqrt)));
    if (name == "powi" || name == "powif") return mathWithInt(MathFunction::powi, name == "powi");
    if (name == "ldexp" || name == "scalbn") return mathWithInt(MathFunction::ldexp, true);
    if (name == "ldexpf" || name == "scalbnf") return mathWithInt(MathFunction::ldexp, false);
    if (name == "ilogb" || name == "ilogbf") return intResult(MathFunction::ilogb, name == "ilogb", false);
    if (name == "llround" || name == "llroundf") {
        const bool w = name == "llround";
        const Operand r = w ? emit64(Opcode::MathF64, argument(0), {}, {}, uint16_t(MathFunction::round)) : emit32(Opcode::MathF32, argument(0), {}, {}, uint16_t(MathFunction::round));
        return done(emit64(w ? Opcode::F64ToS64 : Opcode::F32ToS64, r));
    }
    if (name == "llrint") return done(emit64(Opcode::F64ToS64, emit64(Opcode::RintF64, argument(0))));
    if (name == "llrintf") return done(emit64(Opcode::F32ToS64, emit32(Opcode::RintF32, argument(0))));
    if (name == "isnanf") return flag(emitP(Opcode::NotP, emitP(Opcode::OrderedF32, argument(0), argument(0))));
    if (name == "isnand") return flag(emitP(Opcode::NotP, emitP(Opcode::OrderedF64, argument(0), argument(0))));
    if (name == "isinff") return flag(emitP(Opcode::EqF32, emit32(Opcode::AbsF32, argument(0)), constant32(0x7f800000)));
    if (name == "isinfd") return flag(emitP(Opcode::EqF64, emit64(Opcode::AbsF64, argument(0)), constant64(0x7ff0000000000000ull)));
    if (name == "finitef") return flag(emitP(Opcode::LtF32, emit32(Opcode::AbsF32, argument(0)), constant32(0x7f800000)));
    if (name == "isfinited") return flag(emitP(Opcode::LtF64, emit64(Opcode::AbsF64, argument(0)), constant64(0x7ff0000000000000ull)));
    if (name == "signbitf") return done(emit32(Opcode::ShrU32, argument(0), constant32(31)));
    if (name == "signbitd") return done(emit32(Opcode::ShrU32, emit32(Opcode::HighHalf64, argument(0)), constant32(31)));
    return lowerRoundedConversion(i, name);
}

bool FunctionLowering::lowerRoundedConversion(const llvm::CallBase& i, llvm::StringRef name) {
    // float2int_rn and kin: round to an integral float first, then convert exactly.
    const bool w = name.starts_with("double2");
    if (!w && !name.starts_with("float2")) return false;
    const llvm::StringRef rest = name.drop_front(w ? 7 : 6);
    const auto [target, rounding] = rest.split('_');
    struct Row { const char* name; Opcode narrow, wide; };
    static constexpr Row kTargets[] = {{"int", Opcode::F32ToS32, Opcode::F64ToS32}, {"uint", Opcode::F32ToU32, Opcode::F64ToU32},
                                       {"ll", Opcode::F32ToS64, Opcode::F64ToS64}, {"ull", Opcode::F32ToU64, Opcode::F64ToU64}};
    static constexpr Row kRoundings[] = {{"rn", Opcode::RintF32, Opcode::RintF64}, {"ru", Opcode::CeilF32, Opcode::CeilF64},
                                         {"rd", Opcode::FloorF32, Opcode::FloorF64}, {"rz", Opcode::TruncF32, Opcode::TruncF64}};
    const Leaf source{w ? Leaf::Kind::Double : Leaf::Kind::Float, w ? 64u : 32u};
    for (const Row& t : kTargets)
        for (const Row& r : kRoundings)
            if (target == t.name && rounding == r.name) {
                const Operand integral = emitTo(source, w ? r.wide : r.narrow, use(i.getArgOperand(0)));
                define(&i, {emitTo(leavesOf(i.getType())[0], w ? t.wide : t.narrow, integral)});
                return true;
            }
    return false;
}

} // namespace sim::frontend
