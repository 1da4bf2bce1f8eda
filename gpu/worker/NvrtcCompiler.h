// CUDA C++ text to machine code for one device, through NVRTC and the cache.
#pragma once

#include "gpu/worker/CompileCache.h"
#include "gpu/worker/NvrtcApi.h"
#include "sim/core/Diagnostic.h"

#include <string>
#include <vector>

namespace gpu {

struct CompileOrder {
    std::string source, fileName, kernel;
    std::vector<std::string> defines;
    int computeCapability = 0; ///< 90 for 9.0.
};

struct CompileOutcome {
    bool ok = false, fromCache = false;
    CompiledCode code; ///< Its log is set also when compiling failed.
    std::vector<sim::Diagnostic> diagnostics;
    double microseconds = 0;
};

/// Compiles as `nvcc -std=c++17 -lineinfo -arch=sm_NN` would: machine code for the device where NVRTC knows it, PTX of
/// the newest architecture before it otherwise. The standard headers that kernels commonly include are there without a
/// toolkit's include folder.
class NvrtcCompiler {
public:
    NvrtcCompiler(const NvrtcApi& api, CompileCache& cache) : api_(api), cache_(cache) {}
    CompileOutcome compile(const CompileOrder& order);

private:
    CompileOutcome compileNow(const CompileOrder& order, const std::vector<std::string>& options, bool ptx);
    bool fetchCode(NvrtcApi::Program program, const std::string& kernel, bool ptx, CompiledCode& code) const;

    const NvrtcApi& api_;
    CompileCache& cache_;
};

} // namespace gpu
