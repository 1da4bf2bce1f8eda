// From lesson.toml and text files to a checked Lesson.
#include "playground/session/LessonLoader.h"

#include "lessons/references.h"
#include "playground/session/LaunchResolver.h"
#include "playground/session/LessonText.h"
#include "playground/session/TomlReader.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace playground {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> kViews{"code",    "threads",  "divergence", "shared",
                                                  "global",  "memory",   "timeline",   "occupancy",
                                                  "timings", "counters", "streams",    "compare"};

std::string fileNameOf(const fs::path& folder, const char* name) {
    return (folder.filename() / name).string();
}

/// Number of single-character edits from one word to the other.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

/// Reads the parts of one lesson; what is wrong goes to `problems`.
class Reader {
public:
    Reader(const fs::path& folder, const fs::path& kernels)
        : folder_(folder), kernels_(kernels), problems_(fileNameOf(folder, "lesson.toml")) {
        lesson_.folder = folder;
        lesson_.slug = folder.filename().string();
    }

    void readToml(const toml::table& file) {
        number();
        TomlTable root(file, "", problems_);
        lesson_.views = root.texts("views", true, "[\"threads\", \"global\"]");
        for (const std::string& v : lesson_.views)
            if (std::find(kViews.begin(), kViews.end(), v) == kViews.end())
                root.problem("views", "there is no view '" + v + "'; " +
                                          suggest(v, std::vector<std::string>(kViews.begin(), kViews.end())));
        lesson_.reference = root.text("reference", false, "\"vector_add\"");
        checkReference(root, lesson_.reference);
        lesson_.title = root.byLanguage("title", "\"Coalescing\"");
        lesson_.idea = root.byLanguage("idea", "\"What the lesson teaches, in one sentence.\"");
        for (const toml::table* t : root.tables("knob")) readKnob(*t);
        for (const toml::table* t : root.tables("buffer")) readBuffer(*t);
        if (const toml::table* t = root.table("launch", true)) readLaunch(*t);
        for (const toml::table* t : root.tables("variant")) readVariant(*t);
        if (lesson_.variants.empty())
            root.problem("", "a lesson needs at least one [[variant]] with id, label, file and kernel");
        root.finish();
        tomlOk_ = problems_.sentences.empty();
        if (tomlOk_) checkVariants();
    }

    void readTexts() {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder_, error)) {
            const std::string name = entry.path().filename().string();
            if (name.rfind("text.", 0) != 0 || entry.path().extension() != ".md" || name.size() < 9) continue;
            std::string problem;
            const auto text = readFile(entry.path(), problem);
            if (!text) {
                problems_.sentences.push_back(problem);
                continue;
            }
            lesson_.text[name.substr(5, name.size() - 8)] = *text;
            if (tomlOk_) checkText(*text, name);
        }
        if (!lesson_.text.contains("en"))
            problems_.sentences.push_back(fileNameOf(folder_, "text.en.md") +
                                          ":1: the file is missing; write the lesson's text");
    }

    LoadedLesson finish() {
        LoadedLesson loaded;
        loaded.slug = lesson_.slug;
        loaded.problems = std::move(problems_.sentences);
        if (loaded.problems.empty()) loaded.lesson = std::make_shared<const Lesson>(std::move(lesson_));
        return loaded;
    }
    TomlProblems& problems() { return problems_; }

