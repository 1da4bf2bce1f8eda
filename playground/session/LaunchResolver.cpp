// Evaluation of launch expressions and allocation of buffers.
#include "playground/session/LaunchResolver.h"

#include "playground/session/BufferContents.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

namespace playground {
namespace {

struct Unresolved {
    std::string message;
};

/// Shortest text of a number: 3, 0.5, 1e+20.
std::string show(double value) {
    std::ostringstream text;
    text.precision(15);
    text << value;
    return text.str();
}

double number(const std::string& what, const std::string& expression, const Names& names) {
    const Evaluated e = evaluate(expression, names);
    if (!e.ok()) throw Unresolved{what + ": " + e.error};
    return e.value.number;
}

uint64_t size(const std::string& what, const std::string& expression, const Names& names, double least, double most) {
    const double value = number(what, expression, names);
    if (!(value >= least) || value > most || value != std::floor(value))
        throw Unresolved{what + " = " + expression + " is " + show(value) +
                         " with these knobs; it must be a whole number from " + show(least) + " to " + show(most)};
    return uint64_t(value);
}

class Resolver {
public:
    Resolver(const Lesson& lesson, const Variant& variant, const KnobValues& knobs)
        : lesson_(lesson), variant_(variant), names_(namesOf(lesson, knobs)) {}

    ResolvedLaunch resolve(const std::string& source) {
        launch_.source = source;
        launch_.fileName = variant_.file;
        launch_.kernel = variant_.kernel;
        launch_.config.grid = extent("grid", lesson_.gridX, lesson_.gridY, lesson_.gridZ);
        launch_.config.block = extent("block", lesson_.blockX, lesson_.blockY, lesson_.blockZ);
        launch_.config.dynamicSharedBytes =
            uint32_t(size("shared", overridden("shared", lesson_.sharedBytes), names_, 0, 256 * 1024));
        for (const ArgumentSpec& a : argumentsOf(lesson_, variant_)) add(a);
        return std::move(launch_);
    }

private:
    const std::string& overridden(const std::string& key, const std::string& otherwise) const {
        const auto found = variant_.overrides.find(key);
        return found == variant_.overrides.end() ? otherwise : found->second;
    }

    sim::Dim3 extent(const std::string& name, const std::string& x, const std::string& y, const std::string& z) const {
        const auto one = [&](const char* axis, const std::string& text) {
            return uint32_t(
                size(name + "." + axis, overridden(name + char(std::toupper(*axis)), text), names_, 1, 2147483647));
        };
        return {one("x", x), one("y", y), one("z", z)};
    }

    void add(const ArgumentSpec& spec) {
        sim::Argument argument;
        if (spec.buffer.empty()) {
            argument.scalar =
                scalarBytes(spec.type, number("argument '" + spec.expression + "'", spec.expression, names_));
            launch_.argumentNames.push_back(spec.expression);
            launch_.scalarTypes.push_back(spec.type);
        } else {
            argument.buffer = bufferIndex(spec.buffer);
            launch_.argumentNames.push_back(spec.buffer);
            launch_.scalarTypes.push_back(launch_.buffers[size_t(argument.buffer)].type);
        }
        launch_.arguments.push_back(std::move(argument));
    }

    int bufferIndex(const std::string& name) {
        for (size_t i = 0; i < launch_.buffers.size(); ++i)
            if (launch_.buffers[i].name == name) return int(i);
        const auto spec = std::find_if(lesson_.buffers.begin(), lesson_.buffers.end(),
                                       [&](const BufferSpec& b) { return b.name == name; });
        if (spec == lesson_.buffers.end())
            throw Unresolved{"argument '" + name + "' is no buffer of this lesson; add a [[buffer]] of that name"};
        const std::string what = "buffer '" + name + "'";
        sim::Buffer buffer;
        buffer.name = name;
        buffer.type = spec->type;
        buffer.count = size(what + ": count", spec->count, names_, 0, double(kMaxLaunchBytes));
        bytes_ += buffer.count * sim::bytesOf(buffer.type);
        if (bytes_ > kMaxLaunchBytes)
            throw Unresolved{what + " has " + std::to_string(buffer.count) +
                             " elements with these knobs: more than the 1 GiB that "
                             "the buffers of a lesson may take; lower a knob"};
        if (const std::string error = fillBuffer(buffer, spec->init, names_); !error.empty())
            throw Unresolved{what + ": init: " + error};
        launch_.buffers.push_back(std::move(buffer));
        launch_.output.push_back(spec->output);
        return int(launch_.buffers.size() - 1);
    }

