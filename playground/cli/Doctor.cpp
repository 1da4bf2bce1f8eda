// playground-cli doctor: looks for everything that building, simulating, drawing and measuring need.
#include "playground/cli/Commands.h"
#include "playground/session/Content.h"
#include "sim/Simulator.h"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>

namespace playground::cli {
namespace {

namespace fs = std::filesystem;

struct Check {
    std::string name;
    bool found = false;
    bool needed = false; ///< Without it the playground does not simulate.
    std::string detail;  ///< What was found and where.
    std::string advice;  ///< What to do when it was not.
};

std::optional<fs::path> inPath(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    std::error_code error;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(fs::path(folder) / program, error)) return fs::path(folder) / program;
    return std::nullopt;
}

Check program(const std::string& name, std::initializer_list<const char*> programs, const std::string& advice) {
    Check check{name, false, false, {}, advice};
    for (const char* p : programs)
        if (const auto at = inPath(p)) {
            check.found = true;
            check.detail = at->string();
            break;
        }
    return check;
}

/// A shared library that stays open while the handle lives.
class Library {
public:
    explicit Library(std::initializer_list<const char*> names) {
        for (const char* name : names)
            if ((handle_ = dlopen(name, RTLD_LAZY | RTLD_LOCAL))) {
                name_ = name;
                break;
            }
    }
    ~Library() {
        if (handle_) dlclose(handle_);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    explicit operator bool() const { return handle_ != nullptr; }
    const std::string& name() const { return name_; }
    template <class Function>
    Function* find(const char* symbol) const {
        return handle_ ? reinterpret_cast<Function*>(dlsym(handle_, symbol)) : nullptr;
    }

private:
    void* handle_ = nullptr;
    std::string name_;
};

Check simulator() {
    Check check{"Simulator", false, true, {}, "rebuild the playground; its front end needs LLVM and Clang 19"};
    const auto compiled = sim::compile("__global__ void k(int* out) { out[threadIdx.x] = threadIdx.x; }");
    if (!compiled.program) {
        check.detail =
            compiled.diagnostics.empty() ? "does not compile a kernel" : compiled.diagnostics.front().message;
        return check;
    }
    std::vector<sim::Buffer> buffers{{"out", sim::ElementType::I32, 32, std::vector<std::byte>(128), true, {}}};
    const std::array<sim::Argument, 1> arguments{{{0, 0, {}}}};
    const auto report = sim::launch(*compiled.program, "k", {{}, {32, 1, 1}, 0}, arguments, buffers);
    check.found = report.status == sim::LaunchStatus::Finished && buffers[0].bytes[4] == std::byte{1};
    check.detail = check.found ? "compiles and runs kernels" : report.error;
    return check;
}

Check lessonsCheck(const CommonOptions& common) {
    const Content content = common.lessons.empty() ? findContent() : findContent(common.lessons);
    return {"Lessons", content.problem.empty(), true, content.lessons.string(), content.problem};
}

Check llvmHeaders() {
    Check check{
        "LLVM and Clang 19 headers", false, false, {}, "only to build: apt install llvm-19-dev libclang-19-dev"};
    for (const char* folder : {"/usr/lib/llvm-19/include", "/usr/include/llvm-19", "/usr/local/include"}) {
        std::error_code error;
        if (!fs::exists(fs::path(folder) / "clang" / "Basic" / "Version.h", error)) continue;
        check.found = true;
        check.detail = folder;
        break;
    }
    return check;
}

Check openGl() {
    const Library gl({"libGL.so.1", "libOpenGL.so.0"});
    return {"OpenGL", bool(gl), false, gl.name(),
            "only for the window: apt install libgl1 (and libgl1-mesa-dri for drawing without a GPU)"};
}

Check display() {
    for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(variable); value && *value)
            return {"Display", true, false, std::string(variable) + "=" + value, {}};
    return {"Display", false, false, {}, "only for the window: log in to a desktop, or start it under xvfb-run"};
}

/// The driver's entry points, as cuda.h declares them; every result is 0 for success.
void describeGpu(const Library& cuda, Check& driver, Check& gpu) {
    const auto init = cuda.find<int(unsigned)>("cuInit");
    const auto version = cuda.find<int(int*)>("cuDriverGetVersion");
    const auto count = cuda.find<int(int*)>("cuDeviceGetCount");
    const auto get = cuda.find<int(int*, int)>("cuDeviceGet");
    const auto name = cuda.find<int(char*, int, int)>("cuDeviceGetName");
    const auto attribute = cuda.find<int(int*, int, int)>("cuDeviceGetAttribute");
    int number = 0;
    if (version && version(&number) == 0)
        driver.detail += ", CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
    if (!init || !count || !get || !name || !attribute) return;
    if (const int error = init(0); error != 0) {
        gpu.detail = "cuInit gives error " + std::to_string(error);
        return;
    }
    int devices = 0, device = 0;
    if (count(&devices) != 0 || devices == 0 || get(&device, 0) != 0) return;
    std::array<char, 256> text{};
    constexpr int kMajor = 75, kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
    int major = 0, minor = 0;
    if (name(text.data(), int(text.size()), device) != 0) return;
    attribute(&major, kMajor, device);
    attribute(&minor, kMinor, device);
    gpu.found = true;
    gpu.detail =
        std::string(text.data()) + ", compute capability " + std::to_string(major) + "." + std::to_string(minor);
    if (devices > 1) gpu.detail += ", and " + std::to_string(devices - 1) + " more";
}

void gpuChecks(std::vector<Check>& checks) {
    const Library cuda({"libcuda.so.1"});
    Check driver{"NVIDIA driver", bool(cuda), false, cuda.name(),
                 "only to measure: install NVIDIA's driver; without it recorded measurements stand in"};
    Check gpu{"GPU",
              false,
              false,
              {},
              "only to measure: needs an NVIDIA GPU and its driver; without them recorded measurements stand in"};
    if (cuda) describeGpu(cuda, driver, gpu);
    checks.push_back(driver);
    checks.push_back(gpu);
    const Library nvrtc({"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"});
    checks.push_back({"NVRTC", bool(nvrtc), false, nvrtc.name(),
                      "only to run kernels on a GPU: install the CUDA toolkit, or its package cuda-nvrtc"});
}

} // namespace

int doctorCommand(const CommonOptions& common) {
    std::vector<Check> checks{simulator(), lessonsCheck(common)};
    checks.push_back(program("C++ compiler", {"c++", "g++", "clang++"}, "only to build: apt install g++"));
    checks.push_back(program("CMake", {"cmake"}, "only to build: apt install cmake"));
    checks.push_back(llvmHeaders());
    checks.push_back(openGl());
    checks.push_back(display());
    gpuChecks(checks);
    checks.push_back(
        program("CUDA toolkit", {"nvcc"},
                "only to build kernels yourself: install the CUDA toolkit and put its bin folder into PATH"));

    bool healthy = true;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Check& c : checks) {
        healthy = healthy && (c.found || !c.needed);
        list.push_back({{"name", c.name},
                        {"found", c.found},
                        {"needed", c.needed},
                        {"detail", c.detail},
                        {"advice", c.found ? "" : c.advice}});
        if (common.json) continue;
        std::cout << std::left << std::setw(28) << c.name << (c.found ? "found      " : "not found  ") << c.detail;
        if (!c.found) std::cout << (c.detail.empty() ? "" : "; ") << c.advice;
        std::cout << "\n";
    }
    if (common.json) std::cout << nlohmann::ordered_json{{"healthy", healthy}, {"checks", list}}.dump(1) << "\n";
    return healthy ? kClean : kFindings;
}

} // namespace playground::cli
