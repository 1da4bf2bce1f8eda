// What a panel is: an id, a title, a help text and a function that draws it. Panels.cpp lists them all.
#pragma once

#include "playground/session/Session.h"
#include "playground/session/Strings.h"
#include "playground/widgets/Draw.h"

#include <span>
#include <string>
#include <string_view>

namespace playground {

struct Panel {
    const char* id;
    Text title, help;
    bool view;                          ///< One of the pictures on the right, choosable by tab.
    std::string (*now)(const Session&); ///< The line under the title; nullptr for none.
    void (*draw)(Session&, const Rect&);
};

std::span<const Panel> panels();
const Panel* findPanel(std::string_view id);

/// Draws the panel's frame (title, help, the line that says what it shows now) and its body.
void drawPanel(const Panel& panel, Session& session, const Rect& box);
/// The same for the view of a slot, with tabs to choose another.
void drawViewSlot(Session& session, int slot, const Rect& box);

/// A centred sentence, and what to try, where there is no picture to draw.
void drawEmpty(const Rect& box, const char* what, const char* tryThis);

// One per file <Name>Panel.cpp.
void drawLessonPanel(Session&, const Rect&);
void drawCodePanel(Session&, const Rect&);
void drawThreadsPanel(Session&, const Rect&);
void drawDivergencePanel(Session&, const Rect&);
void drawSharedPanel(Session&, const Rect&);
void drawGlobalPanel(Session&, const Rect&);
void drawTimelinePanel(Session&, const Rect&);
void drawConsolePanel(Session&, const Rect&);

} // namespace playground
