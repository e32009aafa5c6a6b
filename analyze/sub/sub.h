/* Sub-selects as expressions. */
#ifndef MT_SUB_H
#define MT_SUB_H

#include "analyze/sub/row.h"

/* Analyze (SELECT …), EXISTS, and IN (SELECT …). An uncorrelated sub-select runs during analysis
 * and becomes a constant. A correlated one becomes a join to the enclosing query. */
bool mt_bind_scalar_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_exists (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_in_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes `left op ANY (…)` and `left op ALL (…)` of a sub-select or an array. */
bool mt_bind_quantified (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes ARRAY (SELECT …). */
bool mt_bind_array_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
