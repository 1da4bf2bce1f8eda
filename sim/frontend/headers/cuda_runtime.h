// Everything cuda_runtime.h declares is in the prelude already.
#include "playground_prelude.h"
