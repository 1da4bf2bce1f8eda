// The whole window: toolbar, knobs, panels and the bars between them.
#pragma once

#include "playground/session/Session.h"

namespace playground {

/// Draws everything into the current Dear ImGui frame, `width` x `height` pixels.
void drawWindow(Session& session, float width, float height);

/// The bars at the top; return the y below them.
float drawToolbar(Session& session, float width);
float drawKnobBar(Session& session, float width, float y);
/// Shortcuts and the model, over the window.
void drawHelpPage(Session& session, float width, float height);

} // namespace playground
