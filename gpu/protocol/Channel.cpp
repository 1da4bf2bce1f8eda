// Frames over a stream socket, with deadlines on every wait.
#include "gpu/protocol/Channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gpu {
namespace {

struct Header {
    uint32_t magic = kMagic;
    uint16_t version = kProtocolVersion;
    MessageType type{};
    uint64_t size = 0;
};
static_assert(sizeof(Header) == 16);

int millisecondsUntil(Deadline deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return int(std::clamp<int64_t>(left, 0, 1'000'000));
}

union ControlBuffer {
    cmsghdr align;
    std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

void attach(msghdr& message, ControlBuffer& control, int descriptor) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
}

UniqueFd detach(msghdr& message) {
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
        return UniqueFd(descriptor);
    }
    return {};
}

} // namespace

Deadline deadlineIn(double seconds) {
    return Clock::now() + std::chrono::microseconds(int64_t(std::clamp(seconds, 0.0, 3e7) * 1e6));
}

ReceiveStatus Channel::waitFor(short events, Deadline deadline, int wake) {
    for (;;) {
        std::array<pollfd, 2> fds{{{socket_.get(), events, 0}, {wake, POLLIN, 0}}};
        const int ready = poll(fds.data(), fds.size(), millisecondsUntil(deadline));
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return ReceiveStatus::Closed;
        if (ready == 0) {
            if (Clock::now() < deadline) continue;
            return ReceiveStatus::TimedOut;
        }
        if (wake >= 0 && fds[1].revents != 0) return ReceiveStatus::Woken;
        return ReceiveStatus::Received;
    }
}

bool Channel::send(MessageType type, std::span<const std::byte> payload, Deadline deadline, int descriptor) {
    Header header;
    header.type = type;
    header.size = payload.size();
    std::array<iovec, 2> parts{{{&header, sizeof header}, {const_cast<std::byte*>(payload.data()), payload.size()}}};
    ControlBuffer control{};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (descriptor >= 0) attach(message, control, descriptor);
    size_t left = sizeof header + payload.size();
    while (left > 0) {
        if (waitFor(POLLOUT, deadline, -1) != ReceiveStatus::Received) return false;
        const ssize_t sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent < 0) return false;
        left -= size_t(sent);
        message.msg_control = nullptr;
        message.msg_controllen = 0;
        size_t done = size_t(sent);
        for (iovec& part : parts) {
            const size_t step = std::min(done, part.iov_len);
            part.iov_base = static_cast<std::byte*>(part.iov_base) + step;
            part.iov_len -= step;
            done -= step;
        }
    }
    return true;
}

ReceiveStatus Channel::fill(std::span<std::byte> bytes, Deadline deadline, int wake, UniqueFd& descriptor) {
    while (!bytes.empty()) {
        const ReceiveStatus waited = waitFor(POLLIN, deadline, wake);
        if (waited != ReceiveStatus::Received) return waited;
        iovec part{bytes.data(), bytes.size()};
        ControlBuffer control{};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes.data();
        message.msg_controllen = control.bytes.size();
        const ssize_t got = recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return ReceiveStatus::Closed;
        if (UniqueFd attached = detach(message)) descriptor = std::move(attached);
        bytes = bytes.subspan(size_t(got));
        wake = -1; // A message that began is read to its end.
    }
    return ReceiveStatus::Received;
}

ReceiveStatus Channel::receive(Message& message, Deadline deadline, int wake) {
    Header header;
    message = {};
    ReceiveStatus status = fill(std::as_writable_bytes(std::span(&header, 1)), deadline, wake, message.descriptor);
    if (status != ReceiveStatus::Received) return status;
    if (header.magic != kMagic || header.version != kProtocolVersion || header.size > kMaxPayload)
        return ReceiveStatus::Garbage;
    message.type = header.type;
    // Grown as bytes arrive, so that a wrong size cannot claim memory.
    for (uint64_t done = 0; done < header.size;) {
        const uint64_t step = std::min<uint64_t>(header.size - done, 1 << 20);
        message.payload.resize(done + step);
        status = fill(std::span(message.payload).subspan(done, step), deadline, -1, message.descriptor);
        if (status != ReceiveStatus::Received) return status;
        done += step;
    }
    return ReceiveStatus::Received;
}

bool Channel::pending() const {
    pollfd fd{socket_.get(), POLLIN, 0};
    return poll(&fd, 1, 0) > 0;
}

} // namespace gpu
