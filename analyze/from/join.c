/* Joins: ON, USING and NATURAL. */
#include "analyze/calls/call.h"
#include "analyze/from/from_int.h"
#include "analyze/names/joined.h"
#include "analyze/names/names.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"
#include "query/condition.h"

#include <string.h>

/* ---- USING and NATURAL ---- */

/* Returns the column names that both sides of a NATURAL JOIN have, in the order of the left
 * side. */
static const MtNameList *common_names (MtBinder *b, const MtRel *left, const MtRel *right)
{
   MtNames l = mt_names_all (left);
   MtNameList *first = NULL, **last = &first;
   for (int i = 0; i < l.count; i++) {
      MtName name = {.text = mt_names_text (&l, i)};
      if (mt_rel_column (right, &name) == -1)
         continue;
      *last = MT_NEW (b->a, MtNameList);
      (*last)->name = name;
      last = &(*last)->next;
   }
   return first;
}

static bool find_common (MtBinder *b, const MtRel *side, const char *which, const MtName *name,
                         int *out)
{
   *out = mt_rel_column (side, name);
   if (*out == -1)
      return mt_error_at (b->err, name->span, MT_E_UNDEFINED_COLUMN,
                          "column \"%s\" specified in USING clause does not exist in %s table",
                          name->text, which) ||
             mt_names_near (b, side, name->text);
   if (*out == -2)
      return mt_error_at (b->err, name->span, MT_E_AMBIGUOUS_COLUMN,
                          "common column name \"%s\" appears more than once in %s table",
                          name->text, which);
   return true;
}

static void add_condition (MtBinder *b, MtX **on, MtX *x)
{
   if (*on) {
      MtX **list = MT_NEW_N (b->a, MtX *, 2);
      list[0] = *on;
      list[1] = x;
      x = mt_x_list (b->a, MT_X_AND, mt_type (MT_T_BOOL), list, 2, x->span);
   }
   *on = x;
}

/* Makes the column that USING merges from l and r: the column of the side that keeps all its rows,
 * or COALESCE (l, r) for FULL JOIN. */
static bool merged_column (MtBinder *b, const MtJoin *j, MtX *l, MtX *r, MtX **out)
{
   MtX **both = MT_NEW_N (b->a, MtX *, 2);
   MtTypeId t;
   both[0] = l;
   both[1] = r;
   if (!mt_common_type (b, both, 2, "JOIN/USING", &t))
      return false;
   MtType type = mt_common_modifier (both, 2, t);
   if (!mt_coerce (b, l, type, MT_COERCE_IMPLICIT, &both[0]) ||
       !mt_coerce (b, r, type, MT_COERCE_IMPLICIT, &both[1]))
      return false;
   *out = both[j->keep_right];
   if (j->keep_left && j->keep_right)
      *out = mt_x_list (b->a, MT_X_COALESCE, type, both, 2, l->span);
   return true;
}

/* Makes the columns of JOIN … USING in rel: first the merged columns, then all other columns of
 * both sides. */
static bool join_using (MtBinder *b, const MtFrom *f, const MtNameList *list, MtRel *rel)
{
   MtJoin *j = rel->join;
   MtNames all = mt_names_all (rel);
   int left = mt_names_all (j->left).count, n = 0;
   bool *merged = MT_NEW_N (b->a, bool, (size_t) all.count + 1);
   MtRelName *names = MT_NEW_N (b->a, MtRelName, (size_t) all.count + 1);
   for (const MtNameList *c = list; c; c = c->next, n++) {
      int li, ri;
      MtX *l, *r, *same;
      for (int i = 0; i < n; i++)
         if (strcmp (names[i].name, c->name.text) == 0 ||
             (!c->name.quoted && mt_ieq (names[i].name, c->name.text)))
            return mt_error_at (b->err, c->name.span, MT_E_DUPLICATE_COLUMN,
                                "column name \"%s\" appears more than once in USING clause",
                                c->name.text);
      if (!find_common (b, j->left, "left", &c->name, &li) ||
          !find_common (b, j->right, "right", &c->name, &ri))
         return false;
      l = mt_names_x (b, &all, li, c->name.span);
      r = mt_names_x (b, &all, left + ri, c->name.span);
      names[n].name = mt_names_text (&all, li);
      if (!mt_bind_operator (b, f->join.kind == MT_JOIN_ASOF && !c->next ? ">=" : "=", f->span, l,
                             r, &same) ||
          !merged_column (b, j, l, r, &names[n].expr))
         return false;
      add_condition (b, &j->on, same);
      merged[li] = merged[left + ri] = true;
   }
   for (int i = 0; i < rel->item_count && f->join.using_alias.text; i++)
      if (rel->items[i].alias && strcmp (rel->items[i].alias, f->join.using_alias.text) == 0)
         return mt_error_at (b->err, f->join.using_alias.span, MT_E_DUPLICATE_ALIAS,
                             "table name \"%s\" specified more than once",
                             f->join.using_alias.text);
   if (f->join.using_alias.text) {
      rel->items[rel->item_count++] = (MtRelItem) {.alias = f->join.using_alias.text,
                                                   .names = MT_NEW_N (b->a, MtRelName,
                                                                      (size_t) n + 1),
                                                   .name_count = n};
      memcpy (rel->items[rel->item_count - 1].names, names, (size_t) n * sizeof *names);
   }
   for (int i = 0; i < all.count; i++)
      if (!merged[i])
         names[n++] = rel->names[i];
   rel->names = names;
   rel->name_count = n;
   return true;
}

