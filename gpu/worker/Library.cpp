// dlopen() with a search through the usual places of CUDA toolkits.
#include "gpu/worker/Library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace gpu {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> toolkits() {
    std::vector<fs::path> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') roots.emplace_back(value);
#ifdef PLAYGROUND_CUDA_ROOT
    roots.emplace_back(PLAYGROUND_CUDA_ROOT);
#endif
    roots.emplace_back("/usr/local/cuda");
    std::vector<fs::path> numbered;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/usr/local", error))
        if (entry.path().filename().string().starts_with("cuda-")) numbered.push_back(entry.path());
    std::sort(numbered.rbegin(), numbered.rend());
    roots.insert(roots.end(), numbered.begin(), numbered.end());
    roots.emplace_back("/opt/cuda");
    return roots;
}

} // namespace

bool Library::tryOne(const std::string& name) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return true;
    const char* message = dlerror();
    const bool missing = message != nullptr &&
                         std::string(message).find("cannot open shared object file: No such file") != std::string::npos;
    if (message != nullptr && (error_.empty() || !missing)) error_ = message;
    return false;
}

bool Library::load(const char* variable, const std::vector<std::string>& names,
                   const std::vector<std::string>& folders) {
    if (const char* path = std::getenv(variable); path != nullptr && *path != '\0') return tryOne(path);
    for (const std::string& name : names)
        if (tryOne(name)) return true;
    for (const std::string& folder : folders)
        for (const std::string& name : names)
            if (tryOne(folder + "/" + name)) return true;
    return false;
}

void* Library::find(const char* symbol) const {
    return handle_ != nullptr ? dlsym(handle_, symbol) : nullptr;
}

std::string Library::path() const {
    link_map* map = nullptr;
    if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
    return map->l_name;
}

std::vector<std::string> toolkitLibraryFolders() {
    std::vector<std::string> folders;
    for (const fs::path& root : toolkits())
        for (const char* part : {"lib64", "lib", "extras/CUPTI/lib64"}) folders.push_back((root / part).string());
    return folders;
}

std::vector<std::string> toolkitIncludeFolders() {
    std::vector<std::string> folders;
    std::error_code error;
    for (const fs::path& root : toolkits()) {
        if (!fs::exists(root / "include" / "cuda_runtime.h", error)) continue;
        folders.push_back((root / "include").string());
        if (fs::exists(root / "include" / "cccl", error)) folders.push_back((root / "include" / "cccl").string());
        break;
    }
    return folders;
}

} // namespace gpu
