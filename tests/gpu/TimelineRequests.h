// Timelines to check devices with: one array processed in chunks, on streams, as a graph, in managed memory.
#pragma once

#include "gpu/GpuBackend.h"

#include <string>

namespace timelines {

struct Shape {
    unsigned n = 1 << 20; ///< Elements; a multiple of chunks.
    unsigned chunks = 4, streams = 2;
    bool pinned = true, graph = false;
};

/// out = in + 1 chunk by chunk: copy in, kernel, copy out, chunk c on stream c % streams.
gpu::TimelineRequest chunked(const Shape& shape);
/// The same in one kernel on managed memory, with or without a prefetch before it.
gpu::TimelineRequest managed(unsigned n, bool prefetch);
/// `count` launches of one small kernel that each add 1 to what the one before left.
gpu::TimelineRequest manyLaunches(unsigned count, bool graph);
/// Copy in on one stream, the kernel on another that waits for it by an event, or does not.
gpu::TimelineRequest ordered(unsigned n, bool wait);

/// Empty when out[i] == in[i] + added for the inputs of chunked() and managed().
std::string problem(const gpu::TimelineResult& result, int added = 1);

} // namespace timelines
