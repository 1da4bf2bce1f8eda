// Shortcuts, colours and the limits of the model.
#include "playground/panels/Window.h"
#include "playground/session/Commands.h"
#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"
#include "playground/widgets/MarkdownView.h"

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

void drawKeys(const Rect& box) {
    const float h = snap(25);
    float y = box.y0;
    const float keyWidth = snap(184);
    for (const Shortcut& s : shortcuts()) {
        if (y + h > box.y1) break;
        drawText(fonts().mono, {box.x0, y, box.x0 + keyWidth - snap(12), y + h}, theme().link, s.keys);
        drawText(fonts().body, {box.x0 + keyWidth, y, box.x1, y + h}, theme().text, tr(s.meaning));
        y += h;
    }
}

std::string modelText() {
    return std::string("## ") + tr(Text::HelpModel) + "\n\n" + tr(Text::HelpModelText) + "\n\n## " +
           tr(Text::HelpColours) + "\n\n" + tr(Text::HelpColoursText);
}

} // namespace

void drawHelpPage(Session& session, float width, float height) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::SetNextWindowFocus();
    ImGui::Begin("help-page", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    fillRect({0, 0, width, height}, withAlpha(theme().ground, 0.75f));
    const float w = std::min(width - snap(32), px(1080)), h = std::min(height - snap(32), px(680));
    const Rect page{std::round((width - w) / 2), std::round((height - h) / 2), std::round((width + w) / 2),
                    std::round((height + h) / 2)};
    fillRect(page, theme().panel, snap(4));
    strokeRect(page, theme().lineStrong, 1, snap(4));
    layoutLog().add("panel", "help", page.min(), page.max());
    drawText(fonts().title, {page.x0 + snap(24), page.y0 + snap(16), page.x1 - snap(64), page.y0 + snap(56)},
             theme().text, tr(Text::HelpTitle));
    ImVec2 at{page.x1 - snap(12) - controlHeight(), page.y0 + snap(12)};
    if (iconButton("close-help", at, Icon::Close, {tr(Text::Help), {}, "Esc"})) session.ui.helpShown = false;
    const float middle = page.x0 + w * 0.6f;
    drawKeys({page.x0 + snap(24), page.y0 + snap(68), middle - snap(24), page.y1 - snap(16)});
    static const std::vector<MarkdownBlock> blocks = parseMarkdown(modelText());
    beginScroll("model", {middle, page.y0 + snap(60), page.x1 - snap(16), page.y1 - snap(16)});
    drawMarkdown(blocks, page.x1 - snap(32) - middle);
    endScroll();
    ImGui::End();
}

} // namespace playground