private:
    void number() {
        const std::string& s = lesson_.slug;
        const bool ok = s.size() > 3 && std::isdigit(static_cast<unsigned char>(s[0])) &&
                        std::isdigit(static_cast<unsigned char>(s[1])) && s[2] == '-';
        if (ok)
            lesson_.number = (s[0] - '0') * 10 + (s[1] - '0');
        else
            problems_.add(1, "the folder's name must be NN-slug, for example 07-coalescing, but is '" + s + "'");
    }

    void checkReference(const TomlTable& at, const std::string& name) {
        if (name.empty() || lessons::findReference(name)) return;
        at.problem("reference", "lessons/references.cpp has no CPU reference '" + name + "'; " +
                                    suggest(name, lessons::referenceNames()));
    }

    void readKnob(const toml::table& table) {
        TomlTable t(table, "[[knob]]", problems_);
        Knob k;
        k.name = t.text("name", true, "\"stride\"");
        k.label = t.text("label", false, "\"Stride\"", k.name);
        k.help = t.text("help", false, "\"What it changes.\"");
        k.value = t.number("value", true, "1");
        k.choices = t.numbers("choices");
        k.real = t.flag("real");
        k.logarithmic = t.flag("logarithmic");
        if (k.choices.empty()) {
            k.minimum = t.number("minimum", true, "1");
            k.maximum = t.number("maximum", true, "32");
            if (k.minimum > k.maximum) t.problem("minimum", "minimum is above maximum");
        } else {
            if (t.has("minimum") || t.has("maximum"))
                t.problem("choices", "write either choices, or minimum and maximum");
            const auto [low, high] = std::minmax_element(k.choices.begin(), k.choices.end());
            k.minimum = *low;
            k.maximum = *high;
        }
        t.finish();
        checkName(t, "name", k.name);
        if (const std::string wrong = checkKnob(k, k.value); !wrong.empty()) t.problem("value", wrong);
        if (std::any_of(lesson_.knobs.begin(), lesson_.knobs.end(), [&](const Knob& o) { return o.name == k.name; }))
            t.problem("name", "there are two knobs '" + k.name + "'; rename one");
        lesson_.knobs.push_back(std::move(k));
    }

    void checkName(const TomlTable& t, const std::string& key, const std::string& name) {
        const bool ok = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                        std::all_of(name.begin(), name.end(),
                                    [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
        if (!ok && t.has(key)) t.problem(key, "'" + name + "' is no name; use letters, digits and _");
    }

    void readBuffer(const toml::table& table) {
        TomlTable t(table, "[[buffer]]", problems_);
        BufferSpec b;
        b.name = t.text("name", true, "\"out\"");
        const std::string type = t.text("type", true, "\"f32\"", "f32");
        if (const auto known = sim::elementTypeFromString(type))
            b.type = *known;
        else
            t.problem("type",
                      "'" + type + "' is no type; write i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32 or f64");
        b.count = t.expression("count", true, "\"n\"", "1");
        b.init = t.text("init", false, "\"hash\"", "const:0");
        b.output = t.flag("output");
        t.finish();
        checkName(t, "name", b.name);
        if (std::any_of(lesson_.buffers.begin(), lesson_.buffers.end(),
                        [&](const BufferSpec& o) { return o.name == b.name; }))
            t.problem("name", "there are two buffers '" + b.name + "'; rename one");
        lesson_.buffers.push_back(std::move(b));
    }

    std::vector<ArgumentSpec> readArguments(TomlTable& t, bool required) {
        std::vector<ArgumentSpec> arguments;
        for (const std::string& text : t.texts("arguments", required, "[\"out\", \"in\", \"i32 = n\"]")) {
            std::string problem;
            const auto a = parseArgument(text, problem);
            if (!a) {
                t.problem("arguments", problem);
                continue;
            }
            std::vector<std::string> names;
            for (const BufferSpec& b : lesson_.buffers) names.push_back(b.name);
            if (!a->buffer.empty() && std::find(names.begin(), names.end(), a->buffer) == names.end())
                t.problem("arguments", "there is no buffer '" + a->buffer +
                                           "' (a scalar is written with its type: \"i32 = n\"); " +
                                           suggest(a->buffer, names));
            arguments.push_back(*a);
        }
        return arguments;
    }

    void readLaunch(const toml::table& table) {
        TomlTable t(table, "[launch]", problems_);
        const auto grid = t.extents("grid", true, "\"ceil_div(n, block)\"");
        const auto block = t.extents("block", true, "\"block\"");
        lesson_.gridX = grid[0];
        lesson_.gridY = grid[1];
        lesson_.gridZ = grid[2];
        lesson_.blockX = block[0];
        lesson_.blockY = block[1];
        lesson_.blockZ = block[2];
        lesson_.sharedBytes = t.expression("shared", false, "\"4 * block\"", "0");
        lesson_.arguments = readArguments(t, true);
        t.finish();
    }

    void readVariant(const toml::table& table) {
        TomlTable t(table, "[[variant]]", problems_);
        Variant v;
        v.id = t.text("id", true, "\"naive\"");
        v.label = t.text("label", false, "\"Naive\"", v.id);
        v.help = t.text("help", false, "\"What is different about it.\"");
        v.file = t.text("file", true, "\"coalescing/copy.cu\"");
        v.kernel = t.text("kernel", true, "\"copy\"");
        for (const std::string key : {"grid", "block"}) {
            if (!t.has(key)) continue;
            const auto e = t.extents(key, false, "\"ceil_div(n, block)\"");
            for (size_t axis = 0; axis < 3; ++axis) v.overrides[key + "XYZ"[axis]] = e[axis];
        }
        t.extents("grid", false, "");
        t.extents("block", false, "");
        if (t.has("shared"))
            v.overrides["shared"] = t.expression("shared", false, "\"4 * block\"", "0");
        else
            t.expression("shared", false, "", "");
        if (t.has("arguments"))
            v.arguments = readArguments(t, false);
        else
            t.texts("arguments", false, "");
        const std::string reference = t.text("reference", false, "\"copy\"");
        if (t.has("reference")) v.reference = reference;
        checkReference(t, reference);
        t.finish();
        if (std::any_of(lesson_.variants.begin(), lesson_.variants.end(),
                        [&](const Variant& o) { return o.id == v.id; }))
            t.problem("id", "there are two variants '" + v.id + "'; rename one");
        lines_.push_back(t.line());
        fileLines_.push_back(t.line("file"));
        lesson_.variants.push_back(std::move(v));
    }

    /// The launch of each variant must work with the default knobs, and its file must exist.
    void checkVariants() {
        for (size_t i = 0; i < lesson_.variants.size(); ++i) {
            const Variant& v = lesson_.variants[i];
            std::string problem;
            const auto source = readFile(kernels_ / v.file, problem);
            if (!source)
                problems_.add(fileLines_[i], "variant '" + v.id + "': " + problem + "; file is a path below kernels/");
            kernelLines_.push_back(source ? int(std::count(source->begin(), source->end(), '\n')) + 1 : 0);
            if (!resolveLaunch(lesson_, v, defaultKnobs(lesson_), "", problem))
                problems_.add(lines_[i], "variant '" + v.id + "': " + problem);
        }
    }

    void checkText(const std::string& text, const std::string& name) {
        for (std::string& p : checkActions(lesson_, text, fileNameOf(folder_, name.c_str()), kernelLines_))
            problems_.sentences.push_back(std::move(p));
    }

    fs::path folder_, kernels_;
    Lesson lesson_;
    TomlProblems problems_;
    std::vector<uint32_t> lines_, fileLines_;
    std::vector<int> kernelLines_;
    bool tomlOk_ = false; ///< Then the texts can be checked against it.
};

} // namespace

