// Setting a launch up, dealing its blocks out to host threads, and gathering what they found.
#include "sim/vm/Machine.h"

#include "sim/vm/LaunchChecks.h"
#include "sim/vm/Worker.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <thread>
#include <tuple>
#include <utility>

namespace sim::vm {

namespace {

using Clock = std::chrono::steady_clock;

/// Where the outcome depends on the order in which blocks run (or on one output stream), they must run in order.
/// Integer reductions of one kind commute; everything that returns an old value, or rounds, does not.
bool blocksCommute(const LinkedCode& linked) {
    int reduction = -1;
    for (uint32_t pc = 0; pc < linked.code().size(); ++pc) {
        const Instruction& i = linked.code()[pc];
        switch (linked.opcodeAt(pc)) {
        case Opcode::CompareSwap: case Opcode::Printf: case Opcode::Malloc: case Opcode::Free: case Opcode::Trap:
        case Opcode::AssertFail: return false;
        case Opcode::Atomic: {
            const AtomicOp op = AtomicOp(i.aux & 0xff);
            const AtomicType type = AtomicType(i.aux >> 8);
            const bool integer = type <= AtomicType::U64;
            const bool commutes = op != AtomicOp::Exchange && op != AtomicOp::Inc && op != AtomicOp::Dec;
            const int kind = op == AtomicOp::Sub ? int(AtomicOp::Add) : int(op);
            if (i.d != kNoSlot || !integer || !commutes || (reduction >= 0 && reduction != kind)) return false;
            reduction = kind;
            break;
        }
        default: break;
        }
    }
    return true;
}

ResolvedConstant resolve(const ImageConstant& constant, const MemoryMap& memory) {
    uint64_t bits = constant.bits;
    if (constant.global >= 0) bits += memory.globalAddress(uint32_t(constant.global));
    if (constant.function >= 0) bits += functionAddress(uint32_t(constant.function));
    return {constant.slot, constant.wide, bits};
}

void fillImages(LaunchContext& launch) {
    for (const LinkedFunction& f : launch.linked.functions()) {
        auto& image = launch.images.emplace_back();
        for (const ImageConstant& constant : f.function->image) image.push_back(resolve(constant, launch.memory));
    }
}

void fillParameters(LaunchContext& launch, std::span<const Argument> arguments) {
    const auto& parameters = launch.kernel.parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
        const Parameter& p = parameters[k];
        const Argument& a = arguments[k];
        if (p.byValueStruct) {
            const auto region = launch.memory.parameterBytes();
            if (p.offset + a.scalar.size() <= region.size()) std::memcpy(region.data() + p.offset, a.scalar.data(), a.scalar.size());
            launch.parameters.push_back({p.slot, true, regionBase(kParameterRegion) + p.offset});
            continue;
        }
        uint64_t bits = 0;
        if (a.buffer >= 0) bits = launch.memory.bufferAddress(uint32_t(a.buffer)) + uint64_t(a.byteOffset);
        else std::memcpy(&bits, a.scalar.data(), std::min<size_t>(a.scalar.size(), 8));
        if (p.slot != kNoSlot) launch.parameters.push_back({p.slot, p.bytes > 4, bits});
    }
}

std::vector<PlacedAllocation> placements(const MemoryMap& memory) {
    std::vector<PlacedAllocation> placed;
    for (size_t r = 0; r < memory.infos().size(); ++r) {
        const RegionInfo& info = memory.infos()[r];
        if (info.hidden) continue;
        placed.push_back({info.name, info.type, info.space, memory.regions()[r].start, info.bytes, info.buffer, info.elementBytes, info.extents});
    }
    return placed;
}

/// Deals blocks out to workers in ascending chunks, and tells how many have ended.
class BlockQueue {
public:
    BlockQueue(uint64_t blocks, unsigned workers, const std::function<void(double)>& progress)
        : blocks_(blocks), chunk_(std::clamp<uint64_t>(blocks / (uint64_t{workers} * 16), 1, 256)), progress_(progress) {}

    /// The next chunk: [first, second), empty when none is left.
    std::pair<uint64_t, uint64_t> nextChunk() {
        const uint64_t begin = std::min(next_.fetch_add(chunk_), blocks_);
        return {begin, std::min(begin + chunk_, blocks_)};
    }

    void ended(uint64_t count) {
        done_ += count;
        if (!progress_) return;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        const auto now = Clock::now();
        if (!lock.owns_lock() || now - told_ < std::chrono::milliseconds(50)) return;
        told_ = now;
        progress_(double(done_) / double(blocks_));
    }

    uint64_t chunk() const { return chunk_; }

private:
    const uint64_t blocks_, chunk_;
    std::atomic<uint64_t> next_{0}, done_{0};
    const std::function<void(double)>& progress_;
    std::mutex mutex_;
    Clock::time_point told_{};
};

/// One worker's share of the queue.
class QueueSource final : public BlockSource {
public:
    explicit QueueSource(BlockQueue& queue) : queue_(queue) {}

