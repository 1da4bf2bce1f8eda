// Finds fonts through fontconfig and builds the font texture at the size of the screen.
#pragma once

#include <string>

namespace playground {

/// Builds all fonts for a base size in pixels and puts them into fonts(). `extraText` holds what is to be shown
/// beyond European scripts (Chinese texts): its characters are merged from a CJK font. Returns a sentence when a
/// font could not be found and Dear ImGui's built-in one stands in.
std::string loadFonts(float basePixels, const std::string& extraText);

/// The characters of `text` that the European ranges lack.
std::string uncommonCharacters(const std::string& text);

} // namespace playground
