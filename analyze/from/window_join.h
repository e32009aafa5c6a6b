/* WINDOW JOIN: for each row of the left side, computes aggregates over the right rows whose times
 * lie in a range around the left row's time.
 *
 * The columns of FROM are those of the left side only. Each aggregate of the query block is over
 * the columns of one right side, and may also use left columns. Each right side becomes a
 * sub-select that computes its aggregates, and that is evaluated for each left row
 * (MtJoin.apply). */
#ifndef MT_WINDOW_JOIN_H
#define MT_WINDOW_JOIN_H

#include "analyze/state/outer.h"

/* The right side of one WINDOW JOIN. */
typedef struct MtWindowSide {
   MtRel rel;
   int first;     /* the number of the right side's first column in MtWindowJoin.rel */
   MtX *where;    /* ON and the time range; left columns are MT_X_OUTER */
   MtScope found; /* only the member `aggs` is used: the aggregates over this side */
   int result;    /* the temporary number of the first aggregate's column (MtPending.first) */
   int pending;   /* the index of this side's sub-select in MtScope.pending */
   MtSpan span;
} MtWindowSide;

typedef struct MtWindowJoin {
   MtRel rel;     /* the columns and names of all right sides */
   MtScope scope; /* the scope for analyzing aggregates over right sides */
   MtOuter left;  /* lets expressions in `scope` refer to the left side */
   MtWindowSide *sides;
   int count;
} MtWindowJoin;

/* Analyzes FROM with WINDOW JOINs. *rel becomes the left side. It may get hidden columns, such as
 * the times of prevailing rows. s: the scope of the query block, whose columns are those of *rel.
 * If f is no WINDOW JOIN, sets *out to NULL and does nothing. */
bool mt_bind_window_join (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtWindowJoin **out);

#endif
