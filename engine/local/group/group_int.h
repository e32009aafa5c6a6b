/* Functions that are shared by the two ways of adding rows to groups: row by row (group.c), and
 * from columns (columns.c). */
#ifndef MT_GROUP_ROWS_INT_H
#define MT_GROUP_ROWS_INT_H

#include "engine/local/group/group.h"

/* Returns the state of the node in worker w. Makes it at the first call. */
MtGroupState *mt_group_state (const MtGroupNode *g, MtWork *w);
/* Adds the rows of the batch to their groups. */
bool mt_batch_flush (const MtGroupNode *g, MtGroupState *st, MtWork *w);
/* Returns the record of the group with these keys; makes one if necessary. If the groups take too
 * much memory, they are first written to disk; then all records returned before are invalid.
 * Returns NULL with w->err set on failure. */
MtRec *mt_group_find (const MtGroupNode *g, MtGroupState *st, MtWork *w, const MtVal *keys,
                      uint64_t hash);
/* If lists or sets in the groups have grown too large, writes all groups to disk, and sets
 * *spilled. Fails with 53200 if there is only one group, which can't be written to disk. */
bool mt_group_fit (const MtGroupNode *g, MtGroupState *st, MtWork *w, bool *spilled);

static inline bool mt_group_is_int (MtVal v) { return v.type == MT_INT32 || v.type == MT_INT64; }

/* Adds value v to the state of accumulator a. rows: how many input rows v stands for. */
static inline bool mt_group_accumulate (const MtAcc *a, MtGroupTable *t, void *state, MtVal v,
                                        uint32_t rows, MtWork *w)
{
   MtSum *s = state;
   switch (a->fast) {
   case MT_FAST_COUNT:
      s->i += (MtInt128) a->n * rows;
      s->count += rows;
      return true;
   case MT_FAST_SUM_SLOT:
      if (mt_group_is_int (v)) {
         s->i += v.i;
         s->count += rows;
         s->seen_int64 |= v.type == MT_INT64;
         return true;
      }
      return a->row->add (a, t, s, v, w);
   case MT_FAST_NO: break;
   }
   return a->row->add (a, t, state, v, w);
}

void mt_group_columns_free (MtGroupColumns *s); /* NULL is allowed */

#endif
