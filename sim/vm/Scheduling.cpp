// Which block and which warp take the next turn.
#include "sim/vm/Worker.h"

#include <algorithm>
#include <utility>

namespace sim::vm {

namespace {

/// Instructions after which a block that neither ends nor waits makes room for others: it may be waiting for them.
constexpr uint64_t kTurn = uint64_t{1} << 20;
/// Blocks that take turns when the schedule mixes them.
constexpr size_t kMixedBlocks = 8;
/// Memory for blocks that make room for others, beyond the first two; a grid barrier needs all its blocks whatever they take.
constexpr size_t kResidentBytes = size_t{32} << 20;
constexpr size_t kAllBlocks = ~size_t{0};

/// SplitMix64: small, and the same everywhere, unlike the distributions of <random>.
uint64_t nextRandom(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// Mostly short, so that few instructions pass between two turns; sometimes long, so that one warp gets far ahead.
uint64_t randomQuantum(uint64_t& state) {
    const uint64_t r = nextRandom(state);
    switch (r & 3) {
    case 0: return 1;
    case 1: return 1 + (r >> 2) % 8;
    case 2: return 1 + (r >> 2) % 64;
    default: return 1 + (r >> 2) % 1024;
    }
}

} // namespace

void Worker::run(BlockSource& source) {
    while (beginTurn(source)) {
        const bool going = takeTurn() && (unreported_ < uint64_t{kSlice} || withinLimits());
        if (block_->live == 0) endBlock(source);
        if (!going) break;
    }
    while (!resident_.empty()) { // of a launch that stopped
        block_ = resident_.back().get();
        endBlock(source);
    }
}

/// Makes the block of the next turn current; false when none is left.
bool Worker::beginTurn(BlockSource& source) {
    if (launch_.stopped.load(std::memory_order_relaxed)) return false;
    const Schedule::Policy policy = launch_.schedule.policy;
    if (policy == Schedule::Policy::InOrder || policy == Schedule::Policy::Reverse) {
        if (block_ && block_->live > 0 && !block_->atGridBarrier() && !turnOver_) return true;
        if (resident_.size() < residentLimit() && beginNext(source)) return true;
        return nextResident();
    }
    const size_t mixed = launch_.linked.hasGridBarrier() ? kAllBlocks : kMixedBlocks;
    while (resident_.size() < mixed && beginNext(source)) {}
    if (policy == Schedule::Policy::RoundRobin) return nextResident();
    return randomResident();
}

size_t Worker::residentLimit() const {
    if (launch_.linked.hasGridBarrier()) return kAllBlocks;
    return std::max<size_t>(2, kResidentBytes / blockBytes_);
}

bool Worker::beginNext(BlockSource& source) {
    const auto next = source.next();
    if (!next) return false;
    std::unique_ptr<ThreadBlock> block;
    if (spare_.empty()) block = makeBlock();
    else {
        block = std::move(spare_.back());
        spare_.pop_back();
    }
    block_ = resident_.emplace_back(std::move(block)).get();
    turnOver_ = false;
    const uint64_t count = launch_.config.grid.count();
    beginBlock(BlockId{launch_.schedule.policy == Schedule::Policy::Reverse ? uint32_t(count - 1 - *next) : *next});
    return true;
}

/// The resident block after the current one that is not at the grid's barrier.
bool Worker::nextResident() {
    if (resident_.empty()) return false;
    const auto isCurrent = [&](const auto& b) { return b.get() == block_; };
    const auto current = std::find_if(resident_.begin(), resident_.end(), isCurrent);
    const size_t from = current == resident_.end() ? 0 : size_t(current - resident_.begin()) + 1;
    for (size_t k = 0; k < resident_.size(); ++k) {
        ThreadBlock* const candidate = resident_[(from + k) % resident_.size()].get();
        if (candidate->atGridBarrier()) continue;
        block_ = candidate;
        turnOver_ = false;
        return true;
    }
    return releaseGrid();
}

bool Worker::randomResident() {
    std::vector<ThreadBlock*> candidates;
    for (const auto& block : resident_)
        if (!block->atGridBarrier()) candidates.push_back(block.get());
    if (candidates.empty()) return releaseGrid();
    block_ = candidates[nextRandom(random_) % candidates.size()];
    return true;
}

/// All resident blocks wait at the grid's barrier: they go on, unless a block ended without coming here.
bool Worker::releaseGrid() {
    if (resident_.empty()) return false;
    if (resident_.size() != launch_.config.grid.count()) {
        for (const auto& block : resident_) {
            block_ = block.get();
            for (const auto& warp : block->warps)
                for (const ParkedSplit& parked : warp->atBarrier)
                    report(*warp, parked.at, FindingKind::Deadlock, parked.split.mask,
                           "waits for the whole grid, but " + std::to_string(launch_.config.grid.count() - resident_.size()) +
                               " of " + std::to_string(launch_.config.grid.count()) + " blocks have ended without coming here");
        }
        launch_.stop(LaunchStatus::Stopped, "Blocks wait at the barrier of the grid for blocks that have ended.");
        return false;
    }
    for (const auto& block : resident_) {
        block_ = block.get();
        releaseBarrier();
    }
    return true;
}

/// Runs the current block for a while; false when the launch stops.
bool Worker::takeTurn() {
    switch (launch_.schedule.policy) {
    case Schedule::Policy::RoundRobin: return stepWarps();
    case Schedule::Policy::Random: return stepRandomWarp();
    default: return runWholeWarps();
    }
}

bool Worker::runWholeWarps() {
    const uint64_t begin = instructions_;
    const bool reverse = launch_.schedule.policy == Schedule::Policy::Reverse;
    while (block_->live > 0) {
        bool progressed = false;
        const size_t count = block_->warps.size();
        for (size_t k = 0; k < count; ++k) {
            Warp& warp = *block_->warps[reverse ? count - 1 - k : k];
            if (warp.ready.empty()) continue;
            progressed = true;
            runWarp(warp);
            if (launch_.stopped.load(std::memory_order_relaxed)) return false;
        }
        if (block_->live == 0 || block_->atGridBarrier()) return true;
        if (!settle(progressed)) return false;
        if (instructions_ - begin > kTurn) {
            turnOver_ = true;
            return true;
        }
    }
    return true;
}

/// Opens the block's barrier when all are there, and finds out why nothing runs when nothing does.
bool Worker::settle(bool progressed) {
    if (block_->waiting == block_->live) {
        releaseBarrier();
        return true;
    }
    return progressed || resolveStuck();
}

bool Worker::stepWarps() {
    bool progressed = false;
    for (const auto& warp : block_->warps) {
        if (warp->ready.empty()) continue;
        progressed = true;
        runSteps(*warp, 1);
        if (launch_.stopped.load(std::memory_order_relaxed)) return false;
    }
    return block_->live == 0 || block_->atGridBarrier() || settle(progressed);
}

bool Worker::stepRandomWarp() {
    std::vector<Warp*> candidates;
    for (const auto& warp : block_->warps)
        if (!warp->ready.empty()) candidates.push_back(warp.get());
    if (!candidates.empty()) {
        Warp& warp = *candidates[nextRandom(random_) % candidates.size()];
        if (warp.ready.size() > 1 && !launch_.schedule.lockstep)
            std::swap(warp.ready.back(), warp.ready[nextRandom(random_) % warp.ready.size()]);
        runSteps(warp, randomQuantum(random_));
        if (launch_.stopped.load(std::memory_order_relaxed)) return false;
    }
    return block_->live == 0 || block_->atGridBarrier() || settle(!candidates.empty());
}

} // namespace sim::vm
