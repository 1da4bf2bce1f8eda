// Who a thread is: its indices with the arithmetic filled in, and what it reads and writes.
#pragma once

#include "playground/session/TraceRows.h"
#include "sim/Simulator.h"

#include <string>
#include <vector>

namespace playground {

/// "blockIdx.x * blockDim.x + threadIdx.x" and "3 * 256 + 41" and "809".
struct IndexSum {
    std::string formula, numbers, value;
};

/// One access of the thread, in execution order.
struct ThreadAccess {
    uint32_t row = 0, line = 0;
    sim::AccessKind kind{};
    sim::MemorySpace space{};
    std::string element;  ///< "in[809]", or the address when no allocation holds it.
    bool refused = false; ///< Outside its allocation or misaligned: not made; element and value are empty.
    std::string value;    ///< As the element's type prints; empty when unknown.
};

struct ThreadPicture {
    sim::Dim3 block, thread;
    uint32_t linearThread = 0; ///< Inside its block.
    uint32_t warp = 0, lane = 0;
    bool exists = false;           ///< False for the empty lanes of a partial last warp.
    std::vector<IndexSum> indices; ///< One per used dimension of the grid, then the split into warp and lane.
    std::vector<ThreadAccess> accesses;
};

/// The thread at a lane of a warp. `trace`, `rows` and `report` may be of another warp or null: then no accesses.
ThreadPicture pictureThread(const sim::LaunchConfig& config, sim::BlockId block, sim::WarpId warp, unsigned lane,
                            const sim::WarpTrace* trace, const TraceRows* rows, const sim::LaunchReport* report,
                            const std::vector<sim::Buffer>& buffers);

/// Bytes as the element type prints them: "1.5", "-3", "0x1f".
std::string formatValue(const uint8_t* bytes, unsigned width, const std::string& type);

/// "(2, 1)" with as many coordinates as the extent uses, at least one.
std::string formatCoordinate(const sim::Dim3& at, const sim::Dim3& extent);

} // namespace playground
