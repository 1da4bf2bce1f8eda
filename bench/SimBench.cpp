// Speed of the simulator: warp instructions per second on classic kernels, with counters and with every check, and
// the time from CUDA C++ text to bytecode.
#include "playground/session/BufferContents.h"
#include "sim/Simulator.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

namespace {

struct Data {
    sim::ElementType type;
    uint64_t count;
    const char* init;
};

struct Workload {
    const char* name;
    const char* kernel;
    sim::LaunchConfig config;
    std::vector<Data> buffers; ///< Arguments in order, then the scalars.
    std::vector<int> scalars;
};

const std::vector<Workload>& workloads() {
    using sim::ElementType;
    const auto f32 = [](uint64_t count, const char* init = "hash") { return Data{ElementType::F32, count, init}; };
    constexpr uint64_t kMega = 1 << 20, kSide = 256 * 256;
    static const std::vector<Workload> list{
        {"vector_add", "vector_add", {{4096}, {256}}, {f32(kMega, "const:0"), f32(kMega), f32(kMega)}, {1 << 20}},
        {"matmul", "matmul_naive", {{16, 16}, {16, 16}}, {f32(kSide, "const:0"), f32(kSide), f32(kSide)}, {256}},
        {"matmul_tiled_16", "matmul_tiled_16", {{16, 16}, {16, 16}}, {f32(kSide, "const:0"), f32(kSide), f32(kSide)}, {256}},
        {"reduce_sequential", "reduce_sequential", {{4096}, {256}}, {f32(4096, "const:0"), f32(kMega)}, {1 << 20}},
        {"transpose", "transpose_tiled", {{32, 32}, {32, 8}}, {f32(kMega, "const:0"), f32(kMega)}, {1024}},
        {"histogram_global", "histogram_global", {{4096}, {256}},
         {{ElementType::U32, 256, "const:0"}, {ElementType::U8, kMega, "hash"}}, {1 << 20}},
        {"mean_filter_rgb", "mean_filter_rgb", {{64, 64}, {16, 16}},
         {{ElementType::U8, 3 * kMega, "const:0"}, {ElementType::U8, 3 * kMega, "hash"}}, {1024, 1024}},
    };
    return list;
}

std::string kernelText() {
    std::ifstream file(std::string(KERNELS) + "/algorithms.cu");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void simulate(benchmark::State& state, const Workload& work, unsigned hostThreads, bool checks) {
    static const sim::CompileResult compiled = sim::compile(kernelText());
    if (!compiled.program) return state.SkipWithError("the kernels do not compile");
    std::vector<sim::Buffer> buffers;
    std::vector<sim::Argument> arguments;
    for (const Data& data : work.buffers) {
        arguments.push_back({.buffer = int(buffers.size())});
        sim::Buffer buffer{.type = data.type, .count = data.count};
        if (const std::string problem = playground::fillBuffer(buffer, data.init, {}); !problem.empty())
            return state.SkipWithError(problem.c_str());
        buffers.push_back(std::move(buffer));
    }
    for (const int value : work.scalars) arguments.push_back({.scalar = playground::scalarBytes(sim::ElementType::I32, value)});
    sim::LaunchOptions options;
    options.hostThreads = hostThreads;
    options.checks = checks;
    uint64_t instructions = 0;
    for (auto _ : state) {
        const sim::LaunchReport report = sim::launch(*compiled.program, work.kernel, work.config, arguments, buffers, options);
        if (report.status != sim::LaunchStatus::Finished || !report.findings.empty()) return state.SkipWithError("the launch did not run clean");
        state.SetIterationTime(report.wallMs / 1000.0);
        instructions += report.total.warpInstructions;
    }
    state.counters["warp_inst/s"] = benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}

void compileText(benchmark::State& state, const std::string& text) {
    (void)sim::compile(text); // The first time builds or loads the precompiled prelude.
    for (auto _ : state) benchmark::DoNotOptimize(sim::compile(text));
}

} // namespace

int main(int argc, char** argv) {
    for (const Workload& w : workloads())
        for (const unsigned threads : {1u, 2u}) {
            const std::string name = std::string("sim/") + w.name + "/threads:" + std::to_string(threads);
            benchmark::RegisterBenchmark(name.c_str(), [&w, threads](benchmark::State& s) { simulate(s, w, threads, false); })
                ->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.5);
        }
    benchmark::RegisterBenchmark("compile/vector_add", [](benchmark::State& s) {
        compileText(s, "__global__ void vector_add(float *c, const float *a, const float *b, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n");
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compile/algorithms", [](benchmark::State& s) { compileText(s, kernelText()); })->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
