// Compiles and runs every golden case and checks what it expects.
#include "tests/golden/GoldenFile.h"

#include "playground/session/BufferContents.h"
#include "playground/session/ReportJson.h"
#include "sim/Simulator.h"
#include "sim/analysis/MetricCatalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace playground::golden {
namespace {

using Words = std::vector<std::string>;

std::string join(const Words& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    return text;
}

std::string describe(const std::vector<sim::Finding>& findings) {
    std::string text = findings.empty() ? "there are no findings" : "the findings are";
    for (const sim::Finding& f : findings)
        text += "\n  line " + std::to_string(f.first.at.line) + " " + sim::toString(f.kind) + " " +
                sim::toString(f.access) + " count " + std::to_string(f.count) + " block " +
                std::to_string(f.first.block.x) + " thread " + std::to_string(f.first.thread.x) + " offset " +
                std::to_string(f.offset) + ": " + f.message;
    return text;
}

/// True when the finding has the kind and every number that the words name.
bool matches(const sim::Finding& f, const Words& words) {
    if (words.at(1) != sim::toString(f.kind)) return false;
    for (size_t i = 2; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "read" || word == "write" || word == "atomic") {
            if (word != sim::toString(f.access)) return false;
            continue;
        }
        const std::string& value = words.at(++i);
        const bool same = word == "count"    ? std::to_string(f.count) == value
                          : word == "line"   ? std::to_string(f.first.at.line) == value
                          : word == "offset" ? std::to_string(f.offset) == value
                          : word == "block"  ? f.first.block == dimOf(value, 0)
                          : word == "thread" ? f.first.thread == dimOf(value, 0)
                                             : false;
        if (!same) return false;
    }
    return true;
}

struct Outcome {
    const ResolvedLaunch& launch;
    const sim::LaunchReport& report;
};

void expectOutput(const Outcome& o, const Words& words) {
    const sim::Argument& a = o.launch.arguments.at(std::stoul(words.at(1)));
    ASSERT_GE(a.buffer, 0);
    const sim::Buffer& b = o.launch.buffers[size_t(a.buffer)];
    const double expected = std::stod(words.at(3));
    if (words.at(2) == "all") {
        for (uint64_t i = 0; i < b.count; ++i) ASSERT_EQ(elementAt(b, i), expected) << "element " << i;
        return;
    }
    const uint64_t index = std::stoul(words.at(2).substr(1));
    ASSERT_LT(index, b.count);
    EXPECT_EQ(elementAt(b, index), expected);
}

void check(const Outcome& o, const Words& words) {
    const std::string& what = words.at(0);
    const auto& findings = o.report.findings;
    if (what == "clean") {
        EXPECT_STREQ(toString(o.report.status), "finished") << o.report.error;
        EXPECT_TRUE(findings.empty()) << describe(findings);
    } else if (what == "status") {
        EXPECT_EQ(toString(o.report.status), words.at(1)) << o.report.error << "\n" << describe(findings);
    } else if (what == "findings") {
        EXPECT_EQ(std::to_string(findings.size()), words.at(1)) << describe(findings);
    } else if (what == "finding") {
        EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const sim::Finding& f) {
            return matches(f, words);
        })) << describe(findings);
    } else if (what == "no") {
        const Words kind{"finding", words.at(2)};
        EXPECT_TRUE(std::none_of(findings.begin(), findings.end(), [&](const sim::Finding& f) {
            return matches(f, kind);
        })) << describe(findings);
    } else if (what == "metric") {
        const sim::Metric* metric = sim::findMetric(words.at(1));
        ASSERT_NE(metric, nullptr) << words.at(1);
        EXPECT_EQ(metric->value(o.report.total), std::stod(words.at(2)));
    } else if (what == "output") {
        expectOutput(o, words);
    } else if (what == "printed") {
        EXPECT_EQ(std::to_string(std::count(o.report.printed.begin(), o.report.printed.end(), '\n')), words.at(1))
            << o.report.printed;
    } else {
        ADD_FAILURE() << "no such expectation";
    }
}

std::vector<std::string> files() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(TEST_DATA))
        if (entry.path().extension() == ".cu") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, DoesWhatItSays) {
    const GoldenFile file = readGoldenFile(GetParam());
    ASSERT_EQ(file.error, "");
    sim::CompileOptions options;
    options.fileName = file.name + ".cu";
    const auto compiled = sim::compile(file.source, options);
    ASSERT_NE(compiled.program, nullptr) << (compiled.diagnostics.empty() ? "" : compiled.diagnostics.front().rendered);
    for (const GoldenLaunch& g : file.launches) {
        ResolvedLaunch launch;
        launch.config = g.config;
        ASSERT_EQ(addArguments(launch, g.arguments), "");
        sim::LaunchOptions limits;
        limits.limits.maxSeconds = 20;
        const auto report =
            sim::launch(*compiled.program, g.kernel, g.config, launch.arguments, launch.buffers, limits);
        for (const auto& words : g.expectations) {
            SCOPED_TRACE("launch of line " + std::to_string(g.line) + ", EXPECT " + join(words));
            check({launch, report}, words);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(files()),
                         [](const auto& path) { return std::filesystem::path(path.param).stem().string(); });

} // namespace
} // namespace playground::golden
