/* Functions, operators and types of PostgreSQL and TimescaleDB that mtsql does not have. */
#ifndef MT_LACKING_H
#define MT_LACKING_H

#include "analyze/state/binder.h"

/* Fails with 0A000 (not supported) if one of them has a function `name`; otherwise returns true.
 * Call it if mtsql has no such function. */
bool mt_refuse_lacking_function (MtBinder *b, const char *name, MtSpan span);
/* Returns whether PostgreSQL, but not mtsql, has the operator `op` with a left operand of this
 * type. */
bool mt_is_lacking_operator (const char *op, MtTypeId left);
/* Returns whether PostgreSQL has a type `name`, but mtsql does not. */
bool mt_is_lacking_type (const char *name);
/* Returns the hint for type `name` that only PostgreSQL has. NULL: there is no hint. */
const char *mt_lacking_type_hint (const char *name);

#endif
