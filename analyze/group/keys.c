/* Rewrites expressions above a GROUP BY: they refer to keys and aggregates instead of columns of
 * FROM. */
#include "analyze/group/blocks.h"
#include "analyze/group/sets.h"
#include "analyze/names/names.h"
#include "query/window.h"

#include <string.h>

typedef struct Keys {
   MtBinder *b;
   const MtScope *s;
   MtQuery *q;
   MtGroupSets *sets;
   bool hidden; /* the analyzed key is one of the targets that mt_pending_hide added */
} Keys;

/* Returns the table to which a column of rel belongs, and stores the number of the table's first
 * column in *first. NULL: the column belongs to no table. */
static const MtTable *table_of (const MtRel *rel, int column, int *first)
{
   const MtTable *t = rel->kind == MT_REL_TABLE ? rel->table : NULL;
   *first = 0;
   for (int i = 0; i < rel->item_count && !t; i++) {
      const MtRelItem *item = &rel->items[i];
      if (!item->table || !item->name_count || item->names[0].expr)
         continue;
      *first = item->names[0].column;
      t = column >= *first && column < *first + (int) item->table->column_count ? item->table
                                                                                : NULL;
   }
   return t;
}

static int key_of_column (const MtQuery *q, int column)
{
   int i = 0;
   while (i < q->key_count && !(q->keys[i]->kind == MT_X_COLUMN && q->keys[i]->column == column))
      i++;
   return i < q->key_count ? i : -1;
}

static bool in_all_sets (const MtGroupSets *sets, int key)
{
   for (int i = 0; i < sets->count; i++) {
      const MtGroupSet *s = &sets->list[i];
      int k = 0;
      while (k < s->count && s->keys[k] != key)
         k++;
      if (k == s->count)
         return false;
   }
   return true;
}

/* Returns whether a column may be used without being grouped: all grouping sets contain the PRIMARY
 * KEY of its table, so its value is the same in each group. */
static bool depends (const Keys *k, int column)
{
   int first;
   const MtTable *t = table_of (&k->q->rel, column, &first);
   const MtTableKey *primary = t ? mt_primary_key (t) : NULL;
   bool ok = primary != NULL;
   for (size_t i = 0; ok && i < primary->count; i++) {
      int key = key_of_column (k->q, first + primary->columns[i]);
      ok = key >= 0 && in_all_sets (k->sets, key);
   }
   return ok;
}

/* Adds `column` to the GROUP BY keys and to all grouping sets. The groups stay the same, since the
 * column depends on the other keys. */
static void add_key (Keys *k, const MtX *column)
{
   MtQuery *q = k->q;
   MtX **keys = MT_NEW_N (k->b->a, MtX *, (size_t) q->key_count + 2);
   memcpy (keys, q->keys, (size_t) q->key_count * sizeof *keys);
   keys[q->key_count] = MT_NEW (k->b->a, MtX);
   *keys[q->key_count] = *column;
   q->keys = keys;
   for (int i = 0; i < k->sets->count; i++) {
      MtGroupSet *s = &k->sets->list[i];
      int *list = MT_NEW_N (k->b->a, int, (size_t) s->count + 1);
      memcpy (list, s->keys, (size_t) s->count * sizeof *list);
      list[s->count++] = q->key_count;
      s->keys = list;
   }
   q->key_count++;
}

static bool ungrouped (Keys *k, const MtX *x)
{
   const MtRel *rel = k->s->rel;
   if (!rel->columns[x->column].name)
      return mt_refuse (k->b, x->span,
                        "a correlated sub-select in this place of a grouped query is");
   const char *name = rel->columns[x->column].name, *table = mt_column_table (rel, x->column);
   if (k->hidden)
      return mt_error_at (k->b->err, x->span, MT_E_GROUPING,
                          "subquery uses ungrouped column \"%s%s%s\" from outer query",
                          table ? table : "", table ? "." : "", name);
   mt_error_at (
      k->b->err, x->span, MT_E_GROUPING,
      "column \"%s%s%s\" must appear in the GROUP BY clause or be used in an aggregate function",
      table ? table : "", table ? "." : "", name);
   return mt_error_topic (k->b->err, MT_TOPIC_UNGROUPED);
}

static MtX *key_ref (Keys *k, int i, MtSpan span)
{
   MtX *x = mt_x_new (k->b->a, MT_X_KEY, k->q->keys[i]->type, span);
   x->index = i;
   mt_x_refers (x, k->q->keys[i]);
   return x;
}

static bool grouping_keys (Keys *k, MtX **x)
{
   MtX *copy = MT_NEW (k->b->a, MtX);
   *copy = **x;
   copy->call.args = MT_NEW_N (k->b->a, MtX *, (size_t) copy->call.argc + 1);
   for (int i = 0; i < copy->call.argc; i++) {
      const MtX *arg = (*x)->call.args[i];
      int key = 0;
      while (key < k->q->key_count && !mt_x_equal (arg, k->q->keys[key]))
         key++;
      if (key == k->q->key_count)
         return mt_error_at (
            k->b->err, arg->span, MT_E_GROUPING,
            "arguments to GROUPING must be grouping expressions of the associated query level");
      copy->call.args[i] = key_ref (k, key, arg->span);
   }
   *x = copy;
   return true;
}

/* Replaces each part of *x that equals a key by a reference to the key (MT_X_KEY). Changes a copy,
 * because other expressions may share the tree. */
static bool to_keys (void *ctx, MtX **x)
{
   Keys *k = ctx;
   MtX *o = *x;
   if (mt_is_grouping (o))
      return grouping_keys (k, x);
   if (o->kind != MT_X_CONST)
      for (int i = 0; i < k->q->key_count; i++)
         if (mt_x_equal (o, k->q->keys[i])) {
            *x = key_ref (k, i, o->span);
            (*x)->type = o->type; /* equal expressions may differ by a modifier: n and n::numeric */
            return true;
         }
   if (o->kind == MT_X_COLUMN && o->column < MT_PENDING_COLUMN && depends (k, o->column)) {
      add_key (k, o);
      *x = key_ref (k, k->q->key_count - 1, o->span);
      return true;
   }
   if (o->kind == MT_X_COLUMN)
      return o->column >= MT_PENDING_COLUMN || ungrouped (k, o);
   return mt_x_map_children (k->b, x, to_keys, k);
}

bool mt_group_query (MtBinder *b, MtScope *s, MtGroupSets *sets, MtQuery *q)
{
   Keys k = {.b = b, .s = s, .q = q, .sets = sets};
   q->aggs = s->aggs;
   q->agg_count = s->agg_count;
   q->grouped = q->key_count > 0 || q->agg_count > 0 || q->having || q->grouped;
   if (!q->grouped)
      return true;
   for (int i = 0; i < q->target_count; i++) {
      k.hidden = i >= s->target_count;
      if (!to_keys (&k, &q->targets[i].expr))
         return false;
   }
   k.hidden = false;
   if (q->having && !to_keys (&k, &q->having))
      return false;
   for (int i = 0; i < q->sort_count; i++)
      if (!to_keys (&k, &q->sort[i].expr))
         return false;
   return !q->windows || mt_windows_each (q->windows, to_keys, &k);
}
