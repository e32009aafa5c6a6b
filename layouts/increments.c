#include "layouts/increments.h"

/* Returns whether new records can be added to a nesting level's pre-aggregates by $inc. This is so
 * if they are exact sums and counts of values that are never NULL, and a missing number means that
 * nothing was counted. */
static bool counts_only (const MtTable *t, const MtStoreDesc *s, const MtPreagg *agg)
{
   const MtNode *records = mt_store_records (s);
   int whole = records && mt_null_is_no_cell (records) && !*records->raw.paths[0]
                  ? records->raw.columns[0]
                  : -1;
   for (size_t i = 0; i < agg->measure_count; i++) {
      const MtMeasureAgg *m = &agg->measures[i];
      const MtColumn *c = &t->columns[m->column];
      bool never_null = c->not_null || m->column == whole || (c->counter && !m->nonnull);
      bool rounded = m->sum && m->as == MT_DOUBLE &&
                     mt_type_is_integer (c->type.id); /* $inc of a double stays a double */
      if (m->min || m->max || !never_null || rounded)
         return false;
   }
   if (agg->state_count)
      return false;
   /* An increment that is undone leaves a field with 0, which must not look like a record. */
   return !agg->present || agg->n || agg->zero_is_absent;
}

/* Returns whether the field names of map n can be used as names in a path. Parts of the time, such
 * as the hour, are digits; but a column's values may contain dots. */
static bool plain_keys (const MtNode *n)
{
   for (size_t i = 0; i < n->bind_count; i++)
      if (n->binds[i].from != MT_FROM_KEY || n->binds[i].kind == MT_BIND_COLUMN)
         return false;
   return true;
}

/* Returns whether a $inc can address each cell (element) of nesting level n by a path. */
static bool plain_level (const MtStoreDesc *s, const MtNode *n)
{
   bool record = n == mt_store_records (s) && !n->raw.many;
   switch (n->kind) {
   case MT_NODE_LIST:
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS: return false;
   case MT_NODE_SLOTS: /* a slot of sums (an array element) has a count before it has a sample */
      return record && n->bind_count == 1;
   case MT_NODE_MAP: return (!n->raw.present || record) && plain_keys (n);
   case MT_NODE_SCALAR:
   case MT_NODE_DOCUMENT: return !n->raw.present && (n == s->root || plain_keys (n));
   }
   return false;
}

/* Returns whether new records only add to numbers, or add fields or array elements, in the store's
 * documents. */
static bool adds (const MtTable *t, const MtStoreDesc *s)
{
   bool ok = s->write == MT_WRITE_INC && !s->repeats && !s->root->range.present;
   for (size_t i = 0; i < s->node_count && ok; i++)
      ok = counts_only (t, s, &s->nodes[i]->agg) && plain_level (s, s->nodes[i]);
   return ok;
}

bool mt_store_increments (const MtTable *t, const MtStoreDesc *s)
{
   return !mt_store_records (s) && adds (t, s);
}

bool mt_store_sets_fresh (const MtTable *t, const MtStoreDesc *s)
{
   const MtNode *records = mt_store_records (s);
   return records && records->kind == MT_NODE_MAP && adds (t, s);
}

bool mt_store_fills_slots (const MtTable *t, const MtStoreDesc *s)
{
   const MtNode *records = mt_store_records (s);
   return records && records->kind == MT_NODE_SLOTS && adds (t, s);
}

/* Returns how the root level stores the truncated time, whose unit (such as the day) is the time
 * that one document covers. NULL: the root level does not store it. */
static const MtBinding *period_of (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].kind == MT_BIND_TIME_TRUNC && s->root->binds[i].unit != MT_UNIT_EPOCH)
         return &s->root->binds[i];
   return NULL;
}

MtUnit mt_prealloc_unit (const MtStoreDesc *s) { return period_of (s)->unit; }

bool mt_can_preallocate (const MtTable *t, const MtStoreDesc *s, const char **why)
{
   *why = NULL;
   if (!t->sketch && !mt_store_increments (t, s))
      *why = "are not written by increments alone";
   else if (s->id_count < 2)
      *why = "have no composed _id";
   else if (!period_of (s))
      *why = "are not of a period of time";
   for (size_t i = 0; i < s->node_count && !*why; i++)
      if (s->nodes[i]->agg.present && !s->nodes[i]->agg.n && !s->nodes[i]->agg.zero_is_absent)
         *why = "don't tell a stored 0 from no sample";
   return !*why;
}
