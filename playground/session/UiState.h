// What the window shows that is not data of a run: which views, which tabs, which pane has the keyboard.
#pragma once

#include "playground/session/Gutter.h"

#include <array>
#include <string>

namespace playground {

enum class Pane : uint8_t { None, Code, Search, Timeline };
enum class ConsoleTab : uint8_t { Problems, Output, Counters };

struct UiState {
    std::array<std::string, 2> views = {"threads", "global"}; ///< Ids of panels, upper and lower.
    bool twoViews = true;
    bool lessonShown = true;
    bool codeShown = true;           ///< In projector mode the lesson and the code share one place.
    bool consoleShown = true;
    bool dark = true;
    bool projector = false;
    bool fullscreen = false;
    bool helpShown = false;
    bool searchShown = false;
    bool playing = false;            ///< The timeline moves by itself.
    bool freshLesson = false;        ///< The lesson was just opened: its text starts at the top.
    int windowWidth = 1600, windowHeight = 960;
    double zoom = 1.0;
    double lessonShare = 0.22, codeShare = 0.36, bottomShare = 0.26, viewShare = 0.5;
    Pane focus = Pane::None;
    ConsoleTab console = ConsoleTab::Problems;
    GutterMetric gutter = GutterMetric::Executions;
    std::string search;
    uint32_t revealLine = 0;         ///< The code scrolls until this line is seen, then it is 0 again.
    bool revealCursor = false;
    bool revealRow = false;          ///< The strips scroll until the selected row is seen.
    std::string notice;              ///< One sentence for the status line.
    bool noticeIsProblem = false;
};

} // namespace playground
