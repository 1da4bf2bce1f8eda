// The launch as a Python program: CuPy and PyCUDA run the kernel's own text, Numba a version of it in Python.
#include "gpu/export/ExportPlan.h"

#include <sstream>

namespace gpu {
namespace {

/// The parts in which the three programs differ.
struct Dialect {
    const char* suffix;
    const char* imports;
    const char* toDevice; ///< A function device(array) -> device memory, and host(memory, array) back.
    std::string load;     ///< Defines `kernel`.
    std::string launch;   ///< With the argument list put where "@" stands.
};

std::string quoted(const std::string& source) {
    if (source.find("'''") == std::string::npos && !source.ends_with('\\') && !source.ends_with('\''))
        return "r'''" + source + "'''";
    std::string text = "'";
    for (const char c : source) {
        if (c == '\n')
            text += "\\n";
        else if (c == '\\' || c == '\'')
            text += std::string("\\") + c;
        else
            text += c;
    }
    return text + "'";
}

std::string pythonList(const sim::Buffer& buffer, const std::vector<uint64_t>& indices) {
    std::string text;
    size_t lineStart = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i > 0) text += ", ";
        if (text.size() - lineStart > 100) {
            text += "\n    ";
            lineStart = text.size();
        }
        text += literal(buffer, indices[i], "np.nan", "np.inf");
    }
    return "[" + text + "]";
}

std::string formula(const Fill& fill, const sim::Buffer& buffer) {
    const std::string n = std::to_string(buffer.count), type = std::string("np.") + numpyType(buffer.type);
    const std::string k = std::to_string(static_cast<long long>(fill.k));
    const std::string index = "np.arange(" + n + ", dtype=np.uint64)";
    switch (fill.kind) {
    case Fill::Kind::Constant: {
        sim::Buffer one{"", buffer.type, 1, {}, true, {}};
        applyFill(one, fill);
        return "np.full(" + n + ", " + literal(one, 0, "np.nan", "np.inf") + ", dtype=" + type + ")";
    }
    case Fill::Kind::Linear: {
        if (!isReal(buffer.type)) return "(np.arange(" + n + ", dtype=np.int64) * " + k + ").astype(" + type + ")";
        sim::Buffer one{"", sim::ElementType::F64, 1, {}, true, {}};
        applyFill(one, {Fill::Kind::Constant, fill.k});
        return "(np.arange(" + n + ", dtype=np.float64) * " + literal(one, 0, "np.nan", "np.inf") + ").astype(" + type +
               ")";
    }
    case Fill::Kind::Modulo: return "(" + index + " % np.uint64(" + k + ")).astype(" + type + ")";
    case Fill::Kind::Hash:
        if (isReal(buffer.type))
            return "((hashes(" + n + ") >> np.uint64(8)).astype(np.float64) / 2**24).astype(" + type + ")";
        return "(hashes(" + n + ") >> np.uint64(" + (buffer.type == sim::ElementType::U8 ? "24" : "8") + ")).astype(" +
               type + ")";
    case Fill::Kind::HashMod:
        return "((hashes(" + n + ") >> np.uint64(8)) % np.uint64(" + k + ")).astype(" + type + ")";
    case Fill::Kind::Listed: break;
    }
    std::vector<uint64_t> indices(buffer.count);
    for (uint64_t i = 0; i < buffer.count; ++i) indices[i] = i;
    return "np.array(" + pythonList(buffer, indices) + ", dtype=" + type + ")";
}

constexpr const char* kHelpers = R"(
def hashes(n):
    return (np.arange(n, dtype=np.uint64) * np.uint64(2654435761) + np.uint64(12345)) & np.uint64(0xFFFFFFFF)


def check(name, got, crc, step, wanted):
    """Equal to the bit by checksum; otherwise every step-th element within 1e-5, which rounding can explain."""
    if zlib.crc32(got.tobytes()) == crc:
        print(f"{name}: as expected, to the bit")
        return True
    some, wanted = got[::step], np.array(wanted, dtype=got.dtype)
    if got.dtype.kind == "f":
        good = np.isclose(some, wanted, rtol=1e-5, atol=0, equal_nan=True)
    else:
        good = some == wanted
    if good.all():
        rounding = got.dtype.kind == "f"
        print(f"{name}: " + ("as expected within 1e-5" if rounding else "differs between the elements listed here"))
        return rounding
    j = int(np.argmin(good))
    print(f"{name}[{j * step}] is {some[j]}, expected {wanted[j]}")
    return False

)";

