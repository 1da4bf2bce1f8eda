// Compiled kernels kept by the text, options and architecture they were made from, in memory and on disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpu {

/// Machine code (or PTX) of one text with one kernel looked up in it.
struct CompiledCode {
    std::vector<std::byte> image; ///< A CUBIN, or PTX ending in a zero byte.
    bool isPtx = false;
    std::string loweredName; ///< Of the kernel.
    std::string log;
};

/// Entries are found by their whole key, never by a hash alone. The folder is $XDG_CACHE_HOME/cuda-playground/nvrtc
/// (~/.cache without that variable); a folder that cannot be written only means that nothing outlives the worker.
class CompileCache {
public:
    /// Empty: no disk. Otherwise keeps at most `maxFiles` files there, the most recently used ones.
    explicit CompileCache(std::filesystem::path folder, size_t maxFiles = 512);

    std::optional<CompiledCode> find(const std::string& key);
    void insert(const std::string& key, const CompiledCode& code);

    static std::filesystem::path defaultFolder();

private:
    std::optional<CompiledCode> readFile(const std::string& key) const;
    void writeFile(const std::string& key, const CompiledCode& code) const;
    void removeOldest() const;
    std::filesystem::path fileOf(const std::string& key) const;

    std::filesystem::path folder_;
    size_t maxFiles_;
    std::map<std::string, CompiledCode> inMemory_;
};

} // namespace gpu
