// The drill's kernels, requests and expectations.
#include "tests/gpu/FaultDrill.h"

#include <signal.h>

#include <chrono>
#include <cstring>
#include <thread>

namespace drill {

const char* const kSource = R"(// Kernels that go wrong in one way each, and one that does not.
#include <cassert>
#include <cstdio>

__global__ void add_one(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + 1;
    }
}

__global__ void store_far_away(int* out) {
    out[(1ll << 40) + threadIdx.x] = 1;
}

__global__ void store_to_null(int* out) {
    int* nowhere = out - (size_t)out / sizeof(int);
    nowhere[threadIdx.x] = 1;
}

__global__ void store_misaligned(int* out) {
    *(int*)((char*)out + 1) = 1;
}

__global__ void trap_now(int* out) {
    if (out != nullptr) {
        __trap();
    }
}

__global__ void fail_assert(int* out) {
    assert(out == nullptr);
}

__global__ void store_past_shared(int* out) {
    extern __shared__ int tile[];
    tile[threadIdx.x + (1 << 22)] = 1;
    out[0] = tile[0];
}

__global__ void never_end(volatile int* out) {
    while (out[0] != 1234567) {
    }
}

__global__ void print_block(int* out) {
    out[0] = 1;
    printf("hello from block %d\n", blockIdx.x);
}
)";

namespace {

using gpu::RunRequest;
using gpu::RunResult;
using gpu::RunStatus;

sim::Buffer integers(const char* name, unsigned n, int first, bool counting) {
    sim::Buffer buffer{name, sim::ElementType::I32, n, {}, true, {}};
    buffer.bytes.resize(size_t(n) * sizeof(int));
    for (unsigned i = 0; i < n; ++i) {
        const int value = counting ? first + int(i) : first;
        std::memcpy(buffer.bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return buffer;
}

sim::Argument pointerTo(int buffer) {
    return {buffer, 0, {}};
}

sim::Argument integer(int value) {
    sim::Argument argument;
    argument.scalar.resize(sizeof value);
    std::memcpy(argument.scalar.data(), &value, sizeof value);
    return argument;
}

/// A launch of one of the kernels that take one buffer.
RunRequest oneBuffer(const char* kernel) {
    RunRequest request;
    request.source = kSource;
    request.fileName = "drill.cu";
    request.kernel = kernel;
    request.config.block = {32, 1, 1};
    request.buffers = {integers("out", 1024, 0, false)};
    request.arguments = {pointerTo(0)};
    request.options.launches = 2;
    request.options.warmUps = 1;
    return request;
}

using Change = std::function<void(RunRequest&)>;

std::function<RunResult(gpu::Session&)> running(RunRequest request, const Change& change = {}) {
    if (change) change(request);
    return [request](gpu::Session& session) { return session.run(request); };
}

std::function<std::string(const RunResult&)> expecting(RunStatus status, std::vector<int> codes = {},
                                                       std::string words = {}) {
    return [=](const RunResult& result) -> std::string {
        if (result.status != status)
            return std::string("status is ") + gpu::toString(result.status) + ", not " + gpu::toString(status);
        if (result.reason.empty()) return "no reason is given";
        if (result.reason.find(words) == std::string::npos) return "the reason does not say '" + words + "'";
        bool known = codes.empty();
        for (const int code : codes) known = known || result.error.code == code;
        if (!known) return "error code " + std::to_string(result.error.code) + " is not expected";
        if (!codes.empty() && (!result.error.name.starts_with("CUDA_ERROR_") || result.error.text.empty()))
            return "the driver's name and text are missing";
        return {};
    };
}

/// Runs an endless kernel and lets another thread interfere shortly after the launch.
RunResult disturbed(gpu::Session& session, const std::function<void()>& interfere) {
    RunRequest request = oneBuffer("never_end");
    request.options.secondsLimit = 60;
    std::thread other;
    RunResult result = session.run(request, [&](const gpu::Progress& progress) {
        if (progress.phase != gpu::RunPhase::Copying || other.joinable()) return;
        other = std::thread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(700));
            interfere();
        });
    });
    if (other.joinable()) other.join();
    return result;
}

std::string compileProblem(const RunResult& result) {
    if (const std::string problem = expecting(RunStatus::CompileFailed, {}, "undeclared_variable")(result);
        !problem.empty())
        return problem;
    if (result.diagnostics.empty()) return "there is no diagnostic";
    const sim::SourceLoc at = result.diagnostics[0].at;
    if (at.line != 2 || at.column != 14)
        return "the error is placed at " + std::to_string(at.line) + ":" + std::to_string(at.column) + ", not 2:14";
    return {};
}

std::string assertProblem(const RunResult& result) {
    if (const std::string problem = expecting(RunStatus::Failed, {710})(result); !problem.empty()) return problem;
    if (result.printedErrors.find("out == nullptr") == std::string::npos) return "the failed condition is not told";
    return {};
}

