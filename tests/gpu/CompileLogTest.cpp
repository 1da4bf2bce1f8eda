// Logs as NVRTC 13.0 writes them, read back.
#include "gpu/worker/CompileLog.h"

#include <gtest/gtest.h>

namespace {

using Severity = sim::Diagnostic::Severity;

TEST(CompileLog, ErrorsAndWarningsWithLineAndColumn) {
    const auto found =
        gpu::parseCompileLog("copy.cu(3): error: expected a \";\"\n"
                             "  \t  if (k < n) o[k] = foo[k];\n"
                             "  \t  ^\n"
                             "\n"
                             "copy.cu(2): warning #177-D: variable \"k\" was declared but never referenced\n"
                             "      int k = threadIdx.x\n"
                             "          ^\n"
                             "\n"
                             "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
                             "\n"
                             "1 error detected in the compilation of \"copy.cu\".\n",
                             "copy.cu", "copy");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_EQ(found[0].at, (sim::SourceLoc{3, 4}));
    EXPECT_EQ(found[0].message, "expected a \";\"");
    EXPECT_EQ(found[0].rendered, "copy.cu(3): error: expected a \";\"\n  \t  if (k < n) o[k] = foo[k];\n  \t  ^");
    EXPECT_EQ(found[1].severity, Severity::Warning);
    EXPECT_EQ(found[1].at, (sim::SourceLoc{2, 9}));
}

TEST(CompileLog, AWrongKernelNameIsOneErrorInTheLearnersWords) {
    const auto found =
        gpu::parseCompileLog("__nv_name_map(2): error: identifier \"copz\" is undefined\n"
                             "  #pragma nv_mangled_name copz\n"
                             "                          ^\n"
                             "\n"
                             "__nv_name_map(2): error: Error in parsing name expression for lowered name lookup. "
                             "Input name expression was: \" copz\"\n"
                             "  #pragma nv_mangled_name copz\n"
                             "                          ^\n",
                             "copy.cu", "copz");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].message, "The text has no kernel named 'copz'.");
    EXPECT_EQ(found[0].at.line, 0u);
    EXPECT_EQ(found[0].rendered, found[0].message);
}

TEST(CompileLog, OtherNameProblems) {
    const auto one = [](const char* message) {
        return gpu::parseCompileLog(std::string("__nv_name_map(2): error: ") + message + "\n", "copy.cu", "copy")
            .at(0)
            .message;
    };
    EXPECT_EQ(
        one("Name expression cannot form address of a non-__global__ function. Input name expression was: \" copy\""),
        "'copy' is not a kernel: declare it __global__.");
    EXPECT_EQ(one("cannot determine which instance of overloaded function \"copy\" is intended"),
              "The text has several kernels named 'copy': give each a name of its own.");
}

TEST(CompileLog, ErrorsInHeadersNameTheirPlace) {
    const auto found = gpu::parseCompileLog("/usr/include/x.h(167): catastrophic error: cannot open source file \"y\"\n"
                                            "  #  include <y>\n                ^\n",
                                            "copy.cu", "copy");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].at, (sim::SourceLoc{0, 0}));
    EXPECT_EQ(found[0].message, "cannot open source file \"y\" (/usr/include/x.h:167)");
}

TEST(CompileLog, HostFunctionsAreExplained) {
    const auto found =
        gpu::parseCompileLog("copy.cu(6): error: A function without execution space annotations "
                             "(__host__/__device__/__global__) is considered a host function, and host functions are "
                             "not allowed in JIT mode. Consider using -default-device flag\n"
                             "   int main() {\n       ^\n",
                             "copy.cu", "copy");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("__CUDACC_RTC__"), std::string::npos);
    EXPECT_EQ(found[0].at, (sim::SourceLoc{6, 6}));
}

constexpr const char* kAssembled =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z4copyPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z4copyPf\n"
    "ptxas         .     800 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n"
    "ptxas info    : Used 32 registers, used 1 barriers, 4096 bytes smem\n"
    "ptxas info    : Compiling entry function '_Z5otherPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z5otherPf\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 8 registers, used 0 barriers\n";

TEST(CompileLog, AssemblerReportOfTheRightFunction) {
    const gpu::AssemblerReport copy = gpu::parseAssemblerReport(kAssembled, "_Z4copyPf");
    EXPECT_EQ(copy.stackBytes, 800);
    EXPECT_EQ(copy.spillStoreBytes, 16);
    EXPECT_EQ(copy.spillLoadBytes, 20);
    EXPECT_EQ(copy.registers, 32);
    EXPECT_EQ(copy.sharedBytes, 4096);
    EXPECT_EQ(gpu::parseAssemblerReport(kAssembled, "_Z5otherPf").registers, 8);
    EXPECT_EQ(gpu::parseAssemblerReport(kAssembled, "_Z7nothingv").registers, -1);
    EXPECT_TRUE(gpu::parseCompileLog(kAssembled, "copy.cu", "copy").empty());
}

TEST(CompileLog, AnyTextIsSurvived) {
    for (const char* text :
         {"", "\n\n\n", "(", "): error: ", "a(x): error: b", "a(99999999999): error: b", "^", "  ^\n  ^", "x(1): error",
          "ptxas info : Function properties for ", "ptxas", "x(1): note: y\n   ^ ^"})
        EXPECT_LE(gpu::parseCompileLog(text, "copy.cu", "copy").size(), 1u) << text;
}

} // namespace
