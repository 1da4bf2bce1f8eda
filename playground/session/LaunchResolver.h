// Turns a lesson, a variant and knob values into a launch that a backend can run.
#pragma once

#include "playground/session/Expression.h"
#include "playground/session/Lesson.h"

#include <optional>
#include <string>

namespace playground {

/// The most bytes that the buffers of one launch may take together.
inline constexpr uint64_t kMaxLaunchBytes = uint64_t{1} << 30;

/// Every knob at its default.
KnobValues defaultKnobs(const Lesson& lesson);
/// Empty, or a sentence that says which values the knob takes.
std::string checkKnob(const Knob& knob, double value);
/// Knob values as names for expressions; a knob without a value has its default.
Names namesOf(const Lesson& lesson, const KnobValues& knobs);
/// The arguments and the reference of a variant: its own, or the lesson's.
const std::vector<ArgumentSpec>& argumentsOf(const Lesson& lesson, const Variant& variant);
const std::string& referenceOf(const Lesson& lesson, const Variant& variant);
/// True when some launch expression, argument or buffer of the variant uses the knob.
bool usesKnob(const Lesson& lesson, const Variant& variant, const std::string& knob);

/// Evaluates every launch expression, and allocates and fills the buffers that the variant's arguments name.
/// nullopt with a sentence in `problem` when an expression is wrong or gives an impossible size.
std::optional<ResolvedLaunch> resolveLaunch(const Lesson& lesson, const Variant& variant, const KnobValues& knobs,
                                            const std::string& source, std::string& problem);

} // namespace playground
