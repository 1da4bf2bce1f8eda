// Frames, events and the state that they depend on; AppWindow.cpp creates the window.
#include "playground/app/App.h"

#include "playground/app/FontLoader.h"
#include "playground/panels/Window.h"
#include "playground/widgets/LayoutLog.h"
#include "playground/widgets/Theme.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

namespace playground {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Clipboard clipboard() {
    return {[] {
                const char* text = ImGui::GetClipboardText();
                return std::string(text ? text : "");
            },
            [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); }};
}

std::string utf8(unsigned c) {
    std::string out;
    if (c < 0x80)
        out += char(c);
    else if (c < 0x800)
        out += {char(0xc0 | c >> 6), char(0x80 | (c & 63))};
    else if (c < 0x10000)
        out += {char(0xe0 | c >> 12), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
    else
        out += {char(0xf0 | c >> 18), char(0x80 | (c >> 12 & 63)), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
    return out;
}

} // namespace

void App::pressKey(const KeyPress& press) {
    keys_.push_back(press), invalidate();
}
void App::typeText(const std::string& text) {
    typed_ += text, invalidate();
}
void App::onCharacter(unsigned codepoint) {
    typeText(utf8(codepoint));
}

void App::dispatchInput() {
    const bool elsewhere = ImGui::GetIO().WantTextInput && session_->ui.focus != Pane::Search;
    for (const KeyPress& press : keys_) {
        const bool function = (press.key >= Key::F1 && press.key <= Key::F12) || press.key == Key::Escape;
        if (!elsewhere || function) handleKey(*session_, press, clipboard());
    }
    if (!elsewhere) handleText(*session_, typed_);
    keys_.clear();
    typed_.clear();
}

std::string App::textToShow() const {
    std::string text;
    if (const Lesson* lesson = session_->lesson())
        for (const auto& [language, body] : lesson->text)
            if (language == languageCode()) text += body;
    for (const std::string& line : session_->document().lines()) text += line;
    for (const auto& lesson : session_->lessons())
        if (const auto title = lesson->title.find(languageCode()); title != lesson->title.end()) text += title->second;
    return uncommonCharacters(text);
}

void App::applyFontsAndTheme() {
    float scale = 1, ignored = 1;
    glfwGetWindowContentScale(window_, &scale, &ignored);
    if (injected.active || !options_.screenshot.empty()) scale = 1;
    const UiState& ui = session_->ui;
    const float base = std::round((ui.projector ? 26.0f : 16.0f) * scale * float(ui.zoom));
    std::string extra = textToShow();
    const bool fontsChange = base != shownBase_ || (extra != shownExtra_ && !extra.empty());
    if (fontsChange) {
        const std::string problem = loadFonts(base, extra);
        if (!problem.empty()) session_->say(problem, true);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
        shownBase_ = base;
        shownExtra_ = std::move(extra);
    }
    if (fontsChange || shownTheme_ != int(ui.dark)) {
        useTheme(ui.dark);
        applyStyle();
        shownTheme_ = int(ui.dark);
        invalidate();
    }
}

void App::buildFrame() {
    const auto start = Clock::now();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    int w = 0, h = 0;
    glfwGetWindowSize(window_, &w, &h);
    if (!injected.active && !capturing_) {
        size_ = {float(w), float(h)};
        if (!fullscreen_ && w > 0) session_->ui.windowWidth = w, session_->ui.windowHeight = h;
    }
    if (injected.active || capturing_) {
        io.DisplaySize = size_;
        io.DisplayFramebufferScale = {1, 1};
    } else {
        int fw = 0, fh = 0; // Everything is laid out in framebuffer pixels, so that text is crisp.
        glfwGetFramebufferSize(window_, &fw, &fh);
        if (w > 0 && fw != w) {
            const float ratio = float(fw) / float(w);
            io.DisplaySize = size_ = {float(fw), float(fh)};
            io.DisplayFramebufferScale = {1, 1};
            if (io.MousePos.x > -1e6f) io.MousePos = {io.MousePos.x * ratio, io.MousePos.y * ratio};
        }
    }
    if (injected.active) {
#if IMGUI_VERSION_NUM >= 18700
        io.AddMousePosEvent(injected.mouse.x, injected.mouse.y);
        io.AddMouseButtonEvent(0, injected.down);
        if (injected.wheel != 0) io.AddMouseWheelEvent(0, injected.wheel);
#else
        io.MousePos = injected.mouse;
        io.MouseDown[0] = injected.down;
        io.MouseWheel = injected.wheel;
#endif
        injected.wheel = 0;
    }
    ImGui::NewFrame();
    dispatchInput();
    layoutLog().begin();
    drawWindow(*session_, size_.x, size_.y);
    layoutLog().end();
    ImGui::Render();
    buildMs = since(start) * 1000;
}

void App::render() {
    const bool offscreen = capturing_ && capture_->begin(int(size_.x), int(size_.y));
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(theme().ground);
    glViewport(0, 0, int(size_.x), int(size_.y));
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (offscreen)
        captured_ = capture_->end();
    else
        glfwSwapBuffers(window_);
}

void App::frame() {
    applyFullscreen();
    applyFontsAndTheme();
    buildFrame();
    render();
    due_ = std::max(0, due_ - 1);
    if (session_->update()) invalidate();
}

bool App::pump(double seconds) {
    if (due_ > 0)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(seconds);
    const double passed = since(lastTick_);
    lastTick_ = Clock::now();
    if (session_->tick(passed)) invalidate();
    return due_ > 0;
}

int App::run() {
    bool wasBusy = false;
    while (!glfwWindowShouldClose(window_)) {
        const bool due = pump(session_->ui.playing ? 0.05 : 2.5);
        const bool busy = session_->running();
        if (!due && (busy || busy != wasBusy)) invalidate(1);
        wasBusy = busy;
        if (due_ > 0)
            frame();
        else if (session_->update())
            invalidate();
    }
    session_->saveNow();
    return 0;
}

bool App::settle(double seconds) {
    const auto start = Clock::now();
    invalidate();
    while (since(start) < seconds) {
        pump(0.01);
        if (due_ > 0)
            frame();
        else if (session_->update())
            invalidate();
        if (due_ == 0 && !session_->stale()) return true;
    }
    return false;
}

bool App::screenshot(const std::string& path) {
    if (!capture_) capture_ = std::make_unique<Capture>();
    capturing_ = true;
    frame();
    frame();
    capturing_ = false;
    if (captured_.empty()) {
        problem_ = "This OpenGL cannot draw off-screen.";
        return false;
    }
    return writePng(path, captured_, int(size_.x), int(size_.y), problem_);
}

} // namespace playground
