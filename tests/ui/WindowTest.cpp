// The real window under Xvfb: drawn, clicked and typed into by scripts, judged by its pixels and its layout record.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <png.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Image {
    int width = 0, height = 0;
    std::vector<uint8_t> rgb;

    explicit Image(const fs::path& path) {
        png_image png{};
        png.version = PNG_IMAGE_VERSION;
        if (!png_image_begin_read_from_file(&png, path.c_str())) return;
        png.format = PNG_FORMAT_RGB;
        rgb.resize(PNG_IMAGE_SIZE(png));
        png_image_finish_read(&png, nullptr, rgb.data(), 0, nullptr);
        width = int(png.width), height = int(png.height);
    }
    uint32_t at(int x, int y) const {
        const uint8_t* p = rgb.data() + 3 * (size_t(y) * size_t(width) + size_t(x));
        return uint32_t(p[0]) << 16 | uint32_t(p[1]) << 8 | p[2];
    }
    int count(const json& box, uint32_t colour) const {
        int n = 0;
        for (int y = int(box["y"]); y < int(box["y"]) + int(box["h"]); ++y)
            for (int x = int(box["x"]); x < int(box["x"]) + int(box["w"]); ++x)
                if (x >= 0 && y >= 0 && x < width && y < height && at(x, y) == colour) ++n;
        return n;
    }
    size_t colours() const {
        std::set<uint32_t> seen;
        for (size_t i = 0; i + 2 < rgb.size(); i += 3)
            seen.insert(uint32_t(rgb[i]) << 16 | uint32_t(rgb[i + 1]) << 8 | rgb[i + 2]);
        return seen.size();
    }
};

constexpr uint32_t kNeutral = 0x9db0c6, kExcess = 0xd55e00, kPathA = 0xe69f00, kPathB = 0x56b4e9, kSelect = 0xf0e442;

