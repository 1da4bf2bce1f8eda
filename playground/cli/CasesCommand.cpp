// playground-cli cases: the simulator against a GPU's records.
#include "playground/cli/Measure.h"
#include "playground/cli/ReportText.h"
#include "playground/session/CaseRunner.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>

namespace playground::cli {

int casesCommand(const CommonOptions& common, const SimulationOptions& simulation, const GpuOptions& gpuOptions,
                 const std::string& folder) {
    std::string problem;
    auto runner = CaseRunner::load(folder, problem);
    if (!runner) return refuse(common, problem);
    sim::LaunchOptions options;
    options.limits.maxSeconds = simulation.seconds;
    options.hostThreads = simulation.threads;

    const bool onGpu = gpuOptions.backend == Backend::Gpu;
    std::optional<gpu::Session> session;
    if (onGpu) {
        session.emplace();
        const gpu::Availability gpu = session->survey().availability;
        if (!gpu.available) return refuse(common, gpu.reason + " " + gpu.whatToDo);
    }

    size_t equal = 0;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (size_t i = 0; i < runner->size(); ++i) {
        const CaseResult result = onGpu ? runner->run(i, *session, measurementOptions(gpuOptions))
                                        : runner->run(i, options, simulation.asCompiled);
        equal += result.equal();
        nlohmann::ordered_json differences = nlohmann::ordered_json::array();
        for (const CaseDifference& d : result.differences) {
            differences.push_back({{"what", d.what}, {"measured", d.measured}, {onGpu ? "now" : "simulated", d.simulated}});
            if (!common.json)
                std::cout << std::left << std::setw(28) << result.name << " " << std::setw(66) << d.what << " measured "
                          << showNumber(d.measured) << (onGpu ? ", now " : ", simulated ") << showNumber(d.simulated) << "\n";
        }
        if (!common.json && !result.error.empty())
            std::cout << std::left << std::setw(28) << result.name << " " << result.error << "\n";
        list.push_back({{"name", result.name},
                        {"error", result.error},
                        {"compared", result.compared},
                        {"wall_ms", result.wallMs},
                        {"differences", std::move(differences)}});
    }
    if (common.json)
        std::cout << nlohmann::ordered_json{{"device", runner->device()},
                                            {"equal", equal},
                                            {"total", runner->size()},
                                            {"cases", list}}
                         .dump(1)
                  << "\n";
    else
        std::cout << equal << " of " << runner->size() << " cases equal (measured on " << runner->device() << ")\n";
    return equal == runner->size() ? kClean : kFindings;
}

} // namespace playground::cli
