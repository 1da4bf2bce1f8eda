// The fault drill on the fake GPU, every fault followed by a good run, and workers that break the protocol.
#include "tests/gpu/FaultDrill.h"
#include "tests/gpu/FakeMachine.h"

#include <gtest/gtest.h>

#include <ostream>

namespace drill {
void PrintTo(const Fault& fault, std::ostream* out) {
    *out << fault.name;
}
} // namespace drill

namespace {

class FaultDrill : public testing::TestWithParam<drill::Fault> {
protected:
    FakeMachine machine_;
};

TEST_P(FaultDrill, IsReportedAndTheNextRunIsRight) {
    gpu::Session session;
    const gpu::RunResult result = GetParam().run(session);
    EXPECT_EQ(GetParam().problem(result), "") << result.reason;
    EXPECT_EQ(drill::goodProblem(session.run(drill::goodRequest())), "");
}

INSTANTIATE_TEST_SUITE_P(Each, FaultDrill, testing::ValuesIn(drill::faults()));

TEST(FaultDrillInARow, EveryFaultInOneSession) {
    FakeMachine machine;
    gpu::Session session;
    const auto faults = drill::faults();
    EXPECT_GE(faults.size(), 12u);
    for (const drill::Fault& fault : faults) {
        SCOPED_TRACE(fault.name);
        EXPECT_EQ(fault.problem(fault.run(session)), "");
        EXPECT_EQ(drill::goodProblem(session.run(drill::goodRequest(12345)), 12345), "");
    }
}

/// A session whose worker misbehaves in the named way.
struct BadSession {
    explicit BadSession(const char* how, double startSeconds = 10) : session({BAD_WORKER, startSeconds}) {
        machine.set("BAD_WORKER", how);
    }
    FakeMachine machine;
    gpu::Session session;
};

class BadAnswer : public testing::TestWithParam<const char*> {};

TEST_P(BadAnswer, IsAWorkerFailure) {
    BadSession bad(GetParam());
    const gpu::RunResult result = bad.session.run(drill::goodRequest());
    EXPECT_EQ(result.status, gpu::RunStatus::WorkerFailed);
    EXPECT_NE(result.reason.find("GPU worker"), std::string::npos) << result.reason;
    EXPECT_TRUE(result.workerReplaced);
    EXPECT_EQ(bad.session.workerPid(), -1);
    ASSERT_EQ(result.buffers.size(), 2u);
    EXPECT_EQ(result.buffers[1].bytes, drill::goodRequest().buffers[1].bytes);
}

INSTANTIATE_TEST_SUITE_P(Each, BadAnswer, testing::Values("garbage", "huge", "noise-payload", "wrong-type", "exit"));

TEST(BadWorker, AnswerThatNeverEndsRunsIntoTheTimeLimit) {
    for (const char* how : {"silent", "truncated"}) {
        BadSession bad(how);
        gpu::RunRequest request = drill::goodRequest();
        request.options.secondsLimit = 0.5;
        EXPECT_EQ(bad.session.run(request).status, gpu::RunStatus::TimeLimit) << how;
    }
}

TEST(BadWorker, OneThatDoesNotStartIsUnavailableWithAReason) {
    for (const char* how : {"exit-at-once", "mute", "old-version", "bad-survey"}) {
        BadSession bad(how, 0.5);
        const gpu::RunResult result = bad.session.run(drill::goodRequest());
        EXPECT_EQ(result.status, gpu::RunStatus::Unavailable) << how;
        EXPECT_NE(result.reason.find("GPU worker"), std::string::npos) << how;
        EXPECT_FALSE(result.whatToDo.empty()) << how;
    }
    gpu::Session missing({"/nowhere/playground-gpu-worker", 5});
    const gpu::RunResult result = missing.run(drill::goodRequest());
    EXPECT_EQ(result.status, gpu::RunStatus::Unavailable);
    EXPECT_NE(result.reason.find("No such file"), std::string::npos) << result.reason;
}

} // namespace
