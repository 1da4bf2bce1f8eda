// What survives a restart: sizes, theme, lesson, knobs and the learner's edits. Plain text files, written atomically.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace playground {

struct Settings {
    bool darkTheme = true;
    bool projector = false;
    double zoom = 1.0; ///< Times the monitor's scale.
    int windowWidth = 1600, windowHeight = 960;
    double lessonShare = 0.21, codeShare = 0.40, bottomShare = 0.26, viewShare = 0.5, compactShare = 0.34;
    bool lessonShown = true, twoViews = true;
    std::string language = "en";
    std::string lesson;                         ///< Slug.
    std::map<std::string, std::string> variant; ///< By lesson.
    std::map<std::string, double> knobs;        ///< By "lesson/knob".
    std::map<std::string, std::string> views;   ///< By lesson: "threads,global".
    std::string gutter = "executions";
};

/// `key = value` lines and back. nullopt when a line cannot be read.
std::string toText(const Settings& settings);
std::optional<Settings> settingsFromText(const std::string& text);

/// Keeps Settings and edited kernels in a folder of the learner's ($XDG_CONFIG_HOME/cuda-playground and
/// $XDG_DATA_HOME/cuda-playground). Never throws; problems come back as sentences.
class SettingsStore {
public:
    /// Both folders may be empty paths: then nothing is read or kept.
    SettingsStore(std::filesystem::path configFolder, std::filesystem::path dataFolder)
        : config_(std::move(configFolder)), data_(std::move(dataFolder)) {}
    /// At the XDG places.
    static SettingsStore atHome();

    /// Defaults when there is no file. A file that cannot be read is renamed to settings.damaged and said in `problem`.
    Settings load(std::string& problem);
    /// False with a sentence in `problem` when the file could not be written.
    bool save(const Settings& settings, std::string& problem);

    /// The learner's edit of a kernel; nullopt when there is none. `key` is "lesson/variant".
    std::optional<std::string> loadEdit(const std::string& key) const;
    bool saveEdit(const std::string& key, const std::string& text, std::string& problem);
    void removeEdit(const std::string& key);

private:
    std::filesystem::path editPath(const std::string& key) const;
    std::filesystem::path config_, data_;
};

/// Writes beside the file, then renames over it. False with a sentence in `problem` on failure.
bool writeAtomically(const std::filesystem::path& path, const std::string& text, std::string& problem);

} // namespace playground
