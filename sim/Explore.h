// Runs one launch under many schedules and shows where a result depends on the order.
#pragma once

#include "sim/Simulator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sim {

/// Seeds name schedules: 0 in order, 1 in reverse, 2 round-robin, then random ones. The adversarial come first.
Schedule scheduleOfSeed(uint64_t seed);
/// "in order", "in reverse", "round-robin", "random, seed 7".
std::string describe(const Schedule& schedule);

/// An element of a buffer that two schedules leave different.
struct DifferingElement {
    uint32_t buffer = 0;
    uint64_t element = 0;
};

/// The first read, in the second run's order, at which a thread gets another value than in the first run: here the
/// two orders part. Only written where a read shows it; two stores that race leave just their element.
struct PartingRead {
    Party reader;
    uint64_t address = 0;
    uint32_t bytes = 0;
    std::string allocation;          ///< Name of what is read; empty when unknown.
    int64_t offset = 0;              ///< In bytes from its start.
    uint64_t first = 0, second = 0;  ///< The value in either run, little-endian, at most 8 bytes of it.
};

struct Exploration {
    unsigned runs = 0;                            ///< Schedules tried.
    LaunchReport report;                          ///< Of seed 0.
    std::vector<Buffer> outputs;                  ///< Of seed 0.
    std::optional<uint64_t> seed;                 ///< The first one that differs from seed 0.
    std::optional<DifferingElement> element;      ///< Unless only findings or printf output differ.
    std::optional<PartingRead> parting;
    std::string what;                             ///< What differs, in one sentence; empty when nothing does.
};

/// Launches with seeds 0 .. runs - 1 and stops at the first whose outputs, findings, printed text or way of ending
/// differ from those of seed 0. `buffers` are taken as every run's input and stay as they are. options.schedule
/// keeps its `lockstep`; its policy and seed are not looked at. Never prints or throws.
Exploration explore(const Program& program, const std::string& kernel, const LaunchConfig& config,
                    std::span<const Argument> arguments, const std::vector<Buffer>& buffers, const LaunchOptions& options,
                    unsigned runs);

} // namespace sim
