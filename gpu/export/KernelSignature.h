// The parameters of a kernel as its text declares them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu {

struct Parameter {
    std::string type; ///< "const float*", "int", "Particle".
    std::string name; ///< Empty when the declaration gives none.
    bool pointer = false;
};

/// Parameters of the __global__ function of that name ("copy", "lesson::copy", "tile<16>": template arguments and
/// namespaces are ignored). Empty when the text has no such function. Read with the eye, not with a compiler: macros
/// and function pointers are not understood.
std::optional<std::vector<Parameter>> parseSignature(std::string_view source, std::string_view kernel);

/// "tile" of "lesson::tile<16>".
std::string baseName(std::string_view kernel);

} // namespace gpu
