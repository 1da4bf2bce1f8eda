// Font matching, sizes, glyph ranges and the hatch tile.
#include "playground/app/FontLoader.h"

#include "playground/widgets/Theme.h"

#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace playground {
namespace {

struct FontFile {
    std::string path;
    int index = 0;
};

/// The best installed match of a list of families.
FontFile match(std::initializer_list<const char*> families, int weight, int slant, bool mono, const char* language) {
    FontFile file;
    FcPattern* pattern = FcPatternCreate();
    for (const char* family : families)
        FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcPatternAddInteger(pattern, FC_WEIGHT, weight);
    FcPatternAddInteger(pattern, FC_SLANT, slant);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    if (mono) FcPatternAddInteger(pattern, FC_SPACING, FC_MONO);
    if (language) FcPatternAddString(pattern, FC_LANG, reinterpret_cast<const FcChar8*>(language));
    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result{};
    if (FcPattern* found = FcFontMatch(nullptr, pattern, &result)) {
        FcChar8* path = nullptr;
        if (FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch)
            file.path = reinterpret_cast<const char*>(path);
        FcPatternGetInteger(found, FC_INDEX, 0, &file.index);
        FcPatternDestroy(found);
    }
    FcPatternDestroy(pattern);
    return file;
}

struct FontFiles {
    FontFile body, bold, italic, mono, cjk;
};

const FontFiles& files() {
    static const FontFiles found = [] {
        FcInit();
        const std::initializer_list<const char*> sans = {"Inter",     "Noto Sans",   "Source Sans 3",
                                                         "Open Sans", "DejaVu Sans", "sans-serif"};
        const std::initializer_list<const char*> mono = {"JetBrains Mono", "Source Code Pro", "DejaVu Sans Mono",
                                                         "Noto Sans Mono", "monospace"};
        return FontFiles{match(sans, FC_WEIGHT_REGULAR, FC_SLANT_ROMAN, false, nullptr),
                         match(sans, FC_WEIGHT_BOLD, FC_SLANT_ROMAN, false, nullptr),
                         match(sans, FC_WEIGHT_REGULAR, FC_SLANT_ITALIC, false, nullptr),
                         match(mono, FC_WEIGHT_REGULAR, FC_SLANT_ROMAN, true, nullptr),
                         match({"Noto Sans CJK SC", "Source Han Sans SC", "sans-serif"}, FC_WEIGHT_REGULAR,
                               FC_SLANT_ROMAN, false, "zh-cn")};
    }();
    return found;
}

/// Latin, Greek, punctuation, arrows, mathematics and shapes that lesson texts use.
constexpr ImWchar kCommon[] = {0x20,   0x17f,  0x391,  0x3c9,  0x2010, 0x2044, 0x2070, 0x209f, 0x20ac, 0x20ac, 0x2190,
                               0x21ff, 0x2200, 0x22ff, 0x2500, 0x25ff, 0x2713, 0x2717, 0xfffd, 0xfffd, 0};

bool isCommon(uint32_t c) {
    for (const ImWchar* range = kCommon; range[0] != 0; range += 2)
        if (c >= range[0] && c <= range[1]) return true;
    return c < 0x20;
}

uint32_t decode(const std::string& text, size_t& at) {
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const uint32_t c = byte(at);
    if (c < 0x80) return ++at, c;
    if (c < 0xe0) return at += 2, (c & 31) << 6 | (byte(at - 1) & 63);
    if (c < 0xf0) return at += 3, (c & 15) << 12 | (byte(at - 2) & 63) << 6 | (byte(at - 1) & 63);
    return at += 4, (c & 7) << 18 | (byte(at - 3) & 63) << 12 | (byte(at - 2) & 63) << 6 | (byte(at - 1) & 63);
}

struct Builder {
    ImFontAtlas& atlas;
    ImVector<ImWchar> extra; ///< Ranges of uncommon characters; empty when there are none.
    std::string problem;

    ImFont* add(const FontFile& file, float pixels) {
        ImFontConfig config;
        config.OversampleH = config.OversampleV = 1;
        config.PixelSnapH = true;
        config.FontNo = file.index;
        config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
        pixels = std::round(pixels);
        ImFont* font =
            file.path.empty() ? nullptr : atlas.AddFontFromFileTTF(file.path.c_str(), pixels, &config, kCommon);
        if (font == nullptr) {
            problem = "No usable font was found through fontconfig; a small built-in one stands in. Install DejaVu or "
                      "Noto fonts.";
            return atlas.AddFontDefault();
        }
        if (extra.empty() || files().cjk.path.empty()) return font;
        config.MergeMode = true;
        config.FontNo = files().cjk.index;
        atlas.AddFontFromFileTTF(files().cjk.path.c_str(), pixels, &config, extra.Data);
        return font;
    }
};

/// Draws the hatch into its reserved place: stripes at 45 degrees, eight pixels apart.
void paintHatch(ImFontAtlas& atlas, int rect) {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    const ImFontAtlasCustomRect* r = atlas.GetCustomRectByIndex(rect);
    static constexpr unsigned char kStripe[8] = {255, 255, 60, 0, 0, 0, 0, 60};
    for (int y = 0; y < r->Height; ++y)
        for (int x = 0; x < r->Width; ++x) {
            unsigned char* p = pixels + 4 * (size_t(r->Y + y) * size_t(width) + size_t(r->X + x));
            p[0] = p[1] = p[2] = 255;
            p[3] = kStripe[(x + y) % 8];
        }
    Fonts& f = fonts();
    f.hatchSize = r->Width;
    f.hatchUvStep = {1.0f / float(width), 1.0f / float(height)};
    f.hatchUv = {float(r->X) * f.hatchUvStep.x, float(r->Y) * f.hatchUvStep.y};
}

} // namespace

std::string uncommonCharacters(const std::string& text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        if (!isCommon(decode(text, at))) out += text.substr(start, at - start);
    }
    return out;
}

std::string loadFonts(float base, const std::string& extraText) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    Builder b{atlas, {}, {}};
    if (const std::string uncommon = uncommonCharacters(extraText); !uncommon.empty()) {
        ImFontGlyphRangesBuilder ranges;
        ranges.AddText(uncommon.c_str());
        ranges.BuildRanges(&b.extra);
    }
    Fonts& f = fonts();
    f.base = base;
    const float em = 1.13f; // Dear ImGui's sizes are line heights; type sizes are em squares.
    f.body = b.add(files().body, base * 0.96f * em);
    f.bold = b.add(files().bold, base * 0.96f * em);
    f.italic = b.add(files().italic, base * 0.96f * em);
    f.small = b.add(files().body, base * 0.82f * em);
    f.heading = b.add(files().bold, base * 1.15f * em);
    f.title = b.add(files().bold, base * 1.5f * em);
    f.mono = b.add(files().mono, base * 0.92f * em);
    f.monoSmall = b.add(files().mono, base * 0.76f * em);
    f.tiny = b.add(files().mono, base * 0.64f * em);
    const int rect = atlas.AddCustomRectRegular(72, 72);
    atlas.Build();
    paintHatch(atlas, rect);
    ImGui::GetIO().FontDefault = f.body;
    return b.problem;
}

} // namespace playground
