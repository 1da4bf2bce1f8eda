// The memory spaces of a CUDA device, the kinds of access, and how device addresses are laid out here.
#pragma once

#include <cstdint>

namespace sim {

enum class MemorySpace : uint8_t { Global, Shared, Local, Constant, Invalid };

/// Atomic returns the old value (Nsight Compute: atom); Reduction discards it (red).
enum class AccessKind : uint8_t { Load, Store, Atomic, Reduction };

const char* toString(MemorySpace space);
const char* toString(AccessKind kind);

/// Device addresses. Every allocation (buffer, __device__ variable, __shared__ variable, local memory) lives in
/// a region of its own, so that no 32-bit index can walk from one allocation into another unnoticed:
///
///     63            36 35 34                                  0
///    +----------------+--+-------------------------------------+
///    | region id      |1 | offset (negative offsets clear 35)  |
///    +----------------+--+-------------------------------------+
///
/// Region 0 is never used, so null and small integers are invalid. An allocation starts at
/// regionBase(id) + start, where start is 0 except in shared memory: there it is the variable's byte offset in
/// the block's shared memory, so that bank numbers can be read off an address. Global allocations are
/// therefore aligned as cudaMalloc aligns them (256 bytes and more).
inline constexpr unsigned kRegionShift = 36;
inline constexpr uint64_t kRegionOrigin = uint64_t{1} << 35;

constexpr uint64_t regionBase(uint32_t region) { return (uint64_t{region} << kRegionShift) | kRegionOrigin; }
constexpr uint32_t regionOf(uint64_t address) { return uint32_t(address >> kRegionShift); }
/// Regions that exist in every launch: by-value parameters (constant), and each thread's own local memory.
inline constexpr uint32_t kParameterRegion = 1, kLocalRegion = 2;
/// Byte offset inside the block's shared memory of a shared address; the bank is (offset / 4) % 32.
constexpr uint32_t sharedOffset(uint64_t address) { return uint32_t(address); }

} // namespace sim
