// A stand-in for libnvrtc: "compiles" any text that has the kernel asked for, and knows one mistake.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct FakeProgram {
    std::string source, fileName, kernel, lowered, log, image;
};

constexpr int kInvalidProgram = 4, kCompilation = 6;
constexpr const char* kMistake = "undeclared_variable"; // The one identifier that no text declares.

FakeProgram& of(void* program) {
    return *static_cast<FakeProgram*>(program);
}

void reportMistake(FakeProgram& program, size_t at) {
    const size_t start = program.source.rfind('\n', at) + 1;
    const size_t end = std::min(program.source.find('\n', at), program.source.size());
    const auto line = std::count(program.source.begin(), program.source.begin() + long(at), '\n') + 1;
    program.log = program.fileName + "(" + std::to_string(line) + "): error: identifier \"" + kMistake +
                  "\" is undefined\n  " + program.source.substr(start, end - start) + "\n" +
                  std::string(2 + at - start, ' ') + "^\n\n1 error detected in the compilation of \"" +
                  program.fileName + "\".\n";
}

void reportUnknown(FakeProgram& program) {
    program.log = "__nv_name_map(2): error: identifier \"" + program.kernel +
                  "\" is undefined\n  #pragma nv_mangled_name " + program.kernel + "\n                          ^\n\n";
}

int copyOut(const std::string& text, char* to) {
    std::memcpy(to, text.c_str(), text.size() + 1);
    return 0;
}

} // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}
const char* nvrtcGetErrorString(int result) {
    return result == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_COMPILATION";
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return 0;
}
int nvrtcGetSupportedArchs(int* archs) {
    archs[0] = 80;
    archs[1] = 90;
    return 0;
}
int nvrtcCreateProgram(void** program, const char* source, const char* name, int, const char* const*,
                       const char* const*) {
    *program = new FakeProgram{source, name, {}, {}, {}, {}};
    return 0;
}
int nvrtcDestroyProgram(void** program) {
    delete static_cast<FakeProgram*>(*program);
    *program = nullptr;
    return 0;
}
int nvrtcAddNameExpression(void* program, const char* expression) {
    of(program).kernel = expression;
    return 0;
}
int nvrtcCompileProgram(void* program, int, const char* const*) {
    FakeProgram& p = of(program);
    if (const size_t at = p.source.find(kMistake); at != std::string::npos) {
        reportMistake(p, at);
        return kCompilation;
    }
    if (p.source.find(" " + p.kernel + "(") == std::string::npos) {
        reportUnknown(p);
        return kCompilation;
    }
    p.lowered = "fake_" + p.kernel;
    p.log = "ptxas info    : Function properties for " + p.lowered +
            "\nptxas         .     16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
            "ptxas info    : Used 12 registers, used 0 barriers\n";
    p.image = "FAKE " + p.kernel;
    return 0;
}
int nvrtcGetLoweredName(void* program, const char*, const char** lowered) {
    *lowered = of(program).lowered.c_str();
    return of(program).lowered.empty() ? kInvalidProgram : 0;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
    *size = of(program).log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
    return copyOut(of(program).log, log);
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
    *size = of(program).image.size() + 1;
    return 0;
}
int nvrtcGetCUBIN(void* program, char* image) {
    return copyOut(of(program).image, image);
}
int nvrtcGetPTXSize(void* program, size_t* size) {
    return nvrtcGetCUBINSize(program, size);
}
int nvrtcGetPTX(void* program, char* image) {
    return nvrtcGetCUBIN(program, image);
}

} // extern "C"
