// Framed messages over a local socket, each with at most one file descriptor.
#pragma once

#include "gpu/protocol/UniqueFd.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpu {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// The deadline `seconds` from now; a very long time for anything beyond a year.
Deadline deadlineIn(double seconds);

enum class MessageType : uint16_t {
    Hello = 1, ///< Worker: protocol version, once, first.
    AskSurvey,
    Survey,
    AskRun,      ///< With the shared region as a descriptor.
    AskProfile,  ///< The same launch, for its counters.
    AskTimeline, ///< With the shared region too.
    Progress,    ///< Worker, any number before a Run, Profile or Timeline.
    Run,
    Profile,
    Timeline,
    Cancel,
};

/// A frame on the wire:
///
///     0        4         6      8              16
///    +--------+---------+------+--------------+----------------
///    | magic  | version | type | payload size | payload ...
///    +--------+---------+------+--------------+----------------
inline constexpr uint32_t kMagic = 0x57475043; // "CPGW"
inline constexpr uint16_t kProtocolVersion = 1;
inline constexpr uint64_t kMaxPayload = uint64_t{256} << 20; ///< Buffers do not travel in messages.

struct Message {
    MessageType type{};
    std::vector<std::byte> payload;
    UniqueFd descriptor;
};

enum class ReceiveStatus : uint8_t {
    Received,
    Closed, ///< The other end is gone.
    TimedOut,
    Woken,   ///< The wake descriptor became readable.
    Garbage, ///< Not a frame of this protocol and version.
};

/// One end of the connection; owns its socket.
class Channel {
public:
    Channel() = default;
    explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

    /// False when the other end is gone or does not read.
    bool send(MessageType type, std::span<const std::byte> payload, Deadline deadline, int descriptor = -1);
    /// Waits for one message. `wake`, when not -1, is polled too and ends the wait between messages.
    ReceiveStatus receive(Message& message, Deadline deadline, int wake = -1);
    /// Whether something (a message or the end) is there to be received now.
    bool pending() const;
    int fd() const { return socket_.get(); }
    void close() { socket_.reset(); }

private:
    ReceiveStatus waitFor(short events, Deadline deadline, int wake);
    ReceiveStatus fill(std::span<std::byte> bytes, Deadline deadline, int wake, UniqueFd& descriptor);
    UniqueFd socket_;
};

} // namespace gpu
