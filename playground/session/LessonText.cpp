// Finds action links line by line and checks each verb.
#include "playground/session/LessonText.h"

#include "playground/session/Actions.h"
#include "playground/session/LaunchResolver.h"
#include "playground/session/LessonLoader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

namespace playground {
namespace {

std::optional<double> numberOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A whole number of at least `least`.
bool isWhole(const std::string& text, double least) {
    const auto value = numberOf(text);
    return value && *value >= least && *value == double(int64_t(*value));
}

const std::vector<std::string> kVerbs{"set", "variant", "view", "line", "step", "block", "warp", "lane", "run"};
const std::vector<std::string> kSteps{"first",         "last",         "next-divergence",
                                      "next-conflict", "next-barrier", "next-finding"};

/// Checks the verbs of one link; `variant` follows the variant verbs of the text, for line numbers.
class ActionCheck {
public:
    ActionCheck(const Lesson& lesson, const std::vector<int>& kernelLines)
        : lesson_(lesson), kernelLines_(kernelLines) {}

    /// Empty, or what is wrong.
    std::string check(const ActionVerb& verb) {
        const auto& [name, value] = verb;
        if (name == "set") return checkSet(value);
        if (name == "variant") return checkVariant(value);
        if (name == "view") return checkView(value);
        if (name == "line") return checkLine(value);
        if (name == "step") {
            if (isWhole(value, 0) || std::find(kSteps.begin(), kSteps.end(), value) != kSteps.end()) return {};
            return "'step " + value +
                   "': write a number or one of first, last, next-divergence, next-conflict, next-barrier, "
                   "next-finding";
        }
        if (name == "block" || name == "warp" || name == "lane") {
            if (!isWhole(value, 0)) return "'" + name + " " + value + "': write a number from 0";
            if (name == "lane" && *numberOf(value) > 31) return "'lane " + value + "': lanes go from 0 to 31";
            return {};
        }
        if (name == "run") return value.empty() ? "" : "'run' takes nothing after it";
        return "there is no action '" + name + "'; " + suggest(name, kVerbs);
    }

private:
    std::string checkSet(const std::string& assignment) const {
        const size_t equals = assignment.find('=');
        if (equals == std::string::npos) return "'set " + assignment + "': write set NAME=VALUE";
        const std::string name = assignment.substr(0, equals);
        const auto knob =
            std::find_if(lesson_.knobs.begin(), lesson_.knobs.end(), [&](const Knob& k) { return k.name == name; });
        if (knob == lesson_.knobs.end()) {
            std::vector<std::string> names;
            for (const Knob& k : lesson_.knobs) names.push_back(k.name);
            return "'set " + assignment + "': there is no knob '" + name + "'; " + suggest(name, names);
        }
        const auto value = numberOf(std::string_view(assignment).substr(equals + 1));
        if (!value) return "'set " + assignment + "': the value must be a number";
        const std::string wrong = checkKnob(*knob, *value);
        return wrong.empty() ? "" : "'set " + assignment + "': " + wrong;
    }

    std::string checkVariant(const std::string& id) {
        for (size_t i = 0; i < lesson_.variants.size(); ++i)
            if (lesson_.variants[i].id == id) {
                variant_ = i;
                return {};
            }
        std::vector<std::string> ids;
        for (const Variant& v : lesson_.variants) ids.push_back(v.id);
        return "there is no variant '" + id + "'; " + suggest(id, ids);
    }

    static std::string checkView(const std::string& view) {
        const auto known = viewNames();
        if (std::find(known.begin(), known.end(), view) != known.end()) return {};
        return "there is no view '" + view + "'; " +
               suggest(view, std::vector<std::string>(known.begin(), known.end()));
    }

    std::string checkLine(const std::string& line) const {
        if (!isWhole(line, 1)) return "'line " + line + "': write a line number from 1";
        const int lines = variant_ < kernelLines_.size() ? kernelLines_[variant_] : 0;
        if (lines > 0 && *numberOf(line) > lines)
            return "'line " + line + "': " + lesson_.variants[variant_].file + " has only " + std::to_string(lines) +
                   " lines";
        return {};
    }

    const Lesson& lesson_;
    const std::vector<int>& kernelLines_;
    size_t variant_ = 0;
};

} // namespace

std::vector<std::string> checkActions(const Lesson& lesson, const std::string& text, const std::string& fileName,
                                      const std::vector<int>& kernelLines) {
    std::vector<std::string> problems;
    ActionCheck check(lesson, kernelLines);
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string where = fileName + ":" + std::to_string(number) + ": ";
        for (size_t at = line.find("](action:"); at != std::string::npos; at = line.find("](action:", at + 1)) {
            const size_t begin = at + 9, end = line.find(')', begin);
            if (end == std::string::npos) {
                problems.push_back(where + "a ')' is missing after the action; write [text](action:...)");
                break;
            }
            for (const ActionVerb& verb : splitAction(std::string_view(line).substr(begin, end - begin)))
                if (const std::string wrong = check.check(verb); !wrong.empty()) problems.push_back(where + wrong);
        }
    }
    return problems;
}

} // namespace playground
