// Every word of the interface, by key and language.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace playground {

enum class Text : unsigned {
#define TEXT(key, english, chinese) key,
#include "playground/session/Strings.def"
    Count
};

enum class Language : uint8_t { English, Chinese };

/// The text in the current language; English where it has none.
const char* tr(Text key);
void setLanguage(Language language);
Language language();
/// "en" or "zh", as lesson files name languages.
const char* languageCode();

/// The key's name, as layout dumps and scripts use it whatever the language.
const char* nameOf(Text key);

} // namespace playground
