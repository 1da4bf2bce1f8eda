// Splitting of action texts.
#include "playground/session/Actions.h"

namespace playground {
namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

} // namespace

std::vector<ActionVerb> splitAction(std::string_view text) {
    std::vector<ActionVerb> verbs;
    while (!text.empty()) {
        const size_t end = text.find(';');
        const std::string_view part = trim(text.substr(0, end));
        const size_t space = part.find(' ');
        if (!part.empty())
            verbs.emplace_back(std::string(part.substr(0, space)),
                               space == std::string_view::npos ? "" : std::string(trim(part.substr(space))));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return verbs;
}

} // namespace playground
