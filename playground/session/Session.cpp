// Lesson, code and settings of a session; SessionRun.cpp runs and steps.
#include "playground/session/Session.h"

#include "playground/session/Actions.h"
#include "playground/session/Figures.h"
#include "playground/session/Strings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace playground {
namespace {

constexpr const char* kGutterNames[] = {"executions", "lanes", "sectors", "conflicts", "none"};

double nearestChoice(const std::vector<double>& choices, double value) {
    return *std::min_element(choices.begin(), choices.end(),
                             [&](double a, double b) { return std::fabs(a - value) < std::fabs(b - value); });
}

double clampToKnob(const Knob& knob, double value) {
    if (!std::isfinite(value)) return knob.value;
    if (!knob.choices.empty()) return nearestChoice(knob.choices, value);
    value = std::clamp(value, knob.minimum, std::max(knob.minimum, knob.maximum));
    return knob.real ? value : std::round(value);
}

std::optional<double> parseNumber(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace

Session::Session(SessionSetup setup) : setup_(std::move(setup)), worker_(setup_.backend, setup_.wake) {
    std::string problem;
    settings_ = setup_.store.load(problem);
    restoreFrom(settings_);
    lastSaved_ = toText(settings_);
    if (!problem.empty())
        say(problem, true);
    else if (!setup_.lessonProblems.empty())
        say(setup_.lessonProblems.front(), true);
    if (!openLesson(settings_.lesson) && !setup_.lessons.empty()) openLesson(setup_.lessons.front()->slug);
}

Session::~Session() {
    saveNow();
}

void Session::restoreFrom(const Settings& s) {
    ui.dark = s.darkTheme;
    ui.projector = s.projector;
    ui.windowWidth = s.windowWidth;
    ui.windowHeight = s.windowHeight;
    ui.zoom = s.zoom;
    ui.lessonShare = s.lessonShare;
    ui.codeShare = s.codeShare;
    ui.bottomShare = s.bottomShare;
    ui.viewShare = s.viewShare;
    ui.compactShare = s.compactShare;
    ui.lessonShown = s.lessonShown;
    ui.twoViews = s.twoViews;
    for (int i = 0; i < kGutterMetricCount; ++i)
        if (s.gutter == kGutterNames[i]) ui.gutter = GutterMetric(i);
    setLanguage(s.language == "zh" ? Language::Chinese : Language::English);
}

Settings Session::settingsNow() const {
    Settings s = settings_;
    s.darkTheme = ui.dark;
    s.projector = ui.projector;
    s.windowWidth = ui.windowWidth;
    s.windowHeight = ui.windowHeight;
    s.zoom = ui.zoom;
    s.lessonShare = ui.lessonShare;
    s.codeShare = ui.codeShare;
    s.bottomShare = ui.bottomShare;
    s.viewShare = ui.viewShare;
    s.compactShare = ui.compactShare;
    s.lessonShown = ui.lessonShown;
    s.twoViews = ui.twoViews;
    s.gutter = kGutterNames[int(ui.gutter)];
    s.language = languageCode();
    if (lesson_) {
        s.lesson = lesson_->slug;
        if (const Variant* v = variant()) s.variant[lesson_->slug] = v->id;
        s.views[lesson_->slug] = ui.views[0] + "," + ui.views[1];
        for (const auto& [name, value] : knobs_) s.knobs[lesson_->slug + "/" + name] = value;
    }
    return s;
}

void Session::saveEditIfChanged() {
    if (!lesson_ || !variant() || savedRevision_ == document_.revision()) return;
    const std::string key = lesson_->slug + "/" + variant()->id;
    std::string problem;
    if (!edited())
        setup_.store.removeEdit(key);
    else if (!setup_.store.saveEdit(key, document_.text(), problem))
        say(problem, true);
    savedRevision_ = document_.revision();
}

void Session::saveNow() {
    saveEditIfChanged();
    settings_ = settingsNow();
    const std::string text = toText(settings_);
    if (text == lastSaved_) return;
    std::string problem;
    if (!setup_.store.save(settings_, problem)) say(problem, true);
    lastSaved_ = text;
}

bool Session::openLesson(const std::string& slug) {
    const auto found =
        std::find_if(setup_.lessons.begin(), setup_.lessons.end(), [&](const auto& l) { return l->slug == slug; });
    if (found == setup_.lessons.end()) return false;
    if (lesson_) saveNow();
    lesson_ = *found;
    ui.freshLesson = true;
    knobs_.clear();
    for (const Knob& knob : lesson_->knobs) {
        const auto kept = settings_.knobs.find(lesson_->slug + "/" + knob.name);
        knobs_[knob.name] = clampToKnob(knob, kept != settings_.knobs.end() ? kept->second : knob.value);
    }
    variant_ = 0;
    for (size_t i = 0; i < lesson_->variants.size(); ++i)
        if (const auto kept = settings_.variant.find(slug);
            kept != settings_.variant.end() && kept->second == lesson_->variants[i].id)
            variant_ = i;
    if (!lesson_->views.empty()) ui.views[0] = lesson_->views[0];
    ui.views[1] = lesson_->views.size() > 1     ? lesson_->views[1]
                  : ui.views[0] == "divergence" ? "threads"
                                                : "divergence";
    if (const auto kept = settings_.views.find(slug); kept != settings_.views.end()) {
        const size_t comma = kept->second.find(',');
        ui.views = {kept->second.substr(0, comma),
                    comma == std::string::npos ? ui.views[1] : kept->second.substr(comma + 1)};
    }
    selection_ = {};
    picture_ = result_ = nullptr;
    rows_ = {};
    loadVariant();
    return true;
}

void Session::loadVariant() {
    const Variant* v = variant();
    if (v == nullptr) return;
    std::string problem;
    const auto text = setup_.readKernel(*v, problem);
    if (!text) say(problem, true);
    shipped_ = sanitiseUtf8(text.value_or(""));
    TextDocument normal(shipped_);
    shipped_ = normal.text();
    const auto edit = setup_.store.loadEdit(lesson_->slug + "/" + v->id);
    document_.setText(edit ? sanitiseUtf8(*edit) : shipped_);
    savedRevision_ = document_.revision();
    requestRun(0);
}

bool Session::chooseVariant(const std::string& id) {
    if (!lesson_) return false;
    for (size_t i = 0; i < lesson_->variants.size(); ++i) {
        if (lesson_->variants[i].id != id) continue;
        if (i == variant_) return true;
        saveEditIfChanged();
        variant_ = i;
        loadVariant();
        return true;
    }
    return false;
}

bool Session::setKnob(const std::string& name, double value) {
    if (!lesson_) return false;
    for (const Knob& knob : lesson_->knobs) {
        if (knob.name != name) continue;
        const double clamped = clampToKnob(knob, value);
        if (knobs_[name] == clamped) return true;
        knobs_[name] = clamped;
        requestRun(30);
        return true;
    }
    return false;
}

std::vector<const Knob*> Session::usedKnobs() const {
    std::vector<const Knob*> used;
    if (!lesson_ || !variant()) return used;
    for (const Knob& knob : lesson_->knobs)
        if (!setup_.usesKnob || setup_.usesKnob(*lesson_, *variant(), knob.name)) used.push_back(&knob);
    return used;
}

bool Session::apply(const std::string& verb, const std::string& argument) {
    const auto index = [&]() -> std::optional<uint32_t> {
        const auto value = parseNumber(argument);
        return value && *value >= 0 && *value < 4e9 ? std::optional<uint32_t>(uint32_t(*value)) : std::nullopt;
    };
    if (verb == "set") {
        const size_t equals = argument.find('=');
        const auto value = equals == std::string::npos ? std::nullopt : parseNumber(argument.substr(equals + 1));
        return value && setKnob(argument.substr(0, equals), *value);
    }
    if (verb == "variant") return chooseVariant(argument);
    if (verb == "view") {
        showView(argument);
        return true;
    }
    if (verb == "run") {
        run();
        return true;
    }
    if (verb == "step") return applyStep(argument);
    const auto number = index();
    if (!number) return false;
    if (verb == "line") {
        if (stale() || !goToLine(*number, true)) wantedLine_ = *number;
        ui.revealLine = *number;
        return true;
    }
    if (verb == "warp") {
        selectWarp(selection_.block, sim::WarpId{*number});
        return true;
    }
    if (verb == "block") {
        selectWarp(sim::BlockId{*number}, selection_.warp);
        return true;
    }
    if (verb == "lane") {
        selectLane(int(std::min(*number, 31u)));
        return true;
    }
    return false;
}

bool Session::applyStep(const std::string& argument) {
    if (stale()) {
        wantedStep_ = argument;
        return true;
    }
    if (argument == "first" || argument == "last") {
        stepToEnd(argument == "last");
        return true;
    }
    static const std::pair<const char*, StepTarget> kTargets[] = {{"next-divergence", StepTarget::Divergence},
                                                                  {"next-conflict", StepTarget::Conflict},
                                                                  {"next-barrier", StepTarget::Barrier},
                                                                  {"next-finding", StepTarget::Finding}};
    for (const auto& [name, target] : kTargets)
        if (argument == name) return stepTo(target);
    const auto value = parseNumber(argument);
    if (!value || *value < 0) return false;
    stepTo(uint32_t(std::min(*value, 4e9)));
    return true;
}

void Session::applyAction(const std::string& action) {
    for (const auto& [verb, argument] : splitAction(action))
        if (!apply(verb, argument)) say(fill(tr(Text::ActionUnknown), {verb + " " + argument}), true);
}

void Session::resetCode() {
    document_.replaceAll(shipped_);
    say(tr(Text::CodeReset));
}

void Session::search(bool forwards) {
    if (document_.findNext(ui.search, forwards))
        ui.revealCursor = true;
    else if (!ui.search.empty())
        say(fill(tr(Text::NotFound), {ui.search}));
}

void Session::showView(const std::string& id, int slot) {
    if (slot == 0 && ui.views[1] == id)
        std::swap(ui.views[0], ui.views[1]);
    else if (slot == 1 && ui.views[0] == id)
        std::swap(ui.views[0], ui.views[1]);
    else
        ui.views[size_t(slot)] = id;
}

void Session::say(std::string notice, bool problem) {
    ui.notice = std::move(notice);
    ui.noticeIsProblem = problem;
}

} // namespace playground
