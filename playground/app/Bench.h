// Measures what a learner feels: start, frames, edit to picture, idle.
#pragma once

namespace playground {

class App;

/// Prints one `name value unit` a line. Returns the exit status.
int benchFrames(App& app);

} // namespace playground
