// Starting a child with posix_spawn, and ending it without waiting for ever.
#include "gpu/protocol/WorkerProcess.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

extern char** environ;

namespace gpu {
namespace {

constexpr int kWorkerSocket = 3;

std::string describe(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    return "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

/// Spawns with standard input from nowhere and the socket as descriptor 3; no other descriptor is passed on.
int spawn(const std::string& path, int socket, int& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
    posix_spawn_file_actions_addclosefrom_np(&actions, kWorkerSocket + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, ignored;
    sigemptyset(&none);
    sigfillset(&ignored);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string name = path;
    std::array<char*, 2> arguments{name.data(), nullptr};
    const int error = posix_spawn(&pid, path.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace

std::string workerPath(const std::string& given) {
    if (!given.empty()) return given;
    if (const char* path = std::getenv("PLAYGROUND_GPU_WORKER"); path != nullptr && *path != '\0') return path;
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return (self.parent_path() / "playground-gpu-worker").string();
}

WorkerProcess::~WorkerProcess() {
    end();
    reapOld();
}

std::string WorkerProcess::start(const std::string& path) {
    end();
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return std::string("no socket for the GPU worker: ") + std::strerror(errno);
    UniqueFd ours(ends[0]), theirs(ends[1]);
    // dup2() onto itself would keep the close-on-exec flag on some systems, so descriptor 3 is avoided.
    if (theirs.get() == kWorkerSocket) theirs.reset(fcntl(theirs.get(), F_DUPFD_CLOEXEC, kWorkerSocket + 1));
    int pid = -1;
    if (const int error = spawn(path, theirs.get(), pid); error != 0) return path + ": " + std::strerror(error);
    pid_ = pid;
    channel_ = Channel(std::move(ours));
    return {};
}

bool WorkerProcess::reap(double seconds, int& status) {
    const Deadline deadline = deadlineIn(seconds);
    for (;;) {
        const int done = waitpid(pid_, &status, WNOHANG);
        if (done == pid_ || (done < 0 && errno != EINTR)) return done == pid_;
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string WorkerProcess::end() {
    reapOld();
    if (pid_ <= 0) return {};
    channel_.close();
    int status = 0;
    std::string cause;
    // A worker that is dying gets the moment it needs to leave its own exit status.
    if (reap(0.05, status))
        cause = describe(status);
    else {
        kill(pid_, SIGKILL);
        if (reap(2.0, status))
            cause = describe(status);
        else {
            lingering_.push_back(pid_);
            cause = "is being ended";
        }
    }
    pid_ = -1;
    return cause;
}

void WorkerProcess::reapOld() {
    std::erase_if(lingering_, [](int pid) { return waitpid(pid, nullptr, WNOHANG) != 0; });
}

} // namespace gpu
