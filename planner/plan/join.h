/* A join as a stage. */
#ifndef MT_JOIN_H
#define MT_JOIN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

typedef struct MtJoinStage {
   const char *collection; /* of the other side; NULL: its pipeline makes its own documents */
   const bson_t *
      pipeline; /* of the other side, an array of stages whose documents have its columns' fields */
   MtX *on;     /* over all columns; NULL: every pair */
   int left_count;             /* columns of the join's left side */
   bool swapped;               /* the other side is the left one */
   bool keep_left, keep_right; /* rows that come in, rows of the other side */
   const char *mark;           /* field for MtJoin.mark, which is the last column; NULL: none */
   bool single;
} MtJoinStage;

/* The body of the stage $_mtJoin that pairs documents with the other side's. places: of all
 * columns, each a field of its side's documents; without a path where nobody wants it. Equalities
 * between the sides whose equality is the stage's own (equal values of one type) become its
 * keys. */
bool mt_join_emit (MtEmit *e, const MtJoinStage *j, const MtRel *rel, const MtPlace *places,
                   bson_t *spec, MtError *err);

/* Whether a condition is such a key; left: how many columns the left side has. */
bool mt_join_key (const MtX *x, int left);

#endif
