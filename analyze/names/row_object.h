/* Whole rows as arguments: a table's alias, or ROW (…), becomes a jsonb object. */
#ifndef MT_ROW_OBJECT_H
#define MT_ROW_OBJECT_H

#include "analyze/state/binder.h"

/* Returns whether the called function, like to_jsonb, accepts a whole row as argument. */
bool mt_takes_json_rows (const MtBinder *b, const MtExpr *call);
/* Analyzes an argument of a function that accepts whole rows. A row becomes a jsonb object. */
bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
