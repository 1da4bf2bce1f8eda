// Words, banks, sectors and lines of one access.
#include "playground/session/AccessPicture.h"

#include "sim/analysis/Coalescing.h"

#include <algorithm>
#include <bit>
#include <map>

namespace playground {
namespace {

constexpr uint64_t kWordBytes = 4, kRowBytes = 128;

/// Position used for banks and lines: shared memory by its offset, everything else by its address.
uint64_t place(const sim::TracedAccess& access, unsigned lane) {
    return access.space == sim::MemorySpace::Shared ? sim::sharedOffset(access.address[lane]) : access.address[lane];
}

/// Rows of 32 words that the lanes touch, by address.
std::vector<WordRow> touchedRows(const sim::TracedAccess& access) {
    std::map<uint64_t, WordRow> rows;
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        if (!access.active.has(lane)) continue;
        const uint64_t first = place(access, lane);
        for (uint64_t at = first; at < first + access.bytes; ++at) {
            WordRow& row = rows[at / kRowBytes * kRowBytes];
            TouchedWord& word = row.words[at % kRowBytes / kWordBytes];
            word.lanes = word.lanes | sim::LaneMask{1u << lane};
            word.bytes = uint8_t(word.bytes | 1u << (at % kWordBytes));
        }
    }
    std::vector<WordRow> out;
    for (auto& [address, row] : rows) {
        row.address = address;
        out.push_back(row);
    }
    return out;
}

/// True when lanes of one word take turns instead of sharing it.
bool takesTurns(sim::SharedOperation operation) {
    return operation == sim::SharedOperation::Atomic || operation == sim::SharedOperation::CompareSwap;
}

/// What each bank is asked for: distinct words, or lanes where these take turns.
std::array<uint32_t, 32> askedOf(const std::vector<WordRow>& rows, bool turns) {
    std::array<uint32_t, 32> asked{};
    for (const WordRow& row : rows)
        for (unsigned bank = 0; bank < sim::kBankCount; ++bank)
            asked[bank] += turns ? row.words[bank].lanes.count() : row.words[bank].lanes.empty() ? 0u : 1u;
    return asked;
}

/// Distinct bytes of all active lanes.
uint32_t distinctBytes(const std::vector<WordRow>& rows) {
    uint32_t bytes = 0;
    for (const WordRow& row : rows)
        for (const TouchedWord& word : row.words) bytes += unsigned(std::popcount(word.bytes));
    return bytes;
}

sim::SectorCount sectorsOf(const sim::TracedAccess& access) {
    const uint64_t* address = access.address.data();
    if (access.space == sim::MemorySpace::Local) return sim::countLocalSectors(access.active, address, access.bytes);
    const bool atomic = access.kind == sim::AccessKind::Atomic || access.kind == sim::AccessKind::Reduction;
    return (atomic ? sim::countAtomicSectors : sim::countSectors)(access.active, address, access.bytes, false);
}

} // namespace

AccessCost costOf(const sim::TracedAccess& access, sim::SharedOperation operation) {
    if (access.active.empty()) return {};
    if (access.space == sim::MemorySpace::Shared) {
        const sim::WavefrontCount count =
            sim::countWavefronts(access.active, access.address.data(), access.bytes, false, operation);
        return {count.wavefronts, count.ideal};
    }
    const sim::SectorCount count = sectorsOf(access);
    return {count.sectors, count.ideal};
}

SharedPicture pictureShared(const sim::TracedAccess& access, sim::SharedOperation operation,
                            const std::vector<sim::PlacedAllocation>& allocations) {
    SharedPicture picture;
    if (access.active.empty()) return picture;
    picture.rows = touchedRows(access);
    const unsigned first = access.active.lowest();
    const uint64_t base = access.address[first] - place(access, first);
    for (WordRow& row : picture.rows) row.label = elementName(base + row.address, allocations);
    const sim::WavefrontCount count =
        sim::countWavefronts(access.active, access.address.data(), access.bytes, false, operation);
    picture.wavefronts = count.wavefronts;
    picture.ideal = count.ideal;
    picture.worst = count.degree();
    picture.asked = askedOf(picture.rows, takesTurns(operation));
    if (count.wavefronts <= count.ideal) return picture;
    const uint32_t most = *std::max_element(picture.asked.begin(), picture.asked.end());
    for (unsigned bank = 0; bank < sim::kBankCount; ++bank)
        if (picture.asked[bank] > count.ideal || picture.asked[bank] == most) picture.crowded |= 1u << bank;
    return picture;
}

GlobalPicture pictureGlobal(const sim::TracedAccess& access, const std::vector<sim::PlacedAllocation>& allocations) {
    GlobalPicture picture;
    picture.rows = touchedRows(access);
    for (WordRow& row : picture.rows) {
        row.label = elementName(row.address, allocations);
        for (unsigned word = 0; word < 32; ++word)
            if (row.words[word].bytes != 0) row.sectors = uint8_t(row.sectors | 1u << (word / 8));
    }
    const sim::SectorCount count = sectorsOf(access);
    picture.sectors = count.sectors;
    picture.ideal = count.ideal;
    picture.usefulBytes = distinctBytes(picture.rows);
    picture.fetchedBytes = count.sectors * sim::kSectorBytes;
    return picture;
}

const sim::PlacedAllocation* allocationAt(uint64_t address, const std::vector<sim::PlacedAllocation>& allocations) {
    for (const sim::PlacedAllocation& a : allocations)
        if (address >= a.address && address < a.address + a.bytes) return &a;
    return nullptr;
}

std::string elementName(uint64_t address, const std::vector<sim::PlacedAllocation>& allocations) {
    const sim::PlacedAllocation* a = allocationAt(address, allocations);
    if (a == nullptr || a->elementBytes == 0) return "";
    uint64_t index = (address - a->address) / a->elementBytes;
    if (a->extents.size() < 2) return a->name + "[" + std::to_string(index) + "]";
    std::string suffix;
    for (size_t i = a->extents.size(); i-- > 1;) {
        const uint64_t extent = std::max<uint64_t>(1, a->extents[i]);
        suffix = "[" + std::to_string(index % extent) + "]" + suffix;
        index /= extent;
    }
    return a->name + "[" + std::to_string(index) + "]" + suffix;
}

} // namespace playground
