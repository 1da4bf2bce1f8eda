// What each drill kernel does to memory or to the device.
#include "tests/gpu/FakeKernels.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace fake {
namespace {

template <class T>
T parameter(const Launch& launch, size_t index) {
    T value;
    std::memcpy(&value, launch.parameters[index], sizeof value);
    return value;
}

int nothing(const Launch&) {
    return 0;
}

int addOne(const Launch& launch) {
    int* out = parameter<int*>(launch, 0);
    const int* in = parameter<const int*>(launch, 1);
    const int n = parameter<int>(launch, 2);
    const long threads = long(launch.gridX) * launch.blockX;
    for (long i = 0; i < threads && i < n; ++i) out[i] = in[i] + 1;
    return 0;
}

int illegalAddress(const Launch&) {
    return 700;
}
int misaligned(const Launch&) {
    return 716;
}
int launchFailed(const Launch&) {
    return 719;
}

int failAssert(const Launch&) {
    std::fputs(
        "drill.cu:35: void fail_assert(int *): block: [0,0,0], thread: [0,0,0] Assertion `out == nullptr` failed.\n",
        stderr);
    return 710;
}

int neverEnd(const Launch&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

int printBlock(const Launch& launch) {
    for (unsigned i = 0; i < launch.gridX; ++i) std::printf("hello from block %u\n", i);
    *parameter<int*>(launch, 0) = 1;
    return 0;
}

constexpr size_t kPointer = sizeof(void*);

} // namespace

const Kernel* findKernel(const std::string& name) {
    static const std::vector<Kernel> kernels{{"empty_kernel", {}, nothing},
                                             {"read_all", {kPointer, sizeof(long long), kPointer}, nothing},
                                             {"add_one", {kPointer, kPointer, sizeof(int)}, addOne},
                                             {"store_far_away", {kPointer}, illegalAddress},
                                             {"store_to_null", {kPointer}, illegalAddress},
                                             {"store_misaligned", {kPointer}, misaligned},
                                             {"trap_now", {kPointer}, launchFailed},
                                             {"fail_assert", {kPointer}, failAssert},
                                             {"store_past_shared", {kPointer}, illegalAddress},
                                             {"never_end", {kPointer}, neverEnd},
                                             {"print_block", {kPointer}, printBlock}};
    for (const Kernel& kernel : kernels)
        if (kernel.name == name) return &kernel;
    return nullptr;
}

} // namespace fake
