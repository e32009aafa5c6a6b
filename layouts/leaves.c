#include "layouts/leaves.h"

/* Sets w->grain to the finest unit of time that n or a level above n stores. */
static void find_grain (const MtTable *t, const MtNode *n, MtLeafWay *w)
{
   if (n->parent)
      find_grain (t, n->parent, w);
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->kind == MT_BIND_COLUMN && b->column != t->time_column)
         continue;
      w->timed = true;
      w->grain = b->kind == MT_BIND_COLUMN ? MT_UNIT_MS : b->unit;
   }
   for (size_t i = 0; i < n->raw.count; i++)
      if (n->raw.columns[i] == t->time_column) {
         w->timed = true;
         w->grain = MT_UNIT_MS;
      }
}

/* If the table has a period, and each unit w->grain contains only one multiple of it, the time is
 * known exactly: sets the grain to milliseconds. */
static void settle_grain (const MtTable *t, MtLeafWay *w)
{
   int64_t ms = w->timed ? mt_unit_ms (w->grain) : 0,
           period = w->timed ? t->columns[t->time_column].period_ms : 0;
   if (ms && period && period % ms == 0)
      w->grain = MT_UNIT_MS;
}

MtLeafWay *mt_leaf_ways (MtArena *a, const MtTable *t, size_t *count)
{
   size_t n = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         n += t->layouts[i].stores[j].node_count;
   MtLeafWay *ways = MT_NEW_N (a, MtLeafWay, n + 1);
   const MtNode **leaves = MT_NEW_N (a, const MtNode *, n + 1);
   *count = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         size_t found = mt_store_leaves (s, leaves);
         for (size_t k = 0; k < found; k++) {
            MtLeafWay *w = &ways[(*count)++];
            *w = (MtLeafWay) {.layout = i,
                              .store = j,
                              .l = &t->layouts[i],
                              .s = s,
                              .leaf = leaves[k],
                              .records = leaves[k]->raw.present};
            find_grain (t, leaves[k], w);
            settle_grain (t, w);
         }
      }
   return ways;
}

bool mt_leaf_binds (const MtLeafWay *w, int column)
{
   for (const MtNode *n = w->leaf; n; n = n->parent) {
      for (size_t i = 0; i < n->bind_count; i++)
         if (n->binds[i].kind == MT_BIND_COLUMN && n->binds[i].column == column)
            return true;
      for (size_t i = 0; i < n->raw.count; i++)
         if (n->raw.columns[i] == column)
            return true;
   }
   return false;
}

const MtMeasureAgg *mt_leaf_sum (const MtLeafWay *w, int column)
{
   for (size_t i = 0; !w->records && i < w->leaf->agg.measure_count; i++)
      if (w->leaf->agg.measures[i].column == column)
         return &w->leaf->agg.measures[i];
   return NULL;
}

/* ---- which leaf is trusted ---- */

static int columns_bound (const MtTable *t, const MtLeafWay *w)
{
   int n = 0;
   for (size_t i = 0; i < t->column_count; i++)
      n += mt_leaf_binds (w, (int) i);
   return n;
}

/* Returns whether leaf w stores the time more finely, or more columns, than leaf (lowest level)
 * `than`. */
static bool has_more_detail (const MtTable *t, const MtLeafWay *w, const MtLeafWay *than)
{
   int more = columns_bound (t, w) - columns_bound (t, than);
   if (w->timed != than->timed)
      return w->timed;
   if (w->timed && w->grain != than->grain)
      return w->grain < than->grain;
   return more > 0 || (more == 0 && w->leaf->agg.n && !than->leaf->agg.n);
}

const MtLeafWay *mt_leaf_trusted (const MtTable *t, const MtLeafWay *ways, size_t count, int layout)
{
   const MtLeafWay *best = NULL;
   for (size_t i = 0; i < count; i++) {
      const MtLeafWay *w = &ways[i];
      if ((layout >= 0 && w->layout != (size_t) layout) || w->l->keeps == MT_KEEPS_LATEST ||
          w->l->keeps == MT_KEEPS_ROLLUP || (best && best->records))
         continue;
      if (w->records ? w->l->keeps == MT_KEEPS_RECORDS : !best || has_more_detail (t, w, best))
         best = w;
   }
   return best;
}

/* ---- what can be computed from which leaf ---- */

/* Returns whether the sums `agg` of one nesting level can be computed from the sums that the
 * leaf `from` keeps, which may belong to another layout of the table. If not, *why is set to the
 * reason. */
static bool sums_follow (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtPreagg *agg,
                         const char **why)
{
   if (agg->n && !from->leaf->agg.n) {
      *why = "the number of records isn't kept there";
      return false;
   }
   for (size_t i = 0; i < agg->measure_count; i++) {
      const MtMeasureAgg *m = &agg->measures[i], *has = mt_leaf_sum (from, m->column);
      const char *name = t->columns[m->column].name;
      bool never_null = t->columns[m->column].not_null && from->leaf->agg.n;
      const char *lacks = NULL;
      if (m->min || m->max)
         lacks = "extremes";
      else if (m->sum && !(has && has->sum))
         lacks = "sums";
      else if (m->nonnull && !(has && (has->nonnull || never_null)))
         lacks = "counts";
      if (lacks) {
         *why = mt_printf (a, "%s of column \"%s\" aren't kept there", lacks, name);
         return false;
      }
   }
   return true;
}

bool mt_leaf_gives (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtLayout *to,
                    const char **why)
{
   if (from->records)
      return true;
   *why = "single records aren't kept there";
   if (to->keeps != MT_KEEPS_SUMS)
      return false;
   for (size_t s = 0; s < to->store_count; s++)
      for (size_t i = 0; i < to->stores[s].node_count; i++) {
         const MtNode *n = to->stores[s].nodes[i];
         for (size_t k = 0; k < n->bind_count; k++) {
            const MtBinding *b = &n->binds[k];
            bool time = b->kind != MT_BIND_COLUMN || b->column == t->time_column;
            MtUnit need = b->kind == MT_BIND_COLUMN ? MT_UNIT_MS : b->unit;
            if (time && !(from->timed && mt_unit_within (from->grain, need))) {
               *why = mt_printf (a, "the time isn't known to the %s there", mt_unit_name (need));
               return false;
            }
            if (!time && !mt_leaf_binds (from, b->column)) {
               *why = mt_printf (a, "column \"%s\" isn't kept there", t->columns[b->column].name);
               return false;
            }
         }
         if (!sums_follow (a, t, from, &n->agg, why))
            return false;
      }
   return true;
}
