// Whether a program keeps the rules that the machine relies on.
#pragma once

#include "sim/bytecode/Program.h"

#include <string>
#include <vector>

namespace sim {

/// The broken rules, each as "function @pc: what is wrong"; empty when the program is sound. What holds afterwards:
/// every slot lies inside its frame, every block starts with its Block and ends with its only terminator, every
/// target is the head of a block, and a reconvergence point is marked as one.
std::vector<std::string> verify(const Program& program);

} // namespace sim
