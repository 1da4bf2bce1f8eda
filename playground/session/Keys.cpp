// Names of keys, both ways.
#include "playground/session/Keys.h"

#include <array>
#include <utility>

namespace playground {
namespace {

constexpr std::array<std::pair<Key, const char*>, 19> kNamed = {{
    {Key::Left, "Left"},     {Key::Right, "Right"},         {Key::Up, "Up"},
    {Key::Down, "Down"},     {Key::Home, "Home"},           {Key::End, "End"},
    {Key::PageUp, "PageUp"}, {Key::PageDown, "PageDown"},   {Key::Enter, "Enter"},
    {Key::Tab, "Tab"},       {Key::Backspace, "Backspace"}, {Key::Delete, "Delete"},
    {Key::Escape, "Esc"},    {Key::Space, "Space"},         {Key::Slash, "/"},
    {Key::Plus, "Plus"},     {Key::Minus, "Minus"},         {Key::Zero, "0"},
    {Key::None, ""},
}};

Key keyFromString(std::string_view name) {
    for (const auto& [key, text] : kNamed)
        if (key != Key::None && name == text) return key;
    if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return Key(int(Key::A) + (name[0] - 'A'));
    if (name.size() >= 2 && name[0] == 'F') {
        int n = 0;
        for (char c : name.substr(1)) {
            if (c < '0' || c > '9') return Key::None;
            n = n * 10 + (c - '0');
        }
        if (n >= 1 && n <= 12) return Key(int(Key::F1) + n - 1);
    }
    return Key::None;
}

std::string nameOf(Key key) {
    for (const auto& [k, text] : kNamed)
        if (k == key) return text;
    if (key >= Key::F1 && key <= Key::F12) return "F" + std::to_string(int(key) - int(Key::F1) + 1);
    return std::string(1, char('A' + int(key) - int(Key::A)));
}

} // namespace

std::optional<KeyPress> keyPressFromString(std::string_view text) {
    KeyPress press;
    while (true) {
        if (text.starts_with("Ctrl+")) {
            press.ctrl = true;
            text.remove_prefix(5);
            continue;
        }
        if (text.starts_with("Shift+")) {
            press.shift = true;
            text.remove_prefix(6);
            continue;
        }
        if (text.starts_with("Alt+")) {
            press.alt = true;
            text.remove_prefix(4);
            continue;
        }
        break;
    }
    press.key = keyFromString(text);
    if (press.key == Key::None) return std::nullopt;
    return press;
}

std::string toString(const KeyPress& press) {
    std::string out;
    if (press.ctrl) out += "Ctrl+";
    if (press.shift) out += "Shift+";
    if (press.alt) out += "Alt+";
    return out + nameOf(press.key);
}

} // namespace playground
