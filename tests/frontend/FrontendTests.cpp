// What the front end makes of CUDA C++: the bytecode it emits, the diagnostics it gives, the names it keeps.
#include "sim/Simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using sim::Opcode;

sim::CompileResult compile(const std::string& source, std::vector<std::string> instances = {}) {
    sim::CompileOptions options;
    options.fileName = "test.cu";
    options.instantiate = std::move(instances);
    return sim::compile(source, options);
}

const sim::Function& onlyKernel(const sim::CompileResult& result) {
    static const sim::Function none;
    for (const sim::Diagnostic& d : result.diagnostics)
        if (d.severity == sim::Diagnostic::Severity::Error) ADD_FAILURE() << d.rendered;
    if (!result.program) return none;
    for (const sim::Function& f : result.program->functions)
        if (f.kernel) return f;
    ADD_FAILURE() << "no kernel";
    return none;
}

int count(const sim::Function& f, Opcode op) {
    return int(std::count_if(f.code.begin(), f.code.end(), [&](const sim::Instruction& i) { return i.op == op; }));
}

TEST(Frontend, NamesKernelAndParametersAsTheSourceDoes) {
    const auto result = compile("__global__ void add(float *c, const float *a, int n) { if (n > 0) c[0] = a[0]; }");
    const sim::Function& f = onlyKernel(result);
    EXPECT_EQ(f.name, "add");
    ASSERT_EQ(f.parameters.size(), 3u);
    EXPECT_EQ(f.parameters[1].name, "a");
    EXPECT_EQ(f.parameters[1].type, "const float *");
    EXPECT_EQ(f.parameters[1].element, sim::ElementType::F32);
    EXPECT_TRUE(f.parameters[1].pointer);
    EXPECT_EQ(f.parameters[2].bytes, 4u);
}

TEST(Frontend, ContractsProductAndSumLikeNvcc) {
    const auto result = compile("__global__ void k(float *o, const float *x, float a) {\n"
                                "  o[0] = a * x[0] + x[1];\n  o[1] = x[2] - a * x[3];\n  o[2] = a * x[4] - x[5];\n}");
    const sim::Function& f = onlyKernel(result);
    EXPECT_EQ(count(f, Opcode::FmaF32), 1);
    EXPECT_EQ(count(f, Opcode::FnmaF32), 1);
    EXPECT_EQ(count(f, Opcode::FmsF32), 1);
    EXPECT_EQ(count(f, Opcode::MulF32), 0);
}

TEST(Frontend, CopiesAFloat4WithOneSixteenByteAccess) {
    const auto result = compile("__global__ void k(float4 *o, const float4 *in) { o[threadIdx.x] = in[threadIdx.x]; }");
    const sim::Function& f = onlyKernel(result);
    ASSERT_EQ(count(f, Opcode::Load), 1);
    ASSERT_EQ(count(f, Opcode::Store), 1);
    for (const sim::Instruction& i : f.code)
        if (i.op == Opcode::Load || i.op == Opcode::Store) { EXPECT_EQ((i.aux & 15) * (i.aux >> 4), 16); }
}

TEST(Frontend, KeepsEveryLoadOfTheSource) {
    const auto result = compile("__global__ void k(float *o, const float *in) { o[0] = in[1]; o[2] = in[1]; }");
    EXPECT_EQ(count(onlyKernel(result), Opcode::Load), 2);
}

TEST(Frontend, UnusedAtomicResultIsAReduction) {
    const auto result = compile("__global__ void k(int *o) { atomicAdd(&o[0], 1); o[1] = atomicAdd(&o[2], 1); }");
    std::vector<bool> hasResult;
    for (const sim::Instruction& i : onlyKernel(result).code)
        if (i.op == Opcode::Atomic) hasResult.push_back(i.d != sim::kNoSlot);
    EXPECT_EQ(hasResult, (std::vector<bool>{false, true}));
}

TEST(Frontend, BranchReconvergesAtItsImmediatePostDominator) {
    const auto result = compile("__global__ void k(int *o, int n) {\n  int x;\n  if (threadIdx.x < 4) x = o[1]; else x = o[2];\n  o[threadIdx.x] = x;\n}");
    const sim::Function& f = onlyKernel(result);
    ASSERT_EQ(f.branches.size(), 1u);
    const uint32_t meet = f.branches[0].reconverge;
    ASSERT_NE(meet, ~0u);
    EXPECT_EQ(f.code[meet].op, Opcode::Block);
    EXPECT_EQ(f.code[meet].aux & 1, 1);
    EXPECT_EQ(f.locations[meet].line, 4u);
}

