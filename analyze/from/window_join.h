/* WINDOW JOIN: for each row of the left side, aggregates over the right rows whose time is near the
 * left row's.
 *
 * FROM's columns are those of the left side only. An aggregate of the block is over the columns of
 * one right side, and perhaps of the left side. Each right side becomes a sub-select of such
 * aggregates, which is joined to each left row (MtJoin.apply). */
#ifndef MT_WINDOW_JOIN_H
#define MT_WINDOW_JOIN_H

#include "analyze/state/outer.h"

/* The right side of one WINDOW JOIN. */
typedef struct MtWindowSide {
   MtRel rel;
   int first;     /* The number of its first column in MtWindowJoin.rel. */
   MtX *where;    /* ON and the range, over its columns, and over left columns (MT_X_OUTER) */
   MtScope found; /* Only `aggs`: its aggregates, over its columns. */
   int result;    /* The temporary number of its first aggregate (MtPending.first). */
   int pending;   /* The index of its sub-select in MtScope.pending. */
   MtSpan span;
} MtWindowSide;

typedef struct MtWindowJoin {
   MtRel rel;     /* the columns and names of all right sides */
   MtScope scope; /* in which aggregates are analyzed */
   MtOuter left;  /* refers from there to the left side */
   MtWindowSide *sides;
   int count;
} MtWindowJoin;

/* Analyzes FROM with WINDOW JOINs. *rel becomes the left side, perhaps with columns without names
 * that the sides need. s: the scope of the block, whose columns are *rel's. *out is NULL, and
 * nothing is done, if f is no WINDOW JOIN. */
bool mt_bind_window_join (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtWindowJoin **out);

#endif
