// Arithmetic over knob names, as lesson files and the command line write it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace playground {

/// A number that knows whether it is whole by nature, since whole numbers divide as in C++.
struct Value {
    double number = 0;
    bool real = false;
};

using Names = std::map<std::string, Value, std::less<>>;

/// A value, or a sentence that says what is wrong and what may stand there.
struct Evaluated {
    Value value;
    std::string error; ///< Empty when it worked.
    bool ok() const { return error.empty(); }
};

/// Evaluates + - * / % ( ), comparisons (1 or 0), min(a, b), max(a, b), ceil_div(a, b), pow2(k), log2(x), numbers and
/// names. Whole numbers divide towards zero, as in C++; a literal with a decimal point or a real name makes it exact.
Evaluated evaluate(std::string_view text, const Names& names);

} // namespace playground
