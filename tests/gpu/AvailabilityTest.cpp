// What a machine says that has no driver, no device, no compiler or an old driver, and one that has everything.
#include "gpu/GpuBackend.h"
#include "tests/gpu/FakeMachine.h"
#include "tests/gpu/FaultDrill.h"

#include <gtest/gtest.h>

namespace {

void expectUnavailable(const std::string& words) {
    const gpu::Survey survey = gpu::survey();
    EXPECT_FALSE(survey.availability.available);
    EXPECT_NE(survey.availability.reason.find(words), std::string::npos) << survey.availability.reason;
    EXPECT_FALSE(survey.availability.whatToDo.empty());
    const gpu::RunResult result = gpu::Session().run(drill::goodRequest());
    EXPECT_EQ(result.status, gpu::RunStatus::Unavailable);
    EXPECT_EQ(result.reason, survey.availability.reason);
    EXPECT_EQ(result.whatToDo, survey.availability.whatToDo);
    EXPECT_EQ(result.buffers[1].bytes, drill::goodRequest().buffers[1].bytes);
}

TEST(Availability, WithoutADriver) {
    FakeMachine machine;
    machine.set("PLAYGROUND_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    expectUnavailable("no NVIDIA driver");
}

TEST(Availability, WithoutADevice) {
    FakeMachine machine;
    machine.set("FAKE_CUDA_DEVICES", "0");
    expectUnavailable("CUDA_ERROR_NO_DEVICE");
    EXPECT_TRUE(gpu::devices().empty());
}

TEST(Availability, WithAnOldDriver) {
    FakeMachine machine;
    machine.set("FAKE_CUDA_VERSION", "11080");
    expectUnavailable("CUDA 11.8");
}

TEST(Availability, WithoutACompiler) {
    FakeMachine machine;
    machine.set("PLAYGROUND_NVRTC", "/nowhere/libnvrtc.so.13");
    expectUnavailable("run-time compiler");
    EXPECT_EQ(gpu::devices().size(), 1u) << "the devices are known all the same";
}

TEST(Availability, WithLibrariesThatAreSomethingElse) {
    FakeMachine machine;
    machine.set("PLAYGROUND_CUDA_DRIVER", "libz.so.1");
    EXPECT_FALSE(gpu::availability().available);
}

TEST(Availability, WithEverything) {
    FakeMachine machine;
    const gpu::Survey survey = gpu::survey();
    EXPECT_TRUE(survey.availability.available) << survey.availability.reason;
    ASSERT_EQ(survey.devices.size(), 1u);
    const gpu::DeviceInfo& device = survey.devices[0];
    EXPECT_EQ(device.name, "Fake GPU");
    EXPECT_EQ(device.computeCapability(), 90);
    EXPECT_DOUBLE_EQ(device.peakBandwidth(), 2.0 * 1e9 * 128 / 8);
    EXPECT_DOUBLE_EQ(device.peakFlops(), 2.0 * 1e9 * 2 * 128);
    EXPECT_EQ(survey.platform.driverApiVersion, 13000);
    EXPECT_EQ(survey.platform.nvrtcMajor, 13);
}

} // namespace
