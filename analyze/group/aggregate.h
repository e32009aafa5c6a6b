/* Analysis of aggregate calls and window calls. */
#ifndef MT_AGGREGATE_CALL_H
#define MT_AGGREGATE_CALL_H

#include "analyze/state/binder.h"

/* Analyzes a call of an aggregate, with or without OVER (window call). sigs: the candidate
 * signatures. Fails with 42803 if aggregates are not allowed in the current clause. */
bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count,
                        MtX **out);

/* Analyzes an aggregate call in a block with WINDOW JOINs (s->around). Adds the call to the
 * aggregates of one right side; *out is a column of the sub-select that computes them. Fails with
 * 0A000 if the call uses columns of several right sides, or only left columns. */
bool mt_bind_around (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int count,
                     MtX **out);
/* Adds an aggregate call to s->aggs, unless the list has an equal call. Returns the index of the
 * call in the list. */
int mt_add_aggregate (MtBinder *b, MtScope *s, const MtAggCall *call);

/* Returns whether the call is a hypothetical-set aggregate, such as rank (v) WITHIN GROUP (ORDER BY
 * x). It computes the result that a row with value v would have among the group's rows. */
bool mt_is_hypothetical (const MtExpr *e);
/* Analyzes a hypothetical-set aggregate, such as rank (v) WITHIN GROUP (ORDER BY x). Rewrites it
 * with count (*) FILTER (…), which counts the rows before v. */
bool mt_bind_hypothetical (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* Analyzes a call of a window function. Fails with 42P20 if window calls are not allowed here. */
bool mt_bind_window_call (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes all windows of the WINDOW clause. Errors in unused windows are reported, too. */
bool mt_bind_named_windows (MtBinder *b, MtScope *s);

#endif
