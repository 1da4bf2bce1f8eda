// CUDA C++ text to Program: the front end's one entry point.
#pragma once

#include "sim/Simulator.h"

namespace sim::frontend {

/// As sim::compile.
CompileResult compileCuda(const std::string& source, const CompileOptions& options);

} // namespace sim::frontend
