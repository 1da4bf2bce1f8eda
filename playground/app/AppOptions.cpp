// Parsing of the window's command line.
#include "playground/app/AppOptions.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

namespace playground {
namespace {

bool parseInt(const std::string& text, int& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && out >= 0;
}

bool parseSize(const std::string& text, AppOptions& o) {
    const size_t x = text.find('x');
    return x != std::string::npos && parseInt(text.substr(0, x), o.width) && parseInt(text.substr(x + 1), o.height) &&
           o.width >= 320 && o.height >= 240 && o.width <= 16384 && o.height <= 16384;
}

bool parseKnob(const std::string& text, AppOptions& o) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return false;
    char* end = nullptr;
    const double value = std::strtod(text.c_str() + equals + 1, &end);
    if (end == text.c_str() + equals + 1 || *end != '\0') return false;
    o.knobs.emplace_back(text.substr(0, equals), value);
    return true;
}

using Reader = std::function<bool(const std::string&, AppOptions&)>;

const std::map<std::string, Reader>& withValue() {
    static const auto text = [](std::string AppOptions::*member) {
        return [member](const std::string& v, AppOptions& o) {
            o.*member = v;
            return !v.empty();
        };
    };
    static const auto number = [](int AppOptions::*member) {
        return [member](const std::string& v, AppOptions& o) { return parseInt(v, o.*member); };
    };
    static const std::map<std::string, Reader> readers = {
        {"--root", text(&AppOptions::root)},
        {"--lesson", text(&AppOptions::lesson)},
        {"--variant", text(&AppOptions::variant)},
        {"--view", text(&AppOptions::view)},
        {"--second-view", text(&AppOptions::secondView)},
        {"--step", text(&AppOptions::step)},
        {"--line", number(&AppOptions::line)},
        {"--lane", number(&AppOptions::lane)},
        {"--block", number(&AppOptions::block)},
        {"--warp", number(&AppOptions::warp)},
        {"--size", parseSize},
        {"--set", parseKnob},
        {"--theme",
         [](const std::string& v, AppOptions& o) {
             o.theme = v;
             return v == "light" || v == "dark";
         }},
        {"--screenshot", text(&AppOptions::screenshot)},
        {"--script", text(&AppOptions::script)},
        {"--layout", text(&AppOptions::layout)},
    };
    return readers;
}

const std::map<std::string, bool AppOptions::*>& switches() {
    static const std::map<std::string, bool AppOptions::*> all = {{"--projector", &AppOptions::projector},
                                                                  {"--one-view", &AppOptions::oneView},
                                                                  {"--help-page", &AppOptions::help},
                                                                  {"--fresh", &AppOptions::freshSettings},
                                                                  {"--bench-frame", &AppOptions::benchFrame},
                                                                  {"--help", &AppOptions::showHelp},
                                                                  {"-h", &AppOptions::showHelp},
                                                                  {"--version", &AppOptions::showVersion}};
    return all;
}

} // namespace

bool parseAppOptions(int argc, char** argv, AppOptions& options, std::string& problem) {
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (const auto flag = switches().find(name); flag != switches().end()) {
            options.*flag->second = true;
            continue;
        }
        const auto reader = withValue().find(name);
        if (reader == withValue().end()) {
            problem = "Unknown option " + name + ". Run with --help for the list.";
            return false;
        }
        if (i + 1 >= argc || !reader->second(argv[i + 1], options)) {
            problem = name + (i + 1 >= argc ? " needs a value." : std::string(" cannot be ") + argv[i + 1] + ".") +
                      " Run with --help for the list.";
            return false;
        }
        ++i;
    }
    return true;
}

std::string usage() {
    return R"(playground: read a lesson, edit its CUDA kernel, see what the hardware does

  playground [options]

  --lesson SLUG         open this lesson, e.g. 07-coalescing
  --variant ID          pick one of its kernels
  --set NAME=VALUE      move a knob (may be given several times)
  --view NAME           main view: threads, divergence, shared, global
  --second-view NAME    the view below it
  --one-view            one large view
  --block N --warp N    the warp to trace        --lane N   the thread to explain
  --step N              go to a step: a number, first, last, next-divergence, next-conflict, next-barrier, next-finding
  --line N              go to the step that runs this line
  --theme light|dark    --projector              large type and high contrast
  --size WxH            size of the window in pixels
  --fresh               neither read nor keep settings and edits
  --root FOLDER         where lessons/ and kernels/ are

  --screenshot FILE.png draw once the picture is there, write it, and leave
  --layout FILE.json    with --screenshot: where everything was drawn
  --script FILE         do what the file says, a command a line, and leave
  --bench-frame         measure start, frames, edit-to-picture and idle time, and leave
)";
}

} // namespace playground
