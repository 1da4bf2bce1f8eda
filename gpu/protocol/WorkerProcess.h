// The GPU worker as its owner sees it: started, talked to, ended, and its cause of death.
#pragma once

#include "gpu/protocol/Channel.h"

#include <string>
#include <vector>

namespace gpu {

/// Path of the worker: `given`, or $PLAYGROUND_GPU_WORKER, or playground-gpu-worker beside this program.
std::string workerPath(const std::string& given);

/// One child process, connected by a socket. Killed and reaped when destroyed.
class WorkerProcess {
public:
    WorkerProcess() = default;
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// Starts the program, its socket as descriptor 3. Returns an empty string, or why that failed.
    std::string start(const std::string& path);
    bool running() const { return pid_ > 0; }
    int pid() const { return pid_; }
    Channel& channel() { return channel_; }

    /// Kills the process if it is still there and says how it ended: "ended by signal 11 (Segmentation fault)". A
    /// process that the kernel does not let go of yet is reaped later.
    std::string end();

private:
    bool reap(double seconds, int& status);
    void reapOld();
    int pid_ = -1;
    Channel channel_;
    std::vector<int> lingering_;
};

} // namespace gpu
