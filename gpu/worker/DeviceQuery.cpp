// One device's attributes, and its clocks through libnvidia-ml.
#include "gpu/worker/DeviceQuery.h"

#include <array>
#include <cstdio>
#include <type_traits>

namespace gpu {
namespace {

std::string uuidText(const std::array<unsigned char, 16>& uuid) {
    std::string text = "GPU-";
    for (size_t i = 0; i < uuid.size(); ++i) {
        std::array<char, 4> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", uuid[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits.data();
    }
    return text;
}

void queryAttributes(const DriverApi& api, cu::Device device, DeviceInfo& info) {
    const auto get = [&](auto& field, cu::Attribute attribute) {
        int value = 0;
        if (api.cuDeviceGetAttribute(&value, attribute, device) == cu::kSuccess)
            field = std::remove_reference_t<decltype(field)>(value);
    };
    get(info.computeMajor, cu::kComputeMajor);
    get(info.computeMinor, cu::kComputeMinor);
    get(info.multiprocessors, cu::kMultiprocessorCount);
    get(info.l2Bytes, cu::kL2CacheSize);
    get(info.sharedBytesPerBlock, cu::kMaxSharedPerBlock);
    get(info.sharedBytesPerBlockOptIn, cu::kMaxSharedPerBlockOptIn);
    get(info.sharedBytesPerMultiprocessor, cu::kMaxSharedPerMultiprocessor);
    get(info.reservedSharedBytesPerBlock, cu::kReservedSharedPerBlock);
    get(info.constantBytes, cu::kTotalConstant);
    get(info.registersPerBlock, cu::kMaxRegistersPerBlock);
    get(info.registersPerMultiprocessor, cu::kMaxRegistersPerMultiprocessor);
    get(info.maxThreadsPerBlock, cu::kMaxThreadsPerBlock);
    get(info.maxThreadsPerMultiprocessor, cu::kMaxThreadsPerMultiprocessor);
    get(info.maxBlocksPerMultiprocessor, cu::kMaxBlocksPerMultiprocessor);
    get(info.warpSize, cu::kWarpSize);
    get(info.maxBlock.x, cu::kMaxBlockX);
    get(info.maxBlock.y, cu::kMaxBlockY);
    get(info.maxBlock.z, cu::kMaxBlockZ);
    get(info.maxGrid.x, cu::kMaxGridX);
    get(info.maxGrid.y, cu::kMaxGridY);
    get(info.maxGrid.z, cu::kMaxGridZ);
    get(info.clockKHz, cu::kClockRate);
    get(info.memoryClockKHz, cu::kMemoryClockRate);
    get(info.memoryBusBits, cu::kMemoryBusWidth);
    get(info.asyncEngines, cu::kAsyncEngineCount);
    get(info.ecc, cu::kEccEnabled);
    get(info.integrated, cu::kIntegrated);
    get(info.managedMemory, cu::kManagedMemory);
    get(info.concurrentKernels, cu::kConcurrentKernels);
    get(info.concurrentManagedAccess, cu::kConcurrentManagedAccess);
}

DeviceInfo queryDevice(const DriverApi& api, const ManagementLibrary& management, int index) {
    DeviceInfo info;
    info.index = index;
    cu::Device device = 0;
    if (api.cuDeviceGet(&device, index) != cu::kSuccess) return info;
    std::array<char, 256> text{};
    if (api.cuDeviceGetName(text.data(), int(text.size()), device) == cu::kSuccess) info.name = text.data();
    if (api.cuDeviceGetPCIBusId != nullptr &&
        api.cuDeviceGetPCIBusId(text.data(), int(text.size()), device) == cu::kSuccess)
        info.pciBusId = text.data();
    std::array<unsigned char, 16> uuid{};
    if (api.cuDeviceGetUuid != nullptr && api.cuDeviceGetUuid(uuid.data(), device) == cu::kSuccess)
        info.uuid = uuidText(uuid);
    size_t bytes = 0;
    if (api.cuDeviceTotalMem(&bytes, device) == cu::kSuccess) info.memoryBytes = bytes;
    queryAttributes(api, device, info);
    info.clocks = management.clocks(info.pciBusId);
    return info;
}

} // namespace

ManagementLibrary::ManagementLibrary() {
    if (!library_.load("PLAYGROUND_NVML", {"libnvidia-ml.so.1"}, {"/usr/lib/wsl/lib"})) return;
    const auto bind = [&](auto& pointer, const char* symbol) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library_.find(symbol));
        return pointer != nullptr;
    };
    int (*init)() = nullptr;
    ready_ = bind(init, "nvmlInit_v2") && bind(shutdown_, "nvmlShutdown") &&
             bind(driverVersion_, "nvmlSystemGetDriverVersion") &&
             bind(deviceByBusId_, "nvmlDeviceGetHandleByPciBusId_v2") && bind(clock_, "nvmlDeviceGetClockInfo") &&
             bind(temperature_, "nvmlDeviceGetTemperature") && init() == 0;
}

ManagementLibrary::~ManagementLibrary() {
    if (ready_) shutdown_();
}

Clocks ManagementLibrary::clocks(const std::string& pciBusId) const {
    constexpr int kMultiprocessorClock = 1, kMemoryClock = 2, kGpuSensor = 0;
    Clocks clocks;
    Device device = nullptr;
    if (!ready_ || deviceByBusId_(pciBusId.c_str(), &device) != 0) return clocks;
    const auto valueOr0 = [](int result, unsigned value) { return result == 0 ? value : 0; };
    unsigned value = 0;
    int result = clock_(device, kMultiprocessorClock, &value);
    clocks.multiprocessorMHz = valueOr0(result, value);
    result = clock_(device, kMemoryClock, &value);
    clocks.memoryMHz = valueOr0(result, value);
    result = temperature_(device, kGpuSensor, &value);
    clocks.temperatureC = valueOr0(result, value);
    return clocks;
}

std::string ManagementLibrary::driverVersion() const {
    std::array<char, 96> text{};
    if (!ready_ || driverVersion_(text.data(), unsigned(text.size())) != 0) return {};
    return text.data();
}

std::vector<DeviceInfo> queryDevices(const DriverApi& api, const ManagementLibrary& management) {
    int count = 0;
    std::vector<DeviceInfo> devices;
    if (api.cuDeviceGetCount(&count) != cu::kSuccess) return devices;
    for (int i = 0; i < count; ++i) devices.push_back(queryDevice(api, management, i));
    return devices;
}

} // namespace gpu
