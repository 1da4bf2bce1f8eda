// The two themes.
#include "playground/widgets/Theme.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

constexpr ImU32 rgb(uint32_t hex) {
    return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255);
}
constexpr ImU32 rgba(uint32_t hex, uint32_t alpha) {
    return (rgb(hex) & 0x00ffffffu) | alpha << 24;
}

Theme darkTheme() {
    Theme t{};
    t.dark = true;
    t.ground = rgb(0x11141a), t.panel = rgb(0x191d24), t.raised = rgb(0x262c36), t.sunken = rgb(0x14171d);
    t.line = rgb(0x2f3743), t.lineStrong = rgb(0x66727f);
    t.text = rgb(0xe8ecf2), t.textDim = rgb(0xa6b0bf), t.link = rgb(0x7cc7f2);
    t.accent = rgb(0x0072b2), t.onAccent = rgb(0xffffff);
    t.hover = rgba(0xffffff, 22), t.press = rgba(0xffffff, 40);
    t.select = rgb(0xf0e442), t.selectBand = rgba(0xf0e442, 30), t.laneColumn = rgba(0xf0e442, 34);
    t.neutral = rgb(0x9db0c6), t.neutralSoft = rgb(0x323c4a);
    t.excess = rgb(0xd55e00), t.excessText = rgb(0xff9a5c), t.excessSoft = rgba(0xd55e00, 70);
    t.good = rgb(0x41c9a0);
    t.hatch = rgb(0x55606f), t.absent = rgb(0x39424f);
    t.path = {rgb(0xe69f00), rgb(0x56b4e9), rgb(0x2fb48d), rgb(0xcc79a7), rgb(0x8fa2f0), rgb(0xd9d9d9)};
    t.onMark = rgb(0x0d1014);
    t.keyword = rgb(0xcf9fd8), t.type = rgb(0x7cc7f2), t.number = rgb(0xf0c674), t.string = rgb(0xf0c674);
    t.comment = rgb(0x8fa08f), t.directive = rgb(0xe3a0a0), t.builtin = rgb(0x5fd3b4);
    return t;
}

Theme lightTheme() {
    Theme t{};
    t.dark = false;
    t.ground = rgb(0xdfe3e8), t.panel = rgb(0xffffff), t.raised = rgb(0xf0f2f5), t.sunken = rgb(0xfafbfc);
    t.line = rgb(0xc4cad2), t.lineStrong = rgb(0x6a7480);
    t.text = rgb(0x0b0e12), t.textDim = rgb(0x404954), t.link = rgb(0x004f80);
    t.accent = rgb(0x00538a), t.onAccent = rgb(0xffffff);
    t.hover = rgba(0x000000, 18), t.press = rgba(0x000000, 40);
    t.select = rgb(0x000000), t.selectBand = rgba(0xf0e442, 110), t.laneColumn = rgba(0xf0c800, 70);
    t.neutral = rgb(0x5f6f82), t.neutralSoft = rgb(0xdde3ea);
    t.excess = rgb(0xd55e00), t.excessText = rgb(0x853300), t.excessSoft = rgba(0xd55e00, 90);
    t.good = rgb(0x005c43);
    t.hatch = rgb(0x9aa4b0), t.absent = rgb(0xc4cad2);
    t.path = {rgb(0xe69f00), rgb(0x56b4e9), rgb(0x009e73), rgb(0xcc79a7), rgb(0x0072b2), rgb(0x777777)};
    t.onMark = rgb(0x000000);
    t.keyword = rgb(0x7a1f8f), t.type = rgb(0x004f80), t.number = rgb(0x7a4a00), t.string = rgb(0x7a4a00);
    t.comment = rgb(0x3f5a3f), t.directive = rgb(0x8a1f1f), t.builtin = rgb(0x005c43);
    return t;
}

Theme current = darkTheme();
Fonts loaded;

