// Finds the folders lessons/ and kernels/ and reads files from them.
#pragma once

#include "playground/session/Lesson.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace playground {

/// Where the lessons and the kernels they name are.
struct Content {
    std::filesystem::path lessons, kernels;
    std::string problem; ///< Not empty when nothing was found: where was looked and what to do.
};

/// Looks, in this order, in `asked` (the --lessons option), $PLAYGROUND_LESSONS, the source tree that the program was
/// built from while it runs from its build tree, ../share/cuda-playground beside an installed program, and the current
/// folder. A place is a lessons/ folder, or one that has lessons/ in it; kernels/ is its neighbour.
Content findContent(const std::optional<std::filesystem::path>& asked = std::nullopt);

/// A lesson, or the sentences "file:line: what is wrong and what to write".
struct LoadedLesson {
    std::string slug;
    std::shared_ptr<const Lesson> lesson; ///< nullptr when there are problems.
    std::vector<std::string> problems;
};

/// Every folder that holds a lesson.toml, in the order of their names.
std::vector<LoadedLesson> loadLessons(const Content& content);

/// By folder name, by number ("7", "07"), or by the name without its number; nullptr when there is none.
const LoadedLesson* findLesson(const std::vector<LoadedLesson>& lessons, const std::string& name);
/// The first variant for an empty id; nullptr when there is none of that id.
const Variant* findVariant(const Lesson& lesson, const std::string& id);

/// The text of a variant's kernel file; nullopt with a sentence in `problem`.
std::optional<std::string> readKernel(const Content& content, const Variant& variant, std::string& problem);
/// The text of any file; nullopt with a sentence in `problem`.
std::optional<std::string> readFile(const std::filesystem::path& path, std::string& problem);

} // namespace playground
