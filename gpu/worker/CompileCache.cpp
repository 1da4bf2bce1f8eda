// The cache's files: one per entry, each with its whole key and a checksum, replaced by renaming.
#include "gpu/worker/CompileCache.h"

#include "gpu/protocol/Wire.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace gpu {

template <class A>
void fields(A& a, CompiledCode& v) {
    a(v.image, v.isPtx, v.loweredName, v.log);
}

namespace {

namespace fs = std::filesystem;

constexpr uint32_t kFileMagic = 0x43475043, kFileVersion = 1;
constexpr size_t kMaxInMemory = 256;

/// FNV-1a, 64 bits; names files and detects damage, nothing more.
uint64_t hashOf(std::span<const std::byte> bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const std::byte byte : bytes) hash = (hash ^ uint64_t(byte)) * 0x100000001b3;
    return hash;
}

} // namespace

CompileCache::CompileCache(fs::path folder, size_t maxFiles) : folder_(std::move(folder)), maxFiles_(maxFiles) {
    std::error_code error;
    if (!folder_.empty() && !fs::create_directories(folder_, error) && error) folder_.clear();
}

fs::path CompileCache::defaultFolder() {
    if (const char* base = std::getenv("XDG_CACHE_HOME"); base != nullptr && *base == '/')
        return fs::path(base) / "cuda-playground" / "nvrtc";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "cuda-playground" / "nvrtc";
    return {};
}

fs::path CompileCache::fileOf(const std::string& key) const {
    static constexpr char kDigits[] = "0123456789abcdef";
    uint64_t hash = hashOf(std::as_bytes(std::span(key)));
    std::string name(16, '0');
    for (size_t i = name.size(); i-- > 0; hash >>= 4) name[i] = kDigits[hash & 15];
    return folder_ / (name + ".kernel");
}

std::optional<CompiledCode> CompileCache::find(const std::string& key) {
    if (const auto found = inMemory_.find(key); found != inMemory_.end()) return found->second;
    std::optional<CompiledCode> code = readFile(key);
    if (code) inMemory_.emplace(key, *code);
    return code;
}

void CompileCache::insert(const std::string& key, const CompiledCode& code) {
    if (inMemory_.size() >= kMaxInMemory) inMemory_.clear();
    inMemory_[key] = code;
    writeFile(key, code);
}

std::optional<CompiledCode> CompileCache::readFile(const std::string& key) const {
    if (folder_.empty()) return std::nullopt;
    std::ifstream file(fileOf(key), std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    std::span<const std::byte> bytes = std::as_bytes(std::span(text));
    uint64_t checksum = 0;
    if (bytes.size() < sizeof checksum) return std::nullopt;
    std::memcpy(&checksum, bytes.data(), sizeof checksum);
    bytes = bytes.subspan(sizeof checksum);
    if (hashOf(bytes) != checksum) return std::nullopt;
    uint32_t magic = 0, version = 0;
    std::string storedKey;
    CompiledCode code;
    Reader reader(bytes);
    reader(magic, version, storedKey, code);
    if (!reader.complete() || magic != kFileMagic || version != kFileVersion || storedKey != key) return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(fileOf(key), fs::file_time_type::clock::now(), ignored);
    return code;
}

void CompileCache::writeFile(const std::string& key, const CompiledCode& code) const {
    if (folder_.empty()) return;
    uint32_t magic = kFileMagic, version = kFileVersion;
    std::string storedKey = key;
    CompiledCode stored = code;
    Writer writer;
    writer(magic, version, storedKey, stored);
    const uint64_t checksum = hashOf(writer.bytes);
    const fs::path path = fileOf(key), temporary = path.string() + "." + std::to_string(getpid());
    {
        std::ofstream file(temporary, std::ios::binary);
        file.write(reinterpret_cast<const char*>(&checksum), sizeof checksum);
        file.write(reinterpret_cast<const char*>(writer.bytes.data()), std::streamsize(writer.bytes.size()));
        if (!file.flush()) {
            std::error_code ignored;
            fs::remove(temporary, ignored);
            return;
        }
    }
    std::error_code error;
    fs::rename(temporary, path, error);
    removeOldest();
}

void CompileCache::removeOldest() const {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
        if (entry.path().extension() == ".kernel") files.emplace_back(entry.last_write_time(error), entry.path());
    if (files.size() <= maxFiles_) return;
    std::sort(files.begin(), files.end());
    for (size_t i = 0; i + maxFiles_ < files.size(); ++i) fs::remove(files[i].second, error);
}

} // namespace gpu
