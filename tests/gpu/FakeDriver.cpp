// A stand-in for libcuda: one small GPU with 1 GiB that runs the drill's kernels on the host.
//
// Streams run in order when they are waited for (or when a pageable copy has to wait), so a gate that nobody opens
// hangs here as it does on a device. After a fault every call gives that fault's error, as a real context does.
// $FAKE_CUDA_DEVICES=0 makes a machine without a GPU, $FAKE_CUDA_VERSION an older driver.
#include "gpu/worker/DriverApi.h"
#include "tests/gpu/FakeKernels.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace gpu::cu;

constexpr size_t kMemoryBytes = size_t{1} << 30;
constexpr int kMaxThreads = 1024, kMaxShared = 227 << 10, kStaticShared = 0;

using Steps = std::deque<std::function<int()>>;

struct FakeStream {
    Steps queue;
};

struct FakeEvent {
    std::chrono::steady_clock::time_point at;
    Stream recordedOn = nullptr;
    unsigned pending = 0; // Records enqueued and not reached yet.
};

/// What was captured, in the order of the calls, which respects every dependency.
struct FakeGraph {
    Steps steps;
};

struct FakeModule {
    std::string kernel;
};

struct FakeFunction {
    const fake::Kernel* kernel = nullptr;
    int maxDynamicShared = 48 << 10;
};

int fault = 0; // The context's sticky error.
size_t allocated = 0;
std::map<void*, size_t> allocations;
std::map<const void*, size_t> pinned;
FakeGraph* capturing = nullptr;
std::map<Function, std::unique_ptr<FakeFunction>> functions;

FakeStream& streamOf(Stream stream) {
    static FakeStream defaultStream;
    return stream != nullptr ? *reinterpret_cast<FakeStream*>(stream) : defaultStream;
}

/// Runs what the stream holds. A step that waits for another stream drains that one from inside.
int drain(Stream stream) {
    Steps& queue = streamOf(stream).queue;
    while (!queue.empty()) {
        const auto step = std::move(queue.front());
        queue.pop_front();
        if (fault == 0) fault = step();
    }
    return fault;
}

int enqueue(Stream stream, std::function<int()> step) {
    Steps& queue = capturing != nullptr ? capturing->steps : streamOf(stream).queue;
    if (fault == 0) queue.push_back(std::move(step));
    return fault;
}

/// Page-locked memory is copied when the stream gets there, other memory before the call returns.
int copy(void* to, const void* from, size_t bytes, const void* host, Stream stream) {
    const auto step = [=] {
        std::memcpy(to, from, bytes);
        return kSuccess;
    };
    auto block = pinned.upper_bound(host);
    const bool isPinned = block != pinned.begin() && host < static_cast<const char*>((--block)->first) + block->second;
    if (isPinned || capturing != nullptr) return enqueue(stream, step);
    if (drain(stream) == 0) step();
    return fault;
}

int fromEnvironment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::atoi(text) : otherwise;
}

