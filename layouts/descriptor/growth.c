/* What a step adds to a table's statistics, as changes of the numbers that its description has:
 * several writers' changes add up, and bounds only move outwards. */
#include "layouts/descriptor/growth.h"
#include "layouts/descriptor/stored_table.h"

#include <string.h>

typedef struct Growing {
   MtArena *a;
   MtGrowth *out;
   size_t layout, store;
} Growing;

static const char *path_of (const Growing *g, const char *name)
{
   return mt_printf (g->a, "layouts.%zu.stats.%zu.%s", g->layout, g->store, name);
}

static void add (const Growing *g, const char *name, double before, double now)
{
   if (now - before != 0)
      mt_v_append (&g->out->add, path_of (g, name), -1, mt_v_double (now - before));
}

static void add_bounds (const Growing *g, const MtStoreStats *kept, const MtStoreStats *now)
{
   if (!now->has_time)
      return;
   if (!kept->has_time || now->min_ms < kept->min_ms)
      mt_v_append (&g->out->lower, path_of (g, "min"), -1, mt_v_date (now->min_ms));
   if (!kept->has_time || now->max_ms > kept->max_ms)
      mt_v_append (&g->out->raise, path_of (g, "max"), -1, mt_v_date (now->max_ms));
}

/* Of NULLs it matters that there were some: none is taken away. False where they aren't known any
 * more. */
static bool add_nulls (const Growing *g, const MtStoreStats *kept, const MtStoreStats *before,
                       const MtStoreStats *now)
{
   if (!kept->nulls)
      return true;
   if (!now->nulls || now->null_columns != kept->null_columns)
      return false;
   for (size_t i = 0; i < now->null_columns; i++) {
      uint64_t was = before->nulls && before->null_columns == now->null_columns ? before->nulls[i]
                                                                                : 0;
      if (now->nulls[i] > was)
         mt_v_append (&g->out->add, path_of (g, mt_printf (g->a, "nulls.%zu", i)), -1,
                      mt_v_int64 ((int64_t) (now->nulls[i] - was)));
   }
   return true;
}

static bool grow_store (const Growing *g, const MtStoreDesc *d, const MtStoreStats *kept,
                        const MtStoreStats *before, const MtStoreStats *now)
{
   MtNodeStats none = {0};
   add (g, "documents", before->documents, now->documents);
   add (g, "bytes", before->bytes, now->bytes);
   add (g, "records", before->records, now->records);
   for (size_t i = 0; i < d->node_count; i++) {
      const MtNodeStats *was = before->nodes ? &before->nodes[i] : &none;
      add (g, mt_printf (g->a, "cells.%zu", i), was->cells, now->nodes[i].cells);
      add (g, mt_printf (g->a, "cell_bytes.%zu", i), was->bytes, now->nodes[i].bytes);
   }
   add_bounds (g, kept, now);
   return add_nulls (g, kept, before, now);
}

/* The first numbers of all, where nobody else's are. */
static bool begin_store (const Growing *g, const MtStoreDesc *d, const MtStoreStats *now)
{
   bson_t one = BSON_INITIALIZER, absent;
   bool ok = mt_stats_to_bson (d, now, &one) &&
             bson_append_document (&g->out->set,
                                   mt_printf (g->a, "layouts.%zu.stats.%zu", g->layout, g->store),
                                   -1, &one);
   bson_destroy (&one);
   bson_append_document_begin (&g->out->also, path_of (g, "cells"), -1, &absent);
   bson_append_bool (&absent, "$exists", -1, false);
   return bson_append_document_end (&g->out->also, &absent) && ok;
}

static const MtStoreStats *stats_of (const MtTable *t, size_t i, size_t j)
{
   static const MtStoreStats none;
   const MtStoreStats *s = t->layouts[i].stats ? &t->layouts[i].stats[j] : NULL;
   return s && s->present && s->nodes ? s : &none;
}

static bool alike_columns (const MtColumn *x, const MtColumn *y)
{
   return !strcmp (x->name, y->name) && x->type.id == y->type.id && x->not_null == y->not_null &&
          mt_same (x->default_sql, y->default_sql) && mt_same (x->field, y->field);
}

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

bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out)
{
   Growing g = {.a = a, .out = out};
   bson_init (&out->also);
   bson_init (&out->add);
   bson_init (&out->lower);
   bson_init (&out->raise);
   bson_init (&out->set);
   bool ok = alike (kept, before) && alike (before, now);
   for (g.layout = 0; ok && g.layout < now->layout_count; g.layout++)
      for (g.store = 0; ok && g.store < now->layouts[g.layout].store_count; g.store++) {
         const MtStoreDesc *d = &now->layouts[g.layout].stores[g.store];
         const MtStoreStats *s = stats_of (now, g.layout, g.store),
                            *was = stats_of (before, g.layout, g.store),
                            *has = stats_of (kept, g.layout, g.store);
         if (!s->present)
            ok = !was->present;
         else
            ok = has->present ? grow_store (&g, d, has, was, s) : begin_store (&g, d, s);
      }
   return ok;
}

void mt_growth_free (MtGrowth *g)
{
   bson_destroy (&g->also);
   bson_destroy (&g->add);
   bson_destroy (&g->lower);
   bson_destroy (&g->raise);
   bson_destroy (&g->set);
}
