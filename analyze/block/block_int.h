/* Functions that the files of analyze/block share. */
#ifndef MT_BLOCK_INT_H
#define MT_BLOCK_INT_H

#include "analyze/block/block.h"
#include "analyze/state/cte.h"

/* Moves a set-returning function of several columns from the select list to FROM, in a copy of *s.
 * False: there is none, or it can't be moved. */
bool mt_lift_sets (MtBinder *b, const MtSelect **s);
/* Analyzes UNION, INTERSECT and EXCEPT into the empty query q. */
bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery *q);
/* Applies LATEST ON and WHERE of s to its FROM: *rel becomes a sub-select with the newest row of each
 * key, under the same names. Fails with 0A000 if a key is no column. */
bool mt_bind_latest (MtBinder *b, const MtSelect *s, MtRel *rel);
/* Analyzes SUMMARIZE, DESCRIBE and SHOW TABLES into a new query. */
bool mt_bind_summary (MtBinder *b, const MtSelect *s, MtQuery **out);
/* Analyzes VALUES. *out is the given empty query, filled, or a new query. */
bool mt_bind_values (MtBinder *b, const MtSelect *s, MtQuery **out);

/* Adds the WITH entries of s to b->ctes, the visible ones. The caller restores b->ctes. Fails with
 * 42712 if a name occurs twice. */
bool mt_push_ctes (MtBinder *b, const MtSelect *s);
/* Analyzes the query of a WITH entry. Other files call mt_bind_cte, which calls this function. */
bool mt_analyze_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out);
/* Analyzes unused WITH entries, to report their errors. Stops at entry `outer` of b->ctes. */
bool mt_bind_unread_ctes (MtBinder *b, const MtCteBind *outer);
/* Fails with 42P19 if the recursive part of WITH RECURSIVE aggregates its own rows. Call it after
 * analyzing each block. */
bool mt_check_step (MtBinder *b, const MtQuery *q);

/* A callback that gets the non-recursive part (base) of WITH RECURSIVE before the recursive part is
 * analyzed. */
typedef bool (*MtBeforeStep) (MtBinder *b, void *ctx, const MtQuery *base);
/* Analyzes a recursive query: base UNION [ALL] recursive part. The result is one block. */
bool mt_bind_recursion (MtBinder *b, const MtCte *cte, MtBeforeStep before, void *ctx,
                        MtQuery **out);
/* WINDOW JOINs (s->around). mt_begin_around checks the other clauses of the block, and reserves
 * columns for the aggregates of each right side. mt_end_around makes the sub-selects that compute
 * them. Call it when all clauses are bound, and before mt_pending_below. Fails with 42803 if a side
 * has no aggregate. */
bool mt_begin_around (MtBinder *b, MtScope *s, const MtSelect *select);
bool mt_end_around (MtBinder *b, MtScope *s);

#endif
