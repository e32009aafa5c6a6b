/* $_mtJoin, the stage for joins in the local executor. */
#ifndef MT_JOIN_H
#define MT_JOIN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

typedef struct MtJoinStage {
   const char *collection; /* collection that `pipeline` reads; NULL: it starts with $documents */
   /* The stages, an array, that compute the rows to join with the incoming documents. */
   const bson_t *pipeline;
   MtX *on;        /* the join condition; NULL: cross join */
   int left_count; /* number of columns of the join's left side */
   bool swapped;   /* `pipeline` computes the left side, and the incoming rows are the right side */
   /* Outer join: keep unmatched incoming rows; keep unmatched rows of `pipeline`. */
   bool keep_left, keep_right;
   /* The name of an extra boolean field that is true if the row had a partner (MtJoin.mark). NULL:
    * none. */
   const char *mark;
   bool single;
} MtJoinStage;

/* Writes the body of the stage $_mtJoin to spec. places: the field of each column of the join;
 * unused columns have no path. Equalities between both sides become hash keys, if hashing follows
 * SQL's equality for the type. */
bool mt_join_emit (MtEmit *e, const MtJoinStage *j, const MtRel *rel, const MtPlace *places,
                   bson_t *spec);

/* Returns whether the condition x becomes a hash key of $_mtJoin. left: the number of columns of
 * the join's left side. */
bool mt_join_key (const MtX *x, int left);

#endif
