// Comparing runs, and finding the read at which two orders part.
#include "sim/Explore.h"

#include "sim/core/WarpEvents.h"
#include "sim/vm/LinkedCode.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace sim {

namespace {

constexpr size_t kMaxLoggedReads = size_t{1} << 24; // 128 MiB at most

bool isRead(const MemoryAccess& a) {
    return (a.kind == AccessKind::Load || a.kind == AccessKind::Atomic) && (a.space == MemorySpace::Global || a.space == MemorySpace::Shared);
}

uint64_t valueOf(const MemoryAccess& a, unsigned lane) {
    uint64_t value = 0;
    std::memcpy(&value, a.host[lane], std::min<size_t>(a.bytes, 8));
    return value;
}

/// FNV-1a over what every lane reads.
uint64_t fingerprint(const MemoryAccess& a) {
    uint64_t hash = 0xcbf29ce484222325u ^ a.at.pc.value;
    for (uint32_t rest = a.active.bits; rest; rest &= rest - 1) {
        const unsigned lane = LaneMask{rest}.lowest();
        for (unsigned b = 0; b < a.bytes; ++b)
            hash = (hash ^ static_cast<const unsigned char*>(a.host[lane])[b]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t keyOf(const WarpPosition& at) { return uint64_t{at.block.value} << 32 | at.warp.value; }

/// The first run: what every read of every warp gave, in each warp's own order.
class ReadLog final : public Observer {
public:
    void onMemoryAccess(const MemoryAccess& a) override {
        if (!isRead(a) || count_++ >= kMaxLoggedReads) return;
        reads_[keyOf(a.at)].push_back(fingerprint(a));
    }
    bool wantsHostBytes() const override { return true; }
    /// nullptr where nothing was logged.
    const uint64_t* find(uint64_t warp, size_t index) const {
        const auto found = reads_.find(warp);
        return found == reads_.end() || index >= found->second.size() ? nullptr : &found->second[index];
    }

private:
    std::unordered_map<uint64_t, std::vector<uint64_t>> reads_;
    size_t count_ = 0;
};

/// One read of one warp, with every lane's value.
struct SeenRead {
    uint64_t warp = 0;
    size_t index = 0;
    WarpPosition at{};
    LaneMask active;
    uint32_t bytes = 0;
    uint64_t address[kWarpSize] = {}, value[kWarpSize] = {};

    void take(const MemoryAccess& a) {
        at = a.at;
        active = a.active;
        bytes = a.bytes;
        for (uint32_t rest = a.active.bits; rest; rest &= rest - 1) {
            const unsigned lane = LaneMask{rest}.lowest();
            address[lane] = a.address[lane];
            value[lane] = valueOf(a, lane);
        }
    }
};

/// The second run: stops looking at the first read that differs from the log.
class ReadComparison final : public Observer {
public:
    explicit ReadComparison(const ReadLog& log) : log_(log) {}
    void onMemoryAccess(const MemoryAccess& a) override {
        if (found || !isRead(a)) return;
        const size_t index = next_[keyOf(a.at)]++;
        const uint64_t* before = log_.find(keyOf(a.at), index);
        if (!before || *before == fingerprint(a)) return;
        found.emplace();
        found->warp = keyOf(a.at);
        found->index = index;
        found->take(a);
    }
    bool wantsHostBytes() const override { return true; }

    std::optional<SeenRead> found;

private:
    const ReadLog& log_;
    std::unordered_map<uint64_t, size_t> next_;
};

/// The first run again, to see the values of one read.
class ReadWatch final : public Observer {
public:
    ReadWatch(uint64_t warp, size_t index) : warp_(warp), index_(index) {}
    void onMemoryAccess(const MemoryAccess& a) override {
        if (isRead(a) && keyOf(a.at) == warp_ && index_-- == 0) {
            found.emplace();
            found->take(a);
        }
    }
    bool wantsHostBytes() const override { return true; }

    std::optional<SeenRead> found;

private:
    uint64_t warp_;
    size_t index_;
};

/// Everything that is the same in each run.
struct Launcher {
    const Program& program;
    const std::string& kernel;
    const LaunchConfig& config;
    std::span<const Argument> arguments;
    const std::vector<Buffer>& buffers;
    const LaunchOptions& options;

    LaunchReport run(uint64_t seed, std::vector<Buffer>& outputs, Observer* observer = nullptr) const {
        LaunchOptions o = options;
        o.schedule = scheduleOfSeed(seed);
        o.schedule.lockstep = options.schedule.lockstep;
        if (observer) o.observers = {observer};
        outputs = buffers;
        return launch(program, kernel, config, arguments, outputs, o);
    }
};

std::optional<DifferingElement> compareBuffers(const std::vector<Buffer>& a, const std::vector<Buffer>& b) {
    for (uint32_t k = 0; k < a.size(); ++k) {
        const auto differs = std::mismatch(a[k].bytes.begin(), a[k].bytes.end(), b[k].bytes.begin(), b[k].bytes.end());
        if (differs.first != a[k].bytes.end())
            return DifferingElement{k, uint64_t(differs.first - a[k].bytes.begin()) / bytesOf(a[k].type)};
    }
    return std::nullopt;
}

bool sameFindings(const std::vector<Finding>& a, const std::vector<Finding>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Finding& x, const Finding& y) {
        return x.kind == y.kind && x.access == y.access && x.first.at.line == y.first.at.line && x.count == y.count;
    });
}

/// What differs, in one sentence; empty when nothing does.
std::string compareReports(const LaunchReport& a, const LaunchReport& b) {
    if (a.status != b.status) return "One run ends where the other does not: " + (a.error.empty() ? b.error : a.error);
    if (!sameFindings(a.findings, b.findings)) return "The findings differ.";
    if (a.printed != b.printed) return "The printed text differs.";
    return {};
}

void fillAllocation(PartingRead& read, const std::vector<PlacedAllocation>& allocations) {
    for (const PlacedAllocation& p : allocations) {
        if (read.address < p.address || read.address >= p.address + p.bytes) continue;
        read.allocation = p.name;
        read.offset = int64_t(read.address - p.address);
    }
}

std::optional<PartingRead> findParting(const Launcher& launcher, uint64_t seed) {
    std::vector<Buffer> outputs;
    ReadLog log;
    launcher.run(0, outputs, &log);
    ReadComparison comparison(log);
    const LaunchReport second = launcher.run(seed, outputs, &comparison);
    if (!comparison.found) return std::nullopt;
    const SeenRead& b = *comparison.found;
    ReadWatch watch(b.warp, b.index);
    launcher.run(0, outputs, &watch);
    if (!watch.found || watch.found->at.pc.value != b.at.pc.value) return std::nullopt;
    const SeenRead& a = *watch.found;
    const vm::LinkedCode linked(launcher.program, *launcher.program.findKernel(launcher.kernel));
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!a.active.has(lane) || !b.active.has(lane) || (a.value[lane] == b.value[lane] && a.address[lane] == b.address[lane])) continue;
        PartingRead read;
        read.reader = {linked.locationAt(b.at.pc.value), launcher.config.grid.coordinate(b.at.block.value),
                       launcher.config.block.coordinate(uint64_t{b.at.warp.value} * kWarpSize + lane)};
        read.address = b.address[lane];
        read.bytes = b.bytes;
        read.first = a.value[lane];
        read.second = b.value[lane];
        fillAllocation(read, second.allocations);
        return read;
    }
    return std::nullopt;
}

} // namespace

