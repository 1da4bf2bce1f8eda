// Search order for the content folders, and file reading.
#include "playground/session/Content.h"

#include "playground/session/LessonLoader.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace playground {
namespace {

namespace fs = std::filesystem;

fs::path executableFolder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path{} : self.parent_path();
}

/// A lessons folder for a place that is one, or has one.
std::optional<fs::path> lessonsIn(const fs::path& place) {
    std::error_code error;
    if (place.empty()) return std::nullopt;
    if (fs::is_directory(place / "lessons", error)) return place / "lessons";
    if (!fs::is_directory(place, error)) return std::nullopt;
    for (const auto& entry : fs::directory_iterator(place, error))
        if (fs::exists(entry.path() / "lesson.toml", error)) return place;
    return std::nullopt;
}

bool isInside(const fs::path& folder, const fs::path& root) {
    const std::string relative = folder.lexically_relative(root).string();
    return !relative.empty() && relative.rfind("..", 0) != 0;
}

Content contentAt(const fs::path& lessons) {
    std::error_code error;
    fs::path clean = fs::weakly_canonical(lessons, error);
    if (error) clean = lessons;
    fs::path kernels = clean.parent_path() / "kernels";
    if (!fs::is_directory(kernels, error) && fs::is_directory(clean / "kernels", error)) kernels = clean / "kernels";
    return {clean, kernels, {}};
}

} // namespace

Content findContent(const std::optional<fs::path>& asked) {
    if (asked) {
        if (const auto found = lessonsIn(*asked)) return contentAt(*found);
        return {
            {}, {}, "there are no lessons in '" + asked->string() + "'; name the folder that holds the lesson folders"};
    }
    std::vector<fs::path> places;
    if (const char* environment = std::getenv("PLAYGROUND_LESSONS")) places.emplace_back(environment);
    const fs::path self = executableFolder();
    if (isInside(self, PLAYGROUND_BINARY_ROOT) || self == PLAYGROUND_BINARY_ROOT)
        places.emplace_back(PLAYGROUND_SOURCE_ROOT);
    if (!self.empty()) places.push_back(self / ".." / "share" / "cuda-playground");
    places.push_back(fs::current_path());

    std::string tried;
    for (const fs::path& place : places) {
        if (const auto found = lessonsIn(place)) return contentAt(*found);
        tried += (tried.empty() ? "" : ", ") + place.lexically_normal().string();
    }
    return {{},
            {},
            "no lessons were found (looked in " + tried +
                "); say where they are with --lessons FOLDER or PLAYGROUND_LESSONS"};
}

std::vector<LoadedLesson> loadLessons(const Content& content) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(content.lessons, error))
        if (fs::exists(entry.path() / "lesson.toml", error)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    std::vector<LoadedLesson> lessons;
    for (const fs::path& folder : folders) lessons.push_back(loadLesson(folder, content.kernels));
    return lessons;
}

std::optional<std::string> readFile(const fs::path& path, std::string& problem) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        problem = "'" + path.string() + "' is a folder; name a file";
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        problem = "cannot read '" + path.string() + "': " + std::strerror(errno);
        return std::nullopt;
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::optional<std::string> readKernel(const Content& content, const Variant& variant, std::string& problem) {
    return readFile(content.kernels / variant.file, problem);
}

const LoadedLesson* findLesson(const std::vector<LoadedLesson>& lessons, const std::string& name) {
    for (const LoadedLesson& l : lessons) {
        if (l.slug == name || (l.slug.size() > 3 && l.slug.substr(3) == name)) return &l;
        int number = -1;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc{} && end == name.data() + name.size() && std::atoi(l.slug.c_str()) == number) return &l;
    }
    return nullptr;
}

const Variant* findVariant(const Lesson& lesson, const std::string& id) {
    if (id.empty()) return &lesson.variants.front();
    const auto found =
        std::find_if(lesson.variants.begin(), lesson.variants.end(), [&](const Variant& v) { return v.id == id; });
    return found == lesson.variants.end() ? nullptr : &*found;
}

} // namespace playground
