/* Combines the columns and names of two FROM items into a join. */
#include "analyze/names/joined.h"

#include "analyze/names/names.h"

#include <string.h>

static MtRelName *names_of (MtBinder *b, const MtNames *n, int offset, int room)
{
   MtRelName *out = MT_NEW_N (b->a, MtRelName, (size_t) n->count + (size_t) room + 1);
   for (int i = 0; i < n->count; i++) {
      out[i] = n->list ? n->list[i] : (MtRelName) {mt_names_text (n, i), i, NULL};
      out[i].column += offset;
      if (out[i].expr)
         out[i].expr = mt_x_shift (b->a, out[i].expr, offset);
   }
   return out;
}

static int item_count (const MtRel *rel) { return rel->items ? rel->item_count : 1; }

static void add_items (MtBinder *b, const MtRel *from, int offset, MtRel *rel)
{
   for (int i = 0; i < item_count (from); i++) {
      MtNames n = mt_names_all (from);
      if (from->items)
         n = (MtNames) {from, from->items[i].alias, from->items[i].names, from->items[i].name_count,
                        from->items[i].full};
      const MtTable *t = from->items ? from->items[i].table : from->table;
      const char *system = from->kind == MT_REL_SYSTEM ? from->work : NULL;
      if (from->items)
         system = from->items[i].system;
      rel->items[rel->item_count++] = (MtRelItem) {
         n.alias, n.full, t, system, names_of (b, &n, offset, 0), n.count};
   }
}

static const char *alias_at (const MtRel *rel, int i)
{
   return rel->items ? rel->items[i].alias : rel->alias;
}

static const char *full_at (const MtRel *rel, int i)
{
   return rel->items ? rel->items[i].full : rel->full;
}

/* Returns whether table k of `left` and table i of `right` have the same name or alias. Tables of
 * the same name in different schemas count as different. */
static bool is_same_table (const MtRel *left, int k, const MtRel *right, int i)
{
   const char *a = alias_at (left, k), *b = alias_at (right, i);
   const char *fa = full_at (left, k), *fb = full_at (right, i);
   return a && b && strcmp (a, b) == 0 && !(fa && fb && strcmp (fa, fb) != 0);
}

/* Fails with 42712 if a table of `left` and one of `right` have the same name. */
static bool check_aliases (MtBinder *b, const MtRel *left, const MtRel *right, MtSpan span)
{
   for (int i = 0; i < item_count (right); i++) {
      const char *alias = alias_at (right, i);
      bool found = false;
      for (int k = 0; alias && k < item_count (left); k++)
         found |= is_same_table (left, k, right, i);
      if (found)
         return mt_error_at (b->err, span, MT_E_DUPLICATE_ALIAS,
                             "table name \"%s\" specified more than once", alias);
   }
   return true;
}

/* Makes rel a join with the columns of both sides, and with all their table and column names. */
static void put_together (MtBinder *b, MtRel *left, MtRel *right, MtRel *rel)
{
   int l = left->column_count, r = right->column_count;
   MtNames ln = mt_names_all (left), rn = mt_names_all (right);
   rel->kind = MT_REL_JOIN;
   rel->column_count = l + r;
   rel->columns = MT_NEW_N (b->a, MtRelColumn, (size_t) (l + r) + 1);
   for (int i = 0; i < l + r; i++)
      rel->columns[i] = i < l ? left->columns[i] : right->columns[i - l];
   rel->names = names_of (b, &ln, 0, rn.count);
   memcpy (rel->names + ln.count, names_of (b, &rn, l, 0), (size_t) rn.count * sizeof *rel->names);
   rel->name_count = ln.count + rn.count;
   /* One more item than needed, since USING may add an alias. */
   rel->items = MT_NEW_N (b->a, MtRelItem, (size_t) (item_count (left) + item_count (right)) + 1);
   add_items (b, left, 0, rel);
   add_items (b, right, l, rel);
   rel->join = MT_NEW (b->a, MtJoin);
   *rel->join = (MtJoin) {.left = left, .right = right};
}

bool mt_join_rels (MtBinder *b, MtRel *left, MtRel *right, MtSpan span, MtRel *rel)
{
   if (!check_aliases (b, left, right, span))
      return false;
   if (left->column_count + right->column_count > MT_MAX_COLUMNS)
      return mt_error_at (b->err, span, MT_E_TOO_MANY_COLUMNS, "joins can have at most %d columns",
                          MT_MAX_COLUMNS);
   put_together (b, left, right, rel);
   return true;
}

bool mt_join_unnamed (MtBinder *b, MtRel *rel, MtRel *right, bool mark, MtSpan span)
{
   MtRel *left = MT_NEW (b->a, MtRel), out = {.kind = MT_REL_NONE};
   *left = *rel;
   if (left->column_count + right->column_count >= MT_MAX_COLUMNS)
      return mt_error_at (b->err, span, MT_E_TOO_MANY_COLUMNS, "joins can have at most %d columns",
                          MT_MAX_COLUMNS);
   int r = right->column_count;
   right->column_count = 0; /* so that put_together adds no names for the right side */
   put_together (b, left, right, &out);
   out.item_count = item_count (left);
   right->column_count = r;
   out.column_count = left->column_count + r + mark;
   out.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) out.column_count + 1);
   for (int i = 0; i < left->column_count; i++)
      out.columns[i] = left->columns[i];
   for (int i = 0; i < r; i++) {
      out.columns[left->column_count + i] = right->columns[i];
      out.columns[left->column_count + i].nullable = true;
   }
   if (mark)
      out.columns[out.column_count - 1] = mt_column_computed (NULL, mt_type (MT_T_BOOL), false,
                                                              true);
   out.join->keep_left = true;
   out.join->mark = mark;
   *rel = out;
   return true;
}
