// Rows and branch paths of a trace.
#include "playground/session/TraceRows.h"

#include "playground/session/AccessPicture.h"

#include <algorithm>
#include <map>

namespace playground {
namespace {

using sim::LaneMask;

bool isSubset(LaneMask inner, LaneMask outer) { return (inner & ~outer).empty(); }

uint32_t lineOf(const sim::Function& f, sim::Pc pc) {
    return pc.value < f.locations.size() ? f.locations[pc.value].line : 0;
}

sim::Opcode opcodeOf(const sim::Function& f, sim::Pc pc) {
    return pc.value < f.code.size() ? f.code[pc.value].op : sim::Opcode::Block;
}

void costs(TraceRow& row, const sim::TracedAccess& access) {
    const AccessCost cost = costOf(access);
    if (access.space == sim::MemorySpace::Shared) {
        row.wavefronts = cost.actual;
        row.idealWavefronts = cost.ideal;
    } else if (access.space == sim::MemorySpace::Global) {
        row.sectors = cost.actual;
        row.idealSectors = cost.ideal;
    }
}

/// Cuts the steps into rows; paths come later.
std::vector<TraceRow> cutRows(const sim::WarpTrace& trace, const sim::Function& function) {
    std::vector<TraceRow> rows;
    for (uint32_t i = 0; i < trace.steps.size(); ++i) {
        const sim::TraceStep& step = trace.steps[i];
        const uint32_t line = lineOf(function, step.pc);
        const bool joins = !rows.empty() && rows.back().access < 0 && !rows.back().barrier && rows.back().active == step.active &&
                           rows.back().live == step.live && (rows.back().line == line || line == 0) &&
                           opcodeOf(function, trace.steps[i - 1].pc) != sim::Opcode::Branch;
        if (!joins) {
            TraceRow row;
            row.firstStep = i;
            row.line = line != 0 || rows.empty() ? line : rows.back().line;
            row.active = step.active;
            row.live = step.live;
            rows.push_back(row);
        }
        TraceRow& row = rows.back();
        row.lastStep = i;
        row.barrier = row.barrier || opcodeOf(function, step.pc) == sim::Opcode::Barrier;
        if (step.access >= 0) {
            row.access = step.access;
            costs(row, trace.accesses[size_t(step.access)]);
        }
    }
    return rows;
}

/// Masks of one split and the masks inside them, while the trace is walked.
struct Node {
    LaneMask lanes;
    int parent = -1;
    int episode = 0;               ///< Siblings of one split share it.
    int splitRow = -1;
    std::vector<std::pair<int, int>> children; ///< (episode, node)
};

/// Follows the active masks through the rows and keeps the tree of splits.
class PathWalker {
public:
    explicit PathWalker(LaneMask all) { nodes_.push_back({all, -1, 0, -1, {}}); }

    /// The node of a row; 0 is the whole warp.
    int visit(uint32_t row, LaneMask active, LaneMask live) {
        while (current_ != 0 && !isSubset(active, nodes_[size_t(current_)].lanes)) current_ = nodes_[size_t(current_)].parent;
        if ((nodes_[size_t(current_)].lanes & live) == active) {
            ++episode_;
            return current_;
        }
        return enterChild(row, active);
    }

    const std::vector<Node>& nodes() const { return nodes_; }

private:
    int enterChild(uint32_t row, LaneMask active) {
        for (const auto& [episode, child] : nodes_[size_t(current_)].children)
            if (episode == episodeOf(current_) && isSubset(active, nodes_[size_t(child)].lanes)) return current_ = child;
        const int child = int(nodes_.size());
        nodes_.push_back({active, current_, episodeOf(current_), int(row) - 1, {}});
        nodes_[size_t(current_)].children.emplace_back(episodeOf(current_), child);
        if (episodeStart_.size() <= size_t(child)) episodeStart_.resize(size_t(child) + 1);
        return current_ = child;
    }

