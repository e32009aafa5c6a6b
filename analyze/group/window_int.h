/* Functions that the files for window calls share. */
#ifndef MT_WINDOW_CALLS_INT_H
#define MT_WINDOW_CALLS_INT_H

#include "analyze/group/aggregate.h"
#include "query/window.h"

/* Makes x, which has its type and properties, the MT_X_WINDOW of an aggregate whose arguments are
 * bound. */
bool mt_bind_window_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtAggCall *agg,
                               MtX *x);
/* Binds the frame of w. Call it after the ORDER BY of def is bound. */
bool mt_bind_frame (MtBinder *b, MtScope *s, const MtWindow *w, MtWindowDef *def);
/* Returns an expression whose order in BSON is x's order in SQL. Intervals and arrays need
 * another one. */
MtX *mt_orderable (MtBinder *b, MtX *x);

#endif
