/* A join as a stage. */
#ifndef MT_JOIN_H
#define MT_JOIN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

typedef struct MtJoinStage {
   const char *collection; /* the other side's; NULL: its pipeline makes its own documents */
   /* The other side's stages, an array. Its documents have the fields of its columns. */
   const bson_t *pipeline;
   MtX *on;        /* over all columns; NULL: every pair */
   int left_count; /* number of columns of the join's left side */
   bool swapped;   /* the other side is the left one */
   bool keep_left,
      keep_right; /* keep rows without a partner: incoming rows, rows of the other side */
   /* The field of MtJoin.mark, which is the last column. NULL: none. */
   const char *mark;
   bool single;
} MtJoinStage;

/* Writes the body of the stage $_mtJoin, which pairs documents with those of the other side.
 * places: of all columns, each a field of its side's documents; without a path for columns that
 * nothing reads. Equalities between the sides become keys of the stage, if SQL and the stage
 * compare the type alike. */
bool mt_join_emit (MtEmit *e, const MtJoinStage *j, const MtRel *rel, const MtPlace *places,
                   bson_t *spec);

/* Whether a condition becomes such a key. left: the number of columns of the left side. */
bool mt_join_key (const MtX *x, int left);

#endif
