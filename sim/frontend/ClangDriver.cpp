// Drives Clang's front end as `clang -x cuda --cuda-device-only` would, with our own device headers.
#include "sim/frontend/ClangDriver.h"

#include "sim/frontend/EmbeddedHeaders.h"

#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <unistd.h>

namespace sim::frontend {

namespace {

constexpr const char* kHeaderRoot = "/playground/include";
constexpr const char* kPrelude = "/playground/include/playground_prelude.h";

/// Collects diagnostics, each both as data and as Clang would print it.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
    DiagnosticCollector(std::string learnerFile, std::vector<Diagnostic>& out)
        : learnerFile_(std::move(learnerFile)), out_(out), stream_(text_), options_(new clang::DiagnosticOptions),
          printer_(stream_, options_.get()) {}

    void BeginSourceFile(const clang::LangOptions& lang, const clang::Preprocessor* pp) override {
        printer_.BeginSourceFile(lang, pp);
    }
    void EndSourceFile() override { printer_.EndSourceFile(); }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        text_.clear();
        printer_.HandleDiagnostic(level, info);
        stream_.flush();
        llvm::SmallString<256> message;
        info.FormatDiagnostic(message);

        Diagnostic d;
        d.severity = level >= clang::DiagnosticsEngine::Error     ? Diagnostic::Severity::Error
                     : level == clang::DiagnosticsEngine::Warning ? Diagnostic::Severity::Warning
                                                                  : Diagnostic::Severity::Note;
        d.message = std::string(message);
        d.rendered = text_;
        locate(info, d);
        // A warning inside a header is nobody's business here.
        if (d.severity == Diagnostic::Severity::Warning && d.at.line == 0) return;
        out_.push_back(std::move(d));
    }

private:
    void locate(const clang::Diagnostic& info, Diagnostic& d) const {
        if (!info.hasSourceManager() || !info.getLocation().isValid()) return;
        const clang::SourceManager& sources = info.getSourceManager();
        const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(info.getLocation()));
        if (at.isValid() && learnerFile_ == at.getFilename()) d.at = {at.getLine(), at.getColumn()};
    }

    std::string learnerFile_;
    std::vector<Diagnostic>& out_;
    std::string text_;
    llvm::raw_string_ostream stream_;
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options_;
    clang::TextDiagnosticPrinter printer_;
};

std::vector<std::string> commonArguments(const CompileOptions& options) {
    const std::string resources = PLAYGROUND_CLANG_RESOURCES;
    std::vector<std::string> args{
        "-triple", "nvptx64-nvidia-cuda", "-aux-triple", llvm::sys::getProcessTriple(), "-fcuda-is-device",
        "-target-cpu", "sm_" + std::to_string(options.computeCapability), "-target-feature", "+ptx83",
        // Makes Clang accept <<<>>> through __cudaPushCallConfiguration, as toolkits since 9.2 do.
        "-target-sdk-version=12.3",
        "-emit-llvm-only", "-disable-llvm-passes", "-O1", "-x", "cuda", "-std=c++17",
        // nvcc contracts a * b + c by default; LowerArithmetic does it from these flags.
        "-ffp-contract=fast", "-fgnuc-version=4.2.1", "-fcxx-exceptions", "-fexceptions", "-fgpu-rdc",
        "-debug-info-kind=standalone", "-dwarf-version=5", "-debugger-tuning=gdb", "-fno-pch-timestamp",
        "-resource-dir", resources, "-internal-isystem", kHeaderRoot, "-internal-isystem",
        resources + "/include/cuda_wrappers"};
    std::string hostIncludes = PLAYGROUND_HOST_INCLUDES;
    for (size_t at = 0; at < hostIncludes.size();) {
        const size_t end = std::min(hostIncludes.find(':', at), hostIncludes.size());
        const std::string folder = hostIncludes.substr(at, end - at);
        const bool cxx = folder.find("c++") != std::string::npos;
        if (!cxx && args.back() != resources + "/include" && folder.find("/include") != std::string::npos &&
            std::find(args.begin(), args.end(), resources + "/include") == args.end()) {
            args.insert(args.end(), {"-internal-isystem", resources + "/include"});
        }
        args.insert(args.end(), {cxx ? "-internal-isystem" : "-internal-externc-isystem", folder});
        at = end + 1;
    }
    for (const std::string& folder : options.includeDirectories) args.insert(args.end(), {"-I", folder});
    for (const std::string& define : options.defines) args.push_back("-D" + define);
    return args;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const std::string& learnerFile, const std::string& source) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const EmbeddedHeader& header : embeddedHeaders())
        memory->addFile(std::string(kHeaderRoot) + "/" + header.name, 0, llvm::MemoryBuffer::getMemBuffer(header.text, header.name));
    if (!learnerFile.empty()) memory->addFile(learnerFile, 0, llvm::MemoryBuffer::getMemBufferCopy(source, learnerFile));
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
    overlay->pushOverlay(memory);
    return overlay;
}

