/* Grouping sets, and GROUPING. */
#ifndef MT_GROUPING_SETS_H
#define MT_GROUPING_SETS_H

#include "analyze/state/binder.h"

/* One grouping set: indexes of MtQuery.keys. */
typedef struct MtGroupSet {
   int *keys;
   int count;
} MtGroupSet;
typedef struct MtGroupSets {
   MtGroupSet *list;
   int count;
} MtGroupSets;

/* Binds GROUP BY: q->keys become the keys of all sets. */
bool mt_bind_group_by (MtBinder *b, MtScope *s, const MtSelect *select, MtQuery *q,
                       MtGroupSets *out);
/* Makes a block with several sets a UNION ALL of one grouping a set. Call it after
 * mt_group_query. */
bool mt_split_sets (MtBinder *b, const MtScope *s, const MtGroupSets *sets, MtQuery *q);

/* Binds GROUPING (…). mt_is_grouping recognises the call until mt_split_sets replaces it. */
bool mt_bind_grouping (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_is_grouping (const MtX *x);

/* "$given" (value) marks the value of rank (value) WITHIN GROUP in the counts that compute it.
 * mt_split_sets removes the mark. Keys within it are NULL in sets that lack them, unlike the same
 * columns of the counted rows. */
#define MT_GIVEN "$given"
bool mt_bind_given (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
