// Everything device_atomic_functions.h declares is in the prelude already.
#include "playground_prelude.h"
