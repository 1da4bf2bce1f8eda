// Messages between program and worker: round trips, damage, sizes, shared regions.
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/SharedRegion.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <thread>

namespace {

using namespace gpu;

RunOrder someOrder() {
    RunOrder order;
    order.source = "__global__ void copy() {}";
    order.fileName = "copy.cu";
    order.kernel = "copy";
    order.config = {{1, 2, 3}, {4, 5, 6}, 7};
    order.arguments = {{0, 8, {}}, {-1, 0, {std::byte{1}, std::byte{2}}}};
    order.buffers = {{"out", sim::ElementType::F32, 100, true, true, true},
                     {"in", sim::ElementType::U8, 5000, false, false, false}};
    order.options.defines = {"A=1"};
    order.options.counters = {"x", "y"};
    order.options.secondsLimit = 1.5;
    order.options.pinned = true;
    return order;
}

TEST(Protocol, AnOrderComesBackAsItWas) {
    const RunOrder order = someOrder();
    RunOrder back;
    ASSERT_TRUE(decode(encode(order), back));
    EXPECT_EQ(encode(back), encode(order));
    EXPECT_EQ(back.buffers[1].count, 5000u);
    EXPECT_EQ(back.arguments[1].scalar, order.arguments[1].scalar);
    EXPECT_EQ(back.options.counters, order.options.counters);
    EXPECT_TRUE(back.options.pinned);
}

TEST(Protocol, AReplyComesBackAsItWas) {
    RunReply reply;
    reply.result.status = RunStatus::Failed;
    reply.result.error = {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered",
                          "cuStreamSynchronize"};
    reply.result.diagnostics = {{sim::Diagnostic::Severity::Warning, {3, 4}, "m", "r"}};
    reply.result.timings.kernel.microseconds = {1, 2, 3};
    reply.mustEnd = true;
    RunReply back;
    ASSERT_TRUE(decode(encode(reply), back));
    EXPECT_EQ(encode(back), encode(reply));
    EXPECT_EQ(back.result.timings.kernel.microseconds, reply.result.timings.kernel.microseconds);
}

TEST(Protocol, EveryCutAndEveryAdditionIsNoticed) {
    const std::vector<std::byte> whole = encode(someOrder());
    RunOrder back;
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(decode(std::span(whole).first(length), back)) << length;
    std::vector<std::byte> longer(whole.size() + 1);
    std::ranges::copy(whole, longer.begin());
    EXPECT_FALSE(decode(longer, back));
}

TEST(Protocol, NoiseIsSurvived) {
    std::mt19937 random(1);
    const std::vector<std::byte> whole = encode(someOrder());
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::byte> bytes = whole;
        for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = std::byte(random());
        RunOrder order;
        if (decode(bytes, order) && problemOf(order).empty()) layOut(order.buffers);
        RunReply reply;
        decode(bytes, reply);
    }
}

TEST(Protocol, ASizeThatClaimsTooMuchTakesNoMemory) {
    std::vector<std::byte> bytes(8, std::byte{0xff});
    Survey survey;
    RunOrder order;
    EXPECT_FALSE(decode(bytes, order));
    EXPECT_FALSE(decode(bytes, survey));
}

TEST(Protocol, LayoutKeepsInputsApartFromOutputs) {
    const auto layout = layOut({{"a", sim::ElementType::F32, 1025, true, true, true},
                                {"b", sim::ElementType::U8, 1, true, true, false},
                                {"c", sim::ElementType::F64, 1, false, false, true}});
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->in, (std::vector<uint64_t>{0, 8192, RegionLayout::kNone}));
    EXPECT_EQ(layout->out, (std::vector<uint64_t>{12288, RegionLayout::kNone, 20480}));
    EXPECT_EQ(layout->total, 24576u);
}

TEST(Protocol, ImpossibleBuffersHaveNoLayout) {
    EXPECT_FALSE(layOut({{"a", sim::ElementType::F64, ~uint64_t{0}, true, true, true}}));
    EXPECT_FALSE(layOut({{"a", sim::ElementType(200), 1, true, true, true}}));
    EXPECT_FALSE(
        layOut(std::vector<BufferHeader>(4, {"a", sim::ElementType::F64, uint64_t{1} << 43, true, true, true})));
}

struct Pair {
    Pair() {
        std::array<int, 2> ends{};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        left = Channel(UniqueFd(ends[0]));
        right = Channel(UniqueFd(ends[1]));
    }
    Channel left, right;
};

TEST(Channel, CarriesMessagesLargerThanTheSocketHolds) {
    Pair pair;
    const std::vector<std::byte> large(5'000'000, std::byte{7});
    std::thread sender([&] { EXPECT_TRUE(pair.left.send(MessageType::Run, large, deadlineIn(10))); });
    Message message;
    EXPECT_EQ(pair.right.receive(message, deadlineIn(10)), ReceiveStatus::Received);
    sender.join();
    EXPECT_EQ(message.type, MessageType::Run);
    EXPECT_EQ(message.payload, large);
}

TEST(Channel, CarriesADescriptor) {
    Pair pair;
    SharedRegion region = SharedRegion::create(10'000);
    ASSERT_TRUE(region.ok());
    region.bytes()[9'999] = std::byte{42};
    ASSERT_TRUE(pair.left.send(MessageType::AskRun, {}, deadlineIn(1), region.descriptor()));
    Message message;
    ASSERT_EQ(pair.right.receive(message, deadlineIn(1)), ReceiveStatus::Received);
    const SharedRegion other = SharedRegion::open(std::move(message.descriptor), 10'000);
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other.bytes()[9'999], std::byte{42});
}

TEST(Channel, WaitsNoLongerThanItsDeadline) {
    Pair pair;
    Message message;
    EXPECT_EQ(pair.right.receive(message, deadlineIn(0.05)), ReceiveStatus::TimedOut);
    const std::vector<std::byte> large(50'000'000, std::byte{7});
    EXPECT_FALSE(pair.left.send(MessageType::Run, large, deadlineIn(0.05))) << "nobody reads";
}

TEST(Channel, NoticesTheEnd) {
    Pair pair;
    pair.left.close();
    Message message;
    EXPECT_EQ(pair.right.receive(message, deadlineIn(1)), ReceiveStatus::Closed);
    EXPECT_FALSE(pair.right.send(MessageType::Run, {}, deadlineIn(1)));
}

TEST(Channel, RefusesOtherProtocols) {
    Pair pair;
    const char noise[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    ASSERT_GT(write(pair.left.fd(), noise, sizeof noise), 0);
    Message message;
    EXPECT_EQ(pair.right.receive(message, deadlineIn(1)), ReceiveStatus::Garbage);
}

TEST(SharedRegion, RefusesWhatIsTooSmallOrNotSealed) {
    SharedRegion region = SharedRegion::create(4096);
    EXPECT_FALSE(SharedRegion::open(UniqueFd(dup(region.descriptor())), 4097).ok());
    EXPECT_TRUE(SharedRegion::open(UniqueFd(dup(region.descriptor())), 4096).ok());
    EXPECT_NE(ftruncate(region.descriptor(), 100), 0) << "its size is sealed";
    UniqueFd unsealed(memfd_create("unsealed", MFD_CLOEXEC));
    ASSERT_EQ(ftruncate(unsealed.get(), 4096), 0);
    EXPECT_FALSE(SharedRegion::open(std::move(unsealed), 4096).ok());
    EXPECT_FALSE(SharedRegion::open(UniqueFd(), 1).ok());
}

} // namespace