/* ---- JOIN ---- */

/* Marks the columns of rel as nullable where an outer join adds a row of NULLs for a side. */
static void set_nullable (MtRel *rel)
{
   int l = rel->join->left->column_count;
   for (int i = 0; i < rel->column_count; i++)
      rel->columns[i].nullable |= i < l ? rel->join->keep_right : rel->join->keep_left;
}

static MtX *nullable_column (void *ctx, const MtX *column)
{
   const MtRel *rel = ctx;
   MtX *x = (MtX *) column; /* safe to change: names_of made this expression for this join only */
   x->nullable = rel->columns[x->column].nullable;
   return x;
}

/* Marks columns that USING merged in nested joins as nullable if their columns in rel are. */
static void update_merged (MtBinder *b, MtRel *rel, MtRelName *names, int count)
{
   for (int i = 0; i < count; i++)
      if (names[i].expr)
         names[i].expr = mt_x_map_columns (b->a, names[i].expr, nullable_column, rel);
}

static bool join_condition (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtJoin *j = rel->join;
   if (f->join.natural)
      return join_using (b, f, common_names (b, j->left, j->right), rel);
   if (f->join.using_columns)
      return join_using (b, f, f->join.using_columns, rel);
   return !f->join.on || mt_bind_on (b, f, rel);
}

/* Returns the right side of a join. If it is a function in a LEFT JOIN with a condition other than
 * ON true, returns a sub-select over it instead: the condition must filter the function's rows
 * before a row of NULLs is added. */
static const MtFrom *right_item (MtBinder *b, const MtFrom *f)
{
   const MtFrom *right = f->join.right;
   bool always = f->join.on && f->join.on->kind == MT_EXPR_BOOL && f->join.on->boolean;
   if (f->join.kind != MT_JOIN_LEFT || right->kind != MT_FROM_FUNCTION || always)
      return right;
   MtSelect *s = MT_NEW (b->a, MtSelect);
   MtFrom *item = MT_NEW (b->a, MtFrom), *inside = MT_NEW (b->a, MtFrom);
   MtExpr *star = MT_NEW (b->a, MtExpr);
   const MtExpr *call = right->function.rows_from ? right->function.rows_from->expr
                                                  : right->function.call;
   *inside = *right;
   inside->next = NULL;
   *star = (MtExpr) {.kind = MT_EXPR_STAR, .span = right->span, .depth = 1};
   *s = (MtSelect) {.kind = MT_SELECT_PLAIN, .span = right->span, .depth = right->depth};
   s->plain.targets = MT_NEW (b->a, MtTarget);
   s->plain.targets->expr = star;
   s->plain.from = inside;
   *item = (MtFrom) {.kind = MT_FROM_SUBQUERY,
                     .span = right->span,
                     .alias = right->alias,
                     .lateral = true,
                     .depth = right->depth,
                     .subquery = s};
   if (!item->alias.text)
      item->alias = (MtName) {.text = mt_target_name (call), .span = right->span};
   return item;
}

static bool bind_asof (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   const MtJoin *j = rel->join;
   MtAsof parts;
   const char *why = "The right side of an ASOF JOIN can't refer to the left side.";
   if (!mt_join_unnest (b, f->join.right->span, rel))
      return false;
   if (rel->join && !j->apply && mt_asof_parts (b->a, j, &parts, &why))
      return (!f->join.tolerance || mt_bind_tolerance (b, f->join.tolerance, &parts, rel)) &&
             (!f->join.nearest || mt_bind_nearest (b, f, &parts, rel));
   mt_refuse (b, f->span, "this ASOF JOIN is");
   return mt_error_hint (b->err, "%s", why);
}

bool mt_bind_join (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtRel *left = MT_NEW (b->a, MtRel), *right = MT_NEW (b->a, MtRel);
   MtJoinKind kind = f->join.kind;
   if (kind == MT_JOIN_WINDOW) {
      mt_refuse (b, f->span, "a WINDOW JOIN within another join is");
      return mt_error_hint (b->err, "Put the WINDOW JOIN into a sub-select, or last in FROM.");
   }
   if (!mt_enter (b, f->span))
      return false;
   int apply;
   bool ok = mt_bind_from_item (b, f->join.left, left) &&
             mt_bind_right (b, right_item (b, f), left,
                            kind == MT_JOIN_RIGHT || kind == MT_JOIN_FULL, right, &apply) &&
             mt_join_rels (b, left, right, f->span, rel);
   mt_leave (b);
   if (!ok)
      return false;
   if (apply)
      mt_join_apply (b, rel->join, apply);
   rel->join->asof = kind == MT_JOIN_ASOF;
   rel->join->keep_left = kind == MT_JOIN_LEFT || kind == MT_JOIN_FULL ||
                          (kind == MT_JOIN_ASOF && f->join.asof_left);
   rel->join->keep_right = kind == MT_JOIN_RIGHT || kind == MT_JOIN_FULL;
   /* Done before the condition is analyzed, because merged columns copy the property `nullable`. */
   set_nullable (rel);
   update_merged (b, rel, rel->names, rel->name_count);
   for (int i = 0; i < rel->item_count; i++)
      update_merged (b, rel, rel->items[i].names, rel->items[i].name_count);
   return join_condition (b, f, rel) &&
          (!rel->join || (rel->join->asof ? bind_asof (b, f, rel)
                                          : mt_join_unnest (b, f->join.right->span, rel)));
}
