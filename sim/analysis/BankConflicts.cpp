// Counts distinct words per bank: by formula for constant strides, else with a bitmap of words.
#include "sim/analysis/BankConflicts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace sim {
namespace {

constexpr uint32_t kHalfWarp = 0xffff, kQuarterWarp = 0xff;

struct BankLoad {
    uint32_t worst = 0;    ///< Most distinct words of one bank.
    uint32_t distinct = 0; ///< Distinct words in all.
};

/// Which words were seen, one bit each: 64 Ki words cover the 227 KiB a block can have. All zero between calls.
thread_local std::array<uint64_t, 1024> seenWords{};

BankLoad wordsPerBank(uint32_t lanes, const uint64_t* address, unsigned bytes) {
    const unsigned wordsEach = std::max(1u, bytes / kBankBytes);
    std::array<uint8_t, kBankCount> count{};
    BankLoad load;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t first = sharedOffset(address[std::countr_zero(rest)]) / kBankBytes;
        for (unsigned w = 0; w < wordsEach; ++w) {
            const uint32_t word = (first + w) & 0xffff;
            uint64_t& bits = seenWords[word / 64];
            const uint32_t isNew = ~(bits >> (word % 64)) & 1;
            bits |= uint64_t{1} << (word % 64);
            uint8_t& inBank = count[word % kBankCount];
            inBank = uint8_t(inBank + isNew);
            load.distinct += isNew;
            load.worst = std::max<uint32_t>(load.worst, inBank);
        }
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t first = sharedOffset(address[std::countr_zero(rest)]) / kBankBytes;
        for (unsigned w = 0; w < wordsEach; ++w) seenWords[((first + w) & 0xffff) / 64] = 0;
    }
    return load;
}

/// Most lanes that one bank serves; a wide access counts at the bank of its first word.
uint32_t lanesPerBank(uint32_t lanes, const uint64_t* address) {
    std::array<uint8_t, kBankCount> count{};
    uint32_t worst = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t bank = sharedOffset(address[std::countr_zero(rest)]) / kBankBytes % kBankCount;
        worst = std::max<uint32_t>(worst, ++count[bank]);
    }
    return worst;
}

/// True when every active lane of the half-warp and its partner lane ^ step, if active, have the same address.
bool partnersAgree(uint32_t half, const uint64_t* address, unsigned step) {
    for (uint32_t rest = half; rest; rest &= rest - 1) {
        const unsigned lane = unsigned(std::countr_zero(rest)), partner = lane ^ step;
        if ((half >> partner & 1) && address[lane] != address[partner]) return false;
    }
    return true;
}

/// Groups of `groupMask` lanes one after the other.
WavefrontCount byGroups(uint32_t lanes, const uint64_t* address, unsigned bytes, uint32_t groupMask) {
    WavefrontCount total;
    const unsigned size = unsigned(std::popcount(groupMask));
    for (unsigned at = 0; at < kWarpSize; at += size) {
        const uint32_t group = lanes & (groupMask << at);
        if (!group) continue;
        const BankLoad load = wordsPerBank(group, address, bytes);
        total.wavefronts += load.worst;
        total.ideal += (load.distinct + kBankCount - 1) / kBankCount;
    }
    return total;
}

WavefrontCount wideLoad(uint32_t lanes, const uint64_t* address, unsigned bytes) {
    WavefrontCount total;
    for (unsigned at = 0; at < kWarpSize; at += 16) {
        const uint32_t half = lanes & (kHalfWarp << at);
        if (!half) continue;
        const BankLoad load = wordsPerBank(half, address, bytes);
        total.ideal += (load.distinct + kBankCount - 1) / kBankCount;
        total.wavefronts += partnersAgree(half, address, 1) || partnersAgree(half, address, 2)
                                ? load.worst
                                : byGroups(half, address, bytes, kQuarterWarp).wavefronts;
    }
    return total;
}

