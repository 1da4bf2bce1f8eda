// gpu-drill: the fault drill and some timelines on whatever GPU this machine has, as a table.
#include "tests/gpu/FaultDrill.h"
#include "tests/gpu/TimelineRequests.h"

#include <chrono>
#include <cstdio>

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

/// Runs a timeline and says how long it took; false when its result is wrong.
bool showTimeline(gpu::Session& session, const char* name, const gpu::TimelineRequest& request, int added = 1) {
    const gpu::TimelineResult result = session.runTimeline(request);
    const std::string problem = timelines::problem(result, added);
    std::printf("%-4s %-38s host %9.1f us, device %9.1f us%s%s %s\n", problem.empty() ? "ok" : "BAD", name,
                result.host.median(), result.device.median(), result.gated ? ", gated" : "",
                request.graph ? (", built in " + std::to_string(result.graphBuild) + " us").c_str() : "",
                problem.c_str());
    for (const gpu::Span& span : result.spans)
        if (result.spans.size() <= 12) std::printf("       %2u %8.1f - %8.1f\n", span.operation, span.start, span.end);
    return problem.empty();
}

bool timelinesGood(gpu::Session& session) {
    const unsigned n = 1 << 23;
    bool good = showTimeline(session, "8 Mi ints, 1 chunk, pageable", timelines::chunked({n, 1, 1, false, false}));
    good &= showTimeline(session, "1 chunk, pinned", timelines::chunked({n, 1, 1, true, false}));
    good &= showTimeline(session, "4 chunks, 1 stream, pinned", timelines::chunked({n, 4, 1, true, false}));
    good &= showTimeline(session, "4 chunks, 4 streams, pageable", timelines::chunked({n, 4, 4, false, false}));
    good &= showTimeline(session, "4 chunks, 4 streams, pinned", timelines::chunked({n, 4, 4, true, false}));
    good &= showTimeline(session, "4 chunks, 4 streams, pinned, graph", timelines::chunked({n, 4, 4, true, true}));
    good &= showTimeline(session, "16 chunks, 4 streams, pinned", timelines::chunked({n, 16, 4, true, false}));
    good &= showTimeline(session, "1000 launches", timelines::manyLaunches(1000, false), 1000);
    good &= showTimeline(session, "1000 launches in a graph", timelines::manyLaunches(1000, true), 1000);
    good &= showTimeline(session, "managed", timelines::managed(n, false));
    good &= showTimeline(session, "managed, prefetched", timelines::managed(n, true));
    return good & showTimeline(session, "two streams ordered by an event", timelines::ordered(n, true));
}

int main() {
    gpu::Session session;
    const gpu::Survey survey = session.survey();
    if (!survey.availability.available) {
        std::printf("No GPU: %s\n%s\n", survey.availability.reason.c_str(), survey.availability.whatToDo.c_str());
        return 2;
    }
    std::printf("%s, driver %s, NVRTC %d.%d\n", survey.devices[0].name.c_str(), survey.platform.driverVersion.c_str(),
                survey.platform.nvrtcMajor, survey.platform.nvrtcMinor);
    int bad = 0;
    for (const drill::Fault& fault : drill::faults()) {
        auto start = std::chrono::steady_clock::now();
        const gpu::RunResult result = fault.run(session);
        const double seconds = secondsSince(start);
        const std::string problem = fault.problem(result);
        start = std::chrono::steady_clock::now();
        const std::string after = drill::goodProblem(session.run(drill::goodRequest()));
        const bool good = problem.empty() && after.empty();
        bad += good ? 0 : 1;
        std::printf("%-4s %-38s %6.2f s, next run %5.2f s | %s: %s\n", good ? "ok" : "BAD", fault.name.c_str(), seconds,
                    secondsSince(start), gpu::toString(result.status), result.reason.c_str());
        if (!result.printedErrors.empty())
            std::printf("     device: %s\n", result.printedErrors.substr(0, result.printedErrors.find('\n')).c_str());
        if (!problem.empty()) std::printf("     report: %s\n", problem.c_str());
        if (!after.empty()) std::printf("     next run: %s\n", after.c_str());
        std::fflush(stdout);
    }
    gpu::RunRequest printing = drill::goodRequest();
    printing.kernel = "print_block";
    printing.arguments.resize(1);
    printing.config = {{2, 1, 1}, {1, 1, 1}, 0};
    const gpu::RunResult printed = session.run(printing);
    std::printf("printf: %s %s", gpu::toString(printed.status), printed.printed.c_str());
    std::printf("%d faults, %d bad\n", int(drill::faults().size()), bad);
    const bool good = timelinesGood(session);
    return bad == 0 && good ? 0 : 1;
}
