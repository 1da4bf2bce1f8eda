// A machine with a fake GPU, for one test: environment of the workers that it starts, and a cache folder of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>

/// Sets environment variables and puts them back; single-threaded tests only.
class FakeMachine {
public:
    FakeMachine() {
        static int number = 0;
        folder_ = std::filesystem::temp_directory_path() /
                  ("cuda-playground-" + std::to_string(getpid()) + "-" + std::to_string(++number));
        std::filesystem::create_directories(folder_);
        set("PLAYGROUND_CUDA_DRIVER", FAKE_CUDA);
        set("PLAYGROUND_NVRTC", FAKE_CUDA);
        set("PLAYGROUND_NVML", "/nowhere/libnvidia-ml.so.1");
        set("PLAYGROUND_CUPTI", "/nowhere/libcupti.so");
        set("XDG_CACHE_HOME", folder_.c_str());
    }
    ~FakeMachine() {
        for (const auto& [name, value] : before_)
            if (value)
                setenv(name.c_str(), value->c_str(), 1);
            else
                unsetenv(name.c_str());
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    FakeMachine(const FakeMachine&) = delete;
    FakeMachine& operator=(const FakeMachine&) = delete;

    void set(const std::string& name, const char* value) {
        if (const char* old = std::getenv(name.c_str()); !before_.contains(name))
            before_[name] = old != nullptr ? std::optional<std::string>(old) : std::nullopt;
        setenv(name.c_str(), value, 1);
    }
    const std::filesystem::path& cacheFolder() const { return folder_; }

private:
    std::filesystem::path folder_;
    std::map<std::string, std::optional<std::string>> before_;
};
