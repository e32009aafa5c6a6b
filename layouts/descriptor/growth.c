/* Computes the changes of a table's statistics as an MtGrowth, which several writers can apply at
 * the same time: counts are added, and time bounds only widen. */
#include "layouts/descriptor/growth.h"

#include "base/bson.h"
#include "layouts/descriptor/stored_table.h"

#include <string.h>

/* The documents of the MtGrowth that is being built, and the indexes of the current layout and
 * store. */
typedef struct Growing {
   MtArena *a;
   MtBson also, add, lower, raise, set;
   size_t layout, store;
} Growing;

static const char *path_of (Growing *g, const char *name)
{
   return mt_printf (g->a, "layouts.%zu.stats.%zu.%s", g->layout, g->store, name);
}

static void add (Growing *g, const char *name, double before, double now)
{
   if (now - before != 0)
      mt_bson_put (&g->add, path_of (g, name), mt_v_double (now - before));
}

static void add_bounds (Growing *g, const MtStoreStats *kept, const MtStoreStats *now)
{
   if (!now->has_time)
      return;
   if (!kept->has_time || now->min_ms < kept->min_ms)
      mt_bson_put (&g->lower, path_of (g, "min"), mt_v_date (now->min_ms));
   if (!kept->has_time || now->max_ms > kept->max_ms)
      mt_bson_put (&g->raise, path_of (g, "max"), mt_v_date (now->max_ms));
}

/* Adds to g->add the increases of each column's number of NULLs from `before` to `now`. Decreases
 * are ignored, because a count that is too low would make plans wrong. False if `kept` has counts
 * and `now` has none. */
static bool add_nulls (Growing *g, const MtStoreStats *kept, const MtStoreStats *before,
                       const MtStoreStats *now)
{
   if (!kept->nulls)
      return true;
   if (!now->nulls || now->null_columns != kept->null_columns)
      return false;
   bool same = before->nulls && before->null_columns == now->null_columns;
   for (size_t i = 0; i < now->null_columns; i++) {
      uint64_t was = same ? before->nulls[i] : 0;
      if (now->nulls[i] > was)
         mt_bson_put (&g->add, path_of (g, mt_printf (g->a, "nulls.%zu", i)),
                      mt_v_int64 ((int64_t) (now->nulls[i] - was)));
   }
   return true;
}

static bool grow_store (Growing *g, const MtStoreDesc *d, const MtStoreStats *kept,
                        const MtStoreStats *before, const MtStoreStats *now)
{
   MtNodeStats none = {0};
   add (g, "documents", before->documents, now->documents);
   add (g, "bytes", before->bytes, now->bytes);
   add (g, "records", before->records, now->records);
   if (d->root->range.present)
      add (g, "spans_ms", before->spans_ms, now->spans_ms);
   for (size_t i = 0; i < d->node_count; i++) {
      const MtNodeStats *was = before->nodes ? &before->nodes[i] : &none;
      add (g, mt_printf (g->a, "cells.%zu", i), was->cells, now->nodes[i].cells);
      add (g, mt_printf (g->a, "cell_bytes.%zu", i), was->bytes, now->nodes[i].bytes);
   }
   add_bounds (g, kept, now);
   return add_nulls (g, kept, before, now);
}

/* Adds the first statistics of a store to g->set. A condition in g->also makes the change fail if
 * another writer has set statistics since. */
static void begin_store (Growing *g, const MtStoreDesc *d, const MtStoreStats *now)
{
   size_t at = mt_bson_doc (&g->set,
                            mt_printf (g->a, "layouts.%zu.stats.%zu", g->layout, g->store));
   mt_stats_put (&g->set, d, now);
   mt_bson_end (&g->set, at);
   at = mt_bson_doc (&g->also, path_of (g, "cells"));
   mt_bson_put (&g->also, "$exists", mt_v_bool (false));
   mt_bson_end (&g->also, at);
}

/* Returns the statistics of store j of layout i of table t; an MtStoreStats of zeros if there are
 * none. */
static const MtStoreStats *stats_of (const MtTable *t, size_t i, size_t j)
{
   static const MtStoreStats none;
   const MtStoreStats *s = t->layouts[i].stats ? &t->layouts[i].stats[j] : NULL;
   return s && s->present && s->nodes ? s : &none;
}

static bool alike_columns (const MtColumn *x, const MtColumn *y)
{
   return !strcmp (x->name, y->name) && x->type.id == y->type.id && x->not_null == y->not_null &&
          mt_same (x->default_sql, y->default_sql) && mt_same (x->domain, y->domain) &&
          mt_same (x->field, y->field);
}

/* Returns whether two versions of a table are the same except for statistics. */
static bool alike (const MtTable *x, const MtTable *y)
{
   bool ok = x->layout_count == y->layout_count && x->column_count == y->column_count;
   for (size_t i = 0; i < x->layout_count && ok; i++) {
      const MtLayout *l = &x->layouts[i], *k = &y->layouts[i];
      ok = l->store_count == k->store_count && !strcmp (l->name, k->name);
      for (size_t j = 0; j < l->store_count && ok; j++)
         ok = l->stores[j].node_count == k->stores[j].node_count &&
              !strcmp (l->stores[j].collection, k->stores[j].collection);
   }
   for (size_t i = 0; i < x->column_count && ok; i++)
      ok = alike_columns (&x->columns[i], &y->columns[i]);
   return ok;
}

/* Finishes the documents of the MtGrowth, and moves them to *out. */
static bool finish (Growing *g, MtGrowth *out)
{
   MtBson *const from[] = {&g->also, &g->add, &g->lower, &g->raise, &g->set};
   bson_t *const to[] = {&out->also, &out->add, &out->lower, &out->raise, &out->set};
   bool ok = true;
   for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
      bson_init (to[i]);
      ok = mt_bson_finish_into (from[i], to[i]) && ok;
   }
   return ok;
}

static bool grow_all (Growing *g, const MtTable *kept, const MtTable *before, const MtTable *now)
{
   for (g->layout = 0; g->layout < now->layout_count; g->layout++)
      for (g->store = 0; g->store < now->layouts[g->layout].store_count; g->store++) {
         const MtStoreDesc *d = &now->layouts[g->layout].stores[g->store];
         const MtStoreStats *s = stats_of (now, g->layout, g->store),
                            *was = stats_of (before, g->layout, g->store),
                            *has = stats_of (kept, g->layout, g->store);
         if (!s->present && was->present)
            return false;
         if (s->present && !has->present)
            begin_store (g, d, s);
         else if (s->present && !grow_store (g, d, has, was, s))
            return false;
      }
   return true;
}

bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out)
{
   Growing g = {.a = a};
   MtBson *const all[] = {&g.also, &g.add, &g.lower, &g.raise, &g.set};
   for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      mt_bson_start (all[i]);
   bool ok = alike (kept, before) && alike (before, now) && grow_all (&g, kept, before, now);
   return finish (&g, out) && ok;
}

void mt_growth_free (MtGrowth *g)
{
   bson_destroy (&g->also);
   bson_destroy (&g->add);
   bson_destroy (&g->lower);
   bson_destroy (&g->raise);
   bson_destroy (&g->set);
}
