// Everything device_functions.h declares is in the prelude already.
#include "playground_prelude.h"
