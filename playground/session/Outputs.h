// What a launch left in its buffers: checksums, and the comparison with a lesson's CPU reference.
#pragma once

#include "playground/session/Lesson.h"

#include <cstdint>
#include <string>
#include <vector>

namespace playground {

/// An output buffer in short, as case files record it.
struct OutputSummary {
    size_t index = 0; ///< Position among the kernel's arguments.
    std::string name;
    sim::ElementType type{};
    uint64_t count = 0;
    uint32_t crc32 = 0;       ///< Of all bytes (zlib's polynomial).
    double sum = 0;           ///< Of all elements, in double precision.
    std::vector<double> head; ///< The first eight elements.
};

std::vector<OutputSummary> summarizeOutputs(const ResolvedLaunch& launch);

/// How an output differs from the reference, compared bit by bit.
struct OutputDifference {
    std::string buffer;
    uint64_t count = 0;           ///< Elements that differ.
    uint64_t first = 0;           ///< Index of the first one.
    double expected = 0, got = 0; ///< Of that element.
};

/// `before` is the launch as resolved, `after` its buffers when the kernel had run. Empty when all outputs are equal or
/// the variant has no reference.
std::vector<OutputDifference> compareWithReference(const std::string& reference, const ResolvedLaunch& before,
                                                   const std::vector<sim::Buffer>& after);

/// "232 of 1000 elements of c differ; the first is c[768]: 0 instead of 0.25".
std::string toSentence(const OutputDifference& difference, uint64_t count);

} // namespace playground
