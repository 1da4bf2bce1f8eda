// Findings of one host thread, one per kind, access and line.
#pragma once

#include "sim/core/Finding.h"

#include <map>
#include <tuple>
#include <vector>

namespace sim::vm {

class FindingLog {
public:
    /// Adds `count` to the finding of this kind, access and line when there is one; else returns false, and the
    /// caller goes on to describe it with add(). Keeps the description of repeated findings off the hot path.
    bool repeat(FindingKind kind, AccessKind access, SourceLoc at, uint64_t count);
    /// `order` says which block saw it first when several host threads did: the linear block index.
    void add(Finding finding, uint64_t order);
    /// Adds up counts; keeps the description of the lower block.
    void merge(const FindingLog& other);
    /// Sorted by line, then kind.
    std::vector<Finding> sorted() const;

private:
    using Key = std::tuple<uint32_t, FindingKind, AccessKind>;
    struct Entry {
        Finding finding;
        uint64_t order = 0;
    };
    std::map<Key, Entry> entries_;
};

} // namespace sim::vm
