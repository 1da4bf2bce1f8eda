// A row of small samples with their meaning, and a bar of useful against excess.
#pragma once

#include "playground/widgets/Draw.h"

#include <string>

namespace playground {

struct LegendSample {
    ImU32 fill = 0;
    bool hatched = false;
    const char* text = "";
};

float legendHeight();
void drawLegend(const Rect& box, std::initializer_list<LegendSample> samples);

/// "useful | excess" as a bar of box's width, each part with its figure.
void drawShareBar(const Rect& box, double useful, double total, const std::string& usefulText,
                  const std::string& totalText);

} // namespace playground
