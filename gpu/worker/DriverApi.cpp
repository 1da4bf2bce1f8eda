// Loading libcuda, and its errors in words.
#include "gpu/worker/DriverApi.h"

namespace gpu {
namespace {

Availability cannotStart(const DriverError& error) {
    std::string what = "See whether nvidia-smi works; after an update of the driver, restart the machine.";
    if (error.code == cu::kNoDevice)
        what =
            "This needs an NVIDIA GPU that the driver can see: check CUDA_VISIBLE_DEVICES and nvidia-smi. Until then "
            "the simulator runs every kernel.";
    if (error.code == cu::kInsufficientDriver || error.code == cu::kSystemDriverMismatch)
        what = "Update the NVIDIA driver and restart the machine.";
    if (error.code == cu::kStubLibrary)
        what = "The toolkit's stub of libcuda was found instead of the driver: install the NVIDIA driver, or take the "
               "toolkit's stubs folder out of LD_LIBRARY_PATH.";
    return {false,
            "The NVIDIA driver could not start: " + error.text + " (" + error.name + ", " + std::to_string(error.code) +
                ").",
            what};
}

} // namespace

DriverError DriverApi::describe(int code, const char* call) const {
    DriverError error{code, {}, {}, call};
    const char* text = nullptr;
    if (cuGetErrorName != nullptr && cuGetErrorName(code, &text) == cu::kSuccess && text != nullptr)
        error.name = text;
    else
        error.name = "CUDA_ERROR_" + std::to_string(code);
    text = nullptr;
    if (cuGetErrorString != nullptr && cuGetErrorString(code, &text) == cu::kSuccess && text != nullptr)
        error.text = text;
    else
        error.text = "unknown error";
    return error;
}

Availability DriverApi::load() {
    if (!library.load("PLAYGROUND_CUDA_DRIVER", {"libcuda.so.1", "libcuda.so"}, {"/usr/lib/wsl/lib"}))
        return {
            false, "There is no NVIDIA driver on this machine (" + library.error() + ").",
            "With an NVIDIA GPU, install its driver (on Debian and Ubuntu: nvidia-driver) and restart. Without one, "
            "the simulator runs every kernel and recorded figures stand in for measured ones."};
    std::string missing;
    const auto bind = [&](auto& pointer, const char* symbol, bool needed) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
        if (pointer == nullptr && needed && missing.empty()) missing = symbol;
    };
#define CU_FUNCTION(name, symbol, needed, parameters) bind(name, symbol, needed);
#include "gpu/worker/DriverFunctions.def"
#undef CU_FUNCTION
    if (!missing.empty())
        return {false, "The NVIDIA driver is too old: it has no " + missing + ".",
                "Install a driver for CUDA 12 or newer."};
    if (const int code = cuInit(0); code != cu::kSuccess) return cannotStart(describe(code, "cuInit"));
    int version = 0;
    cuDriverGetVersion(&version);
    if (version < 12000)
        return {false,
                "The NVIDIA driver serves CUDA " + std::to_string(version / 1000) + "." +
                    std::to_string(version % 1000 / 10) + " at most, but CUDA 12 is needed.",
                "Install a newer NVIDIA driver."};
    int count = 0;
    if (const int code = cuDeviceGetCount(&count); code != cu::kSuccess)
        return cannotStart(describe(code, "cuDeviceGetCount"));
    if (count == 0) return cannotStart(describe(cu::kNoDevice, "cuDeviceGetCount"));
    return {true, {}, {}};
}

} // namespace gpu
