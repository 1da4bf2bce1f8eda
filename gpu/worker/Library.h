// A shared library found and loaded at run time.
#pragma once

#include <string>
#include <vector>

namespace gpu {

/// One loaded library; stays loaded until the process ends, as drivers do not like to be unloaded.
class Library {
public:
    /// Loads the first candidate there is: the path in the environment variable `variable` alone when it is set,
    /// otherwise each of `names` (as the dynamic linker searches), then each name in each of `folders`.
    bool load(const char* variable, const std::vector<std::string>& names,
              const std::vector<std::string>& folders = {});
    void* find(const char* symbol) const;
    bool loaded() const { return handle_ != nullptr; }
    /// Where it was found, as the dynamic linker knows it.
    std::string path() const;
    /// What the dynamic linker said of the last candidate that exists but did not load, or of the first one.
    const std::string& error() const { return error_; }

private:
    bool tryOne(const std::string& name);
    void* handle_ = nullptr;
    std::string error_;
};

/// Folders where toolkits keep their libraries: $CUDA_HOME and $CUDA_PATH, the toolkit known at build time,
/// /usr/local/cuda and every /usr/local/cuda-N, newest first; each with its lib64, lib and extras/CUPTI/lib64.
std::vector<std::string> toolkitLibraryFolders();
/// Include folders of the first of these toolkits that has any: include, and include/cccl where it exists.
std::vector<std::string> toolkitIncludeFolders();

} // namespace gpu
