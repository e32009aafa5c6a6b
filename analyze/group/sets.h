/* GROUPING SETS, ROLLUP and CUBE, and the function GROUPING. */
#ifndef MT_GROUPING_SETS_H
#define MT_GROUPING_SETS_H

#include "analyze/state/binder.h"

/* One grouping set: the indexes of its keys in MtQuery.keys. */
typedef struct MtGroupSet {
   int *keys;
   int count;
} MtGroupSet;
typedef struct MtGroupSets {
   MtGroupSet *list;
   int count;
} MtGroupSets;

/* Analyzes GROUP BY. Stores the keys of all grouping sets in q->keys, and the sets in *out. */
bool mt_bind_group_by (MtBinder *b, MtScope *s, const MtSelect *select, MtQuery *q,
                       MtGroupSets *out);
/* Rewrites a block with several grouping sets to a UNION ALL with one GROUP BY for each set. Call
 * it after mt_group_query. */
bool mt_split_sets (MtBinder *b, const MtScope *s, const MtGroupSets *sets, MtQuery *q);

/* mt_bind_grouping analyzes a call of GROUPING (…). mt_is_grouping returns whether x is such a
 * call. mt_split_sets replaces the calls by numbers later. */
bool mt_bind_grouping (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_is_grouping (const MtX *x);

/* The name of an internal function that marks the argument v of a hypothetical-set aggregate, as in
 * rank (v) WITHIN GROUP. In v, a key is NULL in the rows of grouping sets without the key.
 * mt_split_sets removes the calls. */
#define MT_GIVEN "$given"
bool mt_bind_given (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
