// Settings: both ways, damaged files, edits.
#include "playground/session/Settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include <unistd.h>

using namespace playground;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / ("playground-settings-" + std::to_string(::getpid()));
    Folder() { fs::remove_all(path), fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
};

TEST(Settings, RoundTrip) {
    Settings s;
    s.darkTheme = false;
    s.zoom = 1.25;
    s.lesson = "10-bank-conflicts";
    s.variant["10-bank-conflicts"] = "padded";
    s.knobs["10-bank-conflicts/stride"] = 33;
    s.views["10-bank-conflicts"] = "shared,global";
    const auto back = settingsFromText(toText(s));
    ASSERT_TRUE(back);
    EXPECT_EQ(toText(*back), toText(s));
    EXPECT_EQ(back->knobs.at("10-bank-conflicts/stride"), 33);
}

TEST(Settings, DefaultsWhenThereIsNoFile) {
    Folder folder;
    SettingsStore store(folder.path / "config", folder.path / "data");
    std::string problem;
    EXPECT_EQ(toText(store.load(problem)), toText(Settings{}));
    EXPECT_EQ(problem, "");
}

TEST(Settings, ADamagedFileIsSetAsideAndReported) {
    for (const char* damage : {"", "\x01\x02garbage", "# CUDA Playground settings, version 1\nzoom = banana\n",
                               "# CUDA Playground settings, version 1\nno equals sign\n",
                               "# CUDA Playground settings, version 1\nzoom = 900\n"}) {
        Folder folder;
        std::ofstream(folder.path / "settings") << damage;
        SettingsStore store(folder.path, folder.path);
        std::string problem;
        EXPECT_EQ(toText(store.load(problem)), toText(Settings{}));
        EXPECT_NE(problem.find("settings.damaged"), std::string::npos) << damage;
        EXPECT_TRUE(fs::exists(folder.path / "settings.damaged"));
        EXPECT_FALSE(fs::exists(folder.path / "settings"));
    }
}

TEST(Settings, EditsAreKeptByKernelAndRemoved) {
    Folder folder;
    SettingsStore store(folder.path, folder.path);
    std::string problem;
    EXPECT_FALSE(store.loadEdit("07-a/b"));
    EXPECT_TRUE(store.saveEdit("07-a/b", "text\n", problem));
    EXPECT_EQ(store.loadEdit("07-a/b"), "text\n");
    EXPECT_FALSE(store.loadEdit("07-a/c"));
    store.removeEdit("07-a/b");
    EXPECT_FALSE(store.loadEdit("07-a/b"));
}

TEST(Settings, AFolderThatCannotBeWrittenIsReported) {
    SettingsStore store("/proc/nowhere", "/proc/nowhere");
    std::string problem;
    EXPECT_FALSE(store.save(Settings{}, problem));
    EXPECT_NE(problem.find("/proc/nowhere"), std::string::npos);
}

} // namespace
