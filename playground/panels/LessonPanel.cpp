// The lesson's text and its actions.
#include "playground/panels/Panel.h"

#include <algorithm>

#include "playground/widgets/Controls.h"
#include "playground/widgets/LayoutLog.h"
#include "playground/widgets/MarkdownView.h"

namespace playground {
namespace {

const std::string& inLanguage(const std::map<std::string, std::string>& texts) {
    static const std::string nothing;
    if (const auto own = texts.find(languageCode()); own != texts.end()) return own->second;
    const auto english = texts.find("en");
    return english == texts.end() ? nothing : english->second;
}

/// Parsed once per lesson and language.
const std::vector<MarkdownBlock>& blocksOf(const Lesson& lesson) {
    static const Lesson* parsed = nullptr;
    static std::string language;
    static std::vector<MarkdownBlock> blocks;
    if (parsed != &lesson || language != languageCode()) {
        parsed = &lesson;
        language = languageCode();
        blocks = parseMarkdown(inLanguage(lesson.text));
        if (blocks.empty()) blocks = parseMarkdown("# " + inLanguage(lesson.title) + "\n\n" + inLanguage(lesson.idea));
    }
    return blocks;
}

} // namespace

void drawLessonPanel(Session& session, const Rect& box) {
    const Lesson* lesson = session.lesson();
    if (lesson == nullptr) {
        drawEmpty(box, tr(Text::NoLessons), "");
        return;
    }
    const float margin = snap(16);
    beginScroll("text", {box.x0 + margin, box.y0, box.x1 - snap(4), box.y1});
    if (session.ui.freshLesson) ImGui::SetScrollY(0);
    session.ui.freshLesson = false;
    ImGui::Dummy({1, snap(8)});
    const float width = std::min(box.width() - 2 * margin, px(720));
    const std::string link = drawMarkdown(blocksOf(*lesson), width);
    endScroll();
    constexpr std::string_view kAction = "action:";
    if (link.starts_with(kAction))
        session.applyAction(link.substr(kAction.size()));
    else if (!link.empty())
        session.say(link);
}

} // namespace playground
