// The window itself: GLFW, OpenGL and Dear ImGui around a Session.
#pragma once

#include "playground/app/AppOptions.h"
#include "playground/app/Capture.h"
#include "playground/session/Commands.h"
#include "playground/session/Session.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace playground {

/// Owns the window. Draws only when something happened; waits for events otherwise.
class App {
public:
    App(const AppOptions& options, SessionSetup setup);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    /// False with a sentence in problem() when there is no display or no OpenGL 3.
    bool open();
    /// Runs until the window is closed.
    int run();
    /// Draws one frame into the window (or off-screen when capturing).
    void frame();
    /// Waits for events (at most `seconds`), lets the session take results; true when a frame is due.
    bool pump(double seconds);
    /// Frames and events until the session is up to date and the picture stands still. False after `seconds`.
    bool settle(double seconds);
    bool screenshot(const std::string& path);

    Session& session() { return *session_; }
    const std::string& problem() const { return problem_; }
    GLFWwindow* window() const { return window_; }
    void setSize(int width, int height);
    ImVec2 size() const { return size_; }

    /// Input that a script gives in place of the mouse and keyboard.
    struct Injected {
        bool active = false;
        ImVec2 mouse{-1, -1};
        bool down = false;
        float wheel = 0;
    } injected;
    void pressKey(const KeyPress& press);
    void typeText(const std::string& text);

    double buildMs = 0; ///< Of the last frame: up to its draw data.
    std::chrono::steady_clock::time_point startedAt = std::chrono::steady_clock::now();

    // Called from GLFW.
    void onKey(int key, int scancode, int action, int mods);
    void onCharacter(unsigned codepoint);
    void invalidate(int frames = 3) { due_ = std::max(due_, frames); }

private:
    bool createWindow();
    void applyOptions();
    void applyFontsAndTheme();
    void applyFullscreen();
    void dispatchInput();
    void buildFrame();
    void render();
    std::string textToShow() const;

    AppOptions options_;
    SessionSetup setup_;
    std::unique_ptr<Session> session_;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Capture> capture_;
    std::vector<uint8_t> captured_;
    bool capturing_ = false;
    bool guiReady_ = false;
    std::string problem_;
    ImVec2 size_{1600, 960};
    float shownBase_ = 0;
    std::string shownExtra_;
    int shownTheme_ = -1;
    bool fullscreen_ = false;
    int windowedX_ = 0, windowedY_ = 0, windowedW_ = 0, windowedH_ = 0;
    int due_ = 3;
    std::vector<KeyPress> keys_;
    std::string typed_;
    std::chrono::steady_clock::time_point lastTick_ = std::chrono::steady_clock::now();
};

/// Runs the window as the options say; returns the exit status.
int runApp(const AppOptions& options, SessionSetup setup);

} // namespace playground
