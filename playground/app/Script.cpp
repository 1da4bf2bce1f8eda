// The script's commands.
#include "playground/app/Script.h"

#include "playground/app/App.h"
#include "playground/session/Captions.h"
#include "playground/widgets/LayoutLog.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

namespace playground {
namespace {

constexpr double kPatience = 60;

const LayoutItem* findItem(const std::string& label) {
    const LayoutItem* found = nullptr;
    for (const LayoutItem& item : layoutLog().items())
        if (item.label == label && (found == nullptr || found->kind == "text")) found = &item;
    if (found) return found;
    for (const LayoutItem& item : layoutLog().items())
        if (item.label.starts_with(label)) return &item;
    return nullptr;
}

/// A label, or "@X,Y" for a place in pixels.
bool placeOf(const std::string& label, ImVec2& out) {
    if (!label.empty() && label[0] == '@') return std::sscanf(label.c_str(), "@%f,%f", &out.x, &out.y) == 2;
    const LayoutItem* item = findItem(label);
    if (item == nullptr) return false;
    out = {(item->min.x + item->max.x) / 2, (item->min.y + item->max.y) / 2};
    return true;
}

void frames(App& app, int count) {
    for (int i = 0; i < count; ++i) app.invalidate(1), app.frame();
}

void press(App& app, bool down) {
    app.injected.down = down;
    frames(app, 2);
}

bool click(App& app, const std::string& label) {
    ImVec2 at;
    if (!placeOf(label, at)) return false;
    app.injected.mouse = at;
    frames(app, 2);
    press(app, true);
    press(app, false);
    return app.settle(kPatience);
}

bool drag(App& app, const std::string& argument) {
    std::istringstream in(argument);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.size() < 3) return false;
    const float dx = std::stof(words[words.size() - 2]), dy = std::stof(words.back());
    std::string label = words[0];
    for (size_t i = 1; i + 2 < words.size(); ++i) label += " " + words[i];
    ImVec2 at;
    if (!placeOf(label, at)) return false;
    app.injected.mouse = at;
    frames(app, 2);
    press(app, true);
    for (int i = 1; i <= 8; ++i) {
        app.injected.mouse = {at.x + dx * float(i) / 8, at.y + dy * float(i) / 8};
        frames(app, 1);
    }
    press(app, false);
    return app.settle(kPatience);
}

bool writeFile(const std::string& path, const std::string& text) {
    std::ofstream out(path);
    out << text;
    return bool(out);
}

using Command = std::function<bool(App&, const std::string&)>;

bool apply(App& app, const char* verb, const std::string& argument) {
    return app.session().apply(verb, argument) && app.settle(kPatience);
}

bool expect(App& app, const std::string& argument) {
    const size_t space = argument.find(' ');
    const std::string wanted = "\"" + argument.substr(0, space) + "\": " + argument.substr(space + 1);
    const std::string state = stateJson(app);
    const size_t at = state.find(wanted);
    if (at != std::string::npos && (state[at + wanted.size()] == ',' || state[at + wanted.size()] == '\n')) return true;
    std::fprintf(stderr, "expected %s in\n%s", wanted.c_str(), state.c_str());
    return false;
}

void addInputs(std::map<std::string, Command>& c) {
    c["wait"] = [](App& a, const std::string&) { return a.settle(kPatience); };
    c["sleep"] = [](App& a, const std::string& t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(t)));
        return a.settle(kPatience);
    };
    c["key"] = [](App& a, const std::string& t) {
        const auto key = keyPressFromString(t);
        if (key) a.pressKey(*key);
        return key.has_value() && a.settle(kPatience);
    };
    c["type"] = [](App& a, const std::string& t) {
        a.typeText(t);
        return a.settle(kPatience);
    };
    c["click"] = click;
    c["double"] = [](App& a, const std::string& t) { return click(a, t) && click(a, t); };
    c["drag"] = drag;
    c["hover"] = [](App& a, const std::string& t) {
        const bool ok = placeOf(t, a.injected.mouse);
        frames(a, 3);
        return ok && a.settle(kPatience);
    };
    c["scroll"] = [](App& a, const std::string& t) {
        const size_t space = t.rfind(' ');
        if (space == std::string::npos || !placeOf(t.substr(0, space), a.injected.mouse)) return false;
        frames(a, 2);
        a.injected.wheel = std::stof(t.substr(space));
        frames(a, 3);
        return a.settle(kPatience);
    };
}

