// Runs recorded cases and compares counters and outputs with what a GPU counted and computed.
#pragma once

#include "gpu/GpuBackend.h"
#include "playground/session/SimArguments.h"
#include "sim/Simulator.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace playground {

/// One measured number or checksum that the simulator does not reproduce.
struct CaseDifference {
    std::string what; ///< Nsight Compute's counter name, or "output 0 crc32".
    double measured = 0, simulated = 0; ///< `simulated` is what this run gave, also when it ran on a GPU.
};

struct CaseResult {
    std::string name;
    std::string error; ///< Not empty when the case could not run: why.
    std::vector<CaseDifference> differences;
    unsigned compared = 0;
    double wallMs = 0;
    bool equal() const { return error.empty() && differences.empty(); }
};

/// A folder with cases.json (launches), counters.json (what a GPU said) and kernels/.
class CaseRunner {
public:
    /// nullopt with a sentence in `problem` when the folder is not complete.
    static std::optional<CaseRunner> load(const std::filesystem::path& folder, std::string& problem);

    size_t size() const { return cases_.size(); }
    const std::string& name(size_t index) const { return cases_[index].name; }
    /// Device that the counters come from.
    const std::string& device() const { return device_; }
    /// Runs a case, and first those before it that have not run yet: the records were made in one process, and some
    /// kernels show what earlier ones left in shared memory.
    CaseResult run(size_t index, const sim::LaunchOptions& options = {}, bool asCompiled = false);
    /// Runs one case on a GPU and compares its outputs with the recorded ones, and the counters asked for.
    CaseResult run(size_t index, gpu::Session& session, const gpu::RunOptions& options);

private:
    CaseResult runOne(size_t index, sim::LaunchOptions options, bool asCompiled);
    struct Case {
        std::string name, source, kernel;
        sim::LaunchConfig config;
        std::vector<SimArgument> arguments;
        std::map<std::string, double> counters; ///< By Nsight Compute's names.
        std::map<size_t, uint32_t> outputs;     ///< Checksums by argument position.
    };
    std::shared_ptr<const sim::Program> program(const Case& c, bool asCompiled, std::string& problem);
    std::optional<ResolvedLaunch> resolve(const Case& c, std::string& problem) const;
    void compare(const Case& c, const ResolvedLaunch& launch, const sim::LaunchReport& report,
                 CaseResult& result) const;
    void compareOutputs(const Case& c, const ResolvedLaunch& launch, CaseResult& result) const;

    std::filesystem::path folder_;
    std::string device_;
    std::vector<Case> cases_;
    size_t next_ = 0;                     ///< Cases before this one have run.
    std::vector<std::byte> sharedMemory_; ///< As the last launch left it.
    std::map<std::string, std::shared_ptr<const sim::Program>> programs_;

    friend struct CaseReader;
};

} // namespace playground
