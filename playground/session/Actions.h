// The verbs of a lesson's links, as "set stride=2; view global" spells them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace playground {

using ActionVerb = std::pair<std::string, std::string>; ///< ("set", "stride=2")

/// Splits at ';' and at each verb's first space. Unknown verbs are kept: who applies them says so.
std::vector<ActionVerb> splitAction(std::string_view text);

} // namespace playground
