// Draws a frame into an off-screen image of any size and reads it back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace playground {

/// An off-screen colour buffer. Needs a current GL 3 context for its whole life.
class Capture {
public:
    ~Capture();
    /// Makes a buffer of that size current for drawing. False when GL cannot.
    bool begin(int width, int height);
    /// Reads it back as RGBA rows from the top and makes the window current again.
    std::vector<uint8_t> end();

private:
    void release();
    int width_ = 0, height_ = 0;
    unsigned frame_ = 0, texture_ = 0;
};

/// False with a sentence in `problem` when the file could not be written.
bool writePng(const std::string& path, const std::vector<uint8_t>& rgba, int width, int height, std::string& problem);

} // namespace playground
