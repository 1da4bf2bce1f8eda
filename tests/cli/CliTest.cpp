// Runs the real program: exit codes, JSON, and messages for wrong input.
#include "tests/cli/Program.h"

#include <gtest/gtest.h>

namespace {

const std::string kKernels = TEST_DATA "/kernels.cu";

double counter(const nlohmann::json& report, const std::string& id) {
    for (const auto& c : report["counters"])
        if (c["id"] == id) return c["value"].get<double>();
    ADD_FAILURE() << "no counter " << id;
    return -1;
}

TEST(Cli, SimGivesCountersOutputsAndInstructions) {
    const Result r =
        run("sim " + kKernels +
            " --kernel scale --grid 4 --block 256 --arg inout:f32[1000]=iota --arg f32=2 --arg i32=1000 --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto report = r.json();
    EXPECT_EQ(report["status"], "finished");
    EXPECT_EQ(counter(report, "global-load-requests"), 32);
    EXPECT_EQ(counter(report, "global-load-sectors"), 125);
    ASSERT_EQ(report["outputs"].size(), 1u);
    EXPECT_EQ(report["outputs"][0]["index"], 0);
    EXPECT_EQ(report["outputs"][0]["name"], "a");
    EXPECT_EQ(report["outputs"][0]["sum"], 999000.0);
    EXPECT_EQ(report["outputs"][0]["head"][3], 6.0);
    EXPECT_GT(report["instructions"]["warp"], 0);
    EXPECT_GT(report["instructions"]["thread"], report["instructions"]["warp"]);
    EXPECT_TRUE(report["findings"].empty());
    EXPECT_FALSE(report["lines"].empty());
    EXPECT_TRUE(report.contains("wall_ms"));
}

TEST(Cli, FindingsGiveExitCodeOne) {
    const Result r = run("sim " + kKernels + " --kernel overrun --grid 1 --block 64 --arg out:i32[60] --json");
    EXPECT_EQ(r.code, 1) << r.err;
    const auto finding = r.json()["findings"].at(0);
    EXPECT_EQ(finding["kind"], "out-of-bounds-global");
    EXPECT_EQ(finding["access"], "write");
    EXPECT_EQ(finding["line"], 6);
    EXPECT_EQ(finding["count"], 4);
    EXPECT_EQ(finding["first"]["thread"], nlohmann::json::array({60, 0, 0}));
    EXPECT_EQ(finding["first"]["offset"], 240);
    EXPECT_EQ(finding["first"]["bytes"], 4);
    EXPECT_EQ(finding["first"]["allocation"], "out");
}

TEST(Cli, TextOutputSaysThatItIsSimulated) {
    const Result r = run("sim " + kKernels + " --kernel overrun --grid 1 --block 32 --arg out:i32[32]");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_NE(r.out.find("Counters (simulated)"), std::string::npos);
    EXPECT_NE(r.out.find("No findings"), std::string::npos);
}

TEST(Cli, CompileErrorsShowLineAndCaret) {
    const Result r =
        run(std::string("sim ") + TEST_DATA + "/wrong.cu --kernel wrong --grid 1 --block 1 --arg out:i32[1]");
    EXPECT_EQ(r.code, 2);
    EXPECT_NE(r.err.find("wrong.cu:2:14: error: "), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("^"), std::string::npos) << r.err;
}

TEST(Cli, LimitsGiveExitCodeThree) {
    EXPECT_EQ(run("sim " + kKernels + " --kernel forever --grid 1 --block 32 --arg inout:i32[1] --seconds 0.5").code,
              3);
}

TEST(Cli, WrongUsageGivesExitCodeTwoAndASentence) {
    const auto refused = [](const std::string& arguments, const std::string& sentence) {
        const Result r = run(arguments);
        EXPECT_EQ(r.code, 2) << arguments;
        EXPECT_NE(r.err.find(sentence), std::string::npos) << arguments << "\n" << r.err;
    };
    refused("", "subcommand");
    refused("sim", "FILE");
    refused("sim nothing.cu --grid 1 --block 1", "cannot read 'nothing.cu'");
    refused("sim " + kKernels + " --grid 1 --block 1", "the file has several kernels");
    refused("sim " + kKernels + " --kernel scal --grid 1 --block 1",
            "there is no kernel 'scal'; the file has scale, overrun, forever");
    refused("sim " + kKernels + " --kernel scale --grid 1x2 --block 1", "is not X[,Y[,Z]]");
    refused("sim " + kKernels + " --kernel scale --grid 1 --block 32 --arg float", "write in:f32[1024]=hash");
    refused("sim " + kKernels + " --kernel scale --grid 1 --block 32 --arg i32=1", "takes 3 arguments, 1 is given");
    refused("sim " + kKernels + " --kernel overrun --grid 1 --block 32 --arg i32=1", "is a pointer; give it a buffer");
    refused("sim " + kKernels + " --kernel scale --grid 1 --block 32 --arg out:f32[9] --arg f64=1 --arg i32=9",
            "has 4 bytes, but 8 are given");
    refused("run 99-nothing", "there is no lesson '99-nothing'");
    refused("run 1 --set m=3", "has no knob 'm'");
    refused("run 1 --set n=0", "out of range");
    refused("run 1 --variant other", "has no variant 'other'");
    refused("cases /nowhere", "cases.json");
    refused("lessons --lessons /nowhere", "there are no lessons in '/nowhere'");
}

TEST(Cli, HelpIsNoError) {
    EXPECT_EQ(run("--help").code, 0);
    EXPECT_EQ(run("sim --help").code, 0);
}

TEST(Cli, LessonsAreListed) {
    const Result r = run("lessons --json");
    EXPECT_EQ(r.code, 0) << r.out;
    EXPECT_GE(r.json()["lessons"].size(), 4u);
}

TEST(Cli, RunTakesKnobsAndChecksTheReference) {
    const Result r = run("run 7 --variant load-stride --set stride=4 --json");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(counter(r.json(), "global-load-sectors-per-request"), 16);
    EXPECT_EQ(r.json()["reference"], "load_stride");
    EXPECT_TRUE(r.json()["differences"].empty());
    const Result wrong = run("run 01-thread-indexing --variant short-grid --json");
    EXPECT_EQ(wrong.code, 1);
    EXPECT_EQ(wrong.json()["differences"].size(), 1u);
}

TEST(Cli, DoctorNeverFailsOnAMissingGpu) {
    const Result r = run("doctor --json");
    EXPECT_EQ(r.code, 0) << r.out;
    EXPECT_TRUE(r.json()["healthy"]);
}

} // namespace
