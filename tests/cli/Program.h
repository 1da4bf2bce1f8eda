// Runs playground-cli as a shell would.
#pragma once

#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

struct Result {
    int code = -1;
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline Result run(const std::string& arguments) {
    const auto errors = std::filesystem::temp_directory_path() / ("cli-test-" + std::to_string(getpid()));
    Result result;
    const std::string command = std::string(PLAYGROUND_CLI) + " " + arguments + " 2>" + errors.string();
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> part;
    while (const size_t n = std::fread(part.data(), 1, part.size(), pipe)) result.out.append(part.data(), n);
    result.code = WEXITSTATUS(pclose(pipe));
    std::ostringstream text;
    text << std::ifstream(errors).rdbuf();
    result.err = text.str();
    std::filesystem::remove(errors);
    return result;
}
