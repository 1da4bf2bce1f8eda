// A small lesson in a temporary folder: what loads, and the sentence for each mistake.
#include "playground/session/LessonLoader.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace playground {
namespace {

namespace fs = std::filesystem;

constexpr const char* kToml = R"(views = ["global", "threads"]
reference = "copy"

[title]
en = "Copy"
zh = "复制"
[idea]
en = "One sentence."

[[knob]]
name = "stride"
value = 1
minimum = 1
maximum = 32
[[knob]]
name = "block"
value = 256
choices = [128, 256]

[[variant]]
id = "plain"
file = "copy/plain.cu"
kernel = "plain"
[[variant]]
id = "tall"
file = "copy/plain.cu"
kernel = "plain"
grid = ["2", "stride"]
arguments = ["in"]
reference = ""

[launch]
grid = 4
block = "block"
arguments = ["out", "in", "i32 = stride"]

[[buffer]]
name = "out"
type = "f32"
count = "4 * block"
output = true
[[buffer]]
name = "in"
type = "f32"
count = "4 * block * stride"
init = "hash"
)";
constexpr const char* kText =
    "# Copy\n\n[Move](action:set stride=2; variant tall; view global; line 2; step next-conflict; run)\n";

class LessonFolder : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::temp_directory_path() / ("lesson-" + std::to_string(getpid()));
        fs::create_directories(root_ / "kernels" / "copy");
        fs::create_directories(root_ / "lessons" / "07-copy");
        write(root_ / "kernels" / "copy" / "plain.cu", "__global__ void plain(float* out) {\n    out[0] = 1;\n}\n");
    }
    void TearDown() override { fs::remove_all(root_); }

    static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
    LoadedLesson load(const std::string& toml, const std::string& text = kText) {
        write(root_ / "lessons" / "07-copy" / "lesson.toml", toml);
        write(root_ / "lessons" / "07-copy" / "text.en.md", text);
        return loadLesson(root_ / "lessons" / "07-copy", root_ / "kernels");
    }
    /// All problems when `from` in the good file is replaced by `to`.
    std::string problems(const std::string& from, const std::string& to) {
        std::string toml = kToml;
        const size_t at = toml.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        toml.replace(at, from.size(), to);
        return all(load(toml));
    }
    static std::string all(const LoadedLesson& loaded) {
        std::string text;
        for (const std::string& p : loaded.problems) text += p + "\n";
        return text;
    }

    fs::path root_;
};

TEST_F(LessonFolder, Loads) {
    const LoadedLesson loaded = load(kToml);
    ASSERT_EQ(all(loaded), "");
    const Lesson& l = *loaded.lesson;
    EXPECT_EQ(l.slug, "07-copy");
    EXPECT_EQ(l.number, 7);
    EXPECT_EQ(l.title.at("zh"), "复制");
    EXPECT_EQ(l.text.at("en"), kText);
    ASSERT_EQ(l.knobs.size(), 2u);
    EXPECT_EQ(l.knobs[0].label, "stride");
    EXPECT_EQ(l.knobs[1].choices.size(), 2u);
    EXPECT_EQ(l.gridX, "4");
    EXPECT_EQ(l.blockX, "block");
    ASSERT_EQ(l.variants.size(), 2u);
    EXPECT_EQ(l.variants[1].overrides.at("gridY"), "stride");
    EXPECT_EQ(l.variants[1].arguments->size(), 1u);
    EXPECT_EQ(l.arguments[2].expression, "stride");
    EXPECT_TRUE(l.buffers[0].output);
}

TEST_F(LessonFolder, EachMistakeIsNamedWithItsLine) {
    EXPECT_EQ(problems("views = [\"global\"", "views = [\"globl\""),
              "07-copy/lesson.toml:1: there is no view 'globl'; did you mean 'global'?\n");
    EXPECT_EQ(problems("reference = \"copy\"", "reference = \"copi\""),
              "07-copy/lesson.toml:2: lessons/references.cpp has no CPU reference 'copi'; did you mean 'copy'?\n");
    EXPECT_EQ(problems("minimum = 1", "minimun = 1"),
              "07-copy/lesson.toml:10: [[knob]]: minimum is missing; write minimum = 1\n"
              "07-copy/lesson.toml:13: [[knob]]: 'minimun' is not a key here; did you mean 'minimum'?\n");
    EXPECT_EQ(problems("value = 256", "value = 257"),
              "07-copy/lesson.toml:17: [[knob]]: block = 257 is not offered; choose one of 128, 256\n");
    EXPECT_EQ(problems("\"out\", \"in\", \"i32 = stride\"", "\"oot\", \"in\", \"int = stride\""),
              "07-copy/lesson.toml:35: [launch]: there is no buffer 'oot' (a scalar is written with its type: \"i32 = "
              "n\"); did you mean 'out'?\n"
              "07-copy/lesson.toml:35: [launch]: argument 'int = stride': 'int' is no type; write one as in i32 = n or "
              "f32 = 0.5\n");
    EXPECT_NE(
        problems("type = \"f32\"", "type = \"float\"").find("07-copy/lesson.toml:39: [[buffer]]: 'float' is no type"),
        std::string::npos);
    EXPECT_NE(problems("count = \"4 * block\"", "count = \"4 * blok\"")
                  .find("'blok' is not known here; the knobs are block, stride"),
              std::string::npos);
    EXPECT_NE(problems("copy/plain.cu", "copy/plane.cu").find("07-copy/lesson.toml:22: variant 'plain': cannot read"),
              std::string::npos);
    EXPECT_NE(problems("[title]", "[title").find("07-copy/lesson.toml:4: "), std::string::npos);
    EXPECT_NE(problems("id = \"tall\"", "id = \"plain\"").find("two variants 'plain'"), std::string::npos);
}

TEST_F(LessonFolder, ActionsAreChecked) {
    const auto wrong = [&](const std::string& action) {
        return all(load(kToml, "# Copy\n[x](action:" + action + ")\n"));
    };
    EXPECT_EQ(wrong("set strid=2"),
              "07-copy/text.en.md:2: 'set strid=2': there is no knob 'strid'; did you mean 'stride'?\n");
    EXPECT_EQ(wrong("set stride=33"),
              "07-copy/text.en.md:2: 'set stride=33': stride = 33 is out of range; it goes from 1 to 32\n");
    EXPECT_EQ(wrong("variant tal"), "07-copy/text.en.md:2: there is no variant 'tal'; did you mean 'tall'?\n");
    EXPECT_EQ(wrong("vew global"), "07-copy/text.en.md:2: there is no action 'vew'; did you mean 'view'?\n");
    EXPECT_EQ(wrong("line 9"), "07-copy/text.en.md:2: 'line 9': copy/plain.cu has only 4 lines\n");
    EXPECT_NE(wrong("step nowhere"), "");
    EXPECT_NE(wrong("lane 32"), "");
    EXPECT_NE(wrong("view 7"), "");
    EXPECT_EQ(wrong("block 2; warp 1; lane 31; step 12; step last"), "");
}

TEST_F(LessonFolder, ContentIsFoundInALessonsFolderOrBesideOne) {
    load(kToml);
    EXPECT_EQ(findContent(root_).kernels.filename(), "kernels");
    EXPECT_EQ(findContent(root_ / "lessons").problem, "");
    const Content none = findContent(root_ / "kernels");
    EXPECT_NE(none.problem.find("there are no lessons in"), std::string::npos);
    ASSERT_EQ(loadLessons(findContent(root_)).size(), 1u);
}

} // namespace
} // namespace playground
