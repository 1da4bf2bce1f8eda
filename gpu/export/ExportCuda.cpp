// The launch as a CUDA C++ program for nvcc.
#include "gpu/export/ExportPlan.h"

#include <sstream>

namespace gpu {
namespace {

using sim::ElementType;

const char* hostType(ElementType type) {
    constexpr const char* kNames[] = {"int8_t",  "uint8_t",  "int16_t",  "uint16_t", "int32_t", "uint32_t",
                                      "int64_t", "uint64_t", "uint16_t", "uint16_t", "float",   "double"};
    return kNames[unsigned(type)];
}

constexpr const char* kHelpers = R"(namespace exported {

inline void require(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s (%s, %d)\nFAILED\n", what, cudaGetErrorString(error), cudaGetErrorName(error), int(error));
    std::exit(1);
}

inline uint64_t hash(uint64_t i) { return (i * 2654435761u + 12345u) & 0xffffffffu; }

template <class T> T* allocate(const std::vector<T>& host) {
    T* device = nullptr;
    require(cudaMalloc(&device, host.size() * sizeof(T) + 1), "cudaMalloc");
    return device;
}

template <class T> void copyIn(T* device, const std::vector<T>& host) {
    require(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
}

template <class T> void copyOut(std::vector<T>& host, const T* device) {
    require(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
}

template <class T> T* shifted(T* device, long long bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(device) + bytes);
}

inline uint32_t crc32(const void* data, size_t bytes) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < bytes; ++i) {
        crc ^= static_cast<const unsigned char*>(data)[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

// Equal to the bit by checksum; otherwise every step-th element within 1e-5, which rounding can explain.
template <class T>
bool check(const char* name, const std::vector<T>& got, uint32_t crc, size_t step, const std::vector<T>& wanted) {
    if (crc32(got.data(), got.size() * sizeof(T)) == crc) {
        std::printf("%s: as expected, to the bit\n", name);
        return true;
    }
    for (size_t j = 0; j < wanted.size(); ++j) {
        const double a = double(got[j * step]), b = double(wanted[j]);
        const double most = std::is_floating_point<T>::value ? 1e-5 * std::fmax(std::fabs(a), std::fabs(b)) : 0;
        const bool close = std::fabs(a - b) <= most;
        if (a == b || close || (a != a && b != b)) continue;
        std::printf("%s[%zu] is %.9g, expected %.9g\n", name, j * step, a, b);
        return false;
    }
    const bool rounding = std::is_floating_point<T>::value;
    std::printf(rounding ? "%s: as expected within 1e-5\n" : "%s: differs between the elements listed here\n", name);
    return rounding;
}

} // namespace exported
)";

std::string number(double k, ElementType type) {
    sim::Buffer one{"", type, 1, {}, true, {}};
    applyFill(one, {Fill::Kind::Constant, k});
    return literal(one, 0, "NAN", "INFINITY") + (type == ElementType::F32 ? "f" : "");
}

/// The right-hand side of `x[i] = ...`.
std::string formula(const Fill& fill, ElementType type) {
    const std::string k = std::to_string(static_cast<long long>(fill.k));
    const std::string t = hostType(type);
    switch (fill.kind) {
    case Fill::Kind::Constant: return number(fill.k, type);
    case Fill::Kind::Linear:
        if (isReal(type)) return t + "(double(i) * " + number(fill.k, ElementType::F64) + ")";
        return t + "(i * uint64_t(" + k + "))";
    case Fill::Kind::Modulo: return t + "(i % " + k + ")";
    case Fill::Kind::Hash:
        if (isReal(type)) return t + "((exported::hash(i) >> 8) / 16777216.0)";
        return t + (type == ElementType::U8 ? "(exported::hash(i) >> 24)" : "(exported::hash(i) >> 8)");
    case Fill::Kind::HashMod: return t + "((exported::hash(i) >> 8) % " + k + ")";
    case Fill::Kind::Listed: break;
    }
    return {};
}

std::string list(const sim::Buffer& buffer, const std::vector<uint64_t>& indices) {
    std::string text;
    size_t lineStart = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i > 0) text += ", ";
        if (text.size() - lineStart > 100) {
            text += "\n        ";
            lineStart = text.size();
        }
        text += literal(buffer, indices[i], "NAN", "INFINITY");
        if (buffer.type == ElementType::F32 && text.back() != 'N' && text.back() != 'Y') text += 'f';
    }
    return text;
}

