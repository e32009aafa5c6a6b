/* Functions that the files of analyze/block share. */
#ifndef MT_BLOCK_INT_H
#define MT_BLOCK_INT_H

#include "analyze/block/block.h"
#include "analyze/state/cte.h"

/* Binds UNION, INTERSECT and EXCEPT. */
bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery *q);
/* Binds VALUES into *out, or replaces *out by another query. */
bool mt_bind_values (MtBinder *b, const MtSelect *s, MtQuery **out);

/* Adds the entries of WITH to b->ctes. The caller restores b->ctes. 42712: a name occurs twice. */
bool mt_push_ctes (MtBinder *b, const MtSelect *s);
/* Binds a common table expression: MtBindUpper.cte. Other files call mt_bind_cte. */
bool mt_analyze_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out);
/* Binds the entries down to `outer` that nobody read, to report their errors. */
bool mt_bind_unread_ctes (MtBinder *b, const MtCteBind *outer);
/* 42P19: the recursive step has aggregates over its own rows. Call it at the end of each block. */
bool mt_check_step (MtBinder *b, const MtQuery *q);

/* Called with the base of a recursive query before its step is bound. */
typedef bool (*MtBeforeStep) (MtBinder *b, void *ctx, const MtQuery *base);
/* Binds base UNION [ALL] step as one block. */
bool mt_bind_recursion (MtBinder *b, const MtCte *cte, MtBeforeStep before, void *ctx,
                        MtQuery **out);

#endif
