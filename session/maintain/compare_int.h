/* Private to session/maintain: comparing a roll-up with records (compare_rollup.c). Side 0 has the
 * records, side 1 the roll-up. */
#ifndef MT_COMPARE_ROLLUP_INT_H
#define MT_COMPARE_ROLLUP_INT_H

#include "base/bson.h"
#include "engine/pipe.h"
#include "layouts/leaves.h"
#include "session/maintain/maintain.h"

/* Returns the field of a number of one side: s0_2. In arena a. */
const char *mt_compare_numbered (MtArena *a, const char *name, int side, size_t i);
/* Adds the accumulator {name: {op: "$name"}} to a $group. */
void mt_compare_accumulate (MtArena *a, bson_t *group, const char *name, const char *op);

/* A value that differs between the layouts, of a group (the records of one key). */
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

/* Appends what the roll-up keeps (`kept`) of one record, or of one of its cells. */
void mt_rollup_append (MtArena *a, const MtPreagg *kept, int side, const MtLeaf *leaf, MtBson *out);
/* Adds the accumulators of both sides to a $group. */
void mt_rollup_group (MtArena *a, const MtPreagg *kept, bson_t *group);
/* Reports what differs in the result of a group. */
void mt_rollup_compare (MtArena *a, const MtTable *t, const MtPreagg *kept, MtVal group,
                        const MtRollupFound *found);

#endif
