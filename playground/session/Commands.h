// What keys do, whichever pane has the keyboard; also the list that the help page shows.
#pragma once

#include "playground/session/Keys.h"
#include "playground/session/Strings.h"

#include <functional>
#include <span>
#include <string>

namespace playground {

class Session;

struct Clipboard {
    std::function<std::string()> get;
    std::function<void(const std::string&)> set;
};

/// One line of the help page.
struct Shortcut {
    const char* keys;
    Text meaning;
};
std::span<const Shortcut> shortcuts();

/// Applies a key press; false when it means nothing here.
bool handleKey(Session& session, const KeyPress& press, const Clipboard& clipboard);
/// Typed text, UTF-8. Goes to the code when that has the keyboard.
bool handleText(Session& session, const std::string& text);

} // namespace playground
