// Faults a learner's kernel can cause, one after another, each followed by a run that must be right.
#pragma once

#include "gpu/GpuBackend.h"

#include <functional>
#include <string>
#include <vector>

namespace drill {

/// The CUDA C++ text of every drill: the same for a real GPU and for the fake one, which knows its kernels by name.
extern const char* const kSource;

/// out[i] = in[i] + 1 over n integers; correct on every GPU.
gpu::RunRequest goodRequest(unsigned n = 1000);
/// Empty when the result is the one of goodRequest(n).
std::string goodProblem(const gpu::RunResult& result, unsigned n = 1000);

struct Fault {
    std::string name;
    /// Runs the faulty launch in the session and returns its result.
    std::function<gpu::RunResult(gpu::Session&)> run;
    /// Empty when the fault was reported as it should be, otherwise what is wrong with the report.
    std::function<std::string(const gpu::RunResult&)> problem;
};

/// All faults, in the order in which they are tried.
std::vector<Fault> faults();

} // namespace drill
