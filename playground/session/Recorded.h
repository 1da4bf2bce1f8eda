// Figures measured on a GPU and kept with a lesson (lessons/SLUG/recorded.json), for machines that have none.
#pragma once

#include "gpu/Run.h"
#include "playground/session/Lesson.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace playground {

/// One launch of a variant with some knob values. Times are microseconds.
struct RecordedRun {
    std::string variant;
    KnobValues knobs;          ///< Of the knobs that the variant uses.
    uint32_t sourceCrc32 = 0;  ///< Of the kernel's text: figures of another text are not shown.
    std::string outcome;       ///< "finished", or the driver's error: "CUDA_ERROR_ILLEGAL_ADDRESS".
    gpu::Samples kernel, copyIn, copyOut;
    double firstKernel = 0;    ///< The cold first launch.
    uint64_t bytesIn = 0, bytesOut = 0;
    gpu::KernelResources resources;
    gpu::Clocks clocks;        ///< As found after the run.
    std::vector<gpu::Counter> counters;
};

struct RecordedFigures {
    std::string device, computeCapability, driver, nvrtc;
    std::string date;                            ///< 2026-12-01
    double peakBandwidth = 0, peakFlops = 0;     ///< Of the device: bytes and FLOP per second.
    std::vector<RecordedRun> runs;
};

/// CRC-32 of a text (zlib's polynomial).
uint32_t textCrc32(const std::string& text);

/// The launches worth recording for a variant: its defaults, then each knob that it uses moved alone over at most
/// eight values of its range.
std::vector<KnobValues> recordingPlan(const Lesson& lesson, const Variant& variant);

/// Fills a run from a measurement; `knobs` are cut to those that the variant uses.
RecordedRun recordedRun(const Lesson& lesson, const Variant& variant, const KnobValues& knobs,
                        const std::string& source, const gpu::RunResult& result);

/// nullopt without a file, and with a sentence in `problem` when the file is damaged.
std::optional<RecordedFigures> readRecorded(const std::filesystem::path& file, std::string& problem);
std::optional<RecordedFigures> recordedFromText(const std::string& json, std::string& problem);
std::string toText(const RecordedFigures& figures);

/// The run of this variant, text and knob values; nullptr when it was not recorded.
const RecordedRun* findRecorded(const RecordedFigures& figures, const Lesson& lesson, const Variant& variant,
                                const KnobValues& knobs, const std::string& source);

/// "4.26 us (recorded on NVIDIA H200, 2026-12-01; median of 20, 4.10 to 4.51)".
std::string toSentence(const RecordedRun& run, const RecordedFigures& figures);

} // namespace playground
