// The launch at hand as a program of its own: CUDA C++, CuPy, PyCUDA or Numba. Text in, text out; no GPU is needed.
#pragma once

#include "sim/core/LaunchConfig.h"

#include <string>
#include <vector>

namespace gpu {

struct ExportInput {
    std::string source, fileName; ///< The kernel's text, and the name it goes by ("copy.cu").
    std::string kernel;           ///< "copy", "tile<16>".
    sim::LaunchConfig config;
    std::vector<sim::Buffer> buffers; ///< Contents before the launch.
    std::vector<sim::Argument> arguments;
    std::vector<bool> output;          ///< By buffer. Empty: every buffer is an output.
    std::vector<sim::Buffer> expected; ///< Contents after the launch, by buffer; empty: nothing to check against.
    std::string expectedFrom;          ///< Who says so: "the simulator", "the CPU reference".
    std::string numbaSource; ///< The same kernel in Python for Numba, with the same name; empty: there is none.
};

struct Exported {
    std::string text;     ///< Empty when `problem` is not.
    std::string fileName; ///< "copy.cu", "copy_cupy.py".
    std::string command;  ///< What to type to run it.
    std::string problem;  ///< Why there is no text, in a sentence.
};

/// Each program makes the same buffers (by formula where one is recognised, element by element up to 256 KiB
/// otherwise), launches the kernel's unchanged text, compares the outputs with what is expected, prints PASSED or
/// FAILED, and exits with 0 or 1.
Exported exportCuda(const ExportInput& input);
Exported exportCupy(const ExportInput& input);
Exported exportPycuda(const ExportInput& input);
Exported exportNumba(const ExportInput& input);

} // namespace gpu
