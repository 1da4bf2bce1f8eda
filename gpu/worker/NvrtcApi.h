// The run-time compiler NVRTC as loaded at run time: our own declarations, so that no toolkit is needed to build.
#pragma once

#include "gpu/Device.h"
#include "gpu/worker/Library.h"

#include <cstddef>
#include <string>
#include <vector>

namespace gpu {

/// Functions of <nvrtc.h>; each returns an nvrtcResult, 0 for success.
struct NvrtcApi {
    using Program = struct NvrtcProgramTag*;
    int (*version)(int* major, int* minor) = nullptr;
    const char* (*getErrorString)(int result) = nullptr;
    int (*getNumSupportedArchs)(int* count) = nullptr;
    int (*getSupportedArchs)(int* archs) = nullptr;
    int (*createProgram)(Program* program, const char* source, const char* name, int headers, const char* const* texts,
                         const char* const* includeNames) = nullptr;
    int (*destroyProgram)(Program* program) = nullptr;
    int (*addNameExpression)(Program program, const char* expression) = nullptr;
    int (*compileProgram)(Program program, int count, const char* const* options) = nullptr;
    int (*getLoweredName)(Program program, const char* expression, const char** lowered) = nullptr;
    int (*getProgramLogSize)(Program program, size_t* size) = nullptr;
    int (*getProgramLog)(Program program, char* log) = nullptr;
    int (*getCubinSize)(Program program, size_t* size) = nullptr;
    int (*getCubin)(Program program, char* cubin) = nullptr;
    int (*getPtxSize)(Program program, size_t* size) = nullptr;
    int (*getPtx)(Program program, char* ptx) = nullptr;

    Library library;
    int major = 0, minor = 0;
    std::vector<int> architectures; ///< Compute capabilities it compiles for, times ten plus minor, ascending.

    /// Loads libnvrtc 13 or 12 (or what $PLAYGROUND_NVRTC names). Says what is wrong when it cannot.
    Availability load();
};

} // namespace gpu
