// Creating the window, translating its events, and the first state that the command line asks for.
#include "playground/app/App.h"
#include "playground/widgets/LayoutLog.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cstring>

namespace playground {
namespace {

App& appOf(GLFWwindow* window) {
    return *static_cast<App*>(glfwGetWindowUserPointer(window));
}

std::string& lastGlfwError() {
    static std::string text;
    return text;
}

Key keyOf(int key, int scancode) {
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return Key(int(Key::F1) + key - GLFW_KEY_F1);
    if (const char* name = glfwGetKeyName(key, scancode); name && std::strlen(name) == 1) {
        if (name[0] >= 'a' && name[0] <= 'z') return Key(int(Key::A) + name[0] - 'a');
        if (name[0] == '/') return Key::Slash;
        if (name[0] == '+' || name[0] == '=') return Key::Plus;
        if (name[0] == '-') return Key::Minus;
        if (name[0] == '0') return Key::Zero;
    }
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return Key(int(Key::A) + key - GLFW_KEY_A);
    switch (key) {
    case GLFW_KEY_LEFT: return Key::Left;
    case GLFW_KEY_RIGHT: return Key::Right;
    case GLFW_KEY_UP: return Key::Up;
    case GLFW_KEY_DOWN: return Key::Down;
    case GLFW_KEY_HOME: return Key::Home;
    case GLFW_KEY_END: return Key::End;
    case GLFW_KEY_PAGE_UP: return Key::PageUp;
    case GLFW_KEY_PAGE_DOWN: return Key::PageDown;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return Key::Enter;
    case GLFW_KEY_TAB: return Key::Tab;
    case GLFW_KEY_BACKSPACE: return Key::Backspace;
    case GLFW_KEY_DELETE: return Key::Delete;
    case GLFW_KEY_ESCAPE: return Key::Escape;
    case GLFW_KEY_SPACE: return Key::Space;
    case GLFW_KEY_KP_ADD: return Key::Plus;
    case GLFW_KEY_KP_SUBTRACT: return Key::Minus;
    default: return Key::None;
    }
}

void installCallbacks(GLFWwindow* window) {
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        appOf(w).onKey(key, scancode, action, mods);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) { appOf(w).onCharacter(c); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { appOf(w).invalidate(); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { appOf(w).invalidate(); });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { appOf(w).invalidate(2); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { appOf(w).invalidate(); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { appOf(w).invalidate(); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { appOf(w).invalidate(); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { appOf(w).invalidate(); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { appOf(w).invalidate(); });
}

} // namespace

App::App(const AppOptions& options, SessionSetup setup) : options_(options), setup_(std::move(setup)) {}

App::~App() {
    session_.reset();
    capture_.reset();
    if (guiReady_) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

void App::onKey(int key, int scancode, int action, int mods) {
    invalidate();
    if (action == GLFW_RELEASE) return;
    const KeyPress press{keyOf(key, scancode), (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0,
                         (mods & GLFW_MOD_ALT) != 0};
    if (press.key != Key::None) keys_.push_back(press);
}

bool App::createWindow() {
    glfwSetErrorCallback([](int, const char* text) { lastGlfwError() = text; });
    if (!glfwInit()) {
        problem_ = "No display could be opened (" + lastGlfwError() +
                   "). Start the program inside a desktop session, or use playground-cli.";
        return false;
    }
    const bool hidden = !options_.screenshot.empty() || options_.benchFrame;
    glfwWindowHint(GLFW_VISIBLE, hidden ? GLFW_FALSE : GLFW_TRUE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    window_ = glfwCreateWindow(int(size_.x), int(size_.y), "CUDA Playground", nullptr, nullptr);
    if (window_ == nullptr) {
        problem_ = "OpenGL 3.0 is not available (" + lastGlfwError() +
                   "). Update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1.";
        return false;
    }
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(options_.benchFrame || !options_.script.empty() ? 0 : 1);
    return true;
}

bool App::open() {
    session_ = std::make_unique<Session>(std::move(setup_));
    const UiState& ui = session_->ui;
    size_ = {float(options_.width > 0 ? options_.width : ui.windowWidth),
             float(options_.height > 0 ? options_.height : ui.windowHeight)};
    applyOptions();
    if (!createWindow()) return false;
    glfwSetWindowUserPointer(window_, this);
    installCallbacks(window_);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 130");
    guiReady_ = true;
    layoutLog().enabled = !options_.script.empty() || !options_.layout.empty();
    injected.active = !options_.script.empty() || !options_.screenshot.empty();
    return true;
}

void App::applyOptions() {
    Session& s = *session_;
    if (!options_.lesson.empty() && !s.openLesson(options_.lesson))
        problem_ = "There is no lesson " + options_.lesson + ".";
    if (!options_.variant.empty() && !s.chooseVariant(options_.variant))
        problem_ = "This lesson has no variant " + options_.variant + ".";
    for (const auto& [name, value] : options_.knobs)
        if (!s.setKnob(name, value)) problem_ = "This lesson has no knob " + name + ".";
    if (!options_.view.empty()) s.showView(options_.view, 0);
    if (!options_.secondView.empty()) s.showView(options_.secondView, 1);
    if (options_.oneView) s.ui.twoViews = false;
    if (options_.projector) s.ui.projector = true, s.ui.dark = false;
    if (!options_.theme.empty()) s.ui.dark = options_.theme == "dark";
    s.ui.helpShown = options_.help;
    if (options_.block >= 0 || options_.warp >= 0)
        s.selectWarp(sim::BlockId{uint32_t(std::max(0, options_.block))},
                     sim::WarpId{uint32_t(std::max(0, options_.warp))});
    if (options_.lane >= 0) s.selectLane(options_.lane);
    if (options_.line > 0) s.apply("line", std::to_string(options_.line));
    if (!options_.step.empty()) s.apply("step", options_.step);
}

void App::setSize(int width, int height) {
    size_ = {float(width), float(height)};
    glfwSetWindowSize(window_, width, height);
    invalidate();
}

void App::applyFullscreen() {
    if (session_->ui.fullscreen == fullscreen_) return;
    fullscreen_ = session_->ui.fullscreen;
    if (!fullscreen_) {
        glfwSetWindowMonitor(window_, nullptr, windowedX_, windowedY_, windowedW_, windowedH_, 0);
        return;
    }
    glfwGetWindowPos(window_, &windowedX_, &windowedY_);
    glfwGetWindowSize(window_, &windowedW_, &windowedH_);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

} // namespace playground
