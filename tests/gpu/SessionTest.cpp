// Good runs on the fake GPU: results, timings, printf, cache, sweeps, cancelling.
#include "tests/gpu/FakeMachine.h"
#include "tests/gpu/FaultDrill.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

namespace {

using gpu::RunStatus;

class Session : public testing::Test {
protected:
    FakeMachine machine_;
    gpu::Session session_;
};

TEST_F(Session, GivesTheResultAndItsCircumstances) {
    const gpu::RunResult result = session_.run(drill::goodRequest());
    EXPECT_EQ(drill::goodProblem(result), "");
    EXPECT_EQ(result.device.name, "Fake GPU");
    EXPECT_EQ(result.resources.registers, 12);
    EXPECT_EQ(result.resources.spillStoreBytes, 8);
    EXPECT_EQ(result.resources.spillLoadBytes, 4);
    EXPECT_EQ(result.resources.stackBytes, 16);
    EXPECT_EQ(result.resources.residentBlocks, 8);
    EXPECT_EQ(result.timings.warmUps, 1u);
    EXPECT_EQ(result.timings.copyIn.count(), 2u);
    EXPECT_EQ(result.timings.copyOut.count(), 2u);
    EXPECT_EQ(result.timings.launchCall.count(), 2u);
    EXPECT_EQ(result.timings.emptyLaunch.count(), 20u);
    EXPECT_TRUE(result.timings.gated);
    EXPECT_EQ(result.timings.bytesIn, 8000u);
    EXPECT_EQ(result.timings.bytesOut, 4000u);
}

TEST_F(Session, KeepsItsWorkerAndItsCompiledCode) {
    const gpu::RunResult first = session_.run(drill::goodRequest());
    const int pid = session_.workerPid();
    EXPECT_GT(pid, 0);
    EXPECT_FALSE(first.timings.compiledBefore);
    EXPECT_TRUE(session_.run(drill::goodRequest()).timings.compiledBefore);
    EXPECT_EQ(session_.workerPid(), pid);
    EXPECT_TRUE(gpu::Session().run(drill::goodRequest()).timings.compiledBefore) << "another worker reads the disk";
    gpu::RunRequest other = drill::goodRequest();
    other.options.defines = {"N=1"};
    EXPECT_FALSE(session_.run(other).timings.compiledBefore) << "options are part of the key";
}

TEST_F(Session, RunsOnceWhenNothingIsToBeTimed) {
    gpu::RunRequest request = drill::goodRequest();
    request.options.launches = 0;
    const gpu::RunResult result = session_.run(request);
    EXPECT_EQ(result.status, RunStatus::Finished);
    EXPECT_TRUE(result.timings.kernel.empty());
    EXPECT_GE(result.timings.firstKernel, 0);
}

TEST_F(Session, FlushedAndPinnedGiveTheSameResult) {
    gpu::RunRequest request = drill::goodRequest();
    request.options.flushCache = request.options.pinned = true;
    const gpu::RunResult result = session_.run(request);
    EXPECT_EQ(drill::goodProblem(result), "");
    EXPECT_TRUE(result.timings.flushedCache);
    EXPECT_TRUE(result.timings.pinned);
}

TEST_F(Session, AllBuffersComeBackWhenNoneIsNamedAnOutput) {
    gpu::RunRequest request = drill::goodRequest();
    request.output.clear();
    EXPECT_EQ(drill::goodProblem(session_.run(request)), "");
}

TEST_F(Session, UninitialisedMemoryIsNotZero) {
    gpu::RunRequest request = drill::goodRequest(100);
    request.buffers[1].initialised = false;
    request.buffers[1].bytes.clear();
    const gpu::RunResult result = session_.run(request);
    ASSERT_EQ(result.status, RunStatus::Finished);
    int first = 0;
    std::memcpy(&first, result.buffers[0].bytes.data(), sizeof first);
    EXPECT_EQ(unsigned(first), 0xCDCDCDCDu + 1);
}

TEST_F(Session, PrintedTextIsThatOfOneLaunch) {
    gpu::RunRequest request = drill::goodRequest();
    request.kernel = "print_block";
    request.arguments.resize(1);
    request.config = {{2, 1, 1}, {32, 1, 1}, 0};
    EXPECT_EQ(session_.run(request).printed, "hello from block 0\nhello from block 1\n");
}

TEST_F(Session, WrongSizesAreRejectedBeforeAnythingRuns) {
    gpu::RunRequest request = drill::goodRequest();
    request.buffers[1].bytes.pop_back();
    EXPECT_EQ(session_.run(request).status, RunStatus::Rejected);
    request = drill::goodRequest();
    request.arguments[0].buffer = 2;
    EXPECT_EQ(session_.run(request).status, RunStatus::Rejected);
    request = drill::goodRequest();
    request.config.grid.x = 0;
    EXPECT_EQ(session_.run(request).status, RunStatus::Rejected);
    EXPECT_EQ(session_.workerPid(), -1);
}

TEST_F(Session, MissingCountersAreExplainedAndTheResultStays) {
    gpu::RunRequest request = drill::goodRequest();
    request.options.counters = gpu::comparableCounters();
    const gpu::RunResult result = session_.run(request);
    EXPECT_EQ(drill::goodProblem(result), "");
    EXPECT_TRUE(result.counters.empty());
    EXPECT_NE(result.countersReason.find("CUPTI"), std::string::npos) << result.countersReason;
}

TEST_F(Session, SweepStopsWhenToldTo) {
    std::vector<gpu::RunRequest> requests;
    for (unsigned n = 1; n <= 5; ++n) requests.push_back(drill::goodRequest(n));
    std::vector<size_t> seen;
    session_.runAll(requests, [&](size_t i, const gpu::RunResult& result) {
        EXPECT_EQ(drill::goodProblem(result, unsigned(i) + 1), "");
        seen.push_back(i);
        return i < 2;
    });
    EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2}));
}

TEST_F(Session, CancelBetweenLaunchesKeepsTheWorker) {
    gpu::RunRequest request = drill::goodRequest();
    request.options.launches = 50'000'000;
    request.options.secondsToMeasure = 60;
    request.options.secondsLimit = 120;
    const gpu::RunResult result = session_.run(request, [&](const gpu::Progress& progress) {
        if (progress.phase == gpu::RunPhase::Measuring && progress.done > 0) session_.cancel();
    });
    EXPECT_EQ(result.status, RunStatus::Cancelled);
    EXPECT_FALSE(result.workerReplaced);
    EXPECT_EQ(drill::goodProblem(session_.run(drill::goodRequest())), "");
}

TEST_F(Session, CancelWithoutARunDoesNothing) {
    session_.cancel();
    EXPECT_EQ(drill::goodProblem(session_.run(drill::goodRequest())), "");
}

TEST_F(Session, MeasuringStopsWhenItTakesTooLong) {
    gpu::RunRequest request = drill::goodRequest();
    request.options.launches = 50'000'000;
    request.options.secondsToMeasure = 0.2;
    const auto start = std::chrono::steady_clock::now();
    const gpu::RunResult result = session_.run(request);
    EXPECT_EQ(result.status, RunStatus::Finished);
    EXPECT_GE(result.timings.kernel.count(), 3u);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Session, LargeBuffersTravel) {
    const unsigned n = 3'000'000;
    EXPECT_EQ(drill::goodProblem(session_.run(drill::goodRequest(n)), n), "");
}

} // namespace
