// Aggregation of findings.
#include "sim/vm/FindingLog.h"

#include <utility>

namespace sim::vm {

bool FindingLog::repeat(FindingKind kind, AccessKind access, SourceLoc at, uint64_t count) {
    const auto entry = entries_.find({at.line, kind, access});
    if (entry == entries_.end()) return false;
    entry->second.finding.count += count;
    return true;
}

void FindingLog::add(Finding finding, uint64_t order) {
    const Key key{finding.first.at.line, finding.kind, finding.access};
    const auto [entry, fresh] = entries_.try_emplace(key, Entry{finding, order});
    if (!fresh) entry->second.finding.count += finding.count;
}

void FindingLog::merge(const FindingLog& other) {
    for (const auto& [key, theirs] : other.entries_) {
        const auto [entry, fresh] = entries_.try_emplace(key, theirs);
        if (fresh) continue;
        const uint64_t count = entry->second.finding.count + theirs.finding.count;
        if (theirs.order < entry->second.order) entry->second = theirs;
        entry->second.finding.count = count;
    }
}

std::vector<Finding> FindingLog::sorted() const {
    std::vector<Finding> findings;
    for (const auto& [key, entry] : entries_) findings.push_back(entry.finding);
    return findings;
}

} // namespace sim::vm
