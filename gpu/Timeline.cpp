// Copy engines work on one copy at a time.
#include "gpu/Timeline.h"

#include <algorithm>
#include <array>

namespace gpu {

void clipToEngines(std::vector<Span>& spans, const std::vector<Operation>& operations) {
    for (const OperationKind direction : {OperationKind::CopyIn, OperationKind::CopyOut}) {
        std::vector<Span*> copies;
        for (Span& span : spans)
            if (operations[span.operation].kind == direction) copies.push_back(&span);
        std::stable_sort(copies.begin(), copies.end(), [](const Span* a, const Span* b) { return a->end < b->end; });
        for (size_t i = 1; i < copies.size(); ++i)
            copies[i]->start = std::min(std::max(copies[i]->start, copies[i - 1]->end), copies[i]->end);
    }
}

} // namespace gpu
