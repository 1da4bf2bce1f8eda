// Rows and branch paths of a trace.
#include "playground/session/TraceRows.h"

#include "playground/session/AccessPicture.h"

#include <algorithm>

namespace playground {
namespace {

using sim::LaneMask;

bool isSubset(LaneMask inner, LaneMask outer) {
    return (inner & ~outer).empty();
}

uint32_t lineOf(const sim::Function& f, sim::Pc pc) {
    return pc.value < f.locations.size() ? f.locations[pc.value].line : 0;
}

sim::Opcode opcodeOf(const sim::Function& f, sim::Pc pc) {
    return pc.value < f.code.size() ? f.code[pc.value].op : sim::Opcode::Block;
}

sim::SharedOperation operationAt(const sim::Function& f, sim::Pc pc) {
    return pc.value < f.code.size() ? sim::sharedOperation(f, pc) : sim::SharedOperation::Load;
}

void costs(TraceRow& row, const sim::TracedAccess& access, sim::SharedOperation operation) {
    const AccessCost cost = costOf(access, operation);
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
        const bool joins = !rows.empty() && rows.back().access < 0 && !rows.back().barrier &&
                           rows.back().active == step.active && rows.back().live == step.live &&
                           (rows.back().line == line || line == 0) &&
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
            LaneMask made;
            for (int32_t a = step.access; a < step.access + step.accessCount; ++a)
                made = made | trace.accesses[size_t(a)].active;
            row.refused = step.active & ~made;
            costs(row, trace.accesses[size_t(step.access)], operationAt(function, step.pc));
        }
    }
    return rows;
}

/// Lanes that went one way at a split, while the trace is walked. Node 0 is the whole warp.
struct Node {
    LaneMask lanes;
    int parent = -1, splitRow = -1;
    int split = -1;            ///< Siblings of one split share it: index into PathWalker::splitSizes.
    int order = 0;             ///< Among its siblings.
    bool ranWhole = false;     ///< Its lanes have run together since its last split.
    std::vector<int> children; ///< Of its last split.
};

/// Follows the active masks through the rows and keeps the tree of splits.
class PathWalker {
public:
    explicit PathWalker(LaneMask all) { nodes.push_back({all, -1, -1, -1, 0, true, {}}); }

    /// The node of a row.
    int visit(uint32_t row, LaneMask active, LaneMask live) {
        while (current_ != 0 && !isSubset(active, nodes[size_t(current_)].lanes))
            current_ = nodes[size_t(current_)].parent;
        Node& node = nodes[size_t(current_)];
        if ((node.lanes & (live | active)) == active) {
            node.ranWhole = true;
            return current_;
        }
        if (node.ranWhole) { // a new split
            node.ranWhole = false;
            node.children.clear();
            splitSizes.push_back(0);
        }
        for (int child : node.children)
            if (isSubset(active, nodes[size_t(child)].lanes)) return current_ = child;
        return addChild(row, active);
    }

    std::vector<Node> nodes;
    std::vector<int> splitSizes; ///< Number of paths of each split.

private:
    int addChild(uint32_t row, LaneMask active) {
        const int child = int(nodes.size());
        Node& parent = nodes[size_t(current_)];
        const int split =
            parent.children.empty() ? int(splitSizes.size()) - 1 : nodes[size_t(parent.children[0])].split;
        const Node node{active, current_, int(row) - 1, split, int(parent.children.size()), true, {}};
        parent.children.push_back(child);
        ++splitSizes[size_t(split)];
        nodes.push_back(node);
        return current_ = child;
    }

    int current_ = 0;
};

/// Names and colours of the nodes but the first: an only child keeps its parent's (a loop that lanes leave one by
/// one), siblings get letters, and the next colours of their outermost split.
std::vector<BranchPath> namePaths(const PathWalker& walker) {
    std::vector<BranchPath> paths(walker.nodes.size());
    std::vector<int> outermost(walker.nodes.size(), -1), used(walker.splitSizes.size(), 0);
    for (size_t i = 1; i < walker.nodes.size(); ++i) {
        const Node& node = walker.nodes[i];
        const bool inner = node.parent != 0, alone = walker.splitSizes[size_t(node.split)] == 1;
        const BranchPath& parent = paths[size_t(node.parent)];
        outermost[i] = inner ? outermost[size_t(node.parent)] : node.split;
        BranchPath& path = paths[i];
        path.name = inner && alone ? parent.name : parent.name + char('A' + node.order % 26);
        path.colour = inner && alone ? parent.colour : used[size_t(outermost[i])]++;
        path.lanes = node.lanes;
        path.parent = node.parent - 1;
        path.splitRow = node.splitRow;
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
    for (uint32_t r = 0; r < out.rows.size(); ++r)
        out.rows[r].path = walker.visit(r, out.rows[r].active, out.rows[r].live) - 1;
    out.paths = namePaths(walker);
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
