// One host thread of a launch: runs whole blocks, one after the other.
#pragma once

#include "sim/Simulator.h"
#include "sim/vm/FindingLog.h"
#include "sim/vm/LinkedCode.h"
#include "sim/vm/MemoryMap.h"
#include "sim/vm/Warp.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sim::vm {

/// A constant of a frame image with addresses filled in.
struct ResolvedConstant {
    uint16_t slot = 0;
    bool wide = false;
    uint64_t bits = 0;
};

/// What all host threads of a launch share.
struct LaunchContext {
    const Program& program;
    const Function& kernel;
    LaunchConfig config;
    const LinkedCode& linked;
    MemoryMap& memory;
    LaunchLimits limits;
    std::atomic<bool>* cancel = nullptr;
    std::vector<std::vector<ResolvedConstant>> images; ///< By index into LinkedCode::functions().
    std::vector<ResolvedConstant> parameters;          ///< Of the kernel.
    std::vector<std::byte> sharedBefore, sharedAfter;  ///< See LaunchOptions::sharedMemory.
    bool parallel = false;                             ///< Several host threads: global atomics must be atomic here too.
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

    std::atomic<uint64_t> instructions{0};
    std::atomic<bool> stopped{false};
    std::mutex stopMutex;                              ///< Guards status and error.
    LaunchStatus status = LaunchStatus::Finished;
    std::string error;

    /// The first call decides how the launch ends; all workers stop soon.
    void stop(LaunchStatus why, std::string what);
};

/// The block that a worker runs.
struct ThreadBlock {
    BlockId id;
    Dim3 index{0, 0, 0};
    uint32_t live = 0;        ///< Threads that have not ended.
    uint32_t waiting = 0;     ///< Threads at __syncthreads().
    uint32_t votes = 0;       ///< Of those: threads whose predicate was true (__syncthreads_count and its kin).
    uint64_t started = 0;     ///< The worker's instruction count at its begin.
};

/// Owns the warp contexts, the shared memory and the results of the blocks that one host thread runs.
/// Nothing here depends on how the blocks of a launch are dealt out to workers.
class Worker {
public:
    Worker(LaunchContext& launch, std::vector<Observer*> observers);

    /// Runs one block to its end; false when the launch stops.
    bool runBlock(BlockId block);

    // --- for the instruction handlers ---------------------------------------------------------------------
    LaunchContext& launch() { return launch_; }
    ThreadBlock& block() { return block_; }
    FindingLog& findings() { return findings_; }
    std::string& printed() { return printed_; }
    std::vector<RegionInfo>& infos() { return infos_; }
    const std::vector<Region>& regions() const { return regions_; }
    const std::vector<BlockCounter>& counters() const { return counters_; }

    /// The time slice is over: looks at the limits and lets other lanes and warps run.
    const Instruction* endSlice(Warp& warp, const Instruction* next);
    /// Splats specials and constants of a called function into its frame.
    void fillFrame(Warp& warp, const Frame& frame, const LinkedFunction& function);
    Party partyOf(const Warp& warp, const Instruction* at, unsigned lane) const;
    /// Adds a finding about the lanes of a warp: one count per lane.
    void report(const Warp& warp, const Instruction* at, FindingKind kind, uint32_t lanes, const std::string& message);
    /// Ends the launch as a GPU would on this fault; for handlers: `return stop(...)`.
    const Instruction* stop(LaunchStatus why, std::string what);

    /// Device malloc() for one lane: a region of its own, or 0 when the heap of `heapBytes` is full.
    uint64_t allocate(const Warp& warp, const Instruction* at, unsigned lane, uint64_t bytes, uint64_t heapBytes);
    /// Device free(): nullptr when the allocation was given back, else what the address is instead.
    const char* release(uint64_t address);
    /// Findings for device allocations that were never freed.
    void reportLeaks();
    /// The device clock: instructions of this block so far, behind some for each block before it.
    uint64_t clock(const Warp& warp) const {
        return uint64_t{block_.id.value} * 4096 + (instructions_ - block_.started) + uint64_t(kSlice - warp.fuel);
    }

private:
    static constexpr int32_t kSlice = 1 << 15;

    void createWarps();
    void beginBlock(BlockId block);
    void fillKernelFrame(Warp& warp);
    void runWarp(Warp& warp);
    void runTraced(Warp& warp, const Instruction* next);
    bool runToBarrier(bool& progressed);
    void releaseBarrier();
    bool releaseWarpSyncs(Warp& warp);
    bool resolveStuck();
    void refreshRegions();
    void account(int32_t instructions);
    bool withinLimits();
    void reportEndlessLoop(const Warp& warp, const Instruction* at);

    LaunchContext& launch_;
    std::vector<Observer*> observers_;
    std::unique_ptr<Observer> fanOut_;
    Observer* observer_ = nullptr;
    bool wantsHostBytes_ = false;
    std::vector<Region> regions_;
    std::vector<RegionInfo> infos_;
    std::vector<std::byte> shared_;
    struct HeapBlock {
        std::vector<std::byte> bytes;
        Party by;
        uint64_t order = 0;
    };
    std::deque<HeapBlock> heap_;          ///< Region firstHeapRegion_ + k is heap_[k].
    uint32_t firstHeapRegion_ = 0;
    uint64_t heapBytes_ = 0;
    std::vector<std::unique_ptr<Warp>> warps_;
    std::vector<BlockCounter> counters_;
    ThreadBlock block_;
    FindingLog findings_;
    std::string printed_;
    uint64_t instructions_ = 0, unreported_ = 0;
};

} // namespace sim::vm
