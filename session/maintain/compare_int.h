/* Private to session/maintain: compares a roll-up with the records from which it was made
 * (compare_rollup.c). Side 0 is the layout with the records, side 1 the roll-up. */
#ifndef MT_COMPARE_ROLLUP_INT_H
#define MT_COMPARE_ROLLUP_INT_H

#include "base/bson.h"
#include "engine/pipe.h"
#include "layouts/leaves.h"
#include "session/maintain/maintain.h"

/* Returns the name of the field for number i of a side, such as s0_2, in arena a. */
const char *mt_compare_numbered (MtArena *a, const char *name, int side, size_t i);
/* Adds the accumulator {name: {op: "$name"}} to a $group stage. */
void mt_compare_accumulate (MtArena *a, bson_t *group, const char *name, const char *op);

/* A value of a group (all records with one key) that differs between the two layouts. */
typedef struct MtDiffering {
   MtVal group;
   const char *what;
   MtVal stored, expected;
   MtType type;
} MtDiffering;

typedef struct MtRollupFound {
   void *ctx;
   void (*report) (void *ctx, MtArena *a, const MtDiffering *f);
} MtRollupFound;

/* Appends to `out` the extremes and aggregate states in `kept` that a leaf has: computed from a
 * record (side 0), or stored in a cell of the roll-up (side 1). */
void mt_rollup_append (MtArena *a, const MtPreagg *kept, int side, const MtLeaf *leaf, MtBson *out);
/* Adds the accumulators for the extremes and states of both sides to a $group stage. */
void mt_rollup_group (MtArena *a, const MtPreagg *kept, bson_t *group);
/* Calls found->report for each extreme or state that differs between the two sides of a group. */
void mt_rollup_compare (MtArena *a, const MtTable *t, const MtPreagg *kept, MtVal group,
                        const MtRollupFound *found);

#endif
