/* Sub-selects as values. */
#ifndef MT_SUB_H
#define MT_SUB_H

#include "analyze/sub/row.h"

/* Each binds an expression of its kind. A sub-select that refers to no query around it runs now, and
 * its answer is a constant. Any other becomes a join of the query around it. */
bool mt_bind_scalar_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_exists (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_in_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* left op ANY|ALL, of a sub-select or of an array. */
bool mt_bind_quantified (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* ARRAY (SELECT …). */
bool mt_bind_array_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
