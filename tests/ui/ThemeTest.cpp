// Colours: text must be readable on what it stands on, in both themes; marks must differ for colour-blind eyes.
#include "playground/widgets/Theme.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace playground;

namespace {

class ThemeTest : public ::testing::TestWithParam<bool> {
protected:
    void SetUp() override { useTheme(GetParam()); }
    double wanted() const { return GetParam() ? 4.5 : 7.0; }
};

TEST_P(ThemeTest, TextIsReadable) {
    const Theme& t = theme();
    for (ImU32 ground : {t.panel, t.raised, t.sunken})
        for (ImU32 text : {t.text, t.textDim, t.link, t.excessText, t.good})
            EXPECT_GE(contrast(text, ground), wanted()) << std::hex << text << " on " << ground;
    for (ImU32 text : {t.keyword, t.type, t.number, t.string, t.comment, t.directive, t.builtin})
        EXPECT_GE(contrast(text, t.panel), wanted()) << std::hex << text;
    EXPECT_GE(contrast(t.onAccent, t.accent), 4.5);
}

TEST_P(ThemeTest, LettersOnMarksAreReadable) {
    const Theme& t = theme();
    for (size_t i = 0; i < 4; ++i) EXPECT_GE(contrast(t.onMark, t.path[i]), 4.5) << i;
    for (ImU32 mark : {t.neutral, t.excess, t.path[1]}) EXPECT_GE(contrast(readableOn(mark), mark), 4.5);
}

TEST_P(ThemeTest, MarksStandOutFromTheGround) {
    const Theme& t = theme();
    for (ImU32 mark : {t.neutral, t.excess, t.path[0], t.path[1], t.path[2], t.path[3], t.select, t.lineStrong})
        EXPECT_GE(contrast(mark, t.panel), GetParam() ? 3.0 : 1.9) << std::hex << mark;
}

/// Viénot, Brettel and Mollon 1999: what a protanope or deuteranope sees, in linear RGB.
struct Linear {
    double r, g, b;
};
Linear linear(ImU32 c) {
    const auto f = [](unsigned v) {
        const double x = v / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    return {f(c & 255), f(c >> 8 & 255), f(c >> 16 & 255)};
}
Linear protan(Linear c) {
    return {0.11238 * c.r + 0.88762 * c.g, 0.11238 * c.r + 0.88762 * c.g, 0.00401 * c.r - 0.00401 * c.g + c.b};
}
Linear deutan(Linear c) {
    return {0.29275 * c.r + 0.70725 * c.g, 0.29275 * c.r + 0.70725 * c.g, -0.02234 * c.r + 0.02234 * c.g + c.b};
}
Linear same(Linear c) {
    return c;
}

double lab(double t) {
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
}
double distance(Linear a, Linear b) {
    const auto convert = [](Linear c, double* out) {
        const double x = (0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.9505,
                     y = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b,
                     z = (0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.089;
        out[0] = 116 * lab(y) - 16, out[1] = 500 * (lab(x) - lab(y)), out[2] = 200 * (lab(y) - lab(z));
    };
    double p[3], q[3];
    convert(a, p), convert(b, q);
    return std::sqrt(std::pow(p[0] - q[0], 2) + std::pow(p[1] - q[1], 2) + std::pow(p[2] - q[2], 2));
}

TEST_P(ThemeTest, MarksDifferForColourBlindEyes) {
    const Theme& t = theme();
    const ImU32 marks[] = {t.path[0], t.path[1], t.path[2], t.excess, t.neutral};
    for (auto eye : {same, protan, deutan})
        for (size_t i = 0; i < std::size(marks); ++i)
            for (size_t j = i + 1; j < std::size(marks); ++j)
                EXPECT_GE(distance(eye(linear(marks[i])), eye(linear(marks[j]))), 9.0) << i << " " << j;
}

TEST(Cividis, GrowsLighterAllTheWay) {
    double last = -1;
    for (int i = 0; i <= 100; ++i) {
        const double now = contrast(cividis(i / 100.0), IM_COL32(0, 0, 0, 255));
        EXPECT_GE(now, last - 1e-6);
        last = now;
    }
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeTest, ::testing::Values(true, false),
                         [](const auto& p) { return p.param ? "dark" : "light"; });

} // namespace