TEST(Frontend, EarlyReturnDoesNotReconverge) {
    const auto result = compile("__global__ void k(int *o, int n) { if (threadIdx.x >= n) return; o[threadIdx.x] = 1; }");
    const sim::Function& f = onlyKernel(result);
    ASSERT_EQ(f.branches.size(), 1u);
    EXPECT_EQ(f.branches[0].reconverge, ~0u);
}

TEST(Frontend, InlinedHeaderCodeCarriesTheCallersLine) {
    const auto result = compile("__global__ void k(float *o) {\n  o[0] =\n    sinf(o[1]);\n}");
    for (const sim::Instruction& i : onlyKernel(result).code)
        if (i.op == Opcode::MathF32) { EXPECT_EQ(onlyKernel(result).locations[size_t(&i - onlyKernel(result).code.data())].line, 3u); }
    EXPECT_EQ(count(onlyKernel(result), Opcode::MathF32), 1);
}

TEST(Frontend, DeviceFunctionKeepsItsOwnLines) {
    const auto result = compile("__device__ float twice(float x) {\n  return x * 2.0f;\n}\n__global__ void k(float *o) { o[0] = twice(o[1]); }");
    const sim::Function& f = onlyKernel(result);
    for (size_t pc = 0; pc < f.code.size(); ++pc)
        if (f.code[pc].op == Opcode::MulF32) { EXPECT_EQ(f.locations[pc].line, 2u); }
    EXPECT_EQ(count(f, Opcode::MulF32), 1);
}

TEST(Frontend, VariablesAreFoundWhereTheyLive) {
    const auto result = compile("__global__ void k(float *o, int n) {\n  int i = threadIdx.x;\n  float sum = 0;\n"
                                "  for (int j = 0; j < n; ++j) sum += o[i + j];\n  o[i] = sum;\n}");
    const sim::Function& f = onlyKernel(result);
    for (const char* name : {"i", "sum", "j", "n", "o"}) {
        const auto v = std::find_if(f.variables.begin(), f.variables.end(), [&](const sim::Variable& x) { return x.name == name; });
        ASSERT_NE(v, f.variables.end()) << name;
        EXPECT_FALSE(v->ranges.empty()) << name;
    }
    const auto sum = std::find_if(f.variables.begin(), f.variables.end(), [](const sim::Variable& x) { return x.name == "sum"; });
    EXPECT_EQ(sum->type, "float");
    EXPECT_EQ(sum->format, sim::Variable::Format::Float);
}

/// The layout an instruction writes its destination in: 'd' 32-bit, 'D' 64-bit, 'p' predicate (Opcodes.def).
char layoutWritten(const sim::Instruction& i) {
    if (i.op == Opcode::Load) return (i.aux & 15) == 8 ? 'D' : 'd';
    const char format = sim::formatOf(i.op)[0];
    return format == 'v' ? 'd' : format;
}

TEST(Frontend, SlotsNeverChangeTheirLayout) {
    // Under divergence one path's predicate would land in the bytes of a value that lanes of the other path keep.
    const auto result = compile("__global__ void k(float *o, const double *in, int n) {\n"
                                "  int t = threadIdx.x; float x = o[t];\n"
                                "  if (t < 16) { if (t < 8) { for (int k = 0; k < n; ++k) x = x * 3 + 1; } else { double d = in[t] * 2; x += (float)d; } }\n"
                                "  else { if (t < 24) { for (int k = 0; k < n; ++k) x = x * 7 + (float)in[k]; } else { float4 v = ((float4 *)o)[t]; x = v.x + v.w; } }\n"
                                "  o[t] = x;\n}");
    const sim::Function& f = onlyKernel(result);
    std::map<uint16_t, char> layouts;
    for (const sim::Instruction& i : f.code) {
        if (i.d == sim::kNoSlot) continue;
        const char layout = layoutWritten(i);
        const unsigned slots = i.op == Opcode::Load ? (i.aux >> 4) * (layout == 'D' ? 2 : 1) : layout == 'D' ? 2 : 1;
        for (unsigned s = 0; s < slots; ++s) {
            const auto [at, added] = layouts.try_emplace(uint16_t(i.d + s), layout);
            EXPECT_EQ(at->second, layout) << "slot " << i.d + s << " at pc " << &i - f.code.data();
        }
    }
    EXPECT_GT(layouts.size(), 3u);
}

TEST(Frontend, SharedVariablesAreLaidOutPerKernelDynamicLast) {
    const auto result = compile("__global__ void k(float *o) {\n  __shared__ char tag[3];\n  __shared__ float tile[8][9];\n"
                                "  extern __shared__ float rest[];\n  tag[threadIdx.x] = 1; tile[0][0] = tag[0]; rest[0] = tile[1][1]; o[0] = rest[0];\n}");
    const sim::Function& f = onlyKernel(result);
    ASSERT_EQ(f.shared.size(), 3u);
    const sim::Global& last = result.program->globals[f.shared.back().global];
    EXPECT_TRUE(last.dynamicShared);
    EXPECT_EQ(f.shared.back().offset % 16, 0u);
    EXPECT_GE(f.shared.back().offset, 3u + 8 * 9 * 4);
    for (const auto& v : f.shared)
        if (result.program->globals[v.global].name == "tile") { EXPECT_EQ(result.program->globals[v.global].extents, (std::vector<uint32_t>{8, 9})); }
}

