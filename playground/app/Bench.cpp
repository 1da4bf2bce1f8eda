// The window's own measurements.
#include "playground/app/Bench.h"

#include "playground/app/App.h"

#include <GLFW/glfw3.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace playground {
namespace {

using Clock = std::chrono::steady_clock;
double msSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/// Types a letter into a comment at the end and waits for the picture of that text.
double editToPicture(App& app) {
    Session& s = app.session();
    s.document().moveToEnd(false);
    const auto start = Clock::now();
    s.document().insert("\n// x");
    const std::string wanted = s.document().text();
    while (msSince(start) < 30000) {
        app.pump(0.001);
        if (s.update()) app.invalidate();
        if (s.picture() && s.picture()->request.source == wanted) {
            app.frame();
            glFinish();
            return msSince(start);
        }
    }
    return -1;
}

double idleCpuPercent(App& app) {
    app.settle(30);
    const double cpu = cpuSeconds();
    const auto start = Clock::now();
    while (msSince(start) < 4000) {
        if (app.pump(1.0))
            app.frame();
        else
            app.session().update();
    }
    return 100 * (cpuSeconds() - cpu) / (msSince(start) / 1000);
}

} // namespace

int benchFrames(App& app) {
    app.setSize(1920, 1080);
    app.frame();
    glFinish();
    std::printf("first_frame %.1f ms\n", msSince(app.startedAt));
    app.settle(60);
    glFinish();
    std::printf("first_picture %.1f ms\n", msSince(app.startedAt));
    std::vector<double> build, whole;
    for (int i = 0; i < 200; ++i) {
        const auto start = Clock::now();
        app.frame();
        glFinish();
        whole.push_back(msSince(start));
        build.push_back(app.buildMs);
    }
    std::printf("frame_build %.2f ms\nframe_build_max %.2f ms\nframe_total %.2f ms\n", median(build),
                *std::max_element(build.begin(), build.end()), median(whole));
    std::vector<double> edits;
    for (int i = 0; i < 7; ++i) edits.push_back(editToPicture(app));
    std::printf("edit_to_picture %.1f ms\n", median(edits));
    std::printf("idle_cpu %.2f %%\n", idleCpuPercent(app));
    return 0;
}

} // namespace playground
