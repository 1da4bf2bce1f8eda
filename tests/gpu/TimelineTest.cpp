// Streams, events, graphs and managed memory on the fake GPU, and what a timeline may not ask for.
#include "tests/gpu/FakeMachine.h"
#include "tests/gpu/FaultDrill.h"
#include "tests/gpu/TimelineRequests.h"

#include <gtest/gtest.h>

namespace {

using gpu::OperationKind;

class Timeline : public testing::Test {
protected:
    FakeMachine machine_;
    gpu::Session session_;
};

TEST_F(Timeline, ChunksOnStreams) {
    for (const bool pinned : {false, true})
        for (const unsigned streams : {1u, 2u, 4u}) {
            const gpu::TimelineRequest request = timelines::chunked({1 << 12, 4, streams, pinned, false});
            const gpu::TimelineResult result = session_.runTimeline(request);
            EXPECT_EQ(timelines::problem(result), "");
            ASSERT_EQ(result.spans.size(), 12u);
            EXPECT_EQ(result.gated, pinned) << "pageable copies hold the host up";
            for (const gpu::Span& span : result.spans) EXPECT_LE(span.start, span.end);
            for (const gpu::Span& span : result.spans) EXPECT_LE(span.end, result.device.maximum() + 1);
        }
}

TEST_F(Timeline, AGraphGivesTheSameResultAndNoSpans) {
    const gpu::TimelineResult result = session_.runTimeline(timelines::chunked({1 << 12, 4, 2, true, true}));
    EXPECT_EQ(timelines::problem(result), "");
    EXPECT_TRUE(result.spans.empty());
    EXPECT_GT(result.graphBuild, 0);
}

TEST_F(Timeline, ManyLaunches) {
    for (const bool graph : {false, true})
        EXPECT_EQ(timelines::problem(session_.runTimeline(timelines::manyLaunches(1000, graph)), 1000), "");
}

TEST_F(Timeline, ManagedMemory) {
    for (const bool prefetch : {false, true})
        EXPECT_EQ(timelines::problem(session_.runTimeline(timelines::managed(5000, prefetch))), "");
}

TEST_F(Timeline, AnEventOrdersTwoStreams) {
    EXPECT_EQ(timelines::problem(session_.runTimeline(timelines::ordered(5000, true))), "");
    EXPECT_EQ(session_.runTimeline(timelines::ordered(5000, false)).run.status, gpu::RunStatus::Finished);
}

TEST_F(Timeline, FaultsAreContained) {
    gpu::TimelineRequest request = timelines::chunked({1 << 12, 4, 2, true, false});
    for (gpu::Operation& operation : request.operations)
        if (operation.kind == OperationKind::Kernel) {
            operation.kernel = "store_far_away";
            operation.arguments.resize(1);
        }
    gpu::TimelineResult result = session_.runTimeline(request);
    EXPECT_EQ(result.run.status, gpu::RunStatus::Failed);
    EXPECT_EQ(result.run.error.code, 700);
    EXPECT_TRUE(result.run.workerReplaced);
    for (gpu::Operation& operation : request.operations)
        if (operation.kind == OperationKind::Kernel) operation.kernel = "never_end";
    request.base.options.secondsLimit = 0.5;
    EXPECT_EQ(session_.runTimeline(request).run.status, gpu::RunStatus::TimeLimit);
    EXPECT_EQ(drill::goodProblem(session_.run(drill::goodRequest())), "");
}

TEST_F(Timeline, ImpossibleOperationsAreRejectedWithTheirNumber) {
    const auto reject = [&](const char* words, auto change) {
        gpu::TimelineRequest request = timelines::chunked({1 << 12, 4, 2, true, false});
        change(request);
        const gpu::TimelineResult result = session_.runTimeline(request);
        EXPECT_EQ(result.run.status, gpu::RunStatus::Rejected) << words;
        EXPECT_NE(result.run.reason.find(words), std::string::npos) << result.run.reason;
    };
    reject("at least one operation", [](auto& r) { r.operations.clear(); });
    reject("Operation 1: goes past the end", [](auto& r) { r.operations[0].byteOffset = 1 << 14; });
    reject("Operation 3: goes past the end", [](auto& r) { r.operations[2].bytes = ~uint64_t{0}; });
    reject("Operation 1: names no buffer", [](auto& r) { r.operations[0].buffer = 2; });
    reject("stream 64", [](auto& r) { r.operations[4].stream = 64; });
    reject("needs no copy", [](auto& r) { r.managed = {false, true}; });
    reject("not managed", [](auto& r) { r.operations[0].kind = OperationKind::Prefetch; });
    reject("not an output", [](auto& r) { r.operations[2].buffer = 1; });
    reject("unknown kind", [](auto& r) { r.operations[0].kind = OperationKind(77); });
    reject("No kernel is named", [](auto& r) { r.operations[1].kernel.clear(); });
    reject("takes 3 arguments, but 2", [](auto& r) { r.operations[1].arguments.pop_back(); });
    EXPECT_EQ(drill::goodProblem(session_.run(drill::goodRequest())), "");
}

TEST(ClipToEngines, CopiesOfOneDirectionDoNotOverlap) {
    std::vector<gpu::Operation> operations(5);
    operations[0].kind = operations[1].kind = operations[3].kind = OperationKind::CopyIn;
    operations[4].kind = OperationKind::CopyOut;
    // Streams reached the copies at 0, 1 and 2, but the engine served operation 3 before operation 1.
    std::vector<gpu::Span> spans{{0, 0, 10}, {1, 1, 30}, {2, 5, 15}, {3, 2, 20}, {4, 0, 12}};
    gpu::clipToEngines(spans, operations);
    EXPECT_EQ(spans[0].start, 0);
    EXPECT_EQ(spans[3].start, 10);
    EXPECT_EQ(spans[1].start, 20);
    EXPECT_EQ(spans[2].start, 5) << "kernels may overlap";
    EXPECT_EQ(spans[4].start, 0) << "the other direction has an engine of its own";
}

} // namespace
