/* $_mtWindow: window functions. */
#ifndef MT_WINDOW_STAGE_H
#define MT_WINDOW_STAGE_H

#include "engine/local/expr/core.h"

bool mt_stage_window (MtCompile *c, MtVal spec);

#endif
