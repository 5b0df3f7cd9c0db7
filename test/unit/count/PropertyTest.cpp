#include "Nest.h"
