// The bridge between a resolved launch and the GPU backend, and what both backends' results say of each other.
#pragma once

#include "gpu/Compare.h"
#include "gpu/Run.h"
#include "playground/session/Lesson.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace playground {

/// The very text, data and configuration that the simulator is given.
gpu::RunRequest gpuRequest(const ResolvedLaunch& launch, gpu::RunOptions options = {});

/// One output buffer as two backends left it.
struct OutputAgreement {
    std::string buffer;
    gpu::Comparison comparison;
};

/// The launch's outputs, `left` against `right`, both in the order of the launch's buffers.
std::vector<OutputAgreement> compareOutputs(const ResolvedLaunch& launch, const std::vector<sim::Buffer>& left,
                                            const std::vector<sim::Buffer>& right);

/// A counter that both backends have, under the catalog's id and Nsight Compute's name.
struct CounterPair {
    std::string id, name, counterpart;
    double simulated = 0, measured = 0;
    /// False for counters that the compiler decides as well: nvcc executes other instructions than the source says.
    bool exact = true;
    bool equal() const { return simulated == measured; }
};

/// The counters that were measured and are in the catalog, in the catalog's order; those that are 0 on both sides are
/// left out.
std::vector<CounterPair> pairCounters(const sim::Counters& simulated, std::span<const gpu::Counter> measured);

/// Bytes per second that a kernel's useful data came to, and the share of the device's peak; 0 when unknown.
struct Throughput {
    double bytesPerSecond = 0, ofPeak = 0;
};
/// `usefulBytes` are what the launch's accesses asked for (global-bytes-useful), `kernelMicroseconds` the median.
Throughput throughput(double usefulBytes, double kernelMicroseconds, const gpu::DeviceInfo& device);

/// {status, reason, what_to_do, error {code, name, text}, device, driver, nvrtc, resources {...}, timings {kernel_us
/// {median, minimum, maximum, samples}, ...}, counters {name: value}, counters_reason, printed}. Everything measured.
nlohmann::ordered_json gpuJson(const gpu::RunResult& result);

} // namespace playground
