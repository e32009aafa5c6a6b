/* Analysis of aggregate calls and window calls. */
#ifndef MT_AGGREGATE_CALL_H
#define MT_AGGREGATE_CALL_H

#include "analyze/state/binder.h"

/* Analyzes an aggregate call, also one with OVER (a window call). sigs: the candidates. Fails with
 * 42803 if aggregates are not allowed here. */
bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count,
                        MtX **out);

/* As mt_bind_aggregate, for a block with WINDOW JOINs (s->around): the call joins the aggregates of
 * one right side, and *out is a column of this side's sub-select. Fails with 0A000 if the call has
 * columns of several right sides, or of the left side only. */
bool mt_bind_around (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int count,
                     MtX **out);
/* Adds a call to s->aggs, unless an equal one is there. Returns its index. */
int mt_add_aggregate (MtBinder *b, MtScope *s, const MtAggCall *call);

/* Returns whether the call is a hypothetical-set aggregate, like rank (v) WITHIN GROUP (ORDER BY
 * x). */
bool mt_is_hypothetical (const MtExpr *e);
/* Analyzes a hypothetical-set aggregate, like rank (v) WITHIN GROUP (ORDER BY x), by rewriting it
 * with count (*) FILTER. */
bool mt_bind_hypothetical (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* Analyzes a call of a window function. Fails with 42P20 if window calls are not allowed here. */
bool mt_bind_window_call (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes all entries of the WINDOW clause, even unused ones, to report their errors. */
bool mt_bind_named_windows (MtBinder *b, MtScope *s);

#endif
