/* Analysis of query blocks: SELECT, VALUES and set operations. */
#ifndef MT_BLOCK_H
#define MT_BLOCK_H

#include "analyze/state/binder.h"

/* Returns the initial state for analyzing a statement. All results are in arena a. */
MtBinder mt_binder_new (MtArena *a, const MtBindEnv *env, MtError *err);

#endif
