// The device headers that the build embeds into the binary.
#pragma once

#include <string>
#include <vector>

namespace sim::frontend {

struct EmbeddedHeader {
    const char* name;   ///< Relative path, e.g. "cuda_runtime.h".
    std::string text;
};

const std::vector<EmbeddedHeader>& embeddedHeaders();

} // namespace sim::frontend
