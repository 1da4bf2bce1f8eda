// playground-cli lessons: what there is, and what is wrong with it.
#include "playground/cli/Commands.h"
#include "playground/session/Content.h"
#include "playground/session/LaunchResolver.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>

namespace playground::cli {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const LoadedLesson& loaded) {
    Json json{{"slug", loaded.slug}, {"problems", loaded.problems}};
    if (!loaded.lesson) return json;
    const Lesson& lesson = *loaded.lesson;
    json["number"] = lesson.number;
    json["title"] = lesson.title;
    json["idea"] = lesson.idea;
    json["languages"] = Json::array();
    for (const auto& [language, text] : lesson.text) json["languages"].push_back(language);
    json["variants"] = Json::array();
    for (const Variant& v : lesson.variants)
        json["variants"].push_back({{"id", v.id},
                                    {"label", v.label},
                                    {"file", v.file},
                                    {"kernel", v.kernel},
                                    {"reference", referenceOf(lesson, v)}});
    json["knobs"] = Json::array();
    for (const Knob& k : lesson.knobs)
        json["knobs"].push_back({{"name", k.name},
                                 {"value", k.value},
                                 {"minimum", k.minimum},
                                 {"maximum", k.maximum},
                                 {"choices", k.choices}});
    json["views"] = lesson.views;
    return json;
}

void print(const LoadedLesson& loaded) {
    std::cout << std::left << std::setw(24) << loaded.slug;
    if (loaded.lesson) {
        std::cout << loaded.lesson->title.at("en") << "\n    variants:";
        for (const Variant& v : loaded.lesson->variants) std::cout << " " << v.id;
        std::cout << "\n    knobs:   ";
        for (const Knob& k : loaded.lesson->knobs) std::cout << " " << k.name << "=" << k.value;
        std::cout << "\n";
    } else {
        std::cout << "cannot be used\n";
    }
    for (const std::string& p : loaded.problems) std::cout << "    " << p << "\n";
}

} // namespace

int lessonsCommand(const CommonOptions& common) {
    const Content content = common.lessons.empty() ? findContent() : findContent(common.lessons);
    if (!content.problem.empty()) return refuse(common, content.problem);
    Json list = Json::array();
    bool clean = true;
    for (const LoadedLesson& loaded : loadLessons(content)) {
        clean = clean && loaded.problems.empty();
        if (common.json)
            list.push_back(toJson(loaded));
        else
            print(loaded);
    }
    if (common.json) std::cout << Json{{"folder", content.lessons.string()}, {"lessons", list}}.dump(1) << "\n";
    return clean ? kClean : kFindings;
}

} // namespace playground::cli
