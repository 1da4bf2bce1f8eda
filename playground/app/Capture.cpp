// Framebuffer objects and PNG files.
#include "playground/app/Capture.h"

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>
#include <png.h>

#include <cstdio>
#include <cstring>

namespace playground {
namespace {

/// The GL 3 functions that the GL library's own header does not export everywhere.
struct FrameFunctions {
    PFNGLGENFRAMEBUFFERSPROC generate = nullptr;
    PFNGLDELETEFRAMEBUFFERSPROC remove = nullptr;
    PFNGLBINDFRAMEBUFFERPROC bind = nullptr;
    PFNGLFRAMEBUFFERTEXTURE2DPROC attach = nullptr;
    PFNGLCHECKFRAMEBUFFERSTATUSPROC status = nullptr;
};

template <class F>
void find(F& function, const char* name) {
    function = reinterpret_cast<F>(glfwGetProcAddress(name));
}

const FrameFunctions& gl() {
    static const FrameFunctions functions = [] {
        FrameFunctions f;
        find(f.generate, "glGenFramebuffers");
        find(f.remove, "glDeleteFramebuffers");
        find(f.bind, "glBindFramebuffer");
        find(f.attach, "glFramebufferTexture2D");
        find(f.status, "glCheckFramebufferStatus");
        return f;
    }();
    return functions;
}

} // namespace

Capture::~Capture() {
    release();
}

void Capture::release() {
    if (frame_ != 0) gl().remove(1, &frame_);
    if (texture_ != 0) glDeleteTextures(1, &texture_);
    frame_ = texture_ = 0;
}

bool Capture::begin(int width, int height) {
    if (gl().generate == nullptr || gl().status == nullptr) return false;
    if (frame_ == 0 || width != width_ || height != height_) {
        release();
        width_ = width;
        height_ = height;
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl().generate(1, &frame_);
        gl().bind(GL_FRAMEBUFFER, frame_);
        gl().attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    }
    gl().bind(GL_FRAMEBUFFER, frame_);
    return gl().status(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

std::vector<uint8_t> Capture::end() {
    const size_t stride = size_t(width_) * 4;
    std::vector<uint8_t> raw(stride * size_t(height_)), out(raw.size());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, raw.data());
    gl().bind(GL_FRAMEBUFFER, 0);
    for (size_t y = 0; y < size_t(height_); ++y)
        std::memcpy(out.data() + y * stride, raw.data() + (size_t(height_) - 1 - y) * stride, stride);
    for (size_t i = 3; i < out.size(); i += 4) out[i] = 255;
    return out;
}

bool writePng(const std::string& path, const std::vector<uint8_t>& rgba, int width, int height, std::string& problem) {
    std::vector<uint8_t> rgb;
    rgb.reserve(rgba.size() / 4 * 3);
    for (size_t i = 0; i < rgba.size(); i += 4) rgb.insert(rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(width);
    image.height = png_uint_32(height);
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr)) return true;
    problem = "Could not write " + path + ": " + image.message + ".";
    return false;
}

} // namespace playground