std::span<const std::string_view> viewNames() {
    return kViews;
}

std::string suggest(std::string_view wrong, std::span<const std::string> names) {
    if (names.empty()) return "there are none";
    const auto nearest = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return distance(wrong, a) < distance(wrong, b);
    });
    if (distance(wrong, *nearest) * 2 <= std::max(wrong.size(), nearest->size()))
        return "did you mean '" + *nearest + "'?";
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
    return "write one of " + all;
}

std::optional<ArgumentSpec> parseArgument(std::string_view text, std::string& problem) {
    const auto trim = [](std::string_view t) {
        while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
        while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
        return std::string(t);
    };
    ArgumentSpec a;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        a.buffer = trim(text);
        if (!a.buffer.empty()) return a;
        problem = "an argument is empty; write a buffer's name or TYPE = EXPRESSION";
        return std::nullopt;
    }
    const std::string type = trim(text.substr(0, equals));
    const auto known = sim::elementTypeFromString(type);
    if (!known) {
        problem =
            "argument '" + std::string(text) + "': '" + type + "' is no type; write one as in i32 = n or f32 = 0.5";
        return std::nullopt;
    }
    a.type = *known;
    a.expression = trim(text.substr(equals + 1));
    return a;
}

LoadedLesson loadLesson(const fs::path& folder, const fs::path& kernels) {
    Reader reader(folder, kernels);
    std::string problem;
    const auto text = readFile(folder / "lesson.toml", problem);
    if (!text) {
        reader.problems().sentences.push_back(problem);
        return reader.finish();
    }
    try {
        const toml::table file = toml::parse(*text);
        reader.readToml(file);
        reader.readTexts();
    } catch (const toml::parse_error& e) {
        reader.problems().add(e.source().begin.line, std::string(e.description()));
    }
    return reader.finish();
}

} // namespace playground
