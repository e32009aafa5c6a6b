/* Translates the join stage $_mtJoin to $lookup, which servers can run. */
#ifndef MT_LOOKUP_H
#define MT_LOOKUP_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Returns whether the server can run the join as a $lookup. join: the body of $_mtJoin. It can't if
 * the join keeps unmatched rows of the looked-up side, marks rows without keeping unmatched ones,
 * or uses operators that the server lacks. */
bool mt_lookup_can (MtArena *a, const MtCaps *caps, const bson_t *join);

/* Returns the field of the looked-up collection by which the server can find matches through an
 * index; NULL: there is none. Borrowed from `join`, or in arena a. */
const char *mt_lookup_field (MtArena *a, const bson_t *join);

/* Appends $lookup, $unwind and $project for a join. field: the result of mt_lookup_field; NULL: the
 * server compares each pair of rows. */
void mt_lookup_emit (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe);

#endif
