// Everything host_defines.h declares is in the prelude already.
#include "playground_prelude.h"
