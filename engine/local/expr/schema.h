/* The operator $jsonSchema of the match language. */
#ifndef MT_SCHEMA_H
#define MT_SCHEMA_H

#include "engine/local/expr/core.h"

/* Returns an expression that is true if the current document matches the schema v. Returns NULL
 * with c->err set for a wrong schema. Allocated in the arena of c. */
MtExecExpr *mt_schema_parse (MtCompile *c, MtVal v);

/* Adds a type, given by its name or number, to a set of bits. json: by the names of JSON Schema
 * ("boolean", "number"). Returns false with c->err set for an unknown type. */
bool mt_match_add_type (MtCompile *c, uint32_t *types, MtVal t, bool json);

#endif