    /// Siblings belong to one episode as long as their parent has not run as a whole in between.
    int episodeOf(int node) {
        if (episodeStart_.size() <= size_t(node)) episodeStart_.resize(size_t(node) + 1);
        auto& [lastWhole, episode] = episodeStart_[size_t(node)];
        if (wholeRuns_[node] != lastWhole) {
            lastWhole = wholeRuns_[node];
            ++episode;
        }
        return episode;
    }

public:
    void ranWhole(int node) { ++wholeRuns_[node]; }

private:
    std::vector<Node> nodes_;
    std::vector<std::pair<int, int>> episodeStart_;
    std::map<int, int> wholeRuns_;
    int current_ = 0;
    int episode_ = 0;
};

/// Names of the nodes: an only child keeps its parent's name (a loop that lanes leave), siblings get letters.
std::vector<BranchPath> namePaths(const std::vector<Node>& nodes) {
    std::vector<BranchPath> paths(nodes.size());
    std::map<int, int> coloursUsed; // by top-level episode
    for (size_t i = 1; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const std::string& base = paths[size_t(node.parent)].name;
        int siblings = 0, order = 0;
        for (const auto& [episode, child] : nodes[size_t(node.parent)].children) {
            if (episode != node.episode) continue;
            if (child < int(i)) ++order;
            ++siblings;
        }
        const char letter = char('A' + order % 26);
        BranchPath& path = paths[i];
        path.name = siblings == 1 && !base.empty() ? base : base + letter;
        path.lanes = node.lanes;
        path.parent = node.parent - 1;
        path.splitRow = node.splitRow;
        path.colour = siblings == 1 && node.parent != 0 ? paths[size_t(node.parent)].colour
                      : node.parent == 0               ? order
                                                       : paths[size_t(node.parent)].colour + order * 2 + (order > 0 ? 1 : 0);
    }
    paths.erase(paths.begin());
    return paths;
}

/// Marks rows that the findings speak of.
void markFindings(std::vector<TraceRow>& rows, const sim::WarpTrace& trace, const sim::LaunchConfig& config,
                  const std::vector<sim::Finding>& findings) {
    const auto concerns = [&](const sim::Party& party) {
        return config.grid.linear(party.block) == trace.block.value &&
               config.block.linear(party.thread) / sim::kWarpSize == trace.warp.value;
    };
    for (const sim::Finding& finding : findings)
        for (TraceRow& row : rows)
            if ((row.line == finding.first.at.line && concerns(finding.first)) ||
                (finding.other && row.line == finding.other->at.line && concerns(*finding.other)))
                row.finding = true;
}

} // namespace

TraceRows buildTraceRows(const sim::WarpTrace& trace, const sim::Function& function, const sim::LaunchConfig& config,
                         const std::vector<sim::Finding>& findings) {
    TraceRows out;
    out.rows = cutRows(trace, function);
    PathWalker walker(trace.initial);
    std::vector<int> nodeOf(out.rows.size());
    for (uint32_t r = 0; r < out.rows.size(); ++r) {
        const int node = walker.visit(r, out.rows[r].active, out.rows[r].live);
        if ((walker.nodes()[size_t(node)].lanes & out.rows[r].live) == out.rows[r].active) walker.ranWhole(node);
        nodeOf[r] = node;
        out.rows[r].path = node - 1;
    }
    out.paths = namePaths(walker.nodes());
    for (uint32_t r = 0; r + 1 < out.rows.size(); ++r) {
        const sim::Opcode last = opcodeOf(function, trace.steps[out.rows[r].lastStep].pc);
        const LaneMask next = out.rows[r + 1].active, now = out.rows[r].active & out.rows[r + 1].live;
        out.rows[r].divergent = last == sim::Opcode::Branch && next != now && isSubset(next, now);
        out.rows[r + 1].reconverged = out.rows[r].path >= 0 && out.rows[r + 1].path < 0;
    }
    markFindings(out.rows, trace, config, findings);
    return out;
}

uint32_t TraceRows::rowOfStep(uint32_t step) const {
    if (rows.empty()) return 0;
    const auto it = std::upper_bound(rows.begin(), rows.end(), step,
                                     [](uint32_t s, const TraceRow& row) { return s < row.firstStep; });
    return it == rows.begin() ? 0 : uint32_t(it - rows.begin()) - 1;
}

int rowThatMasked(const TraceRows& rows, uint32_t row, unsigned lane) {
    if (row >= rows.rows.size() || rows.rows[row].active.has(lane) || !rows.rows[row].live.has(lane)) return -1;
    int path = rows.rows[row].path, found = -1;
    while (path >= 0) { // the outermost split that left the lane out
        if (!rows.paths[size_t(path)].lanes.has(lane)) found = rows.paths[size_t(path)].splitRow;
        path = rows.paths[size_t(path)].parent;
    }
    return found;
}

} // namespace playground