WavefrontCount atomicAccess(uint32_t lanes, const uint64_t* address, unsigned bytes) {
    if (bytes <= kBankBytes) return {lanesPerBank(lanes, address), 1};
    WavefrontCount total;
    for (unsigned at = 0; at < kWarpSize; at += 16)
        if (const uint32_t half = lanes & (kHalfWarp << at)) {
            total.wavefronts += lanesPerBank(half, address);
            ++total.ideal;
        }
    return total;
}

/// True when all lanes are active and a fixed distance apart.
bool constantStride(const uint64_t* address) {
    const uint64_t stride = address[1] - address[0];
    uint64_t differs = 0;
    for (unsigned i = 2; i < kWarpSize; ++i) differs |= (address[i] - address[i - 1]) ^ stride;
    return differs == 0;
}

/// 32 words a stride s apart fall into 32 / gcd(s, 32) banks, gcd(s, 32) words each.
uint32_t conflictOfStride(int64_t strideBytes) {
    const auto words = uint32_t(std::abs(strideBytes) / kBankBytes);
    return words ? std::gcd(words, kBankCount) : 1;
}

/// atomicAdd(&x, 1) with the constant 1 and no use of the old value.
bool addsOne(const Function& function, const Instruction& i) {
    if (i.d != kNoSlot) return false;
    if (i.aux != packAtomic(AtomicOp::Add, AtomicType::I32) && i.aux != packAtomic(AtomicOp::Add, AtomicType::U32))
        return false;
    return std::any_of(function.image.begin(), function.image.end(), [&](const ImageConstant& c) {
        return c.slot == i.b && !c.wide && !c.predicate && c.global < 0 && c.function < 0 && c.bits == 1;
    });
}

} // namespace

WavefrontCount countWavefronts(LaneMask active, const uint64_t* address, unsigned bytes, bool contiguous,
                               SharedOperation operation) {
    if (active.empty()) return {};
    if (operation == SharedOperation::OneLane) return {1, 1};
    if (operation == SharedOperation::Atomic) return atomicAccess(active.bits, address, bytes);
    if (operation == SharedOperation::CompareSwap) {
        const WavefrontCount once = atomicAccess(active.bits, address, bytes);
        return {2 * once.wavefronts, 2 * once.ideal};
    }
    if (contiguous) {
        const uint32_t passes = std::max(1u, bytes / kBankBytes); // 128 bytes each, whatever the width
        return {passes, passes};
    }
    if (bytes == kBankBytes && active.isFull() && constantStride(address))
        return {conflictOfStride(int64_t(address[1] - address[0])), 1};
    const bool store = operation == SharedOperation::Store;
    if (bytes == 16)
        return store ? byGroups(active.bits, address, bytes, kQuarterWarp) : wideLoad(active.bits, address, bytes);
    return byGroups(active.bits, address, bytes, store && bytes == 8 ? kHalfWarp : 0xffffffffu);
}

SharedOperation sharedOperation(const Function& function, Pc pc) {
    return pc.value < function.code.size() ? sharedOperations(function)[pc.value] : SharedOperation::Load;
}

std::vector<SharedOperation> sharedOperations(const Function& function) {
    std::vector<SharedOperation> operations(function.code.size(), SharedOperation::Load);
    for (size_t pc = 0; pc < operations.size(); ++pc) {
        const Instruction& i = function.code[pc];
        if (i.op == Opcode::Store)
            operations[pc] = SharedOperation::Store;
        else if (i.op == Opcode::CompareSwap)
            operations[pc] = SharedOperation::CompareSwap;
        else if (i.op == Opcode::Atomic)
            operations[pc] = addsOne(function, i) ? SharedOperation::Increment : SharedOperation::Atomic;
    }
    for (const uint32_t pc : function.aggregatedReductions) operations[pc] = SharedOperation::OneLane;
    return operations;
}

} // namespace sim
