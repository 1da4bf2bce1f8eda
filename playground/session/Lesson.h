// A lesson as its folder describes it: text, variants, knobs, buffers and launch expressions. Plain data.
#pragma once

#include "sim/Simulator.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace playground {

/// A parameter the learner moves. Its name is usable in every expression of the lesson.
struct Knob {
    std::string name, label, help;
    double value = 0;                  ///< Default.
    double minimum = 0, maximum = 0;
    bool logarithmic = false;          ///< Steps by doubling.
    bool real = false;                 ///< A float instead of an integer.
    std::vector<double> choices;       ///< When not empty: only these.
};

/// A named device allocation. `count` and `init` may use knob names.
struct BufferSpec {
    std::string name;
    sim::ElementType type = sim::ElementType::F32;
    std::string count;                 ///< Expression: elements.
    std::string init = "const:0";      ///< iota, hash, hash:k, const:k, mod:k, linear:k, file:1,2,3, uninit; k is an expression.
    bool output = false;
};

/// One argument of the kernel, in order: a buffer's name, or a scalar type and an expression.
struct ArgumentSpec {
    std::string buffer;                ///< Empty for a scalar.
    sim::ElementType type = sim::ElementType::I32;
    std::string expression;
};

/// A kernel the learner can pick: "naive", "tiled", ...
struct Variant {
    std::string id, label, help;
    std::string file;                  ///< Path relative to kernels/, e.g. "coalescing/load_stride.cu".
    std::string kernel;                ///< Name, possibly with template arguments.
    /// Launch expressions that differ for this variant, by "gridX" ... "blockZ", "shared". An extent that is not
    /// overridden but belongs to an overridden grid or block is listed as "1".
    std::map<std::string, std::string> overrides;
    std::optional<std::vector<ArgumentSpec>> arguments; ///< Instead of the lesson's, when they differ.
    std::optional<std::string> reference;               ///< Instead of the lesson's; empty for none.
};

/// A link of the lesson's text that drives the picture: [text](action:set stride=2;view global).
struct Action {
    std::vector<std::pair<std::string, std::string>> verbs; ///< set NAME=VALUE, variant ID, view NAME, line N, step N, warp N, block N.
};

struct Lesson {
    std::string slug;                  ///< "07-coalescing".
    int number = 0;
    std::filesystem::path folder;
    std::map<std::string, std::string> title; ///< By language: "en", "zh".
    std::map<std::string, std::string> idea;  ///< One sentence, by language.
    std::map<std::string, std::string> text;  ///< Markdown, by language.
    std::vector<Variant> variants;     ///< The first one is shown first.
    std::vector<Knob> knobs;
    std::string gridX = "1", gridY = "1", gridZ = "1", blockX = "1", blockY = "1", blockZ = "1", sharedBytes = "0";
    std::vector<BufferSpec> buffers;
    std::vector<ArgumentSpec> arguments;
    std::string reference;             ///< Name of the CPU reference in lessons/references.cpp, or empty.
    std::vector<std::string> views;    ///< The views to open, the main one first: threads, divergence, shared, global.
};

/// A lesson, variant and knob values turned into something a backend can run.
struct ResolvedLaunch {
    std::string source;                ///< The kernel file's text (or the learner's edit of it).
    std::string fileName, kernel;
    sim::LaunchConfig config;
    std::vector<sim::Buffer> buffers;
    std::vector<sim::Argument> arguments;
    std::vector<std::string> argumentNames;
    std::vector<sim::ElementType> scalarTypes; ///< By argument; of buffers: their elements' type.
    std::vector<bool> output;          ///< By buffer.
};

using KnobValues = std::map<std::string, double>;

} // namespace playground
