// Checksums of outputs and comparison with references.
#include "playground/session/Outputs.h"

#include "lessons/references.h"
#include "playground/session/BufferContents.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace playground {
namespace {

uint32_t checksum(const std::vector<std::byte>& bytes) {
    // crc32_z takes a size_t; crc32 would cut lengths beyond 4 GiB.
    return uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

double scalarOf(const sim::Argument& argument, sim::ElementType type) {
    sim::Buffer one;
    one.type = type;
    one.count = 1;
    one.bytes = argument.scalar;
    return elementAt(one, 0);
}

} // namespace

std::vector<OutputSummary> summarizeOutputs(const ResolvedLaunch& launch) {
    std::vector<OutputSummary> outputs;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
        const int b = launch.arguments[i].buffer;
        if (b < 0 || !launch.output[size_t(b)]) continue;
        const sim::Buffer& buffer = launch.buffers[size_t(b)];
        OutputSummary o{i, buffer.name, buffer.type, buffer.count, checksum(buffer.bytes), 0, {}};
        for (uint64_t k = 0; k < buffer.count; ++k) {
            const double value = elementAt(buffer, k);
            o.sum += value;
            if (k < 8) o.head.push_back(value);
        }
        outputs.push_back(std::move(o));
    }
    return outputs;
}

std::vector<OutputDifference> compareWithReference(const std::string& reference, const ResolvedLaunch& before,
                                                   const std::vector<sim::Buffer>& after) {
    std::vector<OutputDifference> differences;
    const lessons::Reference compute = reference.empty() ? nullptr : lessons::findReference(reference);
    if (!compute) return differences;
    std::vector<sim::Buffer> expected = before.buffers;
    std::vector<lessons::ReferenceArgument> arguments;
    for (size_t i = 0; i < before.arguments.size(); ++i) {
        const sim::Argument& a = before.arguments[i];
        if (a.buffer >= 0)
            arguments.push_back({&expected[size_t(a.buffer)], 0});
        else
            arguments.push_back({nullptr, scalarOf(a, before.scalarTypes[i])});
    }
    compute(arguments, before.config);
    for (size_t b = 0; b < expected.size() && b < after.size(); ++b) {
        if (!before.output[b]) continue;
        OutputDifference d;
        d.buffer = expected[b].name;
        const unsigned size = sim::bytesOf(expected[b].type);
        for (uint64_t i = 0; i < expected[b].count; ++i) {
            if (std::memcmp(expected[b].bytes.data() + i * size, after[b].bytes.data() + i * size, size) == 0) continue;
            if (d.count++ > 0) continue;
            d.first = i;
            d.expected = elementAt(expected[b], i);
            d.got = elementAt(after[b], i);
        }
        if (d.count) differences.push_back(d);
    }
    return differences;
}

std::string toSentence(const OutputDifference& d, uint64_t count) {
    std::ostringstream text;
    text.precision(9);
    text << d.count << " of " << count << (count == 1 ? " element of " : " elements of ") << d.buffer
         << (d.count == 1 ? " differs" : " differ") << " from the reference; the first is " << d.buffer << "["
         << d.first << "]: " << d.got << " instead of " << d.expected;
    return text.str();
}

} // namespace playground
