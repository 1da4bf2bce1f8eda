// Words, banks, sectors and lines of one access.
#include "playground/session/AccessPicture.h"

#include <algorithm>
#include <map>
#include <set>

namespace playground {
namespace {

constexpr uint64_t kWordBytes = 4, kRowBytes = 128, kSectorBytes = 32;

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

/// Lanes that one pass group covers: all 32 for up to 4 bytes, 16 for 8, 8 for 16.
unsigned lanesPerGroup(unsigned bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

struct BankCount {
    std::array<uint32_t, 32> degree{};
    uint32_t wavefronts = 0, ideal = 0, worst = 1;
};

/// Distinct words per bank in each pass group; a group needs as many wavefronts as its worst bank has words.
BankCount countBanks(const sim::TracedAccess& access) {
    BankCount out;
    const unsigned group = lanesPerGroup(access.bytes);
    for (unsigned first = 0; first < sim::kWarpSize; first += group) {
        std::array<std::set<uint64_t>, 32> words;
        for (unsigned lane = first; lane < first + group; ++lane) {
            if (!access.active.has(lane)) continue;
            const uint64_t at = place(access, lane);
            for (uint64_t word = at / kWordBytes; word <= (at + access.bytes - 1) / kWordBytes; ++word)
                words[word % 32].insert(word);
        }
        uint32_t worst = 0;
        for (unsigned bank = 0; bank < 32; ++bank) {
            out.degree[bank] = std::max(out.degree[bank], uint32_t(words[bank].size()));
            worst = std::max(worst, uint32_t(words[bank].size()));
        }
        out.wavefronts += worst;
        out.ideal += worst > 0 ? 1 : 0;
        out.worst = std::max(out.worst, worst);
    }
    return out;
}

struct SectorCount {
    uint32_t sectors = 0, ideal = 0, bytes = 0;
};

SectorCount countSectors(const sim::TracedAccess& access) {
    std::set<uint64_t> sectors;
    std::vector<std::pair<uint64_t, uint64_t>> spans;
    for (unsigned lane = 0; lane < sim::kWarpSize; ++lane) {
        if (!access.active.has(lane)) continue;
        const uint64_t at = access.address[lane], end = at + access.bytes;
        for (uint64_t s = at / kSectorBytes; s <= (end - 1) / kSectorBytes; ++s) sectors.insert(s);
        spans.emplace_back(at, end);
    }
    std::sort(spans.begin(), spans.end());
    uint64_t distinct = 0, reached = 0;
    for (const auto& [begin, end] : spans) {
        if (end <= reached) continue;
        distinct += end - std::max(begin, reached);
        reached = end;
    }
    return {uint32_t(sectors.size()), uint32_t((distinct + kSectorBytes - 1) / kSectorBytes), uint32_t(distinct)};
}

} // namespace

AccessCost costOf(const sim::TracedAccess& access) {
    if (access.space == sim::MemorySpace::Shared) {
        const BankCount count = countBanks(access);
        return {count.wavefronts, count.ideal};
    }
    const SectorCount count = countSectors(access);
    return {count.sectors, count.ideal};
}

SharedPicture pictureShared(const sim::TracedAccess& access, const std::vector<sim::PlacedAllocation>& allocations) {
    SharedPicture picture;
    picture.rows = touchedRows(access);
    const uint64_t base = access.active.empty() ? 0 : access.address[access.active.lowest()] - place(access, access.active.lowest());
    for (WordRow& row : picture.rows) {
        row.label = elementName(base + row.address, allocations);
        for (const TouchedWord& word : row.words) {
            picture.distinctWords += word.lanes.empty() ? 0 : 1;
            picture.broadcasts += word.lanes.count() > 1 ? 1 : 0;
        }
    }
    const BankCount count = countBanks(access);
    picture.degree = count.degree;
    picture.wavefronts = count.wavefronts;
    picture.ideal = count.ideal;
    picture.worst = count.worst;
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
    const SectorCount count = countSectors(access);
    picture.sectors = count.sectors;
    picture.ideal = count.ideal;
    picture.usefulBytes = count.bytes;
    picture.fetchedBytes = count.sectors * uint32_t(kSectorBytes);
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
