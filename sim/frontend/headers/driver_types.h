// Everything driver_types.h declares is in the prelude already.
#include "playground_prelude.h"
