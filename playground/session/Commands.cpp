// Dispatch of keys to the session.
#include "playground/session/Commands.h"

#include "playground/session/Session.h"

#include <algorithm>

namespace playground {
namespace {

constexpr Shortcut kShortcuts[] = {
    {"F5", Text::KeyRun},          {"F10", Text::KeyStep},
    {"Shift+F10", Text::KeyBack},  {"Left / Right", Text::KeyArrows},
    {"Home / End", Text::KeyEnds}, {"Space", Text::KeyPlay},
    {"D", Text::KeyDivergence},    {"C", Text::KeyConflict},
    {"B", Text::KeyBarrier},       {"F", Text::KeyFinding},
    {"F8", Text::KeyProblem},      {"P", Text::KeyProjector},
    {"T", Text::KeyTheme},         {"F11", Text::KeyFullscreen},
    {"L", Text::KeyLesson},        {"V", Text::KeyViews},
    {"Ctrl+F", Text::KeySearch},   {"Ctrl+Z / Ctrl+Y", Text::KeyUndo},
    {"Ctrl+/", Text::KeyComment},  {"Ctrl+Plus / Minus", Text::KeyZoom},
    {"Esc", Text::KeyEscape},      {"F1", Text::KeyHelp},
};

void escape(Session& s) {
    if (s.ui.helpShown)
        s.ui.helpShown = false;
    else if (s.ui.searchShown)
        s.ui.searchShown = false, s.ui.focus = Pane::Code;
    else if (s.ui.focus != Pane::None)
        s.ui.focus = Pane::None;
    else if (s.running())
        s.cancel();
    else
        s.selectLane(-1);
}

void zoom(Session& s, double factor) {
    s.ui.zoom = std::clamp(factor == 0 ? 1.0 : s.ui.zoom * factor, 0.6, 2.5);
}

/// Keys that mean the same everywhere.
bool everywhere(Session& s, const KeyPress& k) {
    if (k.ctrl) {
        if (k.key == Key::F) {
            s.ui.searchShown = true;
            s.ui.focus = Pane::Search;
            s.ui.left = LeftTab::Code;
            return true;
        }
        if (k.key == Key::Plus) {
            zoom(s, 1.1);
            return true;
        }
        if (k.key == Key::Minus) {
            zoom(s, 1 / 1.1);
            return true;
        }
        if (k.key == Key::Zero) {
            zoom(s, 0);
            return true;
        }
        if (k.key == Key::Enter) {
            s.run();
            return true;
        }
        return false;
    }
    switch (k.key) {
    case Key::F1: s.ui.helpShown = !s.ui.helpShown; return true;
    case Key::F3: s.search(!k.shift); return true;
    case Key::F5: s.run(); return true;
    case Key::F8: s.stepTo(StepTarget::Finding, !k.shift); return true;
    case Key::F10: s.stepBy(k.shift ? -1 : 1); return true;
    case Key::F11: s.ui.fullscreen = !s.ui.fullscreen; return true;
    case Key::Escape: escape(s); return true;
    default: return false;
    }
}

/// Single keys, while nothing is being typed.
bool whileIdle(Session& s, const KeyPress& k) {
    if (k.ctrl || k.alt) return false;
    switch (k.key) {
    case Key::Left: s.stepBy(k.shift ? -10 : -1); return true;
    case Key::Right: s.stepBy(k.shift ? 10 : 1); return true;
    case Key::Up: s.selectLane(std::max(0, s.selection().lane - 1)); return true;
    case Key::Down: s.selectLane(std::min(31, s.selection().lane + 1)); return true;
    case Key::Home: s.stepToEnd(false); return true;
    case Key::End: s.stepToEnd(true); return true;
    case Key::Space: s.togglePlay(); return true;
    case Key::D: s.stepTo(StepTarget::Divergence, !k.shift); return true;
    case Key::C: s.stepTo(StepTarget::Conflict, !k.shift); return true;
    case Key::B: s.stepTo(StepTarget::Barrier, !k.shift); return true;
    case Key::F: s.stepTo(StepTarget::Finding, !k.shift); return true;
    case Key::P:
        s.ui.projector = !s.ui.projector;
        s.ui.dark = !s.ui.projector;
        return true;
    case Key::T: s.ui.dark = !s.ui.dark; return true;
    case Key::L:
        if (s.ui.compact)
            s.ui.left = s.ui.left == LeftTab::Lesson ? LeftTab::Code : LeftTab::Lesson;
        else
            s.ui.lessonShown = !s.ui.lessonShown;
        return true;
    case Key::V: s.ui.twoViews = !s.ui.twoViews; return true;
    default: return false;
    }
}

bool clipboardKey(TextDocument& d, const KeyPress& k, const Clipboard& clipboard) {
    switch (k.key) {
    case Key::C:
    case Key::X:
        if (!d.hasSelection()) d.selectLine(d.cursor().line);
        clipboard.set(d.selectedText());
        if (k.key == Key::X) d.insert("");
        return true;
    case Key::V: d.insert(clipboard.get()); return true;
    default: return false;
    }
}

bool moveKey(TextDocument& d, const KeyPress& k) {
    switch (k.key) {
    case Key::Left: d.moveLeft(k.shift, k.ctrl); return true;
    case Key::Right: d.moveRight(k.shift, k.ctrl); return true;
    case Key::Up: d.moveUp(1, k.shift); return true;
    case Key::Down: d.moveDown(1, k.shift); return true;
    case Key::PageUp: d.moveUp(20, k.shift); return true;
    case Key::PageDown: d.moveDown(20, k.shift); return true;
    case Key::Home: k.ctrl ? d.moveToStart(k.shift) : d.moveHome(k.shift); return true;
    case Key::End: k.ctrl ? d.moveToEnd(k.shift) : d.moveEnd(k.shift); return true;
    default: return false;
    }
}

bool editKey(TextDocument& d, const KeyPress& k) {
    switch (k.key) {
    case Key::Enter: d.newLine(); return true;
    case Key::Tab: k.shift ? d.unindent() : d.tab(); return true;
    case Key::Backspace: d.backspace(k.ctrl); return true;
    case Key::Delete: d.deleteForward(k.ctrl); return true;
    default: break;
    }
    if (!k.ctrl) return false;
    switch (k.key) {
    case Key::A: d.selectAll(); return true;
    case Key::Z: k.shift ? d.redo() : d.undo(); return true;
    case Key::Y: d.redo(); return true;
    case Key::Slash: d.toggleComment(); return true;
    default: return false;
    }
}

bool inCode(Session& s, const KeyPress& k, const Clipboard& clipboard) {
    TextDocument& d = s.document();
    const bool done = moveKey(d, k) || editKey(d, k) || (k.ctrl && clipboardKey(d, k, clipboard));
    if (done) s.ui.revealCursor = true;
    return done;
}

} // namespace

std::span<const Shortcut> shortcuts() {
    return kShortcuts;
}

bool handleKey(Session& session, const KeyPress& press, const Clipboard& clipboard) {
    if (everywhere(session, press)) return true;
    switch (session.ui.focus) {
    case Pane::Code: return inCode(session, press, clipboard);
    case Pane::Search:
        if (press.key == Key::Enter) {
            session.search(!press.shift);
            return true;
        }
        return false;
    case Pane::None:
    case Pane::Timeline: return whileIdle(session, press);
    }
    return false;
}

bool handleText(Session& session, const std::string& text) {
    if (session.ui.focus != Pane::Code || text.empty()) return false;
    if (text == "}")
        session.document().typeClosingBrace();
    else
        session.document().insert(text);
    session.ui.revealCursor = true;
    return true;
}

} // namespace playground