/// A compiler instance for one input, reporting into `diagnostics`.
std::unique_ptr<clang::CompilerInstance> makeInstance(std::vector<std::string> args, const std::string& input,
                                                      const std::string& source, std::vector<Diagnostic>& diagnostics) {
    args.insert(args.end(), {"-main-file-name", llvm::sys::path::filename(input).str(), input});
    std::vector<const char*> pointers;
    for (const std::string& a : args) pointers.push_back(a.c_str());

    auto instance = std::make_unique<clang::CompilerInstance>();
    auto* collector = new DiagnosticCollector(input, diagnostics);
    instance->createDiagnostics(collector, /*ShouldOwnClient=*/true);
    if (!clang::CompilerInvocation::CreateFromArgs(instance->getInvocation(), pointers, instance->getDiagnostics())) return nullptr;
    instance->getDiagnosticOpts().ShowCarets = false; // Or it would print a count of errors to stderr.
    instance->createFileManager(fileSystem(input == kPrelude ? "" : input, source));
    return instance;
}

std::filesystem::path cacheFolder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return std::filesystem::path(xdg) / "cuda-playground";
    if (const char* home = std::getenv("HOME"); home && *home) return std::filesystem::path(home) / ".cache/cuda-playground";
    return std::filesystem::temp_directory_path() / ("cuda-playground-" + std::to_string(getuid()));
}

/// Names the precompiled prelude by everything it depends on, so that a stale one is never used.
std::string preludeName(const std::vector<std::string>& args) {
    std::string key = clang::getClangFullVersion();
    for (const std::string& a : args) key += a + '\n';
    for (const EmbeddedHeader& h : embeddedHeaders()) key += h.text;
    std::error_code ignored;
    for (const char* header : {"/cmath", "/math.h", "/stdio.h", "/stdlib.h"})
        for (const std::string& a : args)
            if (const auto time = std::filesystem::last_write_time(a + header, ignored); !ignored)
                key += std::to_string(time.time_since_epoch().count());
    uint64_t hash = 1469598103934665603ull; // FNV-1a
    for (const unsigned char c : key) hash = (hash ^ c) * 1099511628211ull;
    char name[40];
    std::snprintf(name, sizeof name, "prelude-%016llx.pch", static_cast<unsigned long long>(hash));
    return name;
}

/// Builds the precompiled prelude at `path`; false when that failed (then the prelude is parsed each time).
bool buildPrelude(const std::vector<std::string>& args, const std::filesystem::path& path) {
    std::vector<Diagnostic> diagnostics;
    const std::string temporary = path.string() + "." + std::to_string(getpid());
    auto instance = makeInstance(args, kPrelude, "", diagnostics);
    if (!instance) return false;
    instance->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
    instance->getFrontendOpts().OutputFile = temporary;
    clang::GeneratePCHAction action;
    std::error_code error;
    if (!instance->ExecuteAction(action) || instance->getDiagnostics().hasErrorOccurred()) {
        std::filesystem::remove(temporary, error);
        return false;
    }
    std::filesystem::rename(temporary, path, error);
    return !error;
}

/// Path of a usable precompiled prelude, or empty.
std::string precompiledPrelude(const std::vector<std::string>& args) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::error_code error;
    const std::filesystem::path folder = cacheFolder();
    std::filesystem::create_directories(folder, error);
    const std::filesystem::path path = folder / preludeName(args);
    if (std::filesystem::exists(path, error)) return path;
    return buildPrelude(args, path) ? path.string() : std::string();
}

} // namespace

std::string learnerPath(const CompileOptions& options) {
    return "/playground/source/" + llvm::sys::path::filename(options.fileName).str();
}

namespace {

/// The learner's text, followed by host code that refers to each wanted template instance, as a launch would.
std::string withInstances(const std::string& source, const std::vector<std::string>& names) {
    std::string text = source;
    for (size_t k = 0; k < names.size(); ++k)
        text += "\n#line 1 \"instance\"\nstatic inline auto playgroundInstance" + std::to_string(k) + "() { return &" + names[k] + "; }";
    return text;
}

} // namespace

ParsedModule parseCuda(const std::string& source, const CompileOptions& options) {
    ParsedModule result;
    CompileOptions preludeOptions = options;
    preludeOptions.defines.clear();
    preludeOptions.includeDirectories.clear();
    std::vector<std::string> args = commonArguments(options);
    const std::string pch = options.defines.empty() ? precompiledPrelude(commonArguments(preludeOptions)) : "";
    if (pch.empty()) args.insert(args.end(), {"-include", kPrelude});
    else args.insert(args.end(), {"-include-pch", pch});

    result.context = std::make_unique<llvm::LLVMContext>();
    auto instance = makeInstance(args, learnerPath(options), withInstances(source, options.instantiate), result.diagnostics);
    if (!instance) return result;
    clang::EmitLLVMOnlyAction action(result.context.get());
    if (instance->ExecuteAction(action) && !instance->getDiagnostics().hasErrorOccurred()) result.module = action.takeModule();
    // Learners know their file by its own name.
    const std::string shown = options.fileName, internal = learnerPath(options);
    for (Diagnostic& d : result.diagnostics)
        for (size_t at; (at = d.rendered.find(internal)) != std::string::npos;) d.rendered.replace(at, internal.size(), shown);
    return result;
}

} // namespace sim::frontend
