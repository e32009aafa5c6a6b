/* The operator $jsonSchema of $match. */
#ifndef MT_SCHEMA_H
#define MT_SCHEMA_H

#include "engine/local/expr/core.h"

/* Parses the schema v. Returns an expression, in the arena of c, that is true if the current
 * document matches the schema. Returns NULL with c->err set if the schema is invalid. */
MtExecExpr *mt_schema_parse (MtCompile *c, MtVal v);

/* Adds the type t, a name or a number, to `types`, a set of bits. json: t is a name of JSON Schema,
 * such as "boolean" or "number". Returns false with c->err set if the type is unknown. */
bool mt_match_add_type (MtCompile *c, uint32_t *types, MtVal t, bool json);

#endif
