// Index arithmetic and accesses of one thread.
#include "playground/session/ThreadPicture.h"

#include "playground/session/AccessPicture.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace playground {
namespace {

std::string text(uint64_t value) {
    return std::to_string(value);
}

template <class T>
T read(const uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

IndexSum axisSum(const char* axis, uint32_t blockIdx, uint32_t blockDim, uint32_t threadIdx) {
    IndexSum sum;
    const std::string a = axis;
    sum.formula = "blockIdx." + a + " * blockDim." + a + " + threadIdx." + a;
    sum.numbers = text(blockIdx) + " * " + text(blockDim) + " + " + text(threadIdx);
    sum.value = text(uint64_t{blockIdx} * blockDim + threadIdx);
    return sum;
}

void addIndices(ThreadPicture& p, const sim::LaunchConfig& config) {
    const sim::Dim3 &b = p.block, &t = p.thread, &dim = config.block, &grid = config.grid;
    p.indices.push_back(axisSum("x", b.x, dim.x, t.x));
    const bool y = dim.y > 1 || grid.y > 1, z = dim.z > 1 || grid.z > 1;
    if (y || z) p.indices.push_back(axisSum("y", b.y, dim.y, t.y));
    if (z) p.indices.push_back(axisSum("z", b.z, dim.z, t.z));
    if (dim.y > 1 || dim.z > 1) {
        IndexSum linear;
        linear.formula = dim.z > 1 ? "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
                                   : "threadIdx.x + blockDim.x * threadIdx.y";
        linear.numbers = dim.z > 1 ? text(t.x) + " + " + text(dim.x) + " * (" + text(t.y) + " + " + text(dim.y) +
                                         " * " + text(t.z) + ")"
                                   : text(t.x) + " + " + text(dim.x) + " * " + text(t.y);
        linear.value = text(p.linearThread);
        p.indices.push_back(linear);
    }
}

/// Type of the buffer's or variable's elements, as far as it is known.
std::string elementType(const sim::PlacedAllocation* a, const std::vector<sim::Buffer>& buffers) {
    if (a == nullptr) return "";
    if (a->buffer >= 0 && size_t(a->buffer) < buffers.size()) return sim::toString(buffers[size_t(a->buffer)].type);
    return a->type;
}

void addAccesses(ThreadPicture& p, const sim::WarpTrace& trace, const TraceRows& rows, const sim::LaunchReport& report,
                 const std::vector<sim::Buffer>& buffers) {
    for (uint32_t r = 0; r < rows.rows.size(); ++r) {
        const TraceRow& row = rows.rows[r];
        if (row.access < 0) continue;
        const sim::TracedAccess& access = trace.accesses[size_t(row.access)];
        ThreadAccess out;
        out.row = r;
        out.line = row.line;
        out.kind = access.kind;
        out.space = access.space;
        out.refused = row.refused.has(p.lane);
        if (out.refused) p.accesses.push_back(out);
        if (!access.active.has(p.lane)) continue;
        const uint64_t address = access.address[p.lane];
        out.element = elementName(address, report.allocations);
        if (out.element.empty()) {
            char hex[32];
            std::snprintf(hex, sizeof hex, "0x%" PRIx64, address);
            out.element = hex;
        }
        out.value = formatValue(access.value[p.lane].data(), access.bytes,
                                elementType(allocationAt(address, report.allocations), buffers));
        p.accesses.push_back(out);
    }
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

std::string formatCoordinate(const sim::Dim3& at, const sim::Dim3& extent) {
    if (extent.z > 1) return "(" + text(at.x) + ", " + text(at.y) + ", " + text(at.z) + ")";
    if (extent.y > 1) return "(" + text(at.x) + ", " + text(at.y) + ")";
    return text(at.x);
}

std::string formatValue(const uint8_t* bytes, unsigned width, const std::string& type) {
    char out[64] = "";
    const bool floating =
        contains(type, "float") || contains(type, "f32") || contains(type, "double") || contains(type, "f64");
    const bool isUnsigned = contains(type, "unsigned") || (!type.empty() && type[0] == 'u');
    if (floating && width == 4)
        std::snprintf(out, sizeof out, "%.6g", double(read<float>(bytes)));
    else if (floating && width == 8)
        std::snprintf(out, sizeof out, "%.10g", read<double>(bytes));
    else if (floating && width == 16)
        std::snprintf(out, sizeof out, "%.4g, %.4g, %.4g, %.4g", double(read<float>(bytes)),
                      double(read<float>(bytes + 4)), double(read<float>(bytes + 8)), double(read<float>(bytes + 12)));
    else if (width == 1)
        std::snprintf(out, sizeof out, isUnsigned ? "%u" : "%d", isUnsigned ? int(bytes[0]) : int(int8_t(bytes[0])));
    else if (width == 2)
        std::snprintf(out, sizeof out, "%d", isUnsigned ? int(read<uint16_t>(bytes)) : int(read<int16_t>(bytes)));
    else if (width == 4 && isUnsigned)
        std::snprintf(out, sizeof out, "%u", read<uint32_t>(bytes));
    else if (width == 4)
        std::snprintf(out, sizeof out, "%d", read<int32_t>(bytes));
    else if (width == 8 && isUnsigned)
        std::snprintf(out, sizeof out, "%" PRIu64, read<uint64_t>(bytes));
    else if (width == 8)
        std::snprintf(out, sizeof out, "%" PRId64, read<int64_t>(bytes));
    return out;
}

ThreadPicture pictureThread(const sim::LaunchConfig& config, sim::BlockId block, sim::WarpId warp, unsigned lane,
                            const sim::WarpTrace* trace, const TraceRows* rows, const sim::LaunchReport* report,
                            const std::vector<sim::Buffer>& buffers) {
    ThreadPicture p;
    p.block = config.grid.coordinate(block.value);
    p.warp = warp.value;
    p.lane = lane;
    p.linearThread = warp.value * sim::kWarpSize + lane;
    p.exists = p.linearThread < config.block.count();
    if (!p.exists) return p;
    p.thread = config.block.coordinate(p.linearThread);
    addIndices(p, config);
    if (trace != nullptr && rows != nullptr && report != nullptr && trace->block == block && trace->warp == warp)
        addAccesses(p, *trace, *rows, *report, buffers);
    return p;
}

} // namespace playground