    const Lesson& lesson_;
    const Variant& variant_;
    Names names_;
    ResolvedLaunch launch_;
    uint64_t bytes_ = 0;
};

/// True when `name` stands in the text as a whole word.
bool mentions(const std::string& text, const std::string& name) {
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) return true;
    }
    return false;
}

} // namespace

KnobValues defaultKnobs(const Lesson& lesson) {
    KnobValues values;
    for (const Knob& k : lesson.knobs) values[k.name] = k.value;
    return values;
}

std::string checkKnob(const Knob& knob, double value) {
    if (!knob.choices.empty()) {
        if (std::find(knob.choices.begin(), knob.choices.end(), value) != knob.choices.end()) return {};
        std::string choices;
        for (const double c : knob.choices) choices += (choices.empty() ? "" : ", ") + show(c);
        return knob.name + " = " + show(value) + " is not offered; choose one of " + choices;
    }
    if (value < knob.minimum || value > knob.maximum)
        return knob.name + " = " + show(value) + " is out of range; it goes from " + show(knob.minimum) + " to " +
               show(knob.maximum);
    if (!knob.real && value != std::floor(value)) return knob.name + " = " + show(value) + " must be a whole number";
    return {};
}

Names namesOf(const Lesson& lesson, const KnobValues& knobs) {
    Names names;
    for (const Knob& k : lesson.knobs) {
        const auto found = knobs.find(k.name);
        names[k.name] = {found == knobs.end() ? k.value : found->second, k.real};
    }
    return names;
}

const std::vector<ArgumentSpec>& argumentsOf(const Lesson& lesson, const Variant& variant) {
    return variant.arguments ? *variant.arguments : lesson.arguments;
}

const std::string& referenceOf(const Lesson& lesson, const Variant& variant) {
    return variant.reference ? *variant.reference : lesson.reference;
}

bool usesKnob(const Lesson& lesson, const Variant& variant, const std::string& knob) {
    const std::pair<const char*, const std::string*> launch[] = {
        {"gridX", &lesson.gridX},       {"gridY", &lesson.gridY},   {"gridZ", &lesson.gridZ},
        {"blockX", &lesson.blockX},     {"blockY", &lesson.blockY}, {"blockZ", &lesson.blockZ},
        {"shared", &lesson.sharedBytes}};
    for (const auto& [key, text] : launch) {
        const auto found = variant.overrides.find(key);
        if (mentions(found == variant.overrides.end() ? *text : found->second, knob)) return true;
    }
    for (const ArgumentSpec& a : argumentsOf(lesson, variant)) {
        if (mentions(a.expression, knob)) return true;
        for (const BufferSpec& b : lesson.buffers)
            if (!a.buffer.empty() && b.name == a.buffer && (mentions(b.count, knob) || mentions(b.init, knob)))
                return true;
    }
    return false;
}

std::optional<ResolvedLaunch> resolveLaunch(const Lesson& lesson, const Variant& variant, const KnobValues& knobs,
                                            const std::string& source, std::string& problem) {
    try {
        return Resolver(lesson, variant, knobs).resolve(source);
    } catch (const Unresolved& unresolved) {
        problem = unresolved.message;
        return std::nullopt;
    }
}

} // namespace playground
