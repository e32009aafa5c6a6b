/* A join as `$lookup`, for servers. */
#ifndef MT_LOOKUP_H
#define MT_LOOKUP_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Whether the server can run a join's stage (the body of $_mtJoin) as a $lookup that gives the same
 * rows: it keeps no rows of the other side, has no mark, and the other side's stages, and the
 * condition, are such as the server has. */
bool mt_lookup_can (const MtCaps *caps, const bson_t *join);

/* The field of the other side's collection that the join's first key is, read by nothing but $match
 * and $project; NULL: it is none, or the row's key is computed. Borrowed from the join or in arena
 * a. */
const char *mt_lookup_field (MtArena *a, const bson_t *join);

/* Appends the stages: $lookup, $unwind, and $project of the fields of both sides. field:
 * mt_lookup_field's, by which the server finds partners; NULL: it tries every pair. */
void mt_lookup_emit (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe);

#endif