TEST(Frontend, WholeFilesWithHostCodeCompile) {
    const auto result = compile("#include <cuda_runtime.h>\n#include <cstdint>\n#include <stdio.h>\n#include <vector>\n"
                                "__global__ void k(int *o) { o[threadIdx.x] = 1; }\n"
                                "int main() { int *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d);\n"
                                "  std::vector<int> h(32); cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[0]); return cudaGetLastError(); }\n");
    EXPECT_EQ(onlyKernel(result).name, "k");
}

TEST(Frontend, TemplateKernelsAreInstantiatedByNameAndByLaunch) {
    const std::string text = "template <int T> __global__ void tile(int *o) { o[threadIdx.x] = T; }\n";
    const auto byName = compile(text, {"tile<16>"});
    EXPECT_EQ(onlyKernel(byName).name, "tile<16>");
    ASSERT_TRUE(byName.program);
    EXPECT_NE(byName.program->findKernel("tile"), nullptr);
    const auto byLaunch = compile(text + "int main() { tile<8><<<1, 1>>>(0); }\n");
    EXPECT_EQ(onlyKernel(byLaunch).name, "tile<8>");
}

TEST(Frontend, ErrorsCarryLineColumnAndCaret) {
    const auto result = compile("__global__ void k(float *o) {\n  o[0] = undeclared;\n}\n");
    EXPECT_FALSE(result.program);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics[0].at.line, 2u);
    EXPECT_EQ(result.diagnostics[0].at.column, 10u);
    EXPECT_NE(result.diagnostics[0].rendered.find("test.cu:2:10"), std::string::npos) << result.diagnostics[0].rendered;
    EXPECT_NE(result.diagnostics[0].rendered.find('^'), std::string::npos);
}

TEST(Frontend, UnsupportedConstructsAreNamedWithTheirLine) {
    const auto result = compile("__global__ void k(float *o) {\n  float x;\n  asm(\"add.f32 %0, %1, %1;\" : \"=f\"(x) : \"f\"(o[0]));\n  o[0] = x;\n}\n");
    EXPECT_FALSE(result.program);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics[0].at.line, 3u);
    EXPECT_NE(result.diagnostics[0].message.find("add.f32"), std::string::npos) << result.diagnostics[0].message;
}

TEST(Frontend, InlineReadsOfSpecialRegistersWork) {
    const auto result = compile("__global__ void k(unsigned *o) {\n  unsigned lane;\n  asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n  o[lane] = lane;\n}\n");
    EXPECT_EQ(onlyKernel(result).name, "k");
}

TEST(Frontend, ASecondInlineInstructionIsRefusedRatherThanLost) {
    const auto result = compile("__global__ void k(unsigned *o) {\n  unsigned x;\n"
                                "  asm(\"mov.u32 %0, %%laneid; add.u32 %0, %0, 1;\" : \"=r\"(x));\n  o[0] = x;\n}\n");
    EXPECT_FALSE(result.program);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics[0].at.line, 3u);
    EXPECT_NE(result.diagnostics[0].message.find("add.u32"), std::string::npos) << result.diagnostics[0].message;
}

TEST(Frontend, AFunctionWithoutABodyIsNamedAsItself) {
    // "vertex" holds the letters of a texture function's name; it is none.
    const auto result = compile("__device__ int vertex_count(int n);\n__global__ void k(int *o) {\n  o[0] = vertex_count(o[1]);\n}\n");
    EXPECT_FALSE(result.program);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics[0].message.find("texture"), std::string::npos) << result.diagnostics[0].message;
    EXPECT_NE(result.diagnostics[0].message.find("vertex_count"), std::string::npos) << result.diagnostics[0].message;
}

TEST(Frontend, RecursionStaysACall) {
    const auto result = compile("__device__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n__global__ void k(int *o) { o[0] = fact(o[1]); }");
    EXPECT_EQ(count(onlyKernel(result), Opcode::Call), 1);
}

TEST(Frontend, LaunchBoundsAreKept) {
    const auto result = compile("__global__ void __launch_bounds__(128, 4) k(int *o) { o[0] = 1; }");
    EXPECT_EQ(onlyKernel(result).maxThreadsPerBlock, 128u);
    EXPECT_EQ(onlyKernel(result).minBlocksPerSm, 4u);
}

} // namespace
