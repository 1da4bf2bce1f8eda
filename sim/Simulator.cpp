// The compile half of the front door; launch() is in Launch.cpp.
#include "sim/Simulator.h"

#include "sim/frontend/Frontend.h"

namespace sim {

CompileResult compile(const std::string& source, const CompileOptions& options) { return frontend::compileCuda(source, options); }

} // namespace sim
