// Lays out and draws Markdown blocks in the current scrolling region.
#pragma once

#include "playground/widgets/MarkdownText.h"

#include <string>
#include <vector>

namespace playground {

/// Draws at the cursor, `width` pixels wide, and moves the cursor below. Returns the link that was clicked, or "".
/// Links to "action:..." look like controls: they change the picture beside the text.
std::string drawMarkdown(const std::vector<MarkdownBlock>& blocks, float width);

} // namespace playground
