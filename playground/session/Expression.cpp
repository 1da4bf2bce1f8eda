// A recursive-descent evaluator: comparison, sum, product, sign, atom.
#include "playground/session/Expression.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

namespace playground {
namespace {

struct Failure {
    std::string message;
};

class Evaluator {
public:
    Evaluator(std::string_view text, const Names& names) : text_(text), names_(names) {}

    Value all() {
        const Value v = comparison();
        skipSpace();
        if (at_ < text_.size()) fail("'" + std::string(text_.substr(at_)) + "' is left over");
        return v;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw Failure{"in '" + std::string(text_) + "': " + what}; }
    void skipSpace() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool take(std::string_view token) {
        skipSpace();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }

    Value comparison() {
        const Value a = sum();
        if (take("<=")) return flag(a.number <= sum().number);
        if (take(">=")) return flag(a.number >= sum().number);
        if (take("==")) return flag(a.number == sum().number);
        if (take("!=")) return flag(a.number != sum().number);
        if (take("<")) return flag(a.number < sum().number);
        if (take(">")) return flag(a.number > sum().number);
        return a;
    }
    static Value flag(bool b) { return {b ? 1.0 : 0.0, false}; }

    Value sum() {
        Value a = product();
        for (;;) {
            if (take("+")) {
                const Value b = product();
                a = {a.number + b.number, a.real || b.real};
            } else if (take("-")) {
                const Value b = product();
                a = {a.number - b.number, a.real || b.real};
            } else {
                return a;
            }
        }
    }

    Value product() {
        Value a = sign();
        for (;;) {
            if (take("*")) {
                const Value b = sign();
                a = {a.number * b.number, a.real || b.real};
            } else if (take("/")) {
                a = divide(a, sign());
            } else if (take("%")) {
                const Value b = sign();
                if (b.number == 0) fail("the right side of % is 0");
                a = {std::fmod(a.number, b.number), a.real || b.real};
            } else {
                return a;
            }
        }
    }
    Value divide(Value a, Value b) const {
        if (b.number == 0) fail("division by 0");
        if (a.real || b.real) return {a.number / b.number, true};
        return {std::trunc(a.number / b.number), false};
    }

    Value sign() {
        if (take("-")) {
            const Value v = sign();
            return {-v.number, v.real};
        }
        if (take("+")) return sign();
        return atom();
    }

    Value atom() {
        skipSpace();
        if (take("(")) {
            const Value v = comparison();
            if (!take(")")) fail("a ')' is missing");
            return v;
        }
        if (at_ >= text_.size())
            fail(text_.empty() ? "it is empty; write a number or a knob's name" : "something is missing at the end");
        const char c = text_[at_];
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return literal();
        if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return nameOrCall();
        fail("'" + std::string(1, c) +
             "' is not understood; write numbers, names, + - * / % ( ), comparisons or "
             "min, max, ceil_div, pow2, log2");
    }

    Value literal() {
        double number = 0;
        const char* first = text_.data() + at_;
        const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), number);
        if (error != std::errc{}) fail("'" + std::string(text_.substr(at_)) + "' is not a number");
        const std::string_view spelled(first, size_t(end - first));
        at_ += spelled.size();
        return {number, spelled.find_first_of(".eE") != std::string_view::npos};
    }

    Value nameOrCall() {
        const size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (take("(")) return call(name);
        const auto found = names_.find(name);
        if (found != names_.end()) return found->second;
        std::string known;
        for (const auto& [n, v] : names_) known += (known.empty() ? "" : ", ") + n;
        fail("'" + std::string(name) + "' is not known here" +
             (known.empty() ? "; there are no knobs" : "; the knobs are " + known));
    }

    std::vector<Value> callArguments(std::string_view name, size_t wanted) {
        std::vector<Value> arguments;
        if (!take(")")) {
            do arguments.push_back(comparison());
            while (take(","));
            if (!take(")")) fail("a ')' is missing after " + std::string(name) + "(...");
        }
        if (arguments.size() != wanted)
            fail(std::string(name) + " takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                 (arguments.size() == 1 ? ", here is " : ", here are ") + std::to_string(arguments.size()));
        return arguments;
    }

    Value call(std::string_view name) {
        if (name == "min" || name == "max") {
            const auto a = callArguments(name, 2);
            const bool real = a[0].real || a[1].real;
            return {name == "min" ? std::fmin(a[0].number, a[1].number) : std::fmax(a[0].number, a[1].number), real};
        }
        if (name == "ceil_div") {
            const auto a = callArguments(name, 2);
            if (a[1].number == 0) fail("ceil_div divides by 0");
            return {std::ceil(a[0].number / a[1].number), false};
        }
        if (name == "pow2") {
            const auto a = callArguments(name, 1);
            return {std::exp2(a[0].number), a[0].real || a[0].number < 0};
        }
        if (name == "log2") {
            const auto a = callArguments(name, 1);
            if (a[0].number <= 0) fail("log2 needs a number above 0");
            if (a[0].real) return {std::log2(a[0].number), true};
            return {std::floor(std::log2(a[0].number)), false};
        }
        fail("there is no function '" + std::string(name) + "'; there are min, max, ceil_div, pow2 and log2");
    }

    std::string_view text_;
    const Names& names_;
    size_t at_ = 0;
};

} // namespace

Evaluated evaluate(std::string_view text, const Names& names) {
    try {
        return {Evaluator(text, names).all(), {}};
    } catch (const Failure& failure) {
        return {{}, failure.message};
    }
}

} // namespace playground
