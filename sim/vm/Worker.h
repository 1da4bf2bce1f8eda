// One host thread of a launch: runs blocks, one after the other or several in turns.
#pragma once

#include "sim/Simulator.h"
#include "sim/vm/BlockSource.h"
#include "sim/vm/FindingLog.h"
#include "sim/vm/LinkedCode.h"
#include "sim/vm/MemoryMap.h"
#include "sim/vm/ThreadBlock.h"

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
    Schedule schedule;
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

/// Owns the blocks that one host thread runs, with their warps and shared memory, and what they find and print.
/// Nothing here depends on how the blocks of a launch are dealt out to workers.
class Worker {
public:
    Worker(LaunchContext& launch, std::vector<Observer*> observers);

    /// Runs blocks until the source has no more, or the launch stops.
    void run(BlockSource& source);

    // --- for the instruction handlers ---------------------------------------------------------------------
    LaunchContext& launch() { return launch_; }
    ThreadBlock& block() { return *block_; }
    FindingLog& findings() { return findings_; }
    std::string& printed() { return printed_; }
    std::vector<RegionInfo>& infos() { return infos_; }
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
        return uint64_t{block_->id.value} * 4096 + (instructions_ - block_->started) + uint64_t(warp.granted - warp.fuel);
    }

private:
    static constexpr int32_t kSlice = 1 << 15;
    /// The slice of a warp that takes turns of a few instructions.
    static constexpr uint64_t kSteppedSlice = 1 << 9;

    std::unique_ptr<ThreadBlock> makeBlock();
    std::unique_ptr<Warp> makeWarp(WarpId id);
    void fillKernelFrame(Warp& warp);
    void beginBlock(BlockId block);
    void endBlock(BlockSource& source);

    bool beginTurn(BlockSource& source);
    size_t residentLimit() const;
    bool beginNext(BlockSource& source);
    bool nextResident();
    bool randomResident();
    bool releaseGrid();
    bool takeTurn();
    bool runWholeWarps();
    bool stepWarps();
    bool stepRandomWarp();
    bool settle(bool progressed);

    void runWarp(Warp& warp);
    /// At most that many instructions of the warp's next split.
    void runSteps(Warp& warp, uint64_t instructions);
    const Instruction* step(Warp& warp, const Instruction* i);
    void yield(Warp& warp, const Instruction* next);
    void addRegion(const Region& region);
    void releaseBarrier();
    bool releaseWarpSyncs(Warp& warp);
    bool resolveStuck();
    void account(int32_t instructions);
    bool withinLimits();
    void stopAt(const Warp& warp, const Instruction* at);

    LaunchContext& launch_;
    std::vector<Observer*> observers_;
    std::unique_ptr<Observer> fanOut_;
    Observer* observer_ = nullptr;
    bool wantsHostBytes_ = false;
    std::vector<Region> regions_;         ///< As every block sees them, but for the place of shared variables.
    std::vector<RegionInfo> infos_;
    uint64_t sharedBytes_ = 0;            ///< Of one block.
    std::vector<std::unique_ptr<ThreadBlock>> resident_, spare_;
    ThreadBlock* block_ = nullptr;        ///< Whose turn it is.
    bool turnOver_ = false;               ///< It ran long enough: others come first now.
    size_t blockBytes_ = 1;               ///< Of the host, for one resident block.
    uint64_t random_ = 0;
    struct HeapBlock {
        std::vector<std::byte> bytes;
        Party by;
        uint64_t order = 0;
    };
    std::deque<HeapBlock> heap_;          ///< Region firstHeapRegion_ + k is heap_[k].
    uint32_t firstHeapRegion_ = 0;
    uint64_t heapBytes_ = 0;
    std::vector<BlockCounter> counters_;
    FindingLog findings_;
    std::string printed_;
    uint64_t instructions_ = 0, unreported_ = 0;
};

} // namespace sim::vm
