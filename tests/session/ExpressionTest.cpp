// Values by hand, and errors that say what to write.
#include "playground/session/Expression.h"

#include <gtest/gtest.h>

namespace playground {
namespace {

const Names kNames{{"n", {1000, false}}, {"block", {256, false}}, {"alpha", {2, true}}};

double value(const char* text) {
    const Evaluated e = evaluate(text, kNames);
    EXPECT_EQ(e.error, "") << text;
    return e.value.number;
}

TEST(Expression, Arithmetic) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("10 - 4 - 3"), 3);
    EXPECT_EQ(value("-n + 1"), -999);
    EXPECT_EQ(value("n % block"), 232);
    EXPECT_EQ(value("2 * block * (n > 10)"), 512);
    EXPECT_EQ(value("1e3"), 1000);
}

TEST(Expression, WholeNumbersDivideAsInCpp) {
    EXPECT_EQ(value("7 / 2"), 3);
    EXPECT_EQ(value("-7 / 2"), -3);
    EXPECT_EQ(value("7.0 / 2"), 3.5);
    EXPECT_EQ(value("alpha / 4"), 0.5);
    EXPECT_EQ(value("n / block"), 3);
}

TEST(Expression, Functions) {
    EXPECT_EQ(value("ceil_div(n, block)"), 4);
    EXPECT_EQ(value("min(n, block)"), 256);
    EXPECT_EQ(value("max(min(1, 2), 3)"), 3);
    EXPECT_EQ(value("pow2(10)"), 1024);
    EXPECT_EQ(value("log2(block)"), 8);
    EXPECT_EQ(value("log2(1000)"), 9);
}

TEST(Expression, Comparisons) {
    EXPECT_EQ(value("n >= 1000"), 1);
    EXPECT_EQ(value("n != 1000"), 0);
    EXPECT_EQ(value("1 < 2"), 1);
    EXPECT_EQ(value("1 == 2"), 0);
}

TEST(Expression, ErrorsSayWhatIsWrong) {
    const auto error = [](const char* text) { return evaluate(text, kNames).error; };
    EXPECT_EQ(error("n / 0"), "in 'n / 0': division by 0");
    EXPECT_EQ(error("m + 1"), "in 'm + 1': 'm' is not known here; the knobs are alpha, block, n");
    EXPECT_EQ(error("ceil_div(n)"), "in 'ceil_div(n)': ceil_div takes 2 arguments, here is 1");
    EXPECT_NE(error("sqrt(n)").find("there is no function 'sqrt'"), std::string::npos);
    EXPECT_EQ(error("(1 + 2"), "in '(1 + 2': a ')' is missing");
    EXPECT_EQ(error("1 2"), "in '1 2': '2' is left over");
    EXPECT_EQ(error("1 +"), "in '1 +': something is missing at the end");
    EXPECT_NE(error(""), "");
    EXPECT_NE(error("$"), "");
    EXPECT_NE(error("log2(0)"), "");
}

} // namespace
} // namespace playground
