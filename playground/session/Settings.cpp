// Reading and writing of settings and edits.
#include "playground/session/Settings.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace playground {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHeader = "# CUDA Playground settings, version 1";

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::optional<double> parseNumber(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool between(const std::string& text, double low, double high, double& out) {
    const auto value = parseNumber(text);
    if (!value || *value < low || *value > high) return false;
    out = *value;
    return true;
}

bool boolean(const std::string& text, bool& out) {
    if (text != "yes" && text != "no") return false;
    out = text == "yes";
    return true;
}

bool pixels(const std::string& text, int& out) {
    double value = 0;
    if (!between(text, 320, 16384, value)) return false;
    out = int(value);
    return true;
}

bool assignMapped(Settings& s, const std::string& key, const std::string& value) {
    const size_t dot = key.find('.');
    if (dot == std::string::npos) return false;
    const std::string map = key.substr(0, dot), name = key.substr(dot + 1);
    if (map == "variant")
        s.variant[name] = value;
    else if (map == "views")
        s.views[name] = value;
    else if (map == "knob")
        return between(value, -1e18, 1e18, s.knobs[name]);
    else
        return false;
    return true;
}

bool assign(Settings& s, const std::string& key, const std::string& value) {
    if (key == "theme") {
        s.darkTheme = value == "dark";
        return value == "dark" || value == "light";
    }
    if (key == "projector") return boolean(value, s.projector);
    if (key == "zoom") return between(value, 0.5, 3.0, s.zoom);
    if (key == "window_width") return pixels(value, s.windowWidth);
    if (key == "window_height") return pixels(value, s.windowHeight);
    if (key == "lesson_share") return between(value, 0.05, 0.9, s.lessonShare);
    if (key == "code_share") return between(value, 0.05, 0.9, s.codeShare);
    if (key == "bottom_share") return between(value, 0.05, 0.9, s.bottomShare);
    if (key == "view_share") return between(value, 0.05, 0.95, s.viewShare);
    if (key == "compact_share") return between(value, 0.05, 0.95, s.compactShare);
    if (key == "lesson_shown") return boolean(value, s.lessonShown);
    if (key == "two_views") return boolean(value, s.twoViews);
    if (key == "language") {
        s.language = value;
        return value == "en" || value == "zh";
    }
    if (key == "lesson") {
        s.lesson = value;
        return true;
    }
    if (key == "gutter") {
        s.gutter = value;
        return true;
    }
    return assignMapped(s, key, value);
}

std::optional<std::string> readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

fs::path homeFolder(const char* variable, const char* fallback) {
    const char* set = std::getenv(variable);
    if (set != nullptr && set[0] == '/') return fs::path(set) / "cuda-playground";
    const char* home = std::getenv("HOME");
    return home != nullptr ? fs::path(home) / fallback / "cuda-playground" : fs::path{};
}

} // namespace

std::string toText(const Settings& s) {
    std::string out = std::string(kHeader) + "\n";
    const auto put = [&](const std::string& key, const std::string& value) { out += key + " = " + value + "\n"; };
    put("theme", s.darkTheme ? "dark" : "light");
    put("projector", s.projector ? "yes" : "no");
    put("zoom", number(s.zoom));
    put("window_width", std::to_string(s.windowWidth));
    put("window_height", std::to_string(s.windowHeight));
    put("lesson_share", number(s.lessonShare));
    put("code_share", number(s.codeShare));
    put("bottom_share", number(s.bottomShare));
    put("view_share", number(s.viewShare));
    put("compact_share", number(s.compactShare));
    put("lesson_shown", s.lessonShown ? "yes" : "no");
    put("two_views", s.twoViews ? "yes" : "no");
    put("language", s.language);
    put("lesson", s.lesson);
    put("gutter", s.gutter);
    for (const auto& [lesson, id] : s.variant) put("variant." + lesson, id);
    for (const auto& [lesson, names] : s.views) put("views." + lesson, names);
    for (const auto& [name, value] : s.knobs) put("knob." + name, number(value));
    return out;
}

std::optional<Settings> settingsFromText(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    if (!std::getline(in, line) || line != kHeader) return std::nullopt;
    Settings settings;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        const size_t equals = line.find(" = ");
        if (equals == std::string::npos) {
            if (line.ends_with(" =")) continue;
            return std::nullopt;
        }
        if (!assign(settings, line.substr(0, equals), line.substr(equals + 3))) return std::nullopt;
    }
    return settings;
}

bool writeAtomically(const fs::path& path, const std::string& text, std::string& problem) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const fs::path beside = path.string() + ".new";
    std::FILE* file = std::fopen(beside.c_str(), "wb");
    bool ok = file != nullptr;
    if (ok) {
        ok = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0 &&
             fsync(fileno(file)) == 0;
        ok = std::fclose(file) == 0 && ok;
    }
    if (ok) {
        fs::rename(beside, path, error);
        ok = !error;
    }
    if (!ok)
        problem = "Could not write " + path.string() + ". Check that the folder is writable and the disk is not full.";
    return ok;
}

SettingsStore SettingsStore::atHome() {
    return {homeFolder("XDG_CONFIG_HOME", ".config"), homeFolder("XDG_DATA_HOME", ".local/share")};
}

Settings SettingsStore::load(std::string& problem) {
    if (config_.empty()) return {};
    const fs::path path = config_ / "settings";
    const auto text = readFile(path);
    if (!text) return {};
    if (auto settings = settingsFromText(*text)) return *settings;
    std::error_code error;
    const fs::path aside = config_ / "settings.damaged";
    fs::rename(path, aside, error);
    problem = "The settings file could not be read, so the window starts with its defaults. The old file is kept as " +
              aside.string() + ".";
    return {};
}

bool SettingsStore::save(const Settings& settings, std::string& problem) {
    return config_.empty() || writeAtomically(config_ / "settings", toText(settings), problem);
}

fs::path SettingsStore::editPath(const std::string& key) const {
    std::string name;
    for (char c : key)
        name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
                    ? c
                    : '.';
    return data_ / "edits" / (name + ".cu");
}

std::optional<std::string> SettingsStore::loadEdit(const std::string& key) const {
    return data_.empty() ? std::nullopt : readFile(editPath(key));
}

bool SettingsStore::saveEdit(const std::string& key, const std::string& text, std::string& problem) {
    return data_.empty() || writeAtomically(editPath(key), text, problem);
}

void SettingsStore::removeEdit(const std::string& key) {
    std::error_code error;
    if (!data_.empty()) fs::remove(editPath(key), error);
}

} // namespace playground
