// A record of what was drawn where in the last frame: tests click by label and check that no text was cut.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace playground {

struct LayoutItem {
    std::string kind; ///< "button", "text", "panel", "mark", ...
    std::string label;
    ImVec2 min, max;
    bool clipped = false;   ///< Part of it lay outside the clip rectangle.
    bool shortened = false; ///< Text that ends in an ellipsis; the whole is in its tooltip.
    bool scrolls = false;   ///< It lies in a scrolling region, where being outside is no fault.
};

/// Owned by the app; off unless a test or a dump asks for it.
class LayoutLog {
public:
    bool enabled = false;
    void begin() { building_.clear(); }
    void end() { items_.swap(building_); }
    void add(const char* kind, std::string label, ImVec2 min, ImVec2 max, bool shortened = false);
    const std::vector<LayoutItem>& items() const { return items_; }
    /// The items as a JSON array.
    std::string json() const;
    int scrollDepth = 0; ///< > 0 while a scrolling region is drawn.

private:
    std::vector<LayoutItem> items_, building_;
};

LayoutLog& layoutLog();

} // namespace playground
