// Runs the real program with a fake GPU under it, and without one.
#include "tests/cli/Program.h"
#include "tests/gpu/FakeMachine.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

const std::string kLessons = " --lessons " TEST_DATA "/gpu/lessons ";

/// A copy of the test's lesson that recorded figures may be written into.
struct WritableLessons {
    std::filesystem::path folder;
    explicit WritableLessons(const FakeMachine& machine) : folder(machine.cacheFolder() / "content") {
        std::filesystem::copy(TEST_DATA "/gpu", folder, std::filesystem::copy_options::recursive);
    }
    std::string option() const { return " --lessons " + (folder / "lessons").string() + " "; }
};

TEST(GpuCli, BothBackendsRunOneLaunchAndAgree) {
    const FakeMachine machine;
    const Result r = run("run 01" + kLessons + "--backend both --launches 5 --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto json = r.json();
    EXPECT_EQ(json["status"], "finished");
    EXPECT_EQ(json["gpu"]["status"], "finished");
    EXPECT_EQ(json["gpu"]["timings"]["kernel_us"]["samples"].size(), 5u);
    ASSERT_EQ(json["agreement"].size(), 1u);
    EXPECT_EQ(json["agreement"][0]["buffer"], "out");
    EXPECT_EQ(json["agreement"][0]["equal"], true);
    EXPECT_EQ(json["outputs"][0]["sum"], 5050.0); // 1 + 2 + ... + 100
}

TEST(GpuCli, AFaultOnTheGpuIsExplainedByTheSimulator) {
    const FakeMachine machine;
    const Result r = run("run 01 --variant far" + kLessons + "--backend both");
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_NE(r.out.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("The simulator saw it at line 7, thread (0,0,0) of block (0,0,0)"), std::string::npos) << r.out;
}

TEST(GpuCli, TextSaysWhatIsMeasuredAndWhatIsSimulated) {
    const FakeMachine machine;
    const Result r = run("run 01" + kLessons + "--backend both");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_NE(r.out.find("Times (measured"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("Counters (simulated)"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("out: equal to the bit"), std::string::npos) << r.out;
}

TEST(GpuCli, RecordedFiguresAreShownForTheTextTheyWereMeasuredOn) {
    FakeMachine machine;
    const WritableLessons lessons(machine);
    const Result recorded = run("record add-one" + lessons.option() + "--launches 3 --json");
    ASSERT_EQ(recorded.code, 0) << recorded.err;
    // Each variant at its defaults (n 100, block 64), with 8 other values of n and with block 32.
    EXPECT_EQ(recorded.json()["recorded"][0]["runs"], 20);
    EXPECT_EQ(recorded.json()["recorded"][0]["not_finished"], 10);

    machine.set("PLAYGROUND_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    const Result simulated = run("run 01" + lessons.option() + "--json");
    ASSERT_EQ(simulated.code, 0) << simulated.err;
    EXPECT_EQ(simulated.json()["recorded"]["samples"].size(), 3u);
    EXPECT_NE(run("run 01" + lessons.option()).out.find("recorded on"), std::string::npos);
    EXPECT_FALSE(run("run 01 --set n=101" + lessons.option() + "--json").json().contains("recorded"));

    std::ofstream(lessons.folder / "kernels" / "add_one.cu", std::ios::app) << "// edited\n";
    EXPECT_FALSE(run("run 01" + lessons.option() + "--json").json().contains("recorded"));

    std::ofstream(lessons.folder / "lessons" / "01-add-one" / "recorded.json") << "{\"format\": 1";
    const Result damaged = run("run 01" + lessons.option());
    EXPECT_EQ(damaged.code, 0);
    EXPECT_NE(damaged.err.find("measure again with 'playground-cli record'"), std::string::npos) << damaged.err;
}

TEST(GpuCli, WithoutADriverEveryCommandSaysWhyAndWhatToDo) {
    FakeMachine machine;
    machine.set("PLAYGROUND_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    for (const std::string& command : {"run 01" + kLessons + "--backend gpu", "run 01" + kLessons + "--backend both",
                                       "record 01" + kLessons, std::string("cases " TEST_DATA " --backend gpu")}) {
        const Result r = run(command);
        EXPECT_EQ(r.code, 2) << command;
        if (command.starts_with("cases")) continue; // That folder holds no cases, which is said first.
        EXPECT_NE((r.out + r.err).find("install"), std::string::npos) << command << "\n" << r.out << r.err;
    }
}

} // namespace
