/* $_mtJoin: the stage of the local executor for joins. */
#ifndef MT_JOIN_H
#define MT_JOIN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

typedef struct MtJoinStage {
   const char *collection; /* collection of `pipeline`; NULL: it begins with $documents */
   /* The array of stages that compute the other rows of the join. They are joined with the incoming
    * documents. */
   const bson_t *pipeline;
   MtX *on;        /* the join condition; NULL: cross join */
   int left_count; /* number of columns of the left side */
   bool swapped;   /* `pipeline` computes the left side, incoming documents are the right side */
   /* For outer joins: keep_left keeps incoming documents without a match; keep_right keeps rows of
    * `pipeline` without a match. */
   bool keep_left, keep_right;
   /* Name of an additional field that is true if the row has a match (MtJoin.mark). NULL: none. */
   const char *mark;
   bool single;
} MtJoinStage;

/* Writes the body of the stage $_mtJoin to spec. places: for each column of the join, its field;
 * unused columns have no path. Equalities between both sides become hash keys, if equal values of
 * their type have equal hashes. */
bool mt_join_emit (MtEmit *e, const MtJoinStage *j, const MtRel *rel, const MtPlace *places,
                   bson_t *spec);

/* Returns whether condition x becomes a hash key of $_mtJoin. left: number of columns of the join's
 * left side. */
bool mt_join_key (const MtX *x, int left);

#endif
