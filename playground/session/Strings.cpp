// The catalogue's tables.
#include "playground/session/Strings.h"

#include <array>

namespace playground {
namespace {

struct Entry {
    const char *name, *english, *chinese;
};

constexpr std::array<Entry, size_t(Text::Count)> kEntries = {{
#define TEXT(key, english, chinese) {#key, english, chinese},
#include "playground/session/Strings.def"
}};

Language current = Language::English;

} // namespace

const char* tr(Text key) {
    const Entry& entry = kEntries[size_t(key)];
    return current == Language::Chinese && entry.chinese[0] != '\0' ? entry.chinese : entry.english;
}

void setLanguage(Language language) {
    current = language;
}
Language language() {
    return current;
}
const char* languageCode() {
    return current == Language::Chinese ? "zh" : "en";
}
const char* nameOf(Text key) {
    return kEntries[size_t(key)].name;
}

} // namespace playground
