/* A join as $lookup, for servers. */
#ifndef MT_LOOKUP_H
#define MT_LOOKUP_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Whether the server can run a join's stage (the body of $_mtJoin) as a $lookup with the same
 * rows. The join must keep no rows of the other side, and have no mark. The server must have all
 * operators of the other side's stages and of the condition. */
bool mt_lookup_can (const MtCaps *caps, const bson_t *join);

/* The stored field of the other side's collection that is the join's first key, if only $match
 * and $project read the collection. NULL: there is none, or the row's key is computed. Borrowed
 * from the join, or in arena a. */
const char *mt_lookup_field (MtArena *a, const bson_t *join);

/* Appends $lookup, $unwind, and $project of the fields of both sides. field: the result of
 * mt_lookup_field, by which the server finds partners. NULL: the server tries every pair. */
void mt_lookup_emit (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe);

#endif