double channel(ImU32 colour, int shift) {
    const double c = double((colour >> shift) & 255) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double luminance(ImU32 c) {
    return 0.2126 * channel(c, 0) + 0.7152 * channel(c, 8) + 0.0722 * channel(c, 16);
}

void styleSizes(ImGuiStyle& s) {
    s.WindowPadding = {0, 0};
    s.FramePadding = {px(8), px(4)};
    s.ItemSpacing = {px(8), px(8)};
    s.ItemInnerSpacing = {px(8), px(4)};
    s.CellPadding = {px(8), px(2)};
    s.ScrollbarSize = px(12);
    s.GrabMinSize = px(12);
    s.WindowRounding = s.ChildRounding = 0;
    s.FrameRounding = s.PopupRounding = s.GrabRounding = s.ScrollbarRounding = px(3);
    s.WindowBorderSize = s.ChildBorderSize = s.FrameBorderSize = 0;
    s.PopupBorderSize = 1;
    s.IndentSpacing = px(16);
}

} // namespace

const Theme& theme() {
    return current;
}
void useTheme(bool dark) {
    current = dark ? darkTheme() : lightTheme();
}
Fonts& fonts() {
    return loaded;
}
float snap(float length) {
    return std::round(px(length));
}

void applyStyle() {
    ImGuiStyle& s = ImGui::GetStyle();
    s = ImGuiStyle();
    styleSizes(s);
    const Theme& t = current;
    const auto set = [&](ImGuiCol index, ImU32 colour) { s.Colors[index] = ImGui::ColorConvertU32ToFloat4(colour); };
    set(ImGuiCol_Text, t.text), set(ImGuiCol_TextDisabled, t.textDim);
    set(ImGuiCol_WindowBg, t.ground), set(ImGuiCol_ChildBg, 0), set(ImGuiCol_PopupBg, t.raised);
    set(ImGuiCol_Border, t.lineStrong), set(ImGuiCol_FrameBg, t.sunken);
    set(ImGuiCol_FrameBgHovered, t.raised), set(ImGuiCol_FrameBgActive, t.raised);
    set(ImGuiCol_ScrollbarBg, 0), set(ImGuiCol_ScrollbarGrab, withAlpha(t.lineStrong, 0.55f));
    set(ImGuiCol_ScrollbarGrabHovered, t.lineStrong), set(ImGuiCol_ScrollbarGrabActive, t.textDim);
    set(ImGuiCol_Button, t.raised), set(ImGuiCol_ButtonHovered, t.hover), set(ImGuiCol_ButtonActive, t.press);
    set(ImGuiCol_Header, t.selectBand), set(ImGuiCol_HeaderHovered, t.hover), set(ImGuiCol_HeaderActive, t.press);
    set(ImGuiCol_TextSelectedBg, withAlpha(t.accent, 0.6f)), set(ImGuiCol_Separator, t.line);
    set(ImGuiCol_CheckMark, t.text), set(ImGuiCol_SliderGrab, t.link), set(ImGuiCol_SliderGrabActive, t.link);
    set(ImGuiCol_TableHeaderBg, t.raised), set(ImGuiCol_TableBorderLight, t.line),
        set(ImGuiCol_TableBorderStrong, t.line);
}

ImU32 cividis(double t) {
    // Nunez, Anderton, Renslow 2018; nine anchors of the published table.
    static constexpr uint32_t kAnchors[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                            0x8a8678, 0xa59c74, 0xc3b369, 0xfee838};
    t = std::clamp(t, 0.0, 1.0) * 8;
    const int i = std::min(7, int(t));
    const double f = t - i;
    const auto mix = [&](int shift) {
        const double a = (kAnchors[i] >> shift) & 255, b = (kAnchors[i + 1] >> shift) & 255;
        return int(std::lround(a + (b - a) * f));
    };
    return IM_COL32(mix(16), mix(8), mix(0), 255);
}

ImU32 withAlpha(ImU32 colour, float alpha) {
    return (colour & 0x00ffffffu) | ImU32(std::lround(255 * std::clamp(alpha, 0.0f, 1.0f))) << 24;
}

double contrast(ImU32 a, ImU32 b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

ImU32 readableOn(ImU32 ground) {
    const ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
    return contrast(black, ground) >= contrast(white, ground) ? black : white;
}

} // namespace playground
