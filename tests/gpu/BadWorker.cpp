// A program in the worker's place that does one thing wrong, named by $BAD_WORKER.
#include "gpu/protocol/Messages.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace gpu;

void sayHello(Channel& channel) {
    channel.send(MessageType::Hello, {}, deadlineIn(5));
}

Survey oneDevice() {
    Survey survey;
    survey.availability.available = true;
    survey.devices.emplace_back().name = "Bad GPU";
    return survey;
}

void writeRaw(const void* bytes, size_t size) {
    [[maybe_unused]] const ssize_t n = write(3, bytes, size);
}

void writeHeader(uint32_t magic, uint16_t version, MessageType type, uint64_t size) {
    char header[16];
    std::memcpy(header, &magic, 4);
    std::memcpy(header + 4, &version, 2);
    std::memcpy(header + 6, &type, 2);
    std::memcpy(header + 8, &size, 8);
    writeRaw(header, sizeof header);
}

/// Answers the run that was asked for in the wrong way.
void answerRun(const std::string& how) {
    const std::string noise(4096, 'x');
    if (how == "garbage") writeRaw(noise.data(), noise.size());
    if (how == "huge") writeHeader(kMagic, kProtocolVersion, MessageType::Run, ~uint64_t{0});
    if (how == "noise-payload") {
        writeHeader(kMagic, kProtocolVersion, MessageType::Run, noise.size());
        writeRaw(noise.data(), noise.size());
    }
    if (how == "truncated") {
        writeHeader(kMagic, kProtocolVersion, MessageType::Run, 1000);
        writeRaw(noise.data(), 10);
    }
    if (how == "wrong-type") writeHeader(kMagic, kProtocolVersion, MessageType::Hello, 0);
    if (how == "exit") _exit(7);
    if (how == "silent") sleep(60);
}

} // namespace

int main() {
    const char* value = std::getenv("BAD_WORKER");
    const std::string how = value != nullptr ? value : "";
    Channel channel{UniqueFd(3)};
    if (how == "exit-at-once") return 5;
    if (how == "mute") sleep(60);
    if (how == "old-version") {
        writeHeader(kMagic, kProtocolVersion + 1, MessageType::Hello, 0);
        sleep(60);
    }
    sayHello(channel);
    Message message;
    while (channel.receive(message, deadlineIn(60)) == ReceiveStatus::Received) {
        if (message.type == MessageType::AskSurvey && how == "bad-survey")
            writeHeader(kMagic, kProtocolVersion, MessageType::Survey, 0);
        else if (message.type == MessageType::AskSurvey)
            channel.send(MessageType::Survey, encode(oneDevice()), deadlineIn(5));
        else if (message.type == MessageType::AskRun)
            answerRun(how);
    }
    return 0;
}
