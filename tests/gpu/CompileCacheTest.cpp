// The cache of compiled kernels: found by key, on disk, damaged, pruned, unwritable.
#include "gpu/worker/CompileCache.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

class CompileCache : public testing::Test {
protected:
    ~CompileCache() override { fs::remove_all(folder_); }

    static gpu::CompiledCode code(const std::string& name) {
        return {std::vector<std::byte>(1000, std::byte(name.size())), false, name, "a log"};
    }
    size_t files() const { return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

    fs::path folder_ = fs::temp_directory_path() / ("cuda-playground-cache-" + std::to_string(getpid()));
};

TEST_F(CompileCache, FindsWhatWasInserted) {
    gpu::CompileCache cache(folder_);
    EXPECT_FALSE(cache.find("a"));
    cache.insert("a", code("copy"));
    ASSERT_TRUE(cache.find("a"));
    EXPECT_FALSE(cache.find("b"));
    const auto other = gpu::CompileCache(folder_).find("a");
    ASSERT_TRUE(other) << "another process reads the same folder";
    EXPECT_EQ(other->loweredName, "copy");
    EXPECT_EQ(other->log, "a log");
    EXPECT_EQ(other->image, code("copy").image);
}

TEST_F(CompileCache, DamagedFilesAreIgnored) {
    gpu::CompileCache(folder_).insert("a", code("copy"));
    const fs::path file = fs::directory_iterator(folder_)->path();
    const auto size = fs::file_size(file);
    {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(long(size / 2));
        stream.put('!');
    }
    EXPECT_FALSE(gpu::CompileCache(folder_).find("a"));
    gpu::CompileCache(folder_).insert("a", code("copy"));
    EXPECT_TRUE(gpu::CompileCache(folder_).find("a"));
    for (const uintmax_t length : {uintmax_t{0}, uintmax_t{5}, uintmax_t{20}, size - 1}) {
        fs::resize_file(file, length);
        EXPECT_FALSE(gpu::CompileCache(folder_).find("a")) << length;
        gpu::CompileCache(folder_).insert("a", code("copy"));
    }
}

TEST_F(CompileCache, KeepsALimitedNumberOfFiles) {
    gpu::CompileCache cache(folder_, 4);
    for (int i = 0; i < 20; ++i) cache.insert("key " + std::to_string(i), code("copy"));
    EXPECT_EQ(files(), 4u);
}

TEST_F(CompileCache, WorksWithoutAFolder) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "file") << "not a folder";
    for (const fs::path& folder : {fs::path(), folder_ / "file" / "cache"}) {
        gpu::CompileCache cache(folder);
        cache.insert("a", code("copy"));
        EXPECT_TRUE(cache.find("a"));
    }
}

} // namespace
