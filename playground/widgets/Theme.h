// Colours, fonts and the pixel grid that everything is drawn with.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>

namespace playground {

/// One considered set of colours. Marks use the Okabe-Ito eight; text variants of them are darkened or lightened
/// until they stand at least 4.5:1 on the panel (7:1 in the light theme).
struct Theme {
    ImU32 ground, panel, raised, sunken, line, lineStrong;
    ImU32 text, textDim, link;
    ImU32 accent, onAccent;               ///< Filled buttons and the text on them.
    ImU32 hover, press;                   ///< Laid over a control.
    ImU32 select, selectBand;             ///< Outline of the selection; band behind its row.
    ImU32 laneColumn;                     ///< Laid over the lit lane's column.
    ImU32 neutral, neutralSoft;           ///< Work that is as it should be.
    ImU32 excess, excessText, excessSoft; ///< Vermilion: waste, conflicts, findings.
    ImU32 good;                           ///< Bluish green text: all is well.
    ImU32 hatch, absent;                  ///< Masked lanes; outlines of what is not there.
    std::array<ImU32, 6> path;            ///< Branch paths A, B, C, ...
    ImU32 onMark;                         ///< Text on path and neutral marks.
    ImU32 keyword, type, number, string, comment, directive, builtin; ///< Code.
    bool dark;
};

const Theme& theme();
void useTheme(bool dark);
/// Dear ImGui's own style in the current theme's colours and the grid's sizes.
void applyStyle();

/// cividis at t in 0..1.
ImU32 cividis(double t);
ImU32 withAlpha(ImU32 colour, float alpha);
/// Black or white, whichever reads better on `ground`.
ImU32 readableOn(ImU32 ground);
/// WCAG contrast ratio of two opaque colours, 1..21.
double contrast(ImU32 a, ImU32 b);

struct Fonts {
    ImFont *body = nullptr, *bold = nullptr, *italic = nullptr, *small = nullptr, *heading = nullptr, *title = nullptr,
           *mono = nullptr, *monoSmall = nullptr, *tiny = nullptr;
    float base = 16; ///< Pixels of the body size, monitor scale and zoom included.
    ImVec2 hatchUv{0, 0},
        hatchUvStep{0, 0}; ///< Top left of the hatch tile in the font texture; size of one pixel in it.
    int hatchSize = 0;     ///< Pixels of the tile's side.
};

Fonts& fonts();

/// Pixels of a length given on the grid of a 16-pixel base font.
inline float px(float length) {
    return length * fonts().base / 16.0f;
}
/// The same, rounded to whole pixels.
float snap(float length);

} // namespace playground
