// Everything cuda_runtime_api.h declares is in the prelude already.
#include "playground_prelude.h"
