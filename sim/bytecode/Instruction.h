// One bytecode instruction and the small enumerations that its aux field carries.
#pragma once

#include <cstdint>

namespace sim {

enum class Opcode : uint16_t {
#define OP(name, format, family, meaning) name,
#include "sim/bytecode/Opcodes.def"
    Count
};

enum class MathFunction : uint16_t {
#define MATH(name, arity) name,
#include "sim/bytecode/MathFunctions.def"
    Count
};

inline constexpr uint16_t kNoSlot = 0xffff;

/// 16 bytes, so that four share a cache line:   | op | d | a | b | c | aux | imm |
struct Instruction {
    Opcode op{};
    uint16_t d = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
    uint16_t aux = 0;
    int32_t imm = 0;
};
static_assert(sizeof(Instruction) == 16);

enum class Rounding : uint8_t { NearestEven, TowardsZero, Up, Down };
enum class AtomicOp : uint8_t { Add, Sub, Exchange, Min, Max, And, Or, Xor, Inc, Dec };
enum class AtomicType : uint8_t { I32, U32, I64, U64, F32, F64, F16, BF16, F16x2, BF16x2, U16 };
enum class BarrierOp : uint8_t { Sync, Count, And, Or, Grid };
enum class ShuffleMode : uint8_t { Up, Down, Bfly, Idx };
enum class VoteMode : uint8_t { All, Any, Uniform, Ballot };

/// Values a thread can read without an instruction: slots 0.. of every frame, filled by the machine before a
/// block runs. Kernel parameters and constants follow (Function::image).
///
/// LocalBase is the byte offset of this frame's local memory in the thread's: a variable at byte `o` of the frame
/// lies at regionBase(kLocalRegion) + LocalBase + o. It is 0 in a kernel, whose addresses may thus be constants of
/// the frame image; a called function needs AddressS32(constant, LocalBase, 1).
enum class SpecialRegister : uint16_t {
    TidX, TidY, TidZ, NtidX, NtidY, NtidZ, CtaidX, CtaidY, CtaidZ, NctaidX, NctaidY, NctaidZ, LaneId, WarpId,
    DynamicSharedBytes, LocalBase,
    PreloadedCount,
    // Read with ReadSpecial: they change while a warp runs.
    Clock = PreloadedCount, Clock64, GlobalTimer, SmId, NumSm, NumWarpSlots, GridId,
    LaneMaskEq, LaneMaskLt, LaneMaskLe, LaneMaskGt, LaneMaskGe,
};

/// Slots of arguments and results of a function that is not a kernel, the same for all so that indirect calls work:
/// at a Call the callee's parameters lie one after the other from this slot of its frame on (one slot each, two for
/// 64-bit ones), placed there by the caller through slots `aux + kArgumentSlot ...` of its own frame. When the
/// callee returns, its results (Function::resultWidths) lie in the same way from the same slot on.
///
///     caller's frame   | specials | parameters | constants, values ...   | aux
///     callee's frame                                                     | specials | arguments, results | ...
inline constexpr uint16_t kArgumentSlot = uint16_t(SpecialRegister::PreloadedCount);

constexpr uint16_t packElements(unsigned elementBytes, unsigned elementCount) {
    return uint16_t(elementBytes | elementCount << 4);
}
constexpr uint16_t packAtomic(AtomicOp op, AtomicType type) { return uint16_t(unsigned(op) | unsigned(type) << 8); }

/// Bytes that one lane of an atomic touches.
unsigned bytesOf(AtomicType type);
/// True when the value takes two slots.
constexpr bool isWide(AtomicType type) { return type == AtomicType::I64 || type == AtomicType::U64 || type == AtomicType::F64; }

const char* toString(Opcode op);
/// The Format column of Opcodes.def.
const char* formatOf(Opcode op);
/// The meaning column of Opcodes.def, for tooltips and BYTECODE.md.
const char* meaningOf(Opcode op);
const char* toString(MathFunction f);
unsigned arityOf(MathFunction f);

} // namespace sim
