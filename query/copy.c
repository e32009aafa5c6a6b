/* Copies queries, for passes that change a query in place. */
#include "query/query.h"

#include <string.h>

static void own_rel (MtArena *a, MtRel *rel);

static MtRel *rel_copy (MtArena *a, const MtRel *rel)
{
   MtRel *copy = MT_NEW (a, MtRel);
   *copy = *rel;
   own_rel (a, copy);
   return copy;
}

/* Replaces the sub-selects, joins and inputs of *rel by copies. */
static void own_rel (MtArena *a, MtRel *rel)
{
   if (rel->query)
      rel->query = mt_query_copy (a, rel->query);
   if (rel->unnest) {
      MtUnnest *u = MT_NEW (a, MtUnnest);
      *u = *rel->unnest;
      u->input = rel_copy (a, u->input);
      rel->unnest = u;
   }
   if (!rel->join)
      return;
   MtJoin *join = MT_NEW (a, MtJoin);
   *join = *rel->join;
   join->left = rel_copy (a, join->left);
   join->right = rel_copy (a, join->right);
   rel->join = join;
}

MtQuery *mt_query_copy (MtArena *a, const MtQuery *q)
{
   MtQuery *copy = MT_NEW (a, MtQuery);
   *copy = *q;
   own_rel (a, &copy->rel);
   if (q->arm_count)
      copy->arms = MT_NEW_N (a, MtQuery *, (size_t) q->arm_count);
   for (int i = 0; i < q->arm_count; i++)
      copy->arms[i] = mt_query_copy (a, q->arms[i]);
   if (q->gapfill) {
      copy->gapfill = MT_NEW (a, MtGapfill);
      *copy->gapfill = *q->gapfill;
   }
   return copy;
}
