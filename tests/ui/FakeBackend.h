// A backend without compiler or simulator: hand-made traces whose pictures are known, for tests of the window.
#pragma once

#include "playground/session/Session.h"

namespace fake {

/// Two lessons: "10-fake-banks" (knobs stride, n) runs a kernel with a branch, a shared store and load of that
/// stride, a barrier and global accesses; "01-fake-add" runs a guarded vector addition over several blocks. A source
/// with the word "error" does not compile; one with "slow" takes a second.
playground::SessionSetup setup();

} // namespace fake
