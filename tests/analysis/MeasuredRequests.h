// Reads single warp requests and what a GPU counted for them from a data file.
#pragma once

#include "sim/core/LaneMask.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sim::test {

struct MeasuredRequest {
    std::string operation;
    unsigned bytes = 0;
    uint32_t counted = 0;
    LaneMask active;
    std::array<uint64_t, 32> offset{};
};

/// Lines "operation,bytes,count,offset offset ..." with "." for an inactive lane; "#" starts a comment.
inline std::vector<MeasuredRequest> readMeasuredRequests(const std::string& path) {
    std::vector<MeasuredRequest> requests;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        MeasuredRequest r;
        std::istringstream fields(line);
        std::string bytes, counted, lanes;
        std::getline(fields, r.operation, ',');
        std::getline(fields, bytes, ',');
        std::getline(fields, counted, ',');
        r.bytes = unsigned(std::stoul(bytes));
        r.counted = uint32_t(std::stoul(counted));
        for (unsigned lane = 0; lane < 32 && fields >> lanes; ++lane)
            if (lanes != ".") {
                r.active = r.active | LaneMask{1u << lane};
                r.offset[lane] = std::stoull(lanes);
            }
        requests.push_back(r);
    }
    return requests;
}

} // namespace sim::test
