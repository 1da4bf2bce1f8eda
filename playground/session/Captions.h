// The line under each view's title: what it shows now, in a sentence with the numbers filled in.
#pragma once

#include "playground/session/AccessPicture.h"

#include <optional>
#include <string>

namespace playground {

class Session;

std::string captionThreads(const Session& session);
std::string captionDivergence(const Session& session);
std::string captionShared(const Session& session);
std::string captionGlobal(const Session& session);

/// The access that a memory view shows: of the selected row, or of the nearest row that has one.
struct ShownAccess {
    uint32_t row = 0;
    const sim::TracedAccess* access = nullptr;
    sim::SharedOperation operation{};
    bool nearest = false; ///< The selected row has none of this space.
};
std::optional<ShownAccess> shownAccess(const Session& session, sim::MemorySpace space);

/// "warp 3 of block (0, 0)".
std::string warpName(const Session& session);
/// Why a lane does not run the selected row; empty when it does.
std::string whyMasked(const Session& session, unsigned lane);
/// True when a finding speaks of the traced warp: then a missing access may be a refused one.
bool warpHasFindings(const Session& session);
/// "load", "store", "atomic": in the current language.
const char* accessName(sim::AccessKind kind);

} // namespace playground
