// Median, extremes and histogram of samples.
#include "gpu/Samples.h"

#include <algorithm>

namespace gpu {

double Samples::median() const {
    if (empty()) return 0;
    std::vector<double> sorted = microseconds;
    std::sort(sorted.begin(), sorted.end());
    const size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Samples::minimum() const {
    return empty() ? 0 : *std::min_element(microseconds.begin(), microseconds.end());
}
double Samples::maximum() const {
    return empty() ? 0 : *std::max_element(microseconds.begin(), microseconds.end());
}

std::vector<unsigned> histogram(const Samples& samples, unsigned bins) {
    std::vector<unsigned> counts(bins, 0);
    if (samples.empty() || bins == 0) return counts;
    const double low = samples.minimum(), width = (samples.maximum() - low) / bins;
    for (const double sample : samples.microseconds) {
        const auto bin = width > 0 ? unsigned((sample - low) / width) : 0u;
        ++counts[std::min(bin, bins - 1)];
    }
    return counts;
}

double perSecond(double amount, double microseconds) {
    return microseconds > 0 ? amount / microseconds * 1e6 : 0;
}

} // namespace gpu