    std::optional<uint32_t> next() override {
        if (at_ == end_) std::tie(at_, end_) = queue_.nextChunk();
        if (at_ == end_) return std::nullopt;
        return uint32_t(at_++);
    }
    void ended() override {
        if (++ended_ < queue_.chunk()) return;
        queue_.ended(std::exchange(ended_, 0));
    }

private:
    BlockQueue& queue_;
    uint64_t at_ = 0, end_ = 0, ended_ = 0;
};

unsigned chooseWorkers(const LaunchOptions& options, const LinkedCode& linked, uint64_t blocks) {
    if (!options.traces.empty() || !options.observers.empty() || !blocksCommute(linked)) return 1;
    if (options.schedule.policy != Schedule::Policy::InOrder || linked.hasGridBarrier()) return 1; // one order for all
    const unsigned wanted = options.hostThreads ? options.hostThreads : std::max(1u, std::thread::hardware_concurrency());
    return unsigned(std::clamp<uint64_t>(blocks / 2, 1, std::min(wanted, 256u)));
}

void gather(RunResult& result, std::vector<std::unique_ptr<Worker>>& workers, LaunchContext& launch, bool checks) {
    FindingLog findings;
    result.blocks = launch.linked.emptyCounters();
    for (auto& worker : workers) {
        if (checks && launch.status == LaunchStatus::Finished) worker->reportLeaks();
        findings.merge(worker->findings());
        result.printed += worker->printed();
        for (size_t b = 0; b < result.blocks.size(); ++b) {
            result.blocks[b].warps += worker->counters()[b].warps;
            result.blocks[b].threads += worker->counters()[b].threads;
        }
    }
    result.findings = findings.sorted();
    result.status = launch.status;
    result.error = launch.error;
}

RunResult reject(std::string why, FindingKind kind = FindingKind::InvalidLaunch, SourceLoc at = {}) {
    RunResult result;
    result.status = kind == FindingKind::LimitExceeded ? LaunchStatus::LimitExceeded : LaunchStatus::Rejected;
    Finding finding;
    finding.kind = kind;
    finding.count = 1;
    finding.first.at = at;
    finding.message = why;
    result.findings.push_back(std::move(finding));
    result.error = std::move(why);
    return result;
}

void runWorkers(BlockQueue& queue, std::vector<std::unique_ptr<Worker>>& workers, LaunchContext& launch) {
    const auto guarded = [&](Worker& worker) {
        try {
            QueueSource source(queue);
            worker.run(source);
        } catch (const std::exception& e) { // memory of the host ran out, or an observer failed
            launch.stop(LaunchStatus::LimitExceeded, std::string("The host could not go on: ") + e.what());
        }
    };
    std::vector<std::thread> threads;
    for (size_t w = 1; w < workers.size(); ++w) threads.emplace_back([&, w] { guarded(*workers[w]); });
    guarded(*workers[0]);
    for (std::thread& t : threads) t.join();
}

RunResult runChecked(const Program& program, const Function& kernel, const LaunchConfig& config, std::span<const Argument> arguments,
                     std::vector<Buffer>& buffers, const LaunchOptions& options, const ObserverFactory& observers) {
    if (auto problem = checkConfiguration(program, kernel, config)) return reject(*problem, FindingKind::InvalidLaunch, kernel.at);
    if (auto problem = checkArguments(kernel, arguments, buffers)) return reject(*problem, FindingKind::InvalidLaunch, kernel.at);
    MemoryMap memory(program, kernel, config, buffers);
    if (memory.totalBytes() > options.limits.maxBytes)
        return reject("The launch needs " + std::to_string(memory.totalBytes()) + " bytes of device memory, more than its limit of " +
                          std::to_string(options.limits.maxBytes) + "; make the buffers smaller or raise the limit.",
                      FindingKind::LimitExceeded, kernel.at);
    const LinkedCode linked(program, kernel);
    const uint64_t blocks = config.grid.count();
    if (blocks > 0xffffffffu) return reject("A grid of more than 2^32 - 1 blocks is beyond the simulator; launch fewer.", FindingKind::LimitExceeded, kernel.at);
    LaunchContext launch{program, kernel, config, linked, memory, options.limits, options.cancel, options.schedule};
    if (options.sharedMemory) launch.sharedBefore = *options.sharedMemory;
    fillImages(launch);
    fillParameters(launch, arguments);
    const unsigned count = chooseWorkers(options, linked, blocks);
    launch.parallel = count > 1;
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned w = 0; w < count; ++w)
        workers.push_back(std::make_unique<Worker>(launch, observers ? observers(w) : std::vector<Observer*>{}));
    RunResult result;
    result.hostThreads = count;
    launch.started = Clock::now();
    BlockQueue queue(blocks, count, options.progress);
    runWorkers(queue, workers, launch);
    result.wallMs = std::chrono::duration<double, std::milli>(Clock::now() - launch.started).count();
    if (options.progress && launch.status == LaunchStatus::Finished) options.progress(1.0);
    if (options.sharedMemory && !launch.sharedAfter.empty()) *options.sharedMemory = std::move(launch.sharedAfter);
    gather(result, workers, launch, options.checks);
    result.allocations = placements(memory);
    return result;
}

} // namespace

RunResult run(const Program& program, const Function& kernel, const LaunchConfig& config, std::span<const Argument> arguments,
              std::vector<Buffer>& buffers, const LaunchOptions& options, const ObserverFactory& observers) {
    try {
        return runChecked(program, kernel, config, arguments, buffers, options, observers);
    } catch (const std::exception& e) {
        return reject(std::string("The host could not set the launch up: ") + e.what(), FindingKind::LimitExceeded, kernel.at);
    }
}

} // namespace sim::vm
