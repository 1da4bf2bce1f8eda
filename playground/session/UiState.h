// What the window shows that is not data of a run: which views, which tabs, which pane has the keyboard.
#pragma once

#include "playground/session/Gutter.h"

#include <array>
#include <string>

namespace playground {

enum class Pane : uint8_t { None, Code, Search, Timeline };
enum class LeftTab : uint8_t { Lesson, Code, Console };
enum class ConsoleTab : uint8_t { Problems, Output, Counters };

struct UiState {
    std::array<std::string, 2> views = {"threads", "global"}; ///< Ids of panels, upper and lower.
    bool twoViews = true;
    bool lessonShown = true;
    bool compact = false;           ///< Set while there is no room for text and code side by side: they share a place.
    LeftTab left = LeftTab::Lesson; ///< Which has it.
    double compactShare = 0.34;
    bool dark = true;
    bool projector = false;
    bool fullscreen = false;
    bool helpShown = false;
    bool searchShown = false;
    bool playing = false;     ///< The timeline moves by itself.
    bool freshLesson = false; ///< The lesson was just opened: its text starts at the top.
    int windowWidth = 1600, windowHeight = 960;
    double zoom = 1.0;
    double lessonShare = 0.21, codeShare = 0.40, bottomShare = 0.26, viewShare = 0.5;
    Pane focus = Pane::None;
    ConsoleTab console = ConsoleTab::Counters;
    GutterMetric gutter = GutterMetric::Executions;
    std::string search;
    uint32_t revealLine = 0; ///< The code scrolls until this line is seen, then it is 0 again.
    bool revealCursor = false;
    bool revealRow = false;  ///< The strips scroll until the selected row is seen.
    bool revealWarp = false; ///< The warp list scrolls until the traced warp is seen.
    std::string notice;      ///< One sentence for the status line.
    bool noticeIsProblem = false;
};

} // namespace playground