/// One argument in Python: an array or a pointer into one, or a NumPy scalar of the parameter's size.
std::string argumentText(const ExportInput& input, const ExportPlan& plan, size_t i, const char* address,
                         std::string& problem) {
    const ArgumentPlan& argument = plan.arguments[i];
    if (argument.buffer >= 0) {
        const std::string name = "d_" + plan.buffers[size_t(argument.buffer)].name;
        const int64_t offset = input.arguments[i].byteOffset;
        if (offset == 0) return name;
        if (address[0] == '\0') {
            problem = "A pointer into the middle of a buffer cannot be written in Numba.";
            return {};
        }
        return "np.uint64(" + std::string(address) + "(" + name + ") + " + std::to_string(offset) + ")";
    }
    const std::vector<std::byte>& bytes = input.arguments[i].scalar;
    std::string type = numpyType(argument.type), value = scalarLiteral(argument.type, bytes);
    if (value.empty()) {
        const auto element = bytes.size() == 1   ? sim::ElementType::U8
                             : bytes.size() == 2 ? sim::ElementType::U16
                             : bytes.size() == 4 ? sim::ElementType::U32
                                                 : sim::ElementType::U64;
        if (sim::bytesOf(element) != bytes.size()) {
            problem = "Argument " + std::to_string(i + 1) +
                      " is a structure passed by value, which only the CUDA C++ export can write.";
            return {};
        }
        type = numpyType(element);
        value = literal({"", element, 1, bytes, true, {}}, 0, "", "");
    }
    const bool special = value == "nan" || value.ends_with("inf");
    return "np." + type + "(" + (special ? "float(\"" + value + "\")" : value) + ")";
}

std::string tuple(const sim::Dim3& d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

void writeChecks(std::ostream& out, const ExportInput& input, const ExportPlan& plan) {
    out << "\ngood = True\n";
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferPlan& buffer = plan.buffers[i];
        if (!buffer.output) continue;
        out << buffer.name << " = host(d_" << buffer.name << ", " << buffer.name << ")\n";
        if (!buffer.expected) {
            out << "print(f\"" << buffer.name << ": CRC-32 {zlib.crc32(" << buffer.name << ".tobytes()):08x}\")\n";
            continue;
        }
        out << "good &= check(\"" << buffer.name << "\", " << buffer.name << ", " << buffer.expected->crc << ", "
            << buffer.expected->step << ",\n    " << pythonList(input.expected[i], buffer.expected->indices) << ")\n";
    }
    if (plan.checks) out << "print(\"PASSED\" if good else \"FAILED\")\n";
    out << "sys.exit(0 if good else 1)\n";
}

Exported write(const ExportInput& input, const ExportPlan& plan, const Dialect& dialect, const std::string& source,
               const char* address) {
    Exported result;
    result.problem = plan.problem;
    std::string arguments;
    for (size_t i = 0; i < plan.arguments.size() && result.problem.empty(); ++i)
        arguments += (i > 0 ? ", " : "") + argumentText(input, plan, i, address, result.problem);
    if (!result.problem.empty()) return result;
    result.fileName = plan.base + dialect.suffix;
    result.command = "python3 " + result.fileName;
    std::ostringstream out;
    out << "# The kernel '" << input.kernel << "' of " << input.fileName
        << " with one launch and its data, exported by CUDA Playground.\n";
    if (plan.checks) out << "# Its outputs are compared with those of " << input.expectedFrom << ".\n";
    out << "#\n#   " << result.command << "\n\n"
        << dialect.imports << "\n"
        << source << kHelpers << dialect.toDevice << "\n\n"
        << dialect.load << "\n";
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferPlan& buffer = plan.buffers[i];
        const sim::Buffer& contents = input.buffers[i];
        if (contents.initialised)
            out << buffer.name << " = " << formula(buffer.fill, contents) << "\n";
        else
            out << buffer.name << " = np.empty(" << contents.count << ", dtype=np." << numpyType(contents.type)
                << ")  # Never written before the launch.\n";
        out << "d_" << buffer.name << " = device(" << buffer.name << ")\n";
    }
    std::string launch = dialect.launch;
    const size_t at = launch.find('@');
    // A tuple of one argument needs its comma, and one of none must not have it.
    launch.replace(at, 1, arguments);
    out << "\n" << launch << "\n";
    writeChecks(out, input, plan);
    result.text = out.str();
    return result;
}

/// Makes nvcc compile the instance asked for, also of a template that nothing else uses.
std::string instantiation(const ExportInput& input) {
    return "\nstatic const void* const exported_kernel = (const void*)" + input.kernel + ";\n";
}

} // namespace

