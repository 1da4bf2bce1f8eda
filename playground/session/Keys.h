// Keys and key presses as plain values, so that shortcuts and scripts need no window system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace playground {

/// Keys that the window reacts to. Letters carry the label of the key on the learner's layout.
enum class Key : int {
    None,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Tab,
    Backspace,
    Delete,
    Escape,
    Space,
    Slash,
    Plus,
    Minus,
    Zero,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
    F10,
    F11,
    F12,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K,
    L,
    M,
    N,
    O,
    P,
    Q,
    R,
    S,
    T,
    U,
    V,
    W,
    X,
    Y,
    Z,
};

struct KeyPress {
    Key key = Key::None;
    bool ctrl = false, shift = false, alt = false;
    bool operator==(const KeyPress&) const = default;
};

/// "Ctrl+Shift+F10" to a press; nullopt when a part is unknown.
std::optional<KeyPress> keyPressFromString(std::string_view text);
/// The press as menus and the help page write it.
std::string toString(const KeyPress& press);

} // namespace playground
