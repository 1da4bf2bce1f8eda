// A memory file as standard output.
#include "gpu/worker/OutputCapture.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

namespace gpu {

OutputCapture::OutputCapture(int stream) : file_(memfd_create("cuda-playground-output", MFD_CLOEXEC)) {
    if (file_) dup2(file_.get(), stream);
}

std::string OutputCapture::take() {
    std::fflush(nullptr);
    struct stat status {};
    if (!file_ || fstat(file_.get(), &status) != 0 || status.st_size == 0) return {};
    std::string text(std::min<size_t>(size_t(status.st_size), kMaxBytes), '\0');
    const ssize_t got = pread(file_.get(), text.data(), text.size(), 0);
    text.resize(size_t(std::max<ssize_t>(got, 0)));
    if (ftruncate(file_.get(), 0) == 0) lseek(file_.get(), 0, SEEK_SET);
    return text;
}

} // namespace gpu
