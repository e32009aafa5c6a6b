/* Whole rows as arguments: a table's alias, or ROW (…), becomes a jsonb object. */
#ifndef MT_ROW_OBJECT_H
#define MT_ROW_OBJECT_H

#include "analyze/state/binder.h"

/* Whether the called function takes rows as objects. */
bool mt_takes_json_rows (const MtBinder *b, const MtExpr *call);
/* Binds an argument of such a function. */
bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