class Window : public ::testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("playground-window-" + std::to_string(getpid()));
    std::string output;

    void SetUp() override { fs::remove_all(folder), fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    int shell(const std::string& command) {
        const fs::path log = folder / "log";
        const std::string whole = "cd " + folder.string() + " && XDG_CONFIG_HOME=" + folder.string() +
                                  "/config XDG_DATA_HOME=" + folder.string() + "/data LIBGL_ALWAYS_SOFTWARE=1 " +
                                  command + " > " + log.string() + " 2>&1";
        const int status = std::system(whole.c_str());
        std::ostringstream text;
        text << std::ifstream(log).rdbuf();
        output = text.str();
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    void run(const std::string& script,
             const std::string& options = "--fresh --lesson 10-fake-banks --size 1920x1080") {
        std::ofstream(folder / "script") << script;
        ASSERT_EQ(shell(std::string(XVFB_RUN) + " -a -s '-screen 0 2048x1200x24' " + WINDOW + " " + options +
                        " --script script"),
                  0)
            << output;
    }
    json layout(const char* name = "layout") { return json::parse(std::ifstream(folder / name)); }
    static json item(const json& items, const std::string& kind, const std::string& label = "") {
        for (const json& i : items)
            if (i["kind"] == kind && (label.empty() || i["label"] == label)) return i;
        ADD_FAILURE() << "no " << kind << " " << label;
        return {{"x", 0}, {"y", 0}, {"w", 0}, {"h", 0}};
    }
};

TEST_F(Window, DrawsWhatTheRunShows) {
    run("screenshot a.png\nlayout layout\nset stride=1\nscreenshot b.png\nlayout second\n");
    const Image a(folder / "a.png"), b(folder / "b.png");
    ASSERT_EQ(a.width, 1920);
    ASSERT_EQ(a.height, 1080);
    EXPECT_GT(a.colours(), 100u);
    const json banks = item(layout(), "grid", "banks"), strip = item(layout(), "strip");
    EXPECT_GT(a.count(banks, kExcess), 2000); // stride 2: conflicts
    const json free = item(layout("second"), "grid", "banks");
    EXPECT_EQ(b.count(free, kExcess), 0); // stride 1: none
    EXPECT_GT(b.count(free, kNeutral), 2000);
    for (uint32_t colour : {kNeutral, kPathA, kPathB}) EXPECT_GT(a.count(strip, colour), 500) << std::hex << colour;
}

TEST_F(Window, LanesStandInLineInAllViews) {
    for (const char* pair :
         {"view shared\nsecond divergence", "view global\nsecond divergence", "view threads\nsecond shared"}) {
        run(std::string(pair) + "\nlayout layout\n");
        std::set<double> left, right;
        for (const json& i : layout())
            if (i["kind"] == "grid" || i["kind"] == "strip" || i["kind"] == "warp")
                left.insert(double(i["x"])), right.insert(double(i["x"]) + double(i["w"]));
        EXPECT_EQ(left.size(), 1u) << pair;
        EXPECT_EQ(right.size(), 1u) << pair;
    }
}

TEST_F(Window, NoTextIsCutAtAnySize) {
    const char* sizes[] = {"size 1920x1080\n", "size 1280x720\n", "size 1024x700\n", "size 1280x720\nprojector on\n",
                           "size 1920x1080\nprojector on\n"};
    for (const char* size : sizes)
        for (const char* view : {"threads\nlane 3", "divergence", "shared", "global"}) {
            run(std::string(size) + "view " + view + "\nlayout layout\n");
            for (const json& i : layout())
                if (i["clipped"] && !i["scrolls"] && (i["kind"] == "text" || i["kind"] == "button"))
                    ADD_FAILURE() << size << view << ": cut: " << i.dump();
        }
}

TEST_F(Window, ClicksAndKeysAct) {
    run("click Global memory\nexpect view \"global\"\nclick stride +\nexpect knob_stride 3\nkey Home\nexpect row "
        "0\nkey F10\nexpect row 1\n"
        "key Shift+F10\nexpect row 0\nset stride=2\nclick Next bank conflict\nexpect line 8\nclick Next "
        "barrier\nexpect line 9\nkey F1\nexpect help 1\n"
        "key Esc\nexpect help 0\nkey P\nexpect projector 1\nexpect dark 0\nkey P\nkey T\nexpect dark 0\nclick warp "
        "+\nexpect warp 1\n");
}

TEST_F(Window, TheCodeIsEditedInPlace) {
    run("layout layout\nstate before\n"
        "click code\nkey Ctrl+End\ntype // a note\nexpect edited 1\nexpect launched 1\nkey Ctrl+Z\nexpect edited 0\n"
        "type error\nexpect launched 0\nexpect diagnostics 1\nscreenshot a.png\nlayout layout\nkey Ctrl+Z\nexpect "
        "launched 1\n"
        "key Ctrl+F\nkey Esc\nkey Esc\n");
    const json items = layout();
    bool shown = false;
    for (const json& i : items)
        shown = shown || std::string(i["label"]).find("undeclared identifier") != std::string::npos;
    EXPECT_TRUE(shown) << "the message is not in the window";
}

TEST_F(Window, OneSelectionIsLitEverywhere) {
    run("view shared\nsecond divergence\nlane 5\nscreenshot a.png\nlayout layout\n");
    const Image a(folder / "a.png");
    const json banks = item(layout(), "grid", "banks");
    EXPECT_GT(a.count(banks, kSelect), 100); // its cell, its line and its word
    const json code = item(layout(), "editor", "code");
    EXPECT_GT(a.count(code, kSelect), 10); // the mark of the current line
}

TEST_F(Window, ScrubbingAndSplittersFollowTheMouse) {
    run("key Home\ndrag scrub 300 0\nlayout first\nstate s\ndrag code-bar 120 0\nlayout layout\n");
    EXPECT_GT(double(item(layout(), "panel", "code")["w"]), double(item(layout("first"), "panel", "code")["w"]) + 80);
    EXPECT_GT(int(json::parse(std::ifstream(folder / "s"))["row"]), 8);
}

TEST_F(Window, OpensWhereItWasLeft) {
    run("set stride=8\nview divergence\nclick Code\nclick code\nkey Ctrl+End\ntype // mine\nprojector on\n",
        "--lesson 10-fake-banks --size 1280x720");
    run("expect knob_stride 8\nexpect view \"divergence\"\nexpect edited 1\nexpect projector 1\nexpect lesson "
        "\"10-fake-banks\"\n",
        "--size 1280x720");
    std::ofstream(folder / "config/cuda-playground/settings") << "damaged";
    run("expect projector 0\nstate s\n", "--size 1280x720");
    EXPECT_NE(std::string(json::parse(std::ifstream(folder / "s"))["notice"]).find("settings.damaged"),
              std::string::npos);
}

TEST_F(Window, ScreenshotOptionWritesAndLeaves) {
    ASSERT_EQ(shell(std::string(XVFB_RUN) + " -a " + WINDOW +
                    " --fresh --lesson 10-fake-banks --view global --one-view --set stride=4 --size 1280x720 --theme "
                    "light --screenshot s.png"),
              0)
        << output;
    EXPECT_EQ(Image(folder / "s.png").width, 1280);
    EXPECT_NE(shell(std::string(XVFB_RUN) + " -a " + WINDOW + " --fresh --lesson nonsense --screenshot t.png"), 0);
    EXPECT_NE(output.find("no lesson nonsense"), std::string::npos);
}

TEST_F(Window, SaysWhatToDoWithoutADisplay) {
    EXPECT_EQ(shell(std::string("env -u DISPLAY -u WAYLAND_DISPLAY ") + WINDOW + " --fresh"), 1);
    EXPECT_NE(output.find("display"), std::string::npos) << output;
    EXPECT_NE(output.find("playground-cli"), std::string::npos) << output;
}

} // namespace
