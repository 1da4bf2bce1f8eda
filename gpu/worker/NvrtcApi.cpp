// Loading libnvrtc.
#include "gpu/worker/NvrtcApi.h"

#include <algorithm>
#include <type_traits>

namespace gpu {

Availability NvrtcApi::load() {
    constexpr const char* kInstall =
        "Install the CUDA Toolkit 12 or 13 (https://developer.nvidia.com/cuda-downloads); on "
        "Debian and Ubuntu its package cuda-nvrtc is enough. If it is installed elsewhere, set CUDA_HOME.";
    if (!library.load("PLAYGROUND_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, toolkitLibraryFolders()))
        return {false, "The CUDA Toolkit's run-time compiler was not found (" + library.error() + ").", kInstall};
    bool complete = true;
    const auto bind = [&](auto& pointer, const char* symbol) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
        complete = complete && pointer != nullptr;
    };
    bind(version, "nvrtcVersion");
    bind(getErrorString, "nvrtcGetErrorString");
    bind(getNumSupportedArchs, "nvrtcGetNumSupportedArchs");
    bind(getSupportedArchs, "nvrtcGetSupportedArchs");
    bind(createProgram, "nvrtcCreateProgram");
    bind(destroyProgram, "nvrtcDestroyProgram");
    bind(addNameExpression, "nvrtcAddNameExpression");
    bind(compileProgram, "nvrtcCompileProgram");
    bind(getLoweredName, "nvrtcGetLoweredName");
    bind(getProgramLogSize, "nvrtcGetProgramLogSize");
    bind(getProgramLog, "nvrtcGetProgramLog");
    bind(getCubinSize, "nvrtcGetCUBINSize");
    bind(getCubin, "nvrtcGetCUBIN");
    bind(getPtxSize, "nvrtcGetPTXSize");
    bind(getPtx, "nvrtcGetPTX");
    if (!complete || version(&major, &minor) != 0)
        return {false, "The CUDA Toolkit's run-time compiler at " + library.path() + " is too old.", kInstall};
    int count = 0;
    if (getNumSupportedArchs(&count) == 0 && count > 0) {
        architectures.resize(size_t(count));
        if (getSupportedArchs(architectures.data()) != 0) architectures.clear();
        std::sort(architectures.begin(), architectures.end());
    }
    return {true, {}, {}};
}

} // namespace gpu
