/* Query blocks. */
#ifndef MT_BLOCK_H
#define MT_BLOCK_H

#include "analyze/state/binder.h"

/* Returns a binder with its upper functions set. Everything that it makes is in arena a. */
MtBinder mt_binder_new (MtArena *a, const MtBindEnv *env, MtError *err);

/* Binds any query: MtBindUpper.query. Other rooms call mt_bind_query. */
bool mt_analyze_query (MtBinder *b, const MtSelect *s, MtQuery **out);

#endif
