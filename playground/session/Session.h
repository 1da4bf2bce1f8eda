// The state of the window and everything that changes it: lesson, code, run, selection. No drawing.
#pragma once

#include "playground/session/Playback.h"
#include "playground/session/RunWorker.h"
#include "playground/session/Selection.h"
#include "playground/session/Settings.h"
#include "playground/session/TextDocument.h"
#include "playground/session/TraceRows.h"
#include "playground/session/UiState.h"

#include <memory>
#include <string>
#include <vector>

namespace playground {

/// What a session is given by the program that owns it.
struct SessionSetup {
    std::vector<std::shared_ptr<const Lesson>> lessons;
    std::vector<std::string> lessonProblems; ///< Sentences of lessons that could not be loaded.
    Backend backend;
    /// Whether a variant's launch uses a knob; empty: every knob is used.
    std::function<bool(const Lesson&, const Variant&, const std::string&)> usesKnob;
    /// The shipped text of a variant's kernel file; nullopt with a sentence in `problem`.
    std::function<std::optional<std::string>(const Variant&, std::string& problem)> readKernel;
    SettingsStore store{{}, {}};
    std::function<void()> wake = [] {}; ///< Called from the worker's thread.
};

/// Owned by the app; used from one thread only. Panels read it and call its verbs.
class Session {
public:
    explicit Session(SessionSetup setup);
    ~Session();

    // Lesson
    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return setup_.lessons; }
    const Lesson* lesson() const { return lesson_.get(); }
    const Variant* variant() const {
        return lesson_ && variant_ < lesson_->variants.size() ? &lesson_->variants[variant_] : nullptr;
    }
    const KnobValues& knobs() const { return knobs_; }
    /// The lesson's knobs that the chosen variant uses.
    std::vector<const Knob*> usedKnobs() const;
    bool openLesson(const std::string& slug);
    bool chooseVariant(const std::string& id);
    bool setKnob(const std::string& name, double value); ///< Clamped to the knob's range and choices.
    /// One verb of a lesson's link; false with a notice when it means nothing here.
    bool apply(const std::string& verb, const std::string& argument);
    void applyAction(const std::string& action); ///< Several verbs: "set stride=2;view global".

    // Code
    TextDocument& document() { return document_; }
    const TextDocument& document() const { return document_; }
    bool edited() const { return document_.text() != shipped_; }
    void resetCode();
    void search(bool forwards);

    // Run
    void run(); ///< Now, whatever changed.
    void cancel();
    /// Takes a finished result, notices edits, saves what should last. Call once a frame; true when something changed.
    bool update();
    bool stale() const { return worker_.busy() || pendingRevision_ != document_.revision(); }
    bool running() const { return worker_.busy(); }
    double progress() const { return worker_.progress(); }
    const RunResult* result() const { return result_.get(); }   ///< Newest, also when it failed to compile.
    const RunResult* picture() const { return picture_.get(); } ///< Newest that launched: what the views draw.
    const sim::WarpTrace* trace() const { return picture_ ? picture_->trace() : nullptr; }
    const TraceRows& rows() const { return rows_; }
    /// Milliseconds from the last change to the picture it made; negative before the first.
    double lastUpdateMs() const { return lastUpdateMs_; }

    // Selection and playback
    const Selection& selection() const { return selection_; }
    const TraceRow* row() const; ///< The selected one, or nullptr without a trace.
    void selectWarp(sim::BlockId block, sim::WarpId warp);
    void selectLane(int lane);
    void hover(sim::LaneMask lanes) { nextHover_.hovered = lanes; }
    void hoverLine(uint32_t line) { nextHover_.hoveredLine = line; }
    void stepTo(uint32_t row);
    void stepBy(int rows);
    void stepToEnd(bool last);
    bool stepTo(StepTarget target, bool forwards = true);
    /// The line's next step after the selected one, or its first step: links always show the same picture.
    bool goToLine(uint32_t line, bool first = false);
    void togglePlay() { ui.playing = !ui.playing && !rows_.rows.empty(); }
    /// Advances playback; true when the row changed.
    bool tick(double secondsSinceLast);

    // Views
    void showView(const std::string& id, int slot = 0);
    void say(std::string notice, bool problem = false);
    void saveNow();

    UiState ui;

private:
    void loadVariant();
    void restoreFrom(const Settings& settings);
    void requestRun(int delayMs);
    void adopt(std::shared_ptr<const RunResult> result);
    bool applyStep(const std::string& argument);
    void saveEditIfChanged();
    Settings settingsNow() const;

    SessionSetup setup_;
    Settings settings_;
    std::string lastSaved_;
    std::shared_ptr<const Lesson> lesson_;
    size_t variant_ = 0;
    KnobValues knobs_;
    TextDocument document_;
    std::string shipped_;
    uint64_t pendingRevision_ = 0, savedRevision_ = 0, nextId_ = 1;
    std::shared_ptr<const RunResult> result_, picture_;
    TraceRows rows_;
    Selection selection_, nextHover_;
    uint32_t wantedLine_ = 0; ///< To go to when the next picture arrives.
    std::string wantedStep_;
    double playClock_ = 0, lastUpdateMs_ = -1;
    std::chrono::steady_clock::time_point changedAt_, savedAt_;
    RunWorker worker_; ///< Last: its thread ends before anything else goes.
};

} // namespace playground
