/* Bounds of expressions: which values an expression can have, by the bounds of what it reads. */
#ifndef MT_BOUNDS_H
#define MT_BOUNDS_H

#include "engine/local/expr/core.h"

/* All values v of an expression have lo <= v <= hi in MongoDB's order. A missing value comes before
 * null. */
typedef struct MtExprBounds {
   MtVal lo, hi;
} MtExprBounds;

/* Gets the bounds of a slot. Returns false if they are unknown. */
typedef bool (*MtSlotBounds) (void *ctx, uint32_t slot, MtExprBounds *out);

/* The callback that gets the bounds of slots, its argument, and the worker that runs operators. */
typedef struct MtBounding {
   MtSlotBounds slot;
   void *ctx;
   MtWork *w;
} MtBounding;

/* Computes the bounds of a bound expression. They may be too wide. Values are allocated in the arena
 * of b->w. Returns false if the bounds are unknown. Sets no error. */
bool mt_expr_bounds (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out);
/* Gets the bounds of a top-level field over block number `index` of a source. */
bool mt_field_bounds (const MtSource *s, size_t index, const char *field, MtExprBounds *out);

#endif
