// Parsing of argument specifications and preparation of their buffers.
#include "playground/session/SimArguments.h"

#include "playground/session/BufferContents.h"
#include "playground/session/LaunchResolver.h"

#include <charconv>

namespace playground {
namespace {

constexpr const char* kForms = "write in:f32[1024]=hash or out:u8[300]=const:7 for a buffer, i32=5 for a scalar";

std::string complain(std::string_view spec, const std::string& what) {
    return "argument '" + std::string(spec) + "': " + what + "; " + kForms;
}

bool parseWhole(std::string_view text, uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

std::optional<SimArgument> parseSimArgument(std::string_view spec, std::string& problem) {
    SimArgument a;
    if (spec == "null") {
        a.type = sim::ElementType::U64;
        a.value = "0";
        return a;
    }
    const size_t equals = spec.find('=');
    std::string_view head = spec.substr(0, equals);
    if (equals != std::string_view::npos) a.value = std::string(spec.substr(equals + 1));
    for (const auto& [prefix, output] :
         {std::pair<std::string_view, bool>{"in:", false}, {"out:", true}, {"inout:", true}})
        if (head.substr(0, prefix.size()) == prefix) {
            a.buffer = true;
            a.output = output;
            head.remove_prefix(prefix.size());
            break;
        }
    std::string_view type = head;
    if (a.buffer) {
        if (const size_t at = head.find('@'); at != std::string_view::npos) {
            if (!parseWhole(head.substr(at + 1), a.offset)) {
                problem = complain(spec, "'" + std::string(head.substr(at)) + "' is no offset in elements");
                return std::nullopt;
            }
            head = head.substr(0, at);
        }
        const size_t open = head.find('[');
        if (open == std::string_view::npos || head.back() != ']') {
            problem = complain(spec, "a buffer needs its number of elements in [ ]");
            return std::nullopt;
        }
        type = head.substr(0, open);
        const std::string_view count = head.substr(open + 1, head.size() - open - 2);
        if (!parseWhole(count, a.count)) {
            problem = complain(spec, "'" + std::string(count) + "' is no number of elements");
            return std::nullopt;
        }
    }
    const auto known = sim::elementTypeFromString(type);
    if (!known) {
        problem =
            complain(spec, "'" + std::string(type) + "' is no type (i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64)");
        return std::nullopt;
    }
    a.type = *known;
    if (!a.buffer && equals == std::string_view::npos) {
        problem = complain(spec, "a scalar needs a value");
        return std::nullopt;
    }
    return a;
}

std::string addArguments(ResolvedLaunch& launch, std::span<const SimArgument> arguments) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const SimArgument& a = arguments[i];
        const std::string name = "argument " + std::to_string(i);
        sim::Argument argument;
        if (a.buffer) {
            bytes += a.count * sim::bytesOf(a.type);
            if (a.count > 4 * kMaxLaunchBytes || bytes > 4 * kMaxLaunchBytes)
                return name + ": more than 4 GiB of buffers; ask for fewer elements";
            sim::Buffer buffer;
            buffer.name = "argument" + std::to_string(i);
            buffer.type = a.type;
            buffer.count = a.count;
            if (const std::string error = fillBuffer(buffer, a.value, {}); !error.empty()) return name + ": " + error;
            argument.buffer = int(launch.buffers.size());
            argument.byteOffset = int64_t(a.offset * sim::bytesOf(a.type));
            launch.buffers.push_back(std::move(buffer));
            launch.output.push_back(a.output);
        } else {
            const Evaluated e = evaluate(a.value, {});
            if (!e.ok()) return name + ": " + e.error;
            argument.scalar = scalarBytes(a.type, e.value.number);
        }
        launch.argumentNames.push_back(name);
        launch.scalarTypes.push_back(a.type);
        launch.arguments.push_back(std::move(argument));
    }
    return {};
}

std::string checkArguments(const ResolvedLaunch& launch, const sim::Function& kernel) {
    if (launch.arguments.size() != kernel.parameters.size()) {
        std::string parameters;
        for (const sim::Parameter& p : kernel.parameters)
            parameters += (parameters.empty() ? "" : ", ") + p.type + " " + p.name;
        return "kernel " + kernel.name + "(" + parameters + ") takes " + std::to_string(kernel.parameters.size()) +
               (kernel.parameters.size() == 1 ? " argument, " : " arguments, ") +
               std::to_string(launch.arguments.size()) + (launch.arguments.size() == 1 ? " is given" : " are given");
    }
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
        const sim::Parameter& p = kernel.parameters[i];
        const sim::Argument& a = launch.arguments[i];
        const std::string name = "argument " + std::to_string(i) + " ('" + p.type + " " + p.name + "')";
        if (a.buffer >= 0 && !p.pointer) return name + " is no pointer; give it a scalar, for example i32=5";
        if (a.buffer < 0 && p.pointer && a.scalar != std::vector<std::byte>(8))
            return name + " is a pointer; give it a buffer, for example in:f32[1024]=hash";
        if (a.buffer < 0 && a.scalar.size() != p.bytes)
            return name + " has " + std::to_string(p.bytes) + " bytes, but " + std::to_string(a.scalar.size()) +
                   " are given; use a type of that size";
    }
    return {};
}

void nameBuffers(ResolvedLaunch& launch, const sim::Function& kernel) {
    for (size_t i = 0; i < launch.arguments.size() && i < kernel.parameters.size(); ++i) {
        if (kernel.parameters[i].name.empty()) continue;
        launch.argumentNames[i] = kernel.parameters[i].name;
        if (launch.arguments[i].buffer >= 0)
            launch.buffers[size_t(launch.arguments[i].buffer)].name = kernel.parameters[i].name;
    }
}

} // namespace playground
