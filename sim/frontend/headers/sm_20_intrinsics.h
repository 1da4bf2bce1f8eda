// Everything sm_20_intrinsics.h declares is in the prelude already.
#include "playground_prelude.h"
