// Drives the window from a text file, a command a line, for tests.
#pragma once

#include <string>

namespace playground {

class App;

/// Commands: wait | sleep MS | key PRESS | type TEXT | click LABEL | double LABEL | drag LABEL DX DY | hover LABEL |
/// scroll LABEL N | lesson SLUG | variant ID | set NAME=VALUE | view NAME | second NAME | step N | line N | lane N |
/// block N | warp N | action TEXT | theme light|dark | projector on|off | size WxH | screenshot FILE | layout FILE |
/// state FILE | expect KEY VALUE. Lines that begin with # are comments. Returns the exit status; the first command
/// that fails is printed with its line.
int runScript(App& app, const std::string& path);

/// The session's state as JSON: what is shown and selected.
std::string stateJson(App& app);

} // namespace playground
