// What the tests of the shipped lessons share: all lessons, and one run of a variant on the simulator.
#pragma once

#include "playground/session/Content.h"
#include "playground/session/Outputs.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace playground {
/// For test names: GoogleTest would print the bytes of the object.
void PrintTo(const LoadedLesson& lesson, std::ostream* out);
} // namespace playground

namespace tests {

/// The project's own lessons/ and kernels/.
playground::Content shippedContent();
/// All shipped lessons, loaded once; also those that have problems.
const std::vector<playground::LoadedLesson>& shippedLessons();

/// A lesson and one of its variants. Prints as "10-bank-conflicts/tiled".
struct Case {
    const playground::Lesson* lesson = nullptr;
    const playground::Variant* variant = nullptr;
    std::string name() const { return lesson->slug + "/" + variant->id; }
};
std::vector<Case> shippedCases();
/// Fails the test and gives an empty case when there is none of that name.
Case findCase(const std::string& slug, const std::string& variant);
void PrintTo(const Case& c, std::ostream* out);

/// One run: how it ended, and how its outputs differ from the reference.
struct Outcome {
    std::string problem; ///< Not empty when it could not start: why.
    sim::CompileResult compiled;
    sim::LaunchReport report;
    std::vector<playground::OutputDifference> differences;
    const sim::Function* kernel = nullptr;
    /// One line's counters; all zero for a line that never ran.
    sim::Counters at(uint32_t line) const;
};
Outcome runCase(const Case& c, const playground::KnobValues& knobs, const sim::LaunchOptions& options = {});

} // namespace tests