Schedule scheduleOfSeed(uint64_t seed) {
    using Policy = Schedule::Policy;
    if (seed == 0) return {Policy::InOrder, 0, false};
    if (seed == 1) return {Policy::Reverse, 0, false};
    if (seed == 2) return {Policy::RoundRobin, 0, false};
    return {Policy::Random, seed, false};
}

std::string describe(const Schedule& schedule) {
    switch (schedule.policy) {
    case Schedule::Policy::InOrder: return "in order";
    case Schedule::Policy::Reverse: return "in reverse";
    case Schedule::Policy::RoundRobin: return "round-robin";
    case Schedule::Policy::Random: break;
    }
    return "random, seed " + std::to_string(schedule.seed);
}

Exploration explore(const Program& program, const std::string& kernel, const LaunchConfig& config,
                    std::span<const Argument> arguments, const std::vector<Buffer>& buffers, const LaunchOptions& options,
                    unsigned runs) {
    const Launcher launcher{program, kernel, config, arguments, buffers, options};
    Exploration result;
    result.report = launcher.run(0, result.outputs);
    result.runs = 1;
    if (result.report.status == LaunchStatus::Rejected) return result;
    for (uint64_t seed = 1; seed < runs; ++seed) {
        if (options.cancel && *options.cancel) return result;
        std::vector<Buffer> outputs;
        const LaunchReport report = launcher.run(seed, outputs);
        ++result.runs;
        result.element = compareBuffers(result.outputs, outputs);
        result.what = result.element ? "The outputs differ." : compareReports(result.report, report);
        if (result.what.empty()) continue;
        result.seed = seed;
        result.parting = findParting(launcher, seed);
        return result;
    }
    return result;
}

} // namespace sim
