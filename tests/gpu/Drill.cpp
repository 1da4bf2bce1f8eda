// gpu-drill: the fault drill on whatever GPU this machine has, as a table.
#include "tests/gpu/FaultDrill.h"

#include <chrono>
#include <cstdio>

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

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
        if (!result.printedErrors.empty()) std::printf("     device: %s", result.printedErrors.c_str());
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
    return bad == 0 ? 0 : 1;
}
