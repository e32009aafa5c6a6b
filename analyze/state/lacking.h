/* Functions, operators and types of PostgreSQL that mtsql lacks. */
#ifndef MT_LACKING_H
#define MT_LACKING_H

#include "analyze/state/binder.h"

/* Returns false with 0A000 if PostgreSQL has a function of that name. Call it for unknown names. */
bool mt_refuse_lacking_function (MtBinder *b, const char *name, MtSpan span);
/* Whether PostgreSQL has that operator for this type on its left, and mtsql lacks it. */
bool mt_is_lacking_operator (const char *op, MtTypeId left);
/* Whether PostgreSQL has a type of that name, and mtsql lacks it. */
bool mt_is_lacking_type (const char *name);

#endif
