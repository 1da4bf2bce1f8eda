// --explore: one launch under many schedules.
#include "sim/Explore.h"

#include "playground/cli/ReportText.h"
#include "playground/cli/Simulate.h"
#include "playground/session/ReportJson.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>

namespace playground::cli {
namespace {

std::string triple(const sim::Dim3& d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string hexadecimal(uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

std::string sentenceOf(const sim::PartingRead& read) {
    return "The orders part where thread " + triple(read.reader.thread) + " of block " + triple(read.reader.block) +
           " reads " + std::to_string(read.bytes) + " bytes of " +
           (read.allocation.empty() ? "address " + hexadecimal(read.address)
                                    : read.allocation + " at byte " + std::to_string(read.offset)) +
           " in line " + std::to_string(read.reader.at.line) + ": " + hexadecimal(read.first) + " in the first run, " +
           hexadecimal(read.second) + " in the other.";
}

std::string verdictOf(const sim::Exploration& e, const ResolvedLaunch& launch) {
    if (!e.seed)
        return "Tried " + std::to_string(e.runs) + " orders of blocks and warps: outputs and findings are the same in all.";
    std::string text = "Order matters: seed 0 (" + describe(sim::scheduleOfSeed(0)) + ") and seed " +
                       std::to_string(*e.seed) + " (" + describe(sim::scheduleOfSeed(*e.seed)) + ") differ. " + e.what;
    if (e.element)
        text += " The first difference is " + launch.buffers[e.element->buffer].name + "[" +
                std::to_string(e.element->element) + "].";
    return text + (e.parting ? " " + sentenceOf(*e.parting) : "");
}

nlohmann::ordered_json jsonOf(const sim::Exploration& e, const std::string& verdict) {
    nlohmann::ordered_json json{{"runs", e.runs}, {"verdict", verdict}};
    if (e.seed) json["seeds"] = {0, *e.seed};
    if (e.element) json["element"] = {{"buffer", e.element->buffer}, {"index", e.element->element}};
    if (const auto& p = e.parting)
        json["parting"] = {{"line", p->reader.at.line},
                           {"column", p->reader.at.column},
                           {"block", {p->reader.block.x, p->reader.block.y, p->reader.block.z}},
                           {"thread", {p->reader.thread.x, p->reader.thread.y, p->reader.thread.z}},
                           {"address", hexadecimal(p->address)},
                           {"bytes", p->bytes},
                           {"allocation", p->allocation},
                           {"offset", p->offset},
                           {"values", {p->first, p->second}}};
    return json;
}

} // namespace

int exploreCommand(const CommonOptions& common, const SimulationOptions& simulation, const sim::Program& program,
                   ResolvedLaunch& launch) {
    sim::Exploration e = sim::explore(program, launch.kernel, launch.config, launch.arguments, launch.buffers,
                                      launchOptions(simulation), simulation.explore);
    launch.buffers = std::move(e.outputs);
    const std::string verdict = verdictOf(e, launch);
    if (common.json) {
        nlohmann::ordered_json json = reportJson(launch, e.report);
        json["exploration"] = jsonOf(e, verdict);
        std::cout << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else {
        printReport(std::cout, launch, e.report);
        std::cout << verdict << "\n";
    }
    const int code = exitCodeOf(e.report);
    return code == kClean && e.seed ? int(kFindings) : code;
}

} // namespace playground::cli
