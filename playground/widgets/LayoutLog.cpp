// Collecting and writing of layout records.
#include "playground/widgets/LayoutLog.h"

#include <imgui_internal.h>

#include <cstdio>

namespace playground {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else
            out += c;
    }
    return out + '"';
}

} // namespace

LayoutLog& layoutLog() {
    static LayoutLog log;
    return log;
}

void LayoutLog::add(const char* kind, std::string label, ImVec2 min, ImVec2 max, bool shortened) {
    if (!enabled) return;
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    const bool outside =
        min.x < clip.Min.x - 1 || min.y < clip.Min.y - 1 || max.x > clip.Max.x + 1 || max.y > clip.Max.y + 1;
    building_.push_back({kind, std::move(label), min, max, outside, shortened, scrollDepth > 0});
}

std::string LayoutLog::json() const {
    std::string out = "[\n";
    for (size_t i = 0; i < items_.size(); ++i) {
        const LayoutItem& item = items_[i];
        char numbers[200];
        std::snprintf(numbers, sizeof numbers,
                      ", \"x\": %.1f, \"y\": %.1f, \"w\": %.1f, \"h\": %.1f, \"clipped\": %s, \"shortened\": %s, "
                      "\"scrolls\": %s}",
                      double(item.min.x), double(item.min.y), double(item.max.x - item.min.x),
                      double(item.max.y - item.min.y), item.clipped ? "true" : "false",
                      item.shortened ? "true" : "false", item.scrolls ? "true" : "false");
        out += "  {\"kind\": " + quoted(item.kind) + ", \"label\": " + quoted(item.label) + numbers +
               (i + 1 < items_.size() ? ",\n" : "\n");
    }
    return out + "]\n";
}

} // namespace playground
