// Exported programs: the formulas they use, the parameters they read, and that nvcc and Python take the text.
#include "gpu/export/Export.h"
#include "gpu/export/Crc32.h"
#include "gpu/export/ExportPlan.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using gpu::Fill;
using sim::ElementType;
using Kind = Fill::Kind;

sim::Buffer filled(const char* name, ElementType type, uint64_t count, const Fill& fill) {
    sim::Buffer buffer{name, type, count, {}, true, {}};
    gpu::applyFill(buffer, fill);
    return buffer;
}

template <class T>
std::vector<std::byte> bytesOf(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

TEST(Crc32, IsTheOneOfZlib) {
    const std::string text = "123456789";
    EXPECT_EQ(gpu::crc32(std::as_bytes(std::span(text))), 0xCBF43926u);
    EXPECT_EQ(gpu::crc32({}), 0u);
}

TEST(Fill, EveryFormulaIsRecognised) {
    for (const ElementType type : {ElementType::I8, ElementType::U8, ElementType::I32, ElementType::U32,
                                   ElementType::I64, ElementType::F32, ElementType::F64})
        for (const Fill& fill : {Fill{Kind::Constant, 3}, Fill{Kind::Linear, 1}, Fill{Kind::Linear, 2},
                                 Fill{Kind::Modulo, 7}, Fill{Kind::Hash, 0}, Fill{Kind::HashMod, 10}}) {
            const sim::Buffer buffer = filled("b", type, 1000, fill);
            EXPECT_EQ(gpu::recogniseFill(buffer), fill) << sim::toString(type) << " kind " << int(fill.kind);
        }
    EXPECT_EQ(gpu::recogniseFill(filled("b", ElementType::F32, 100, {Kind::Constant, 0.1f})),
              (Fill{Kind::Constant, double(0.1f)}));
}

TEST(Fill, OneWrongElementMeansListed) {
    sim::Buffer buffer = filled("b", ElementType::F32, 1000, {Kind::Hash, 0});
    buffer.bytes[4 * 999] ^= std::byte{1};
    EXPECT_EQ(gpu::recogniseFill(buffer).kind, Kind::Listed);
    EXPECT_EQ(gpu::recogniseFill({"b", ElementType::F32, 0, {}, true, {}}).kind, Kind::Listed);
}

TEST(Fill, HashOfTheFirstElements) {
    // h(0) = 12345, h(1) = 2654448106: worked out by hand.
    const sim::Buffer words = filled("b", ElementType::U32, 2, {Kind::Hash, 0});
    EXPECT_EQ(words.bytes, (filled("b", ElementType::U32, 2, {Kind::Linear, 0}), [] {
                  auto bytes = bytesOf(12345u >> 8);
                  const auto second = bytesOf(2654448106u >> 8);
                  bytes.insert(bytes.end(), second.begin(), second.end());
                  return bytes;
              }()));
}

TEST(KernelSignature, ReadsParameters) {
    const auto parameters = gpu::parseSignature(
        "// __global__ void copy(int wrong)\n"
        "__global__ void copy_all(int other);\n"
        "template <class T>\n__global__ __launch_bounds__(256) void copy(float* __restrict__ out,\n"
        "    const float4 *in /* read */, unsigned int n, T value = T(), const Particle p, int (*)[3], double x[])\n"
        "{\n}\n",
        "lesson::copy<float>");
    ASSERT_TRUE(parameters);
    ASSERT_EQ(parameters->size(), 7u);
    const auto expect = [&](size_t i, const char* type, const char* name, bool pointer) {
        EXPECT_EQ((*parameters)[i].type, type);
        EXPECT_EQ((*parameters)[i].name, name);
        EXPECT_EQ((*parameters)[i].pointer, pointer);
    };
    expect(0, "float*", "out", true);
    expect(1, "const float4*", "in", true);
    expect(2, "unsigned int", "n", false);
    expect(3, "T", "value", false);
    expect(4, "const Particle", "p", false);
    expect(6, "double*", "x", true);
    EXPECT_FALSE(gpu::parseSignature("void copy(int n) {}", "copy"));
    EXPECT_TRUE(gpu::parseSignature("__global__ void copy() {}", "copy")->empty());
    EXPECT_TRUE(gpu::parseSignature("__global__ void copy(void) {}", "copy")->empty());
    EXPECT_EQ(gpu::parseSignature("__global__ void copy(unsigned) {}", "copy")->at(0).type, "unsigned");
}

gpu::ExportInput copyInput() {
    gpu::ExportInput input;
    input.source = "__global__ void copy(float* out, const float* in, int n) {\n    int i = blockIdx.x * blockDim.x + "
                   "threadIdx.x;\n"
                   "    if (i < n) {\n        out[i] = in[i];\n    }\n}\n";
    input.fileName = "copy.cu";
    input.kernel = "copy";
    input.config = {{4, 1, 1}, {256, 1, 1}, 0};
    input.buffers = {filled("out", ElementType::F32, 1000, {Kind::Constant, 0}),
                     filled("in", ElementType::F32, 1000, {Kind::Hash, 0})};
    input.arguments = {{0, 0, {}}, {1, 0, {}}, {-1, 0, bytesOf(1000)}};
    input.output = {true, false};
    input.expected = {input.buffers[1], input.buffers[1]};
    input.expectedFrom = "the simulator";
    input.numbaSource = "@cuda.jit\ndef copy(out, a, n):\n    i = cuda.grid(1)\n    if i < n:\n        out[i] = a[i]\n";
    return input;
}

/// A template, a structure by value, dynamic shared memory, an offset, bytes that follow no formula, uninitialised
/// memory.
gpu::ExportInput hardInput() {
    gpu::ExportInput input;
    input.source = "#include <cuda_fp16.h>\nstruct Pair { float a; float b; float c; };\n"
                   "template <int N> __global__ void mix(half* out, const double* in, Pair p, float s) {\n"
                   "    extern __shared__ float tile[];\n    tile[threadIdx.x] = p.a * s;\n    __syncthreads();\n"
                   "    out[threadIdx.x] = __float2half(float(in[N]) + tile[threadIdx.x ^ 1]);\n}\n";
    input.fileName = "mix.cu";
    input.kernel = "mix<3>";
    input.config = {{1, 1, 1}, {32, 2, 1}, 100 << 10};
    input.buffers = {{"2 out", ElementType::F16, 64, {}, false, {}},
                     filled("class", ElementType::F64, 10, {Kind::Hash, 0})};
    input.buffers[1].bytes[3] ^= std::byte{5};
    input.arguments = {
        {0, 0, {}}, {1, 8, {}}, {-1, 0, std::vector<std::byte>(12, std::byte{63})}, {-1, 0, bytesOf(0.1f)}};
    input.output = {true, false};
    return input;
}

/// Listed floats with what no decimal shows, and every fill.
gpu::ExportInput fillsInput() {
    gpu::ExportInput input;
    input.source = "__global__ void fills(float* a, double* b, unsigned char* c, long long* d, unsigned* e, float* f, "
                   "short* g, int4 v) {\n"
                   "    a[0] = v.x;\n}\n";
    input.fileName = "fills.cu";
    input.kernel = "fills";
    input.config = {{1, 1, 1}, {32, 1, 1}, 0};
    input.buffers = {filled("a", ElementType::F32, 5, {Kind::Constant, 1.5}),
                     filled("b", ElementType::F64, 100, {Kind::Linear, 0.1}),
                     filled("c", ElementType::U8, 300, {Kind::Hash, 0}),
                     filled("d", ElementType::I64, 100, {Kind::Modulo, 7}),
                     filled("e", ElementType::U32, 100, {Kind::HashMod, 9}),
                     filled("f", ElementType::F32, 3, {Kind::Constant, 0}),
                     filled("g", ElementType::I16, 100, {Kind::Linear, -3})};
    const float special[] = {NAN, -INFINITY, 1e-42f};
    std::memcpy(input.buffers[5].bytes.data(), special, sizeof special);
    for (int i = 0; i < 7; ++i) input.arguments.push_back({i, 0, {}});
    input.arguments.push_back({-1, 0, std::vector<std::byte>(16, std::byte{1})});
    input.expected = input.buffers;
    input.expectedFrom = "the CPU reference";
    return input;
}

TEST(Export, CudaReadsLikeAProgramByHand) {
    const gpu::Exported program = gpu::exportCuda(copyInput());
    EXPECT_EQ(program.problem, "");
    EXPECT_EQ(program.fileName, "copy_run.cu");
    EXPECT_NE(program.command.find("nvcc"), std::string::npos);
    for (const char* part :
         {"in_(1000);", "float((exported::hash(i) >> 8) / 16777216.0)", "copy<<<grid, block>>>(d_out, d_in_, n);",
          "int n = 1000;", "const dim3 grid(4, 1, 1), block(256, 1, 1);", "those of the simulator"})
        EXPECT_NE(program.text.find(part), std::string::npos) << part << "\n" << program.text;
    EXPECT_NE(program.text.find(copyInput().source), std::string::npos) << "the kernel's text is unchanged";
}

TEST(Export, CupyPycudaAndNumba) {
    const std::string cupy = gpu::exportCupy(copyInput()).text;
    EXPECT_NE(cupy.find("kernel((4, 1, 1), (256, 1, 1), (d_out, d_in_, np.int32(1000)))"), std::string::npos) << cupy;
    const std::string pycuda = gpu::exportPycuda(copyInput()).text;
    EXPECT_NE(pycuda.find("kernel(d_out, d_in_, np.int32(1000), grid=(4, 1, 1), block=(256, 1, 1))"), std::string::npos)
        << pycuda;
    const std::string numba = gpu::exportNumba(copyInput()).text;
    EXPECT_NE(numba.find("copy[(4, 1, 1), (256, 1, 1)](d_out, d_in_, np.int32(1000))"), std::string::npos) << numba;
    gpu::ExportInput without = copyInput();
    without.numbaSource.clear();
    EXPECT_NE(gpu::exportNumba(without).problem, "");
}

TEST(Export, SaysWhatItCannotWrite) {
    EXPECT_NE(gpu::exportCupy(hardInput()).problem.find("structure"), std::string::npos);
    gpu::ExportInput input = copyInput();
    input.buffers[1] = filled("in", ElementType::F32, 1'000'000, {Kind::Hash, 0});
    EXPECT_EQ(gpu::exportCuda(input).problem, "") << "a formula has no size";
    input.buffers[1].bytes[0] ^= std::byte{1};
    EXPECT_NE(gpu::exportCuda(input).problem.find("no formula"), std::string::npos);
    input = copyInput();
    input.source += "int main() {}\n";
    EXPECT_NE(gpu::exportCuda(input).problem, "");
}

int run(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class ExportedProgram : public testing::Test {
protected:
    ExportedProgram() { fs::create_directories(folder_); }
    ~ExportedProgram() override { fs::remove_all(folder_); }
    fs::path write(const gpu::Exported& program) const {
        EXPECT_EQ(program.problem, "");
        std::ofstream(folder_ / program.fileName) << program.text;
        return folder_ / program.fileName;
    }
    fs::path folder_ = fs::temp_directory_path() / ("cuda-playground-export-" + std::to_string(getpid()));
};

TEST_F(ExportedProgram, NvccTakesTheText) {
    if (run("command -v nvcc >/dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is not installed";
    for (const gpu::ExportInput& input : {copyInput(), hardInput(), fillsInput()}) {
        const fs::path file = write(gpu::exportCuda(input));
        const std::string object = (folder_ / "program.o").string();
        EXPECT_EQ(run("nvcc -std=c++17 -arch=sm_90 --Werror all-warnings -c -o " + object + " " + file.string()), 0)
            << gpu::exportCuda(input).text;
    }
}

TEST_F(ExportedProgram, PythonTakesTheText) {
    if (run("command -v python3 >/dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
    gpu::ExportInput fills = fillsInput();
    fills.arguments.pop_back();
    for (const gpu::ExportInput& input : {copyInput(), fills})
        for (const auto& program : {gpu::exportCupy(input), gpu::exportPycuda(input)})
            EXPECT_EQ(run("python3 -m py_compile " + write(program).string()), 0) << program.text;
    EXPECT_EQ(run("python3 -m py_compile " + write(gpu::exportNumba(copyInput())).string()), 0);
}

} // namespace