Exported exportCupy(const ExportInput& input) {
    const ExportPlan plan = planExport(input);
    const uint32_t shared = input.config.dynamicSharedBytes;
    Dialect dialect;
    dialect.suffix = "_cupy.py";
    dialect.imports = "import sys\nimport zlib\n\nimport cupy as cp\nimport numpy as np\n";
    dialect.toDevice = "\ndef device(array):\n    return cp.asarray(array)\n\n\ndef host(memory, array):\n    return "
                       "cp.asnumpy(memory)\n\n\n"
                       "def address(memory):\n    return memory.data.ptr\n";
    dialect.load = "module = cp.RawModule(code=SOURCE, backend=\"nvrtc\", options=(\"-std=c++17\", \"-lineinfo\"),\n"
                   "                      name_expressions=(\"" +
                   input.kernel +
                   "\",))\n"
                   "kernel = module.get_function(\"" +
                   input.kernel + "\")\n";
    if (shared > 48 << 10) dialect.load += "kernel.max_dynamic_shared_size_bytes = " + std::to_string(shared) + "\n";
    const std::string comma = plan.arguments.size() == 1 ? "," : "";
    dialect.launch = "kernel(" + tuple(input.config.grid) + ", " + tuple(input.config.block) + ", (@" + comma + ")" +
                     (shared > 0 ? ", shared_mem=" + std::to_string(shared) : "") +
                     ")\ncp.cuda.runtime.deviceSynchronize()";
    return write(input, plan, dialect, "SOURCE = " + quoted(input.source) + "\n", "address");
}

Exported exportPycuda(const ExportInput& input) {
    const ExportPlan plan = planExport(input);
    const uint32_t shared = input.config.dynamicSharedBytes;
    Dialect dialect;
    dialect.suffix = "_pycuda.py";
    dialect.imports = "import re\nimport sys\nimport zlib\n\nimport numpy as np\nimport pycuda.autoprimaryctx\nimport "
                      "pycuda.compiler\n"
                      "import pycuda.driver as cuda\n";
    dialect.toDevice =
        "\ndef device(array):\n    memory = cuda.mem_alloc(max(array.nbytes, 1))\n    cuda.memcpy_htod(memory, array)\n"
        "    return memory\n\n\ndef host(memory, array):\n    result = np.empty_like(array)\n"
        "    cuda.memcpy_dtoh(result, memory)\n    return result\n\n\ndef address(memory):\n    return "
        "int(memory)\n\n\n"
        "def find_kernel(cubin, name):\n    \"\"\"The kernel's name as the compiler wrote it: C++ names carry their "
        "parameter types.\"\"\"\n"
        "    found = {m.decode() for m in re.findall(rb\"\\.text\\.(\\w+)\", cubin)}\n"
        "    return next(f for f in sorted(found) if f == name or f\"{len(name)}{name}\" in f)\n";
    dialect.load =
        "cubin = pycuda.compiler.compile(SOURCE, options=[\"-std=c++17\", \"-lineinfo\"], no_extern_c=True)\n"
        "module = cuda.module_from_buffer(cubin)\nkernel = module.get_function(find_kernel(cubin, \"" +
        plan.base + "\"))\n";
    if (shared > 48 << 10)
        dialect.load += "kernel.set_attribute(cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, " +
                        std::to_string(shared) + ")\n";
    const std::string comma = plan.arguments.empty() ? "" : ", ";
    dialect.launch = "kernel(@" + comma + "grid=" + tuple(input.config.grid) + ", block=" + tuple(input.config.block) +
                     (shared > 0 ? ", shared=" + std::to_string(shared) : "") + ")\ncuda.Context.synchronize()";
    return write(input, plan, dialect, "SOURCE = " + quoted(input.source + instantiation(input)) + "\n", "address");
}

Exported exportNumba(const ExportInput& input) {
    if (input.numbaSource.empty()) return {{}, {}, {}, "This kernel has no Numba version."};
    const ExportPlan plan = planExport(input);
    const uint32_t shared = input.config.dynamicSharedBytes;
    Dialect dialect;
    dialect.suffix = "_numba.py";
    dialect.imports = "import sys\nimport zlib\n\nimport numpy as np\nfrom numba import cuda\n";
    dialect.toDevice = "\ndef device(array):\n    return cuda.to_device(array)\n\n\ndef host(memory, array):\n    "
                       "return memory.copy_to_host()\n";
    dialect.launch = plan.base + "[" + tuple(input.config.grid) + ", " + tuple(input.config.block) +
                     (shared > 0 ? ", 0, " + std::to_string(shared) : "") + "](@)\ncuda.synchronize()";
    return write(input, plan, dialect, "\n" + input.numbaSource + (input.numbaSource.ends_with('\n') ? "" : "\n"), "");
}

} // namespace gpu