void addVerbs(std::map<std::string, Command>& c) {
    for (const char* verb : {"variant", "set", "view", "step", "line", "lane", "block", "warp"})
        c[verb] = [verb](App& a, const std::string& t) { return apply(a, verb, t); };
    c["lesson"] = [](App& a, const std::string& t) { return a.session().openLesson(t) && a.settle(kPatience); };
    c["second"] = [](App& a, const std::string& t) {
        a.session().showView(t, 1);
        return a.settle(kPatience);
    };
    c["action"] = [](App& a, const std::string& t) {
        a.session().applyAction(t);
        return a.settle(kPatience);
    };
    c["theme"] = [](App& a, const std::string& t) {
        a.session().ui.dark = t == "dark";
        return a.settle(kPatience);
    };
    c["projector"] = [](App& a, const std::string& t) {
        a.session().ui.projector = t == "on";
        a.session().ui.dark = t != "on";
        return a.settle(kPatience);
    };
    c["size"] = [](App& a, const std::string& t) {
        int w = 0, h = 0;
        if (std::sscanf(t.c_str(), "%dx%d", &w, &h) != 2) return false;
        a.setSize(w, h);
        return a.settle(kPatience);
    };
    c["screenshot"] = [](App& a, const std::string& t) { return a.settle(kPatience) && a.screenshot(t); };
    c["layout"] = [](App& a, const std::string& t) { return a.settle(kPatience) && writeFile(t, layoutLog().json()); };
    c["state"] = [](App& a, const std::string& t) { return writeFile(t, stateJson(a)); };
    c["expect"] = expect;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char ch : text) {
        if (ch == '"' || ch == '\\') out += '\\';
        out += static_cast<unsigned char>(ch) < 0x20 ? ' ' : ch;
    }
    return out + "\"";
}

} // namespace

std::string stateJson(App& app) {
    Session& s = app.session();
    std::vector<std::pair<std::string, std::string>> fields;
    const auto text = [&](const char* key, const std::string& value) { fields.emplace_back(key, quoted(value)); };
    const auto number = [&](const char* key, int64_t value) { fields.emplace_back(key, std::to_string(value)); };
    text("lesson", s.lesson() ? s.lesson()->slug : "");
    text("variant", s.variant() ? s.variant()->id : "");
    text("view", s.ui.views[0]);
    text("second", s.ui.views[1]);
    number("row", s.selection().row);
    number("rows", int64_t(s.rows().rows.size()));
    number("line", s.row() ? s.row()->line : 0);
    number("lane", s.selection().lane);
    number("block", s.selection().block.value);
    number("warp", s.selection().warp.value);
    number("projector", s.ui.projector);
    number("dark", s.ui.dark);
    number("help", s.ui.helpShown);
    number("edited", s.edited());
    number("stale", s.stale());
    number("launched", s.result() && s.result()->launched);
    number("diagnostics", s.result() ? int64_t(s.result()->compiled.diagnostics.size()) : 0);
    number("findings", s.picture() ? int64_t(s.picture()->report.findings.size()) : 0);
    text("threads_caption", captionThreads(s));
    text("divergence_caption", captionDivergence(s));
    text("shared_caption", captionShared(s));
    text("global_caption", captionGlobal(s));
    text("notice", s.ui.notice);
    for (const auto& [name, value] : s.knobs()) fields.emplace_back("knob_" + name, std::to_string(int64_t(value)));
    std::string out = "{\n";
    for (size_t i = 0; i < fields.size(); ++i)
        out += "  \"" + fields[i].first + "\": " + fields[i].second + (i + 1 < fields.size() ? ",\n" : "\n");
    return out + "}\n";
}

int runScript(App& app, const std::string& path) {
    std::map<std::string, Command> commands;
    addInputs(commands);
    addVerbs(commands);
    std::ifstream in(path);
    if (!in) {
        std::fprintf(stderr, "playground: the script %s cannot be read.\n", path.c_str());
        return 2;
    }
    app.settle(kPatience);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const size_t space = line.find(' ');
        const auto command = commands.find(line.substr(0, space));
        const std::string argument = space == std::string::npos ? "" : line.substr(space + 1);
        if (command != commands.end() && command->second(app, argument)) continue;
        std::fprintf(stderr, "%s:%d: failed: %s %s\n", path.c_str(), number, line.c_str(), app.problem().c_str());
        return 1;
    }
    return 0;
}

} // namespace playground
