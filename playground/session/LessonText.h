// Checks the links of a lesson's text that drive the picture.
#pragma once

#include "playground/session/Lesson.h"

#include <string>
#include <vector>

namespace playground {

/// Sentences "fileName:line: ..." for each action link of the Markdown text that names something the lesson lacks.
/// `kernelLines` holds the number of lines of each variant's kernel file, in the order of lesson.variants.
std::vector<std::string> checkActions(const Lesson& lesson, const std::string& text, const std::string& fileName,
                                      const std::vector<int>& kernelLines);

} // namespace playground
