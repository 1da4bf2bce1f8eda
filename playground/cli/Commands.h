// The subcommands of playground-cli: their options and what they do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace playground::cli {

/// Exit codes of the program.
enum ExitCode : int {
    kClean = 0,
    kFindings = 1, ///< Findings, differences, or problems in lessons.
    kUsage = 2,    ///< Wrong options, or the kernel does not compile.
    kLimitExceeded = 3,
};

/// What every subcommand understands.
struct CommonOptions {
    bool json = false;
    std::string lessons; ///< Folder of the lessons; empty: find it.
};

/// How a kernel is simulated.
struct SimulationOptions {
    double seconds = 60;
    unsigned threads = 0; ///< 0: as many as the machine has.
    bool asCompiled = false;
    uint64_t seed = 0;      ///< Of sim::scheduleOfSeed().
    bool lockstep = false;
    unsigned explore = 0;   ///< Schedules to try; 0 or 1: only the one of `seed`.
};

/// Where kernels run: --backend.
enum class Backend : uint8_t { Simulator, Gpu, Both };

struct GpuOptions {
    Backend backend = Backend::Simulator;
    int device = 0;
    unsigned launches = 20;
    bool flushCache = false, pinned = false, counters = false;
};

struct RunOptions {
    std::string lesson, variant;
    std::vector<std::string> settings; ///< NAME=VALUE
};

struct RecordOptions {
    std::vector<std::string> lessons; ///< Names or numbers; empty: all.
    std::string output;               ///< Folder for SLUG/recorded.json; empty: the lessons' own.
};

struct SimOptions {
    std::string file, kernel, grid = "1", block = "1";
    uint32_t sharedBytes = 0;
    bool cooperative = false;
    std::vector<std::string> arguments;
};

int lessonsCommand(const CommonOptions& common);
int runCommand(const CommonOptions& common, const SimulationOptions& simulation, const GpuOptions& gpu,
               const RunOptions& options);
int simCommand(const CommonOptions& common, const SimulationOptions& simulation, const SimOptions& options);
int casesCommand(const CommonOptions& common, const SimulationOptions& simulation, const GpuOptions& gpu,
                 const std::string& folder);
int recordCommand(const CommonOptions& common, const GpuOptions& gpu, const RecordOptions& options);
int doctorCommand(const CommonOptions& common);

/// Says on standard error why nothing was done; returns kUsage. With --json an object with "error" goes to standard
/// output.
int refuse(const CommonOptions& common, const std::string& sentence);

} // namespace playground::cli