void addRejections(std::vector<Fault>& all) {
    all.push_back({"a text that does not compile",
                   running(oneBuffer("broken"),
                           [](RunRequest& r) {
                               r.source = "__global__ void broken(int* out) {\n    out[0] = undeclared_variable;\n}\n";
                           }),
                   compileProblem});
    all.push_back({"a kernel that the text does not have", running(oneBuffer("no_such_kernel")),
                   expecting(RunStatus::CompileFailed, {}, "no_such_kernel")});
    all.push_back({"an argument too few", running(goodRequest(), [](RunRequest& r) { r.arguments.pop_back(); }),
                   expecting(RunStatus::Rejected, {}, "takes 3 arguments, but 2")});
    all.push_back({"an argument of the wrong size",
                   running(goodRequest(), [](RunRequest& r) { r.arguments[2].scalar.resize(8); }),
                   expecting(RunStatus::Rejected, {}, "Argument 3")});
    all.push_back({"a GPU that is not there", running(goodRequest(), [](RunRequest& r) { r.options.device = 99; }),
                   expecting(RunStatus::Rejected, {}, "no GPU 99")});
    all.push_back({"a block with too many threads",
                   running(goodRequest(),
                           [](RunRequest& r) {
                               r.config.block = {2048, 1, 1};
                           }),
                   expecting(RunStatus::Failed, {1}, "2048")});
    all.push_back(
        {"too much dynamic shared memory",
         running(oneBuffer("store_past_shared"), [](RunRequest& r) { r.config.dynamicSharedBytes = 1 << 20; }),
         expecting(RunStatus::Failed, {1}, "1048576")});
    all.push_back({"more memory than the GPU has",
                   running(oneBuffer("add_one"),
                           [](RunRequest& r) {
                               r.buffers[0] = {"huge", sim::ElementType::F64, uint64_t{1} << 40, {}, false, {}};
                               r.arguments = {pointerTo(0), pointerTo(0), integer(1)};
                               r.output = {false};
                           }),
                   expecting(RunStatus::Failed, {2}, "memory")});
}

void addKernelFaults(std::vector<Fault>& all) {
    all.push_back({"a store far outside every buffer", running(oneBuffer("store_far_away")),
                   expecting(RunStatus::Failed, {700})});
    all.push_back({"a store to address 0", running(oneBuffer("store_to_null")), expecting(RunStatus::Failed, {700})});
    all.push_back({"a misaligned store", running(oneBuffer("store_misaligned")), expecting(RunStatus::Failed, {716})});
    all.push_back({"a trap", running(oneBuffer("trap_now")), expecting(RunStatus::Failed, {715, 719})});
    all.push_back({"a failed assertion", running(oneBuffer("fail_assert")), assertProblem});
    all.push_back({"a store past shared memory",
                   running(oneBuffer("store_past_shared"), [](RunRequest& r) { r.config.dynamicSharedBytes = 1024; }),
                   expecting(RunStatus::Failed, {700, 715, 717, 719})});
    all.push_back({"a kernel that never ends",
                   running(oneBuffer("never_end"), [](RunRequest& r) { r.options.secondsLimit = 2; }),
                   expecting(RunStatus::TimeLimit, {}, "2 s")});
}

void addInterference(std::vector<Fault>& all) {
    all.push_back({"a run that is cancelled",
                   [](gpu::Session& session) { return disturbed(session, [&] { session.cancel(); }); },
                   expecting(RunStatus::Cancelled)});
    all.push_back({"a worker that crashes",
                   [](gpu::Session& session) {
                       return disturbed(session, [&] {
                           if (const int pid = session.workerPid(); pid > 0)
                               kill(pid, SIGABRT); // Sanitizers leave this one alone.
                       });
                   },
                   expecting(RunStatus::WorkerFailed, {}, "signal 6")});
    all.push_back({"a worker that is killed between runs",
                   [](gpu::Session& session) {
                       session.survey();
                       if (const int pid = session.workerPid(); pid > 0) kill(pid, SIGKILL);
                       std::this_thread::sleep_for(std::chrono::milliseconds(300));
                       return session.run(goodRequest());
                   },
                   [](const RunResult& result) { return goodProblem(result); }});
}

} // namespace

RunRequest goodRequest(unsigned n) {
    RunRequest request = oneBuffer("add_one");
    request.config = {{(n + 255) / 256, 1, 1}, {256, 1, 1}, 0};
    request.buffers = {integers("out", n, -1, false), integers("in", n, 5, true)};
    request.output = {true, false};
    request.arguments = {pointerTo(0), pointerTo(1), integer(int(n))};
    return request;
}

std::string goodProblem(const RunResult& result, unsigned n) {
    if (result.status != RunStatus::Finished) return std::string(gpu::toString(result.status)) + ": " + result.reason;
    if (result.buffers.size() != 2 || result.buffers[0].bytes.size() != n * sizeof(int)) return "outputs are missing";
    if (std::memcmp(result.buffers[0].bytes.data(), integers("", n, 6, true).bytes.data(), n * sizeof(int)) != 0)
        return "the output is wrong";
    if (result.timings.kernel.count() != 2)
        return "there are " + std::to_string(result.timings.kernel.count()) + " samples, not 2";
    return {};
}

std::vector<Fault> faults() {
    std::vector<Fault> all;
    addRejections(all);
    addKernelFaults(all);
    addInterference(all);
    return all;
}

} // namespace drill
