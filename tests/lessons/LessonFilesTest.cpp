// Every folder of lessons/ is complete and keeps to the format.
#include "LessonRun.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace {

using playground::LoadedLesson;

/// Words of a Markdown text, without the targets of its links.
size_t countWords(const std::string& markdown) {
    std::string plain;
    for (size_t i = 0; i < markdown.size(); ++i) {
        if (markdown.compare(i, 2, "](") == 0) i = std::min(markdown.find(')', i), markdown.size() - 1);
        plain += markdown[i];
    }
    std::istringstream words(plain);
    size_t count = 0;
    for (std::string word; words >> word;) ++count;
    return count;
}

class LessonFiles : public testing::TestWithParam<LoadedLesson> {};

TEST_P(LessonFiles, HaveNoProblems) {
    for (const std::string& problem : GetParam().problems) ADD_FAILURE() << problem;
    EXPECT_NE(GetParam().lesson, nullptr);
}

TEST_P(LessonFiles, HaveAnEnglishTextOfReadableLength) {
    ASSERT_NE(GetParam().lesson, nullptr);
    const auto text = GetParam().lesson->text.find("en");
    ASSERT_NE(text, GetParam().lesson->text.end());
    const size_t words = countWords(text->second);
    EXPECT_GE(words, 300u);
    EXPECT_LE(words, 900u);
}

TEST_P(LessonFiles, ExplainEveryKnobAndVariant) {
    ASSERT_NE(GetParam().lesson, nullptr);
    std::set<std::string> ids;
    for (const auto& knob : GetParam().lesson->knobs) EXPECT_FALSE(knob.help.empty()) << knob.name;
    for (const auto& variant : GetParam().lesson->variants) {
        EXPECT_FALSE(variant.help.empty()) << variant.id;
        EXPECT_TRUE(ids.insert(variant.id).second) << variant.id << " is there twice";
    }
}

std::string nameOf(const testing::TestParamInfo<LoadedLesson>& info) {
    std::string name;
    for (char c : info.param.slug) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(Shipped, LessonFiles, testing::ValuesIn(tests::shippedLessons()), nameOf);

TEST(Readme, ListsEveryLesson) {
    std::string problem;
    const auto readme = playground::readFile(std::filesystem::path(PROJECT_ROOT) / "README.md", problem);
    ASSERT_TRUE(readme) << problem;
    for (const LoadedLesson& loaded : tests::shippedLessons()) {
        ASSERT_NE(loaded.lesson, nullptr) << loaded.slug;
        const std::string row = "| " + loaded.slug.substr(0, 2) + " " + loaded.lesson->title.at("en") + " |";
        EXPECT_NE(readme->find(row), std::string::npos) << row;
    }
}

TEST(Lessons, AreThere) {
    EXPECT_GE(tests::shippedLessons().size(), 4u);
}

} // namespace
