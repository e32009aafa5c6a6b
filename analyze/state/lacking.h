/* Functions, operators and types of PostgreSQL that mtsql lacks. */
#ifndef MT_LACKING_H
#define MT_LACKING_H

#include "analyze/state/binder.h"

/* Fails with 0A000 (not supported) if PostgreSQL has a function `name`. Call it when mtsql has no
 * such function. */
bool mt_refuse_lacking_function (MtBinder *b, const char *name, MtSpan span);
/* Returns whether PostgreSQL has the operator for left operands of this type, but mtsql does
 * not. */
bool mt_is_lacking_operator (const char *op, MtTypeId left);
/* Returns whether PostgreSQL has a type `name`, but mtsql does not. */
bool mt_is_lacking_type (const char *name);
/* Returns the hint for such a type; NULL: there is none. */
const char *mt_lacking_type_hint (const char *name);

#endif
