// Everything device_launch_parameters.h declares is in the prelude already.
#include "playground_prelude.h"
