// The real run-time compiler, where a toolkit is installed; it needs no GPU.
#include "gpu/worker/NvrtcCompiler.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

class Nvrtc : public testing::Test {
protected:
    void SetUp() override {
        if (const auto available = api_.load(); !available.available) GTEST_SKIP() << available.reason;
    }
    gpu::CompileOutcome compile(const std::string& source, const std::string& kernel, int capability = 90) {
        return gpu::NvrtcCompiler(api_, cache_).compile({source, "kernel.cu", kernel, {"WIDTH=32"}, capability});
    }
    static std::string problems(const gpu::CompileOutcome& outcome) {
        std::string text;
        for (const auto& diagnostic : outcome.diagnostics) text += diagnostic.rendered + "\n";
        return text;
    }

    gpu::NvrtcApi api_;
    gpu::CompileCache cache_{{}};
};

TEST_F(Nvrtc, PlainTemplateNamespaceAndExternC) {
    for (const auto& [source, kernel, lowered] :
         {std::tuple{"__global__ void copy(float* out) { out[WIDTH] = 1; }", "copy", "_Z4copyPf"},
          std::tuple{"template <int N> __global__ void copy(float* out) { out[N] = 1; }", "copy<4>",
                     "_Z4copyILi4EEvPf"},
          std::tuple{"namespace k { __global__ void copy(float* out) { out[0] = 1; } }", "k::copy", "_ZN1k4copyEPf"},
          std::tuple{"extern \"C\" __global__ void copy(float* out) { out[0] = 1; }", "copy", "copy"}}) {
        const gpu::CompileOutcome outcome = compile(source, kernel);
        EXPECT_TRUE(outcome.ok) << problems(outcome);
        EXPECT_EQ(outcome.code.loweredName, lowered);
        EXPECT_GT(outcome.code.image.size(), 1000u);
        EXPECT_FALSE(outcome.code.isPtx);
    }
}

TEST_F(Nvrtc, StandardHeadersThatKernelsInclude) {
    const gpu::CompileOutcome outcome =
        compile("#include <cstdio>\n#include <cassert>\n#include <cmath>\n#include <cstdint>\n"
                "#include <climits>\n#include <cfloat>\n#include <stdio.h>\n#include <stdint.h>\n"
                "#include <cuda_runtime.h>\n"
                "__global__ void copy(float* out, std::uint32_t n, int64_t m) {\n"
                "    assert(n < INT_MAX);\n    printf(\"%f\", sqrtf(FLT_MAX));\n"
                "    out[n] = sinf(float(m));\n}\n",
                "copy");
    EXPECT_TRUE(outcome.ok) << problems(outcome);
}

TEST_F(Nvrtc, ErrorsCarryTheLearnersLine) {
    const gpu::CompileOutcome outcome =
        compile("__global__ void copy(float* out) {\n    out[0] = missing;\n}\n", "copy");
    EXPECT_FALSE(outcome.ok);
    ASSERT_FALSE(outcome.diagnostics.empty());
    EXPECT_EQ(outcome.diagnostics[0].at, (sim::SourceLoc{2, 14})) << problems(outcome);
}

TEST_F(Nvrtc, WrongNamesAndTooMuchSharedMemoryAreExplained) {
    EXPECT_NE(problems(compile("__global__ void copy() {}", "copz")).find("no kernel named 'copz'"), std::string::npos);
    EXPECT_NE(problems(compile("__device__ void copy() {}", "copy")).find("declare it __global__"), std::string::npos);
    const char* large =
        "__global__ void copy(int* out) { __shared__ int tile[100000]; tile[threadIdx.x] = 1; __syncthreads(); "
        "out[0] = tile[threadIdx.x ^ 1]; }";
    EXPECT_NE(problems(compile(large, "copy")).find("400000 bytes of __shared__"), std::string::npos)
        << problems(compile(large, "copy"));
}

TEST_F(Nvrtc, ArchitecturesOlderAndNewerThanItKnows) {
    const char* source = "__global__ void copy(float* out) { out[0] = 1; }";
    EXPECT_FALSE(compile(source, "copy", 30).ok);
    EXPECT_NE(problems(compile(source, "copy", 30)).find("compute capability 3.0"), std::string::npos);
    const gpu::CompileOutcome newer = compile(source, "copy", 990);
    EXPECT_TRUE(newer.ok) << problems(newer);
    EXPECT_TRUE(newer.code.isPtx);
}

} // namespace
