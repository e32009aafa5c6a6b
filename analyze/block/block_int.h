/* Functions that the files of analyze/block share. */
#ifndef MT_BLOCK_INT_H
#define MT_BLOCK_INT_H

#include "analyze/block/block.h"
#include "analyze/state/cte.h"

/* Moves a set-returning function of several columns from the select list to FROM, in a copy of *s.
 * *above: the block has aggregates or window functions, so the copy reads it as a sub-select.
 * Returns false if there is no such function, or if it can't be moved. */
bool mt_lift_sets (MtBinder *b, const MtSelect **s, bool *above);
/* Analyzes UNION, INTERSECT and EXCEPT into the empty query q. */
bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery *q);
/* Applies LATEST ON and WHERE of s to its FROM: replaces *rel by a sub-select that returns the
 * newest row of each key. The sub-select keeps the table and column names. Fails with 0A000 if a
 * key is an expression. */
bool mt_bind_latest (MtBinder *b, const MtSelect *s, MtRel *rel);
/* Analyzes SUMMARIZE, DESCRIBE and SHOW TABLES into a new query. */
bool mt_bind_summary (MtBinder *b, const MtSelect *s, MtQuery **out);
/* Analyzes VALUES. If *out is an empty query, fills it; otherwise sets *out to a new query. */
bool mt_bind_values (MtBinder *b, const MtSelect *s, MtQuery **out);

/* Adds the WITH entries of s to the visible ones, b->ctes. The caller restores b->ctes later. Fails
 * with 42712 if two entries have the same name. */
bool mt_push_ctes (MtBinder *b, const MtSelect *s);
/* Analyzes the query of a WITH entry. Other files call mt_bind_cte, which calls this function. */
bool mt_analyze_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out);
/* Analyzes the WITH entries that no query has read, to report their errors. Starts at b->ctes, and
 * stops before entry `outer`. */
bool mt_bind_unread_ctes (MtBinder *b, const MtCteBind *outer);
/* Fails with 42P19 if q belongs to the recursive part of WITH RECURSIVE, and aggregates the rows of
 * the recursive entry. Call it after analyzing each block. */
bool mt_check_step (MtBinder *b, const MtQuery *q);

/* A callback that gets the non-recursive part (base) of WITH RECURSIVE before the recursive part is
 * analyzed. */
typedef bool (*MtBeforeStep) (MtBinder *b, void *ctx, const MtQuery *base);
/* Analyzes a recursive query, base UNION [ALL] recursive part, into one MtQuery. Calls `before`
 * with ctx between the two parts. */
bool mt_bind_recursion (MtBinder *b, const MtCte *cte, MtBeforeStep before, void *ctx,
                        MtQuery **out);
/* Analysis of WINDOW JOINs (s->around) in two steps. mt_begin_around checks that the block's other
 * clauses are allowed, and reserves column numbers for the aggregates of each right side.
 * mt_end_around makes the sub-selects that compute these aggregates. Call mt_end_around after all
 * clauses are analyzed, and before mt_pending_below. It fails with 42803 if no aggregate reads some
 * right side. */
bool mt_begin_around (MtBinder *b, MtScope *s, const MtSelect *select);
bool mt_end_around (MtBinder *b, MtScope *s);

#endif
