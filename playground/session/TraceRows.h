// A warp's trace as the learner reads it: one row per stretch of one line under one mask, with branch paths named.
#pragma once

#include "sim/Simulator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace playground {

/// A stretch of consecutive steps of one source line and one active mask, with at most one memory access, which
/// then is its last step: `c[i] = a[i] + b[i]` makes three rows.
struct TraceRow {
    uint32_t firstStep = 0, lastStep = 0;
    uint32_t line = 0;
    sim::LaneMask active, live;
    sim::LaneMask refused;    ///< Active lanes whose access was not made: out of bounds or misaligned.
    int access = -1;          ///< Index into WarpTrace::accesses, or -1.
    int path = -1;            ///< Index into TraceRows::paths, or -1: all live lanes are together.
    bool divergent = false;   ///< Ends in a branch whose lanes went both ways.
    bool reconverged = false; ///< First row after a split in which the lanes are together again.
    bool barrier = false;
    bool finding = false;
    uint32_t wavefronts = 0, idealWavefronts = 0; ///< Of a shared access.
    uint32_t sectors = 0, idealSectors = 0;       ///< Of a global access.
};

/// One side of a split. Paths of one split are lettered in the order in which they run; inside path A they are
/// AA, AB, ... A loop that lanes leave one by one stays one path.
struct BranchPath {
    std::string name;
    int colour = 0; ///< Order of first appearance within its split: 0, 1, 2, ...
    sim::LaneMask lanes;
    int parent = -1;   ///< Index into paths; -1: the whole warp.
    int splitRow = -1; ///< Row whose branch made it.
};

struct TraceRows {
    std::vector<TraceRow> rows;
    std::vector<BranchPath> paths;

    /// The row that holds a step; the last row when it is beyond the end.
    uint32_t rowOfStep(uint32_t step) const;
};

/// Builds the rows. `function` is the kernel that the trace's pcs index. `findings` mark the rows where this warp
/// did what they report.
TraceRows buildTraceRows(const sim::WarpTrace& trace, const sim::Function& function, const sim::LaunchConfig& config,
                         const std::vector<sim::Finding>& findings);

/// Why a lane is masked at a row: the row whose branch sent it elsewhere, or -1 when it is not masked by a branch.
int rowThatMasked(const TraceRows& rows, uint32_t row, unsigned lane);

} // namespace playground
