/* Transformations of a bound block: grouping, window calls, set-returning functions, gaps. The
 * caller's order is: mt_expand_keys, mt_group_query, mt_gapfill_query, mt_split_sets,
 * mt_window_query, mt_qualify_query, mt_expand_query. */
#ifndef MT_BLOCKS_H
#define MT_BLOCKS_H

#include "analyze/group/sets.h"

/* Applies SAMPLE BY of `select` to the bound block, instead of mt_bind_group_by: sets keys, WHERE,
 * HAVING, the sort key and q->gapfill, and changes the results. Fails with 42703 if FROM has no TIME
 * column, and with 42702 if it has several. */
bool mt_sample_query (MtBinder *b, MtScope *scope, const MtSelect *select, MtQuery *q,
                      MtGroupSets *sets);
/* Moves set-returning functions from the GROUP BY keys to FROM. */
bool mt_expand_keys (MtBinder *b, MtQuery *q);
/* Applies GROUP BY: if q is grouped, its select list, HAVING and ORDER BY now refer to keys and
 * aggregates. Fails with 42803 if one uses a column that is not grouped. */
bool mt_group_query (MtBinder *b, MtScope *s, MtGroupSets *sets, MtQuery *q);
/* Makes correlated sub-selects that are arguments of locf and interpolate keys of q, so that they are
 * joined before the grouping. Fails with 42803 if one uses more than the other keys. Call it before
 * mt_pending_below. */
bool mt_gapfill_lookups (MtBinder *b, const MtScope *s, MtQuery *q, MtGroupSets *sets);
/* Finds time_bucket_gapfill, and sets q->gapfill, unless mt_sample_query has set it. Fails with 0A000 if time_bucket_gapfill, locf or
 * interpolate is in a place where it is not supported. */
bool mt_gapfill_query (MtBinder *b, MtQuery *q, bool has_sets);
/* If q has window calls, moves everything up to HAVING into a sub-select, over which the window
 * calls are computed. */
bool mt_window_query (MtBinder *b, MtQuery *q);
/* Applies QUALIFY, whose condition is the last target of q: q becomes a query over the window
 * calls, and the condition its WHERE. */
bool mt_qualify_query (MtBinder *b, MtQuery *q);
/* Moves everything of q up to HAVING into a sub-select. The expressions of `list` are replaced by
 * expressions over the sub-select's columns. Window calls are not changed. */
bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count);
/* Clears WHERE, GROUP BY, HAVING … of q after they were moved into a sub-select. */
void mt_clear_lower (MtQuery *q);
/* Moves set-returning functions from the select list to FROM, over a sub-select. */
bool mt_expand_query (MtBinder *b, MtQuery *q);

#endif