std::vector<uint64_t> allIndices(const sim::Buffer& buffer) {
    std::vector<uint64_t> indices(buffer.count);
    for (uint64_t i = 0; i < buffer.count; ++i) indices[i] = i;
    return indices;
}

void writeBuffer(std::ostream& out, const sim::Buffer& buffer, const BufferPlan& plan) {
    const std::string type = std::string("std::vector<") + hostType(buffer.type) + "> ";
    if (buffer.initialised && plan.fill.kind == Fill::Kind::Listed)
        out << "    " << type << plan.name << "{\n        " << list(buffer, allIndices(buffer)) << "};\n";
    else {
        out << "    " << type << plan.name << "(" << buffer.count << ");";
        out << (buffer.initialised ? "\n" : " // Never written before the launch.\n");
        if (buffer.initialised)
            out << "    for (size_t i = 0; i < " << plan.name << ".size(); ++i) " << plan.name
                << "[i] = " << formula(plan.fill, buffer.type) << ";\n";
    }
    out << "    auto* d_" << plan.name << " = exported::allocate(" << plan.name << ");\n";
    if (buffer.initialised) out << "    exported::copyIn(d_" << plan.name << ", " << plan.name << ");\n";
}

std::string bytesList(const std::vector<std::byte>& bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += (text.empty() ? "" : ", ") + std::to_string(unsigned(byte));
    return text;
}

void writeScalars(std::ostream& out, const ExportInput& input, const ExportPlan& plan) {
    for (size_t i = 0; i < plan.arguments.size(); ++i) {
        const ArgumentPlan& argument = plan.arguments[i];
        if (argument.buffer >= 0) continue;
        const std::vector<std::byte>& bytes = input.arguments[i].scalar;
        const std::string value = plan.typed ? scalarLiteral(argument.type, bytes) : "";
        if (!value.empty()) {
            out << "    " << argument.type << " " << argument.name << " = " << value << ";\n";
            continue;
        }
        out << "    const unsigned char " << argument.name << "_bytes[] = {" << bytesList(bytes) << "};\n";
        if (!plan.typed) continue;
        out << "    " << argument.type << " " << argument.name << ";\n    std::memcpy(&" << argument.name << ", "
            << argument.name << "_bytes, sizeof " << argument.name << ");\n";
    }
}

std::string devicePointer(const ExportInput& input, const ExportPlan& plan, size_t i) {
    const std::string pointer = "d_" + plan.buffers[size_t(plan.arguments[i].buffer)].name;
    const int64_t offset = input.arguments[i].byteOffset;
    return offset == 0 ? pointer : "exported::shifted(" + pointer + ", " + std::to_string(offset) + ")";
}

