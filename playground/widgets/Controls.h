// Buttons, choices, knobs and splitters in the window's own look. Each records itself in the layout log.
#pragma once

#include "playground/widgets/Draw.h"

#include <string>
#include <string_view>
#include <vector>

namespace playground {

/// What a control is called and says when the mouse rests on it.
struct ControlText {
    std::string_view label;    ///< Shown, unless the control has an icon.
    std::string_view help;     ///< What it is, why it matters, what to try.
    std::string_view shortcut; ///< "F5"; empty for none.
};

/// Height of all controls in a bar.
float controlHeight();

enum class ButtonLook : uint8_t { Plain, Primary, Toggled, Quiet };

/// Draws at `at` (x grows by the width and a gap). True when clicked.
bool button(const char* id, ImVec2& at, const ControlText& text, ButtonLook look = ButtonLook::Plain,
            bool enabled = true);
bool iconButton(const char* id, ImVec2& at, Icon icon, const ControlText& text, ButtonLook look = ButtonLook::Quiet,
                bool enabled = true);

/// A row of joined choices; returns the one clicked or -1. `maxWidth` shortens labels.
int segments(const char* id, ImVec2& at, const std::vector<std::string>& labels, int chosen, float maxWidth,
             const std::vector<std::string>& help = {});
/// A drop-down of `width`; returns the one picked or -1.
int dropDown(const char* id, ImVec2& at, float width, const std::vector<std::string>& labels, int chosen,
             const ControlText& text);

/// A number with a smaller and a larger button; the middle drags, or takes typing after a double click.
struct StepperValue {
    double value = 0, minimum = 0, maximum = 0;
    bool logarithmic = false, real = false;
    std::vector<double> choices;
};
/// Width that a stepper needs.
float stepperWidth(std::string_view label, const StepperValue& value);
/// True when `value.value` changed.
bool stepper(const char* id, ImVec2& at, const ControlText& text, StepperValue& value);

/// A bar that resizes: drag changes `share` of `extent` pixels; double click restores `preset`. True while dragged.
bool splitter(const char* id, const Rect& bar, bool vertical, double& share, double preset, float extent, double low,
              double high);

/// A scrolling region; everything until endScroll() is drawn inside.
bool beginScroll(const char* id, const Rect& box, bool horizontal = false);
void endScroll();

} // namespace playground
