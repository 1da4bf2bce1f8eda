// Options, headers and results of NVRTC.
#include "gpu/worker/NvrtcCompiler.h"

#include "gpu/worker/CompileLog.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace gpu {
namespace {

constexpr const char* kIntegers = R"(#pragma once
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef unsigned long long uint64_t; typedef long long intptr_t; typedef unsigned long long uintptr_t;
)";
constexpr const char* kIntegersInStd = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
)";
constexpr const char* kLimits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
)";
constexpr const char* kFloats = R"(#pragma once
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)";
constexpr const char* kNothing = "#pragma once\n"; // What it declares is built into NVRTC.

struct BuiltInHeader {
    const char *name, *text;
};

constexpr std::array<BuiltInHeader, 14> kHeaders{{{"stdio.h", kNothing},
                                                  {"cstdio", kNothing},
                                                  {"stdlib.h", kNothing},
                                                  {"cstdlib", kNothing},
                                                  {"math.h", kNothing},
                                                  {"cmath", kNothing},
                                                  {"assert.h", kNothing},
                                                  {"cassert", kNothing},
                                                  {"stdint.h", kIntegers},
                                                  {"cstdint", kIntegersInStd},
                                                  {"limits.h", kLimits},
                                                  {"climits", kLimits},
                                                  {"float.h", kFloats},
                                                  {"cfloat", kFloats}}};
/// Given too when there is no toolkit's include folder.
constexpr std::array<BuiltInHeader, 2> kToolkitHeaders{
    {{"cuda_runtime.h", kNothing}, {"device_launch_parameters.h", kNothing}}};

using SteadyClock = std::chrono::steady_clock;

double microsecondsSince(SteadyClock::time_point start) {
    return std::chrono::duration<double, std::micro>(SteadyClock::now() - start).count();
}

CompileOutcome failure(std::string message) {
    CompileOutcome outcome;
    outcome.diagnostics.push_back({sim::Diagnostic::Severity::Error, {}, message, message});
    return outcome;
}

std::vector<std::string> optionsOf(const CompileOrder& order, int target, bool ptx) {
    std::vector<std::string> options{std::string("--gpu-architecture=") + (ptx ? "compute_" : "sm_") +
                                         std::to_string(target),
                                     "--std=c++17", "-lineinfo"};
    if (!ptx) options.emplace_back("--ptxas-options=-v");
    for (const std::string& folder : toolkitIncludeFolders()) options.push_back("--include-path=" + folder);
    for (const std::string& define : order.defines) options.push_back("-D" + define);
    return options;
}

std::string keyOf(const NvrtcApi& api, const CompileOrder& order, const std::vector<std::string>& options) {
    std::string key = std::to_string(api.major) + "." + std::to_string(api.minor) + '\n' + api.library.path();
    for (const std::string& option : options) key += '\n' + option;
    return key + '\n' + order.fileName + '\n' + order.kernel + '\n' + order.source;
}

/// NVRTC gives a kernel with too much static shared memory no error of its own.
std::string unexplained(const NvrtcApi& api, int result, std::string_view log) {
    const size_t at = log.find(" bytes smem");
    if (at != std::string_view::npos) {
        const size_t start = log.find_last_not_of("0123456789", at - 1) + 1;
        const std::string bytes(log.substr(start, at - start));
        if (bytes.size() > 5 || (bytes.size() == 5 && bytes > "49152"))
            return "The kernel declares " + bytes +
                   " bytes of __shared__ arrays; at most 49152 can be declared. Use a "
                   "smaller tile, or dynamic shared memory (extern __shared__).";
    }
    return std::string("The compiler gave up: ") + api.getErrorString(result) + ".";
}

} // namespace

CompileOutcome NvrtcCompiler::compile(const CompileOrder& order) {
    const auto start = SteadyClock::now();
    const auto& known = api_.architectures;
    const bool ptx = std::find(known.begin(), known.end(), order.computeCapability) == known.end();
    int target = order.computeCapability;
    if (ptx) {
        const auto above = std::upper_bound(known.begin(), known.end(), target);
        if (above == known.begin())
            return failure("CUDA " + std::to_string(api_.major) + " no longer compiles for compute capability " +
                           std::to_string(target / 10) + "." + std::to_string(target % 10) +
                           ": install an older CUDA Toolkit and set CUDA_HOME to it.");
        target = *(above - 1);
    }
    const std::vector<std::string> options = optionsOf(order, target, ptx);
    const std::string key = keyOf(api_, order, options);
    CompileOutcome outcome;
    if (auto cached = cache_.find(key)) {
        outcome.code = std::move(*cached);
        outcome.ok = outcome.fromCache = true;
        outcome.diagnostics = parseCompileLog(outcome.code.log, order.fileName, order.kernel);
    } else {
        outcome = compileNow(order, options, ptx);
        if (outcome.ok) cache_.insert(key, outcome.code);
    }
    outcome.microseconds = microsecondsSince(start);
    return outcome;
}

CompileOutcome NvrtcCompiler::compileNow(const CompileOrder& order, const std::vector<std::string>& options, bool ptx) {
    std::vector<const char*> names, texts, flags;
    const auto add = [&](const auto& headers) {
        for (const BuiltInHeader& header : headers) {
            names.push_back(header.name);
            texts.push_back(header.text);
        }
    };
    add(kHeaders);
    if (toolkitIncludeFolders().empty()) add(kToolkitHeaders);
    for (const std::string& option : options) flags.push_back(option.c_str());
    NvrtcApi::Program program = nullptr;
    if (const int result = api_.createProgram(&program, order.source.c_str(), order.fileName.c_str(), int(names.size()),
                                              texts.data(), names.data());
        result != 0)
        return failure(std::string("The compiler did not start: ") + api_.getErrorString(result) + ".");
    CompileOutcome outcome;
    int result = api_.addNameExpression(program, order.kernel.c_str());
    if (result == 0) result = api_.compileProgram(program, int(flags.size()), flags.data());
    size_t logSize = 0;
    if (api_.getProgramLogSize(program, &logSize) == 0 && logSize > 1) {
        outcome.code.log.resize(logSize);
        api_.getProgramLog(program, outcome.code.log.data());
        outcome.code.log.resize(outcome.code.log.find_last_not_of('\0') + 1);
    }
    outcome.diagnostics = parseCompileLog(outcome.code.log, order.fileName, order.kernel);
    outcome.ok = result == 0 && fetchCode(program, order.kernel, ptx, outcome.code);
    api_.destroyProgram(&program);
    const auto isError = [](const sim::Diagnostic& d) { return d.severity == sim::Diagnostic::Severity::Error; };
    if (!outcome.ok && std::none_of(outcome.diagnostics.begin(), outcome.diagnostics.end(), isError)) {
        const std::string message = unexplained(api_, result, outcome.code.log);
        outcome.diagnostics.push_back({sim::Diagnostic::Severity::Error, {}, message, message});
    }
    return outcome;
}

bool NvrtcCompiler::fetchCode(NvrtcApi::Program program, const std::string& kernel, bool ptx,
                              CompiledCode& code) const {
    const char* lowered = nullptr;
    if (api_.getLoweredName(program, kernel.c_str(), &lowered) != 0 || lowered == nullptr) return false;
    code.loweredName = lowered;
    code.isPtx = ptx;
    size_t size = 0;
    if ((ptx ? api_.getPtxSize : api_.getCubinSize)(program, &size) != 0 || size == 0) return false;
    code.image.resize(size);
    return (ptx ? api_.getPtx : api_.getCubin)(program, reinterpret_cast<char*>(code.image.data())) == 0;
}

} // namespace gpu