/// kernel<<<...>>>(...) where the types are known, cudaLaunchKernel() where a template's parameters are not.
void writeLaunch(std::ostream& out, const ExportInput& input, const ExportPlan& plan) {
    const auto extent = [](const sim::Dim3& d) {
        return std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z);
    };
    const uint32_t shared = input.config.dynamicSharedBytes;
    out << "\n    const dim3 grid(" << extent(input.config.grid) << "), block(" << extent(input.config.block) << ");\n";
    if (shared > 48 << 10)
        out << "    exported::require(cudaFuncSetAttribute((const void*)" << input.kernel
            << ", cudaFuncAttributeMaxDynamicSharedMemorySize, " << shared << "), \"cudaFuncSetAttribute\");\n";
    std::string arguments;
    for (size_t i = 0; i < plan.arguments.size(); ++i) {
        const ArgumentPlan& argument = plan.arguments[i];
        std::string one = argument.name;
        if (argument.buffer >= 0) {
            one = devicePointer(input, plan, i);
            const std::string natural = std::string(hostType(input.buffers[size_t(argument.buffer)].type)) + "*";
            if (plan.typed && argument.type != natural && argument.type != "const " + natural)
                one = "(" + argument.type + ")" + one;
        }
        if (!plan.typed) {
            if (argument.buffer >= 0) out << "    const void* pointer_" << i << " = " << one << ";\n";
            one = argument.buffer >= 0 ? "&pointer_" + std::to_string(i) : "(void*)" + argument.name + "_bytes";
        }
        arguments += (i > 0 ? ", " : "") + one;
    }
    if (plan.typed) {
        out << "    " << input.kernel << "<<<grid, block" << (shared > 0 ? ", " + std::to_string(shared) : "") << ">>>("
            << arguments << ");\n"
            << "    exported::require(cudaGetLastError(), \"the launch\");\n";
    } else
        out << "    void* arguments[] = {" << arguments << (arguments.empty() ? "nullptr" : "") << "};\n"
            << "    exported::require(cudaLaunchKernel((const void*)" << input.kernel << ", grid, block, arguments, "
            << shared << ", nullptr), \"the launch\");\n";
    out << "    exported::require(cudaDeviceSynchronize(), \"the kernel\");\n\n";
}

void writeChecks(std::ostream& out, const ExportInput& input, const ExportPlan& plan) {
    out << "    bool good = true;\n";
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferPlan& buffer = plan.buffers[i];
        if (!buffer.output) continue;
        out << "    exported::copyOut(" << buffer.name << ", d_" << buffer.name << ");\n";
        if (!buffer.expected) {
            out << "    std::printf(\"" << buffer.name << ": CRC-32 %08x\\n\", exported::crc32(" << buffer.name
                << ".data(), " << buffer.name << ".size() * sizeof " << buffer.name << "[0]));\n";
            continue;
        }
        out << "    good &= exported::check<" << hostType(input.buffers[i].type) << ">(\"" << buffer.name << "\", "
            << buffer.name << ", " << buffer.expected->crc << "u, " << buffer.expected->step << ", {\n        "
            << list(input.expected[i], buffer.expected->indices) << "});\n";
    }
    for (const BufferPlan& buffer : plan.buffers) out << "    cudaFree(d_" << buffer.name << ");\n";
    if (plan.checks) out << "    std::printf(good ? \"PASSED\\n\" : \"FAILED\\n\");\n";
    out << "    return good ? 0 : 1;\n}\n";
}

} // namespace

Exported exportCuda(const ExportInput& input) {
    const ExportPlan plan = planExport(input);
    Exported result;
    result.problem = plan.problem;
    if (input.source.find("int main(") != std::string::npos)
        result.problem = "The text has a main() of its own: it is a program already. Copy it as it is.";
    if (!result.problem.empty()) return result;
    result.fileName = plan.base + "_run.cu";
    result.command = "nvcc -std=c++17 -lineinfo -arch=native -o " + plan.base + "_run " + result.fileName + " && ./" +
                     plan.base + "_run";
    std::ostringstream out;
    out << "// The kernel '" << input.kernel << "' of " << input.fileName
        << " with one launch and its data, exported by CUDA Playground.\n";
    if (plan.checks) out << "// Its outputs are compared with those of " << input.expectedFrom << ".\n";
    out << "//\n//   " << result.command << "\n\n"
        << "#include <cuda_runtime.h>\n\n#include <cassert>\n#include <cmath>\n#include <cstdint>\n#include <cstdio>\n"
           "#include <cstdlib>\n#include <cstring>\n#include <type_traits>\n#include <vector>\n\n"
        << "// ---- The kernel's text, unchanged.\n"
        << input.source << (input.source.ends_with('\n') ? "" : "\n") << "// ---- End of the kernel's text.\n\n"
        << kHelpers << "\nint main() {\n";
    for (size_t i = 0; i < plan.buffers.size(); ++i) writeBuffer(out, input.buffers[i], plan.buffers[i]);
    writeScalars(out, input, plan);
    writeLaunch(out, input, plan);
    writeChecks(out, input, plan);
    result.text = out.str();
    return result;
}

} // namespace gpu
