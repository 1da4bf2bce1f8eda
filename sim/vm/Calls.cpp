// Calling and returning, also for a part of the lanes while the others are elsewhere.
#include "sim/vm/Calls.h"

#include "sim/vm/Convergence.h"
#include "sim/vm/Worker.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace sim::vm {

namespace {

constexpr uint32_t kMaxFrames = 4096;
constexpr uint32_t kMaxLocalBytes = 512 * 1024; // CUDA C++ Programming Guide, "Compute Capabilities": local memory per thread
constexpr std::align_val_t kAlignment{64};

std::byte* slotAt(Warp& warp, uint32_t slot) { return warp.file.data() + size_t{slot} * kSlotBytes; }

int32_t newFrame(Warp& warp) {
    for (size_t f = 1; f < warp.frames.size(); ++f)
        if (!warp.frames[f].used) return int32_t(f);
    if (warp.frames.size() >= kMaxFrames) return -1;
    warp.frames.emplace_back();
    return int32_t(warp.frames.size() - 1);
}

/// First slot behind all frames in use.
uint32_t topSlot(const Warp& warp) {
    uint32_t top = 0;
    for (const Frame& f : warp.frames)
        if (f.used) top = std::max(top, f.base + f.slots);
    return top;
}

uint32_t topLocal(const Warp& warp) {
    uint32_t top = 0;
    for (const Frame& f : warp.frames)
        if (f.used) top = std::max(top, f.localTop);
    return top;
}

template <class T> void copyLanes(std::byte* to, const std::byte* from, uint32_t lanes) {
    for (unsigned l = 0; l < kWarpSize; ++l)
        if (lanes >> l & 1u) std::memcpy(to + l * sizeof(T), from + l * sizeof(T), sizeof(T));
}

} // namespace

void RegisterFile::Release::operator()(std::byte* p) const { ::operator delete[](p, kAlignment); }

void RegisterFile::grow(uint32_t slots) {
    if (slots <= slots_) return;
    const uint32_t size = std::max(slots, slots_ * 2);
    auto* bytes = static_cast<std::byte*>(::operator new[](size_t{size} * kSlotBytes, kAlignment));
    std::memset(bytes, 0, size_t{size} * kSlotBytes);
    if (slots_) std::memcpy(bytes, bytes_.get(), size_t{slots_} * kSlotBytes);
    bytes_.reset(bytes);
    slots_ = size;
}

void enterFrame(Warp& warp, int32_t frame) {
    const Frame& f = warp.frames[size_t(frame)];
    warp.frame = frame;
    warp.registers = slotAt(warp, f.base);
    warp.localTop = f.localTop;
    warp.local = warp.localStorage.data();
}

const Instruction* call(Warp& warp, const Instruction* at, const LinkedFunction& callee) {
    const int32_t index = newFrame(warp);
    const uint32_t localBase = topLocal(warp);
    const uint32_t localTop = localBase + (callee.function->localBytes + 15) / 16 * 16;
    if (index < 0 || localTop > kMaxLocalBytes) return nullptr;
    const uint32_t arguments = warp.frames[size_t(warp.frame)].base + at->aux;
    // While all live lanes are here, nobody else can use the caller's argument slots until they return.
    const bool overlaid = warp.active == warp.live;
    const uint32_t base = overlaid ? arguments : topSlot(warp);
    warp.file.grow(base + callee.frameSlots);
    if (!overlaid)
        std::memcpy(slotAt(warp, base + kArgumentSlot), slotAt(warp, arguments + kArgumentSlot),
                    size_t{argumentSlots(*callee.function)} * kSlotBytes);
    if (warp.localStorage.size() < size_t{localTop} * kWarpSize) warp.localStorage.resize(size_t{localTop} * kWarpSize * 2);
    warp.frames[size_t(index)] = {base, callee.frameSlots, localBase, localTop, arguments, callee.function,
                                  warp.frame, overlaid, true};
    warp.worker->fillFrame(warp, warp.frames[size_t(index)], callee);
    warp.entry = pushEntry(warp, {warp.pcOf(at) + 1, warp.active, 0, warp.entry, warp.frame, index});
    enterFrame(warp, index);
    return warp.code + callee.firstPc;
}

void finishCall(Warp& warp, int32_t frame, uint32_t lanes) {
    Frame& f = warp.frames[size_t(frame)];
    f.used = false;
    if (f.overlaid) return;
    uint32_t slot = kArgumentSlot;
    for (uint8_t width : f.function->resultWidths) {
        std::byte *to = slotAt(warp, f.argumentSlot + slot), *from = slotAt(warp, f.base + slot);
        if (width > 4) copyLanes<uint64_t>(to, from, lanes);
        else copyLanes<uint32_t>(to, from, lanes);
        slot += width > 4 ? 2 : 1;
    }
}

} // namespace sim::vm
