// Parsing of golden case files.
#include "tests/golden/GoldenFile.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace playground::golden {
namespace {

std::vector<std::string> wordsOf(const std::string& line) {
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string w; text >> w;) words.push_back(w);
    return words;
}

/// One directive, already split; `file.error` says what is wrong with it.
void take(GoldenFile& file, const std::vector<std::string>& words, int line) {
    const std::string& directive = words[1];
    if (directive == "LAUNCH") {
        GoldenLaunch launch;
        launch.line = line;
        launch.kernel = words.at(2);
        for (size_t i = 3; i + 1 < words.size(); i += 2) {
            if (words[i] == "grid")
                launch.config.grid = dimOf(words[i + 1], 1);
            else if (words[i] == "block")
                launch.config.block = dimOf(words[i + 1], 1);
            else if (words[i] == "shared")
                launch.config.dynamicSharedBytes = uint32_t(std::stoul(words[i + 1]));
            else
                file.error = "unknown word " + words[i];
        }
        file.launches.push_back(launch);
    } else if (file.launches.empty()) {
        file.error = directive + " before LAUNCH";
    } else if (directive == "ARG") {
        const auto argument = parseSimArgument(words.at(2), file.error);
        if (argument) file.launches.back().arguments.push_back(*argument);
    } else {
        file.launches.back().expectations.emplace_back(words.begin() + 2, words.end());
    }
}

} // namespace

sim::Dim3 dimOf(const std::string& text, uint32_t otherwise) {
    sim::Dim3 d{otherwise, otherwise, otherwise};
    uint32_t* const axes[] = {&d.x, &d.y, &d.z};
    std::istringstream parts(text);
    std::string part;
    for (uint32_t* axis : axes)
        if (std::getline(parts, part, ',')) *axis = uint32_t(std::stoul(part));
    return d;
}

GoldenFile readGoldenFile(const std::string& path) {
    GoldenFile file;
    file.name = std::filesystem::path(path).stem().string();
    std::ifstream stream(path);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        file.source += line + "\n";
        const auto words = wordsOf(line);
        if (words.size() >= 2 && words[0] == "//" &&
            (words[1] == "LAUNCH" || words[1] == "ARG" || words[1] == "EXPECT"))
            take(file, words, number);
    }
    if (file.launches.empty()) file.error = "no LAUNCH";
    return file;
}

} // namespace playground::golden
