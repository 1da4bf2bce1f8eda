// In which order blocks, warps and diverged lanes take turns.
#pragma once

#include <cstdint>

namespace sim {

/// CUDA promises no order among blocks or warps (CUDA C++ Programming Guide, "Thread Hierarchy" and "SIMT
/// Architecture"); a correct kernel gives its result in every one of these.
struct Schedule {
    enum class Policy : uint8_t {
        InOrder,    ///< Blocks one after the other, each warp as far as it gets, lowest number first.
        Reverse,    ///< The same from the highest number down.
        RoundRobin, ///< Several blocks at a time; one instruction of each warp in turn.
        Random,     ///< Several blocks at a time; a random warp and a random number of instructions each turn.
    };
    Policy policy = Policy::InOrder;
    uint64_t seed = 0;      ///< Of Random: the same seed gives the same order on every machine.
    /// True: a GPU before Volta. Diverged lanes run one side to its reconvergence point before the other gets a turn.
    bool lockstep = false;
};

} // namespace sim
