// playground-gpu-worker: does the GPU's work for another program, at the other end of descriptor 3.
#include "gpu/worker/Worker.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

namespace {

constexpr int kSocket = 3;

/// Ends the process as soon as nobody is at the other end any more, also while a kernel runs for ever.
void watchOtherEnd() {
    pollfd other{kSocket, POLLRDHUP, 0};
    for (;;)
        if (poll(&other, 1, -1) > 0 && (other.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) _exit(0);
}

bool isSocket(int fd) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

} // namespace

int main() {
    if (!isSocket(kSocket)) {
        std::fputs("playground-gpu-worker is started by CUDA Playground and does nothing by itself.\n", stderr);
        return 2;
    }
    const rlimit noCores{0, 0};
    setrlimit(RLIMIT_CORE, &noCores);
    std::thread(watchOtherEnd).detach();
    const int result = gpu::Worker(gpu::UniqueFd(kSocket)).serve();
    // The driver's own clean-up can hang after a fault, and there is nothing to save.
    _exit(result);
}
