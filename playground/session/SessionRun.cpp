// Running, adopting results, selecting and stepping.
#include "playground/session/Session.h"

#include <algorithm>
#include <utility>

namespace playground {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kTypingPauseMs = 50;
constexpr double kSecondsPerRow = 0.4;
constexpr auto kSaveEvery = std::chrono::seconds(2);

} // namespace

void Session::requestRun(int delayMs) {
    if (!lesson_ || variant() == nullptr) return;
    RunRequest request;
    request.id = nextId_++;
    request.lesson = lesson_;
    request.variant = variant_;
    request.knobs = knobs_;
    request.source = document_.text();
    request.block = selection_.block;
    request.warp = selection_.warp;
    pendingRevision_ = document_.revision();
    changedAt_ = Clock::now();
    worker_.request(std::move(request), std::chrono::milliseconds(delayMs));
}

void Session::run() {
    requestRun(0);
}
void Session::cancel() {
    worker_.cancel();
}

bool Session::update() {
    bool changed = false;
    if (pendingRevision_ != document_.revision()) {
        requestRun(kTypingPauseMs);
        changed = true;
    }
    if (auto result = worker_.take();
        result && result->request.lesson == lesson_ && result->request.variant == variant_) {
        adopt(std::move(result));
        changed = true;
    }
    if (selection_.hovered != nextHover_.hovered || selection_.hoveredLine != nextHover_.hoveredLine) {
        selection_.hovered = nextHover_.hovered;
        selection_.hoveredLine = nextHover_.hoveredLine;
        changed = true;
    }
    nextHover_ = {};
    if (Clock::now() - savedAt_ > kSaveEvery) {
        saveNow();
        savedAt_ = Clock::now();
    }
    return changed;
}

void Session::adopt(std::shared_ptr<const RunResult> result) {
    const auto problems = [](const RunResult* r) {
        return r != nullptr && (!r->launched || !r->report.findings.empty());
    };
    if (problems(result.get()) && !problems(result_.get())) ui.console = ConsoleTab::Problems;
    result_ = result;
    lastUpdateMs_ = std::chrono::duration<double, std::milli>(Clock::now() - changedAt_).count();
    if (!result->launched) return;
    const std::shared_ptr<const RunResult> previous = std::exchange(picture_, result);
    selection_.block = result->request.block;
    selection_.warp = result->request.warp;
    const TraceRow* before = row();
    const uint32_t line = before ? before->line : 0;
    const bool first = previous == nullptr;
    rows_ = {};
    if (const sim::WarpTrace* trace = result->trace(); trace && result->kernel)
        rows_ = buildTraceRows(*trace, *result->kernel, result->launch.config, result->report.findings);
    const uint32_t last = rows_.rows.empty() ? 0 : uint32_t(rows_.rows.size()) - 1;
    selection_.row = std::min(selection_.row, last);
    if (line != 0 && row() && row()->line != line)
        if (const auto same = findLine(rows_, selection_.row, line)) selection_.row = *same;
    if (first && !rows_.rows.empty()) {
        for (auto space : {sim::MemorySpace::Shared, sim::MemorySpace::Global})
            if (const auto at = trace() ? nearestAccess(rows_, *trace(), 0, space) : std::nullopt) {
                selection_.row = *at;
                break;
            }
    }
    ui.revealRow = ui.revealWarp = true;
    if (wantedLine_ != 0) goToLine(std::exchange(wantedLine_, 0), true);
    if (!wantedStep_.empty()) applyStep(std::exchange(wantedStep_, {}));
}

const TraceRow* Session::row() const {
    return selection_.row < rows_.rows.size() ? &rows_.rows[selection_.row] : nullptr;
}

void Session::selectWarp(sim::BlockId block, sim::WarpId warp) {
    if (block == selection_.block && warp == selection_.warp) return;
    selection_.block = block;
    selection_.warp = warp;
    requestRun(0);
}

void Session::selectLane(int lane) {
    selection_.lane = lane == selection_.lane ? -1 : std::clamp(lane, -1, 31);
}

void Session::stepTo(uint32_t row) {
    if (rows_.rows.empty()) return;
    selection_.row = std::min(row, uint32_t(rows_.rows.size()) - 1);
    ui.revealRow = true;
    ui.revealLine = rows_.rows[selection_.row].line;
}

void Session::stepBy(int rows) {
    const int64_t target = int64_t(selection_.row) + rows;
    stepTo(uint32_t(std::max<int64_t>(0, target)));
}

void Session::stepToEnd(bool last) {
    stepTo(last ? ~0u : 0u);
}

bool Session::stepTo(StepTarget target, bool forwards) {
    const auto found = findTarget(rows_, selection_.row, target, forwards);
    if (found) stepTo(*found);
    return found.has_value();
}

bool Session::goToLine(uint32_t line, bool first) {
    ui.revealLine = line;
    const uint32_t from = first && !rows_.rows.empty() ? uint32_t(rows_.rows.size()) - 1 : selection_.row;
    const auto found = findLine(rows_, from, line);
    if (found) stepTo(*found);
    return found.has_value();
}

bool Session::tick(double secondsSinceLast) {
    if (!ui.playing) return false;
    playClock_ += secondsSinceLast;
    if (playClock_ < kSecondsPerRow) return false;
    playClock_ = 0;
    if (selection_.row + 1 >= rows_.rows.size())
        ui.playing = false;
    else
        stepBy(1);
    return true;
}

} // namespace playground
