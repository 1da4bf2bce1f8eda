// Reads one lesson folder and reports every mistake in it by file and line.
#pragma once

#include "playground/session/Content.h"
#include "playground/session/Lesson.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace playground {

/// Reads lesson.toml and text.<language>.md of `folder` (lessons/README.md is the format), and checks what they say:
/// names, expressions, kernel files, the launch of every variant with default knobs, and the actions of the texts.
LoadedLesson loadLesson(const std::filesystem::path& folder, const std::filesystem::path& kernels);

/// One argument of the kernel as "in" (a buffer) or "i32 = n" (a scalar); nullopt with a sentence in `problem`.
std::optional<ArgumentSpec> parseArgument(std::string_view text, std::string& problem);

/// The views that a lesson may name.
std::span<const std::string_view> viewNames();

/// "did you mean 'x'?" for the nearest of the names, or a list of them all.
std::string suggest(std::string_view wrong, std::span<const std::string> names);

} // namespace playground
