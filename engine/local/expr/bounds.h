/* Bounds of expressions: the range of an expression's values, computed from the ranges of the
 * fields that it reads. */
#ifndef MT_BOUNDS_H
#define MT_BOUNDS_H

#include "engine/local/expr/core.h"

/* Bounds: each value v of the expression is lo <= v <= hi in MongoDB's order. Here, missing values
 * sort before null. */
typedef struct MtExprBounds {
   MtVal lo, hi;
} MtExprBounds;

/* A callback that stores the bounds of a slot (a field's value in the row) in *out. Returns false
 * if they are unknown. */
typedef bool (*MtSlotBounds) (void *ctx, uint32_t slot, MtExprBounds *out);

/* The callback for the bounds of slots, its argument, and the worker that evaluates operators. */
typedef struct MtBounding {
   MtSlotBounds slot;
   void *ctx;
   MtWork *w;
} MtBounding;

/* Computes bounds of a bound expression; they may be wider than necessary. Returns false, without
 * an error, if they are unknown. The values in *out are in the arena of b->w. */
bool mt_expr_bounds (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out);
/* Stores the bounds of a top-level field in block number `index` of a source in *out. Returns false
 * if they are unknown. */
bool mt_field_bounds (const MtSource *s, size_t index, const char *field, MtExprBounds *out);
/* Returns the bounds of a field with this range. */
MtExprBounds mt_parts_bounds (const MtRangeParts *p);
/* Returns the expression that e never decreases in: if that grows, without changing between
 * numbers and dates, e does not decrease. NULL: there is none. */
const MtExecExpr *mt_expr_rises_in (const MtExecExpr *e);

#endif