struct ErrorRow {
    int code;
    const char *name, *text;
};
constexpr std::array<ErrorRow, 11> kErrors{
    {{0, "CUDA_SUCCESS", "no error"},
     {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
     {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
     {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
     {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
     {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
     {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
     {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
     {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
     {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
     {999, "CUDA_ERROR_UNKNOWN", "unknown error"}}};

const ErrorRow& rowOf(int code) {
    for (const ErrorRow& row : kErrors)
        if (row.code == code) return row;
    return kErrors.back();
}

} // namespace

extern "C" {

int cuInit(unsigned) {
    return fromEnvironment("FAKE_CUDA_DEVICES", 1) > 0 ? kSuccess : kNoDevice;
}
int cuDriverGetVersion(int* version) {
    *version = fromEnvironment("FAKE_CUDA_VERSION", 13000);
    return kSuccess;
}
int cuGetErrorName(int error, const char** name) {
    *name = rowOf(error).name;
    return kSuccess;
}
int cuGetErrorString(int error, const char** text) {
    *text = rowOf(error).text;
    return kSuccess;
}
int cuDeviceGetCount(int* count) {
    *count = fromEnvironment("FAKE_CUDA_DEVICES", 1);
    return kSuccess;
}
int cuDeviceGet(Device* device, int index) {
    *device = index;
    return kSuccess;
}
int cuDeviceGetName(char* name, int size, Device) {
    std::strncpy(name, "Fake GPU", size_t(size));
    return kSuccess;
}
int cuDeviceGetPCIBusId(char* text, int size, Device) {
    std::strncpy(text, "0000:00:00.0", size_t(size));
    return kSuccess;
}
int cuDeviceTotalMem_v2(size_t* bytes, Device) {
    *bytes = kMemoryBytes;
    return kSuccess;
}
int cuDeviceGetAttribute(int* value, int attribute, Device) {
    static const std::map<int, int> values{{kMaxThreadsPerBlock, kMaxThreads},
                                           {kMaxBlockX, 1024},
                                           {kMaxBlockY, 1024},
                                           {kMaxBlockZ, 64},
                                           {kMaxGridX, 0x7fffffff},
                                           {kMaxGridY, 65535},
                                           {kMaxGridZ, 65535},
                                           {kMaxSharedPerBlock, 48 << 10},
                                           {kWarpSize, 32},
                                           {kClockRate, 1'000'000},
                                           {kMultiprocessorCount, 2},
                                           {kMemoryClockRate, 1'000'000},
                                           {kMemoryBusWidth, 128},
                                           {kL2CacheSize, 1 << 20},
                                           {kComputeMajor, 9},
                                           {kComputeMinor, 0},
                                           {kMaxSharedPerBlockOptIn, kMaxShared}};
    const auto found = values.find(attribute);
    *value = found != values.end() ? found->second : 0;
    return kSuccess;
}
int cuDevicePrimaryCtxRetain(Context* context, Device) {
    *context = reinterpret_cast<Context>(&fault);
    return fault;
}
int cuCtxSetCurrent(Context) {
    return fault;
}
int cuCtxSynchronize() {
    return fault;
}
int cuMemGetInfo_v2(size_t* free, size_t* total) {
    *free = kMemoryBytes - allocated;
    *total = kMemoryBytes;
    return fault;
}

int cuMemAlloc_v2(DevicePointer* pointer, size_t bytes) {
    if (fault != 0) return fault;
    if (bytes == 0) return kInvalidValue;
    if (bytes > kMemoryBytes - allocated) return kOutOfMemory;
    void* at = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(at, 0x77, bytes);
    allocations[at] = bytes;
    allocated += bytes;
    *pointer = reinterpret_cast<DevicePointer>(at);
    return kSuccess;
}
int cuMemFree_v2(DevicePointer pointer) {
    void* at = reinterpret_cast<void*>(pointer);
    const auto found = allocations.find(at);
    if (found == allocations.end()) return kInvalidValue;
    allocated -= found->second;
    allocations.erase(found);
    std::free(at);
    return fault;
}
int cuMemAllocHost_v2(void** pointer, size_t bytes) {
    *pointer = std::calloc(1, bytes);
    pinned[*pointer] = bytes;
    return fault;
}
int cuMemFreeHost(void* pointer) {
    pinned.erase(pointer);
    std::free(pointer);
    return fault;
}
int cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, size_t bytes, Stream stream) {
    return copy(reinterpret_cast<void*>(to), from, bytes, from, stream);
}
int cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, size_t bytes, Stream stream) {
    return copy(to, reinterpret_cast<const void*>(from), bytes, to, stream);
}
int cuMemAllocManaged(DevicePointer* pointer, size_t bytes, unsigned) {
    return cuMemAlloc_v2(pointer, bytes);
}
int cuMemPrefetchAsync(DevicePointer, size_t, Device, Stream stream) {
    return enqueue(stream, [] { return kSuccess; });
}
int cuMemsetD8Async(DevicePointer to, unsigned char value, size_t bytes, Stream stream) {
    return enqueue(stream, [=] {
        std::memset(reinterpret_cast<void*>(to), value, bytes);
        return kSuccess;
    });
}

int cuModuleLoadDataEx(Module* module, const void* image, unsigned, int*, void**) {
    constexpr const char* kPrefix = "FAKE ";
    const char* text = static_cast<const char*>(image);
    if (std::strncmp(text, kPrefix, 5) != 0) return 200;
    *module = reinterpret_cast<Module>(new FakeModule{text + 5});
    return fault;
}
int cuModuleUnload(Module module) {
    delete reinterpret_cast<FakeModule*>(module);
    return fault;
}
int cuModuleGetFunction(Function* function, Module module, const char* name) {
    // A lowered name here is "fake_" and the kernel's name; helpers are looked up by their plain names.
    const auto* loaded = reinterpret_cast<FakeModule*>(module);
    const bool own = std::string(name) == "fake_" + loaded->kernel;
    auto made = std::make_unique<FakeFunction>();
    made->kernel = fake::findKernel(own ? loaded->kernel : name);
    if (made->kernel == nullptr) return kNotFound;
    *function = reinterpret_cast<Function>(made.get());
    functions[*function] = std::move(made);
    return fault;
}
int cuFuncGetAttribute(int* value, int attribute, Function) {
    static const std::map<int, int> values{{kFunctionMaxThreads, kMaxThreads}, {kFunctionRegisters, 12}};
    const auto found = values.find(attribute);
    *value = found != values.end() ? found->second : 0;
    return fault;
}
int cuFuncSetAttribute(Function function, int, int value) {
    if (value > kMaxShared) return kInvalidValue;
    functions[function]->maxDynamicShared = value;
    return fault;
}
int cuFuncGetParamInfo(Function function, size_t index, size_t* offset, size_t* size) {
    const auto& bytes = functions[function]->kernel->parameterBytes;
    if (index >= bytes.size()) return kInvalidValue;
    *offset = 0;
    *size = bytes[index];
    return kSuccess;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function, int threads, size_t) {
    *blocks = threads > 0 ? 2048 / threads : 0;
    return kSuccess;
}

int cuLaunchKernel(Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, Stream stream, void** parameters, void**) {
    if (fault != 0) return fault;
    const FakeFunction& made = *functions[function];
    if (uint64_t(blockX) * blockY * blockZ > kMaxThreads || int(sharedBytes) > made.maxDynamicShared)
        return kInvalidValue;
    if (uint64_t(gridX) * gridY * gridZ == 0) return kInvalidValue;
    // As on a device, arguments are taken when launched.
    const auto& sizes = made.kernel->parameterBytes;
    std::vector<std::vector<char>> copies;
    for (size_t i = 0; i < sizes.size(); ++i) {
        const char* from = static_cast<const char*>(parameters[i]);
        copies.emplace_back(from, from + sizes[i]);
    }
    return enqueue(stream, [kernel = made.kernel, copies, gridX, blockX]() mutable {
        fake::Launch launch{gridX, blockX, {}};
        for (auto& copy : copies) launch.parameters.push_back(copy.data());
        return kernel->run(launch);
    });
}

int cuStreamCreate(Stream* stream, unsigned) {
    *stream = reinterpret_cast<Stream>(new FakeStream);
    return fault;
}
int cuStreamDestroy_v2(Stream stream) {
    delete reinterpret_cast<FakeStream*>(stream);
    return fault;
}
int cuStreamSynchronize(Stream stream) {
    return drain(stream);
}
int cuStreamWaitValue32_v2(Stream stream, DevicePointer address, uint32_t value, unsigned) {
    return enqueue(stream, [=] {
        const auto* flag = reinterpret_cast<volatile uint32_t*>(address);
        while (*flag < value) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return kSuccess;
    });
}
int cuEventCreate(Event* event, unsigned) {
    *event = reinterpret_cast<Event>(new FakeEvent);
    return fault;
}
int cuEventDestroy_v2(Event event) {
    delete reinterpret_cast<FakeEvent*>(event);
    return fault;
}
int cuEventRecord(Event event, Stream stream) {
    auto* made = reinterpret_cast<FakeEvent*>(event);
    made->recordedOn = stream;
    ++made->pending;
    return enqueue(stream, [made] {
        made->at = std::chrono::steady_clock::now();
        --made->pending;
        return kSuccess;
    });
}
int cuStreamWaitEvent(Stream stream, Event event, unsigned) {
    if (capturing != nullptr) return kSuccess;
    const auto* made = reinterpret_cast<FakeEvent*>(event);
    return enqueue(stream, [made] { return made->pending > 0 ? drain(made->recordedOn) : kSuccess; });
}
int cuEventElapsedTime(float* milliseconds, Event from, Event to) {
    const auto elapsed = reinterpret_cast<FakeEvent*>(to)->at - reinterpret_cast<FakeEvent*>(from)->at;
    *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
    return fault;
}

int cuStreamBeginCapture_v2(Stream, int) {
    capturing = new FakeGraph;
    return fault;
}
int cuStreamEndCapture(Stream, Graph* graph) {
    *graph = reinterpret_cast<Graph>(std::exchange(capturing, nullptr));
    return fault;
}
int cuGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long) {
    *executable = reinterpret_cast<GraphExec>(new FakeGraph(*reinterpret_cast<FakeGraph*>(graph)));
    return fault;
}
int cuGraphLaunch(GraphExec executable, Stream stream) {
    const auto* graph = reinterpret_cast<FakeGraph*>(executable);
    return enqueue(stream, [graph] {
        for (const auto& step : graph->steps)
            if (const int code = step(); code != 0) return code;
        return int(kSuccess);
    });
}
int cuGraphExecDestroy(GraphExec executable) {
    delete reinterpret_cast<FakeGraph*>(executable);
    return fault;
}
int cuGraphDestroy(Graph graph) {
    delete reinterpret_cast<FakeGraph*>(graph);
    return fault;
}

} // extern "C"
