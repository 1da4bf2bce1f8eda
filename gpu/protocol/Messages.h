// What the program and its GPU worker say to each other, as structs and as bytes.
#pragma once

#include "gpu/Timeline.h"
#include "gpu/protocol/Channel.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpu {

/// A buffer without its contents; those lie in the shared region.
struct BufferHeader {
    std::string name;
    sim::ElementType type = sim::ElementType::F32;
    uint64_t count = 0;
    bool initialised = true, hasBytes = true, output = true;

    uint64_t bytes() const { return count * sim::bytesOf(type); }
};

/// A RunRequest without buffer contents.
struct RunOrder {
    std::string source, fileName, kernel;
    sim::LaunchConfig config;
    std::vector<sim::Argument> arguments;
    std::vector<BufferHeader> buffers;
    RunOptions options;
};

/// Where the contents of each buffer lie in the shared region: first what goes in, then what comes out, each at a
/// page's start. The worker never writes to the first part.
///
///     | in of buffer 0 | in of buffer 2 | ... | out of buffer 0 | out of buffer 1 | ... |
struct RegionLayout {
    static constexpr uint64_t kNone = ~uint64_t{0};
    std::vector<uint64_t> in, out; ///< By buffer; kNone where nothing lies in the region.
    uint64_t total = 0;
};

/// Empty when sizes overflow or an element type is unknown.
std::optional<RegionLayout> layOut(const std::vector<BufferHeader>& buffers);

struct ProfileReply {
    std::vector<Counter> counters;
    std::string reason;  ///< Not empty when counters are missing.
    bool mustEnd = true; ///< Profiling failed, and the worker is not to be used again.
};

/// The result of a RunOrder; buffers stay empty, their contents lie in the shared region.
struct RunReply {
    RunResult result;
    bool mustEnd = false;      ///< The worker's context is lost: start another worker.
    bool outputsValid = false; ///< The out part of the region was written.
};

/// A TimelineRequest without buffer contents. Of the order in it, kernel, configuration and arguments stay empty.
struct TimelineOrder {
    RunOrder run;
    std::vector<Operation> operations;
    std::vector<uint8_t> managed; ///< By buffer: 0 or 1.
    bool graph = false;
};

struct TimelineReply {
    RunReply run;
    TimelineResult timeline; ///< Its `run` stays empty; the one above counts.
};

/// The request's headers, in order.
RunOrder orderOf(const RunRequest& request);

/// A sentence about what makes an order impossible to carry out, or empty.
std::string problemOf(const RunOrder& order);
std::string problemOf(const TimelineOrder& order);

std::vector<std::byte> encode(const RunOrder& order);
std::vector<std::byte> encode(const RunReply& reply);
std::vector<std::byte> encode(const ProfileReply& reply);
std::vector<std::byte> encode(const TimelineOrder& order);
std::vector<std::byte> encode(const TimelineReply& reply);
std::vector<std::byte> encode(const Progress& progress);
std::vector<std::byte> encode(const Survey& survey);

/// False when the bytes are not exactly one such struct.
bool decode(std::span<const std::byte> bytes, RunOrder& order);
bool decode(std::span<const std::byte> bytes, RunReply& reply);
bool decode(std::span<const std::byte> bytes, ProfileReply& reply);
bool decode(std::span<const std::byte> bytes, TimelineOrder& order);
bool decode(std::span<const std::byte> bytes, TimelineReply& reply);
bool decode(std::span<const std::byte> bytes, Progress& progress);
bool decode(std::span<const std::byte> bytes, Survey& survey);

} // namespace gpu
