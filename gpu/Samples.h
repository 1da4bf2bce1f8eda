// Repeated measurements of one thing, and what to say of them.
#pragma once

#include <cstddef>
#include <vector>

namespace gpu {

/// Times in microseconds, in the order in which they were taken. Every statistic of no samples is 0.
struct Samples {
    std::vector<double> microseconds;

    bool empty() const { return microseconds.empty(); }
    size_t count() const { return microseconds.size(); }
    double median() const; ///< Of an even number: the mean of the middle two.
    double minimum() const;
    double maximum() const;
};

/// Counts of samples in `bins` equally wide bins from minimum to maximum; the maximum falls into the last one.
std::vector<unsigned> histogram(const Samples& samples, unsigned bins);

/// Units per second when `amount` (bytes, FLOP) took `microseconds`; 0 when no time passed.
double perSecond(double amount, double microseconds);

} // namespace gpu
