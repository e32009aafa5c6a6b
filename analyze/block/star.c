/* * and t.* in a select list, with EXCLUDE, REPLACE and RENAME. */
#include "analyze/block/star.h"

#include "analyze/names/column.h"
#include "analyze/names/record.h"

#include <string.h>

static const char *const words[] = {"EXCLUDE", "REPLACE", "RENAME"};

static bool find_names (MtBinder *b, const MtRel *rel, MtStar *star)
{
   const MtExpr *e = star->e;
   const MtNameList *parts = e->column.of ? e->column.of->column.parts : e->column.parts;
   if (rel->kind == MT_REL_NONE && !parts)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX,
                          "SELECT * with no tables specified is not valid");
   star->names = mt_names_all (rel);
   if (!parts)
      return true;
   const MtName *table = parts->next ? mt_qualifier_of (b, rel, parts) : &parts->name;
   if (mt_names_of_table (rel, table, &star->names))
      return true;
   star->around = table;
   if (!mt_names_around (b, table, &star->names))
      return mt_no_from_entry (b, rel, table, e->span);
   return true;
}

/* ---- EXCLUDE, REPLACE, RENAME ---- */

/* Returns whether column i of the star is a column of the table whose names are `table`. */
static bool is_of_table (MtBinder *b, const MtStar *star, int i, const MtNames *table)
{
   const MtX *x = mt_names_x (b, &star->names, i, star->e->span);
   for (int k = 0; k < table->count; k++)
      if (mt_x_equal (mt_names_x (b, table, k, star->e->span), x))
         return true;
   return false;
}

static bool no_column (MtBinder *b, const MtStar *star, const MtStarItem *item)
{
   mt_error_at (b->err, item->name.span, MT_E_UNDEFINED_COLUMN,
                "column \"%s\" named in %s does not exist", item->name.text, words[item->kind]);
   const char *near = mt_names_nearest (b->a, &star->names, item->name.text);
   return near && mt_error_hint (b->err, "Perhaps you meant the column \"%s\".", near);
}

static bool apply_to (MtBinder *b, const MtStarItem *item, MtStarColumn *c)
{
   bool twice = c->excluded || (item->kind == MT_STAR_REPLACE && c->value) ||
                (item->kind == MT_STAR_RENAME && c->name) ||
                (item->kind == MT_STAR_EXCLUDE && (c->value || c->name));
   if (twice)
      return mt_error_at (b->err, item->name.span, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" specified more than once", item->name.text);
   switch (item->kind) {
   case MT_STAR_EXCLUDE: c->excluded = true; break;
   case MT_STAR_REPLACE: c->value = item->expr; break;
   case MT_STAR_RENAME: c->name = item->as.text; break;
   }
   return true;
}

/* Applies an item of EXCLUDE, REPLACE or RENAME to the columns that it names. If a column has
 * exactly the item's name, columns whose names differ in case are ignored. */
static bool apply (MtBinder *b, MtStar *star, const MtStarItem *item)
{
   MtNames table = {0};
   int exact = 0, found = 0;
   bool *named = MT_NEW_N (b->a, bool, (size_t) star->names.count + 1);
   if (item->table.text && !mt_names_of_table (star->names.rel, &item->table, &table))
      return mt_no_from_entry (b, star->names.rel, &item->table, item->table.span);
   for (int i = 0; i < star->names.count; i++) {
      const char *name = mt_names_text (&star->names, i);
      named[i] = mt_same_name (name, &item->name) &&
                 (!item->table.text || is_of_table (b, star, i, &table));
      exact += named[i] && strcmp (name, item->name.text) == 0;
   }
   for (int i = 0; i < star->names.count; i++) {
      if (!named[i] || (exact && strcmp (mt_names_text (&star->names, i), item->name.text) != 0))
         continue;
      if (++found > 1 && item->kind != MT_STAR_EXCLUDE)
         return mt_error_at (b->err, item->name.span, MT_E_AMBIGUOUS_COLUMN,
                             "column reference \"%s\" is ambiguous", item->name.text);
      if (!apply_to (b, item, &star->changes[i]))
         return false;
   }
   return found || no_column (b, star, item);
}

/* Analyzes the record in (expr).* and finds the names and types of its fields. */
static bool find_fields (MtBinder *b, MtScope *s, MtStar *star)
{
   const MtExpr *e = star->e;
   if (e->column.changes)
      return mt_refuse (b, e->span, "EXCLUDE, REPLACE or RENAME of the fields of a row is");
   if (!mt_bind_x (b, s, e->column.of, &star->record) ||
       !mt_record_shape (b, star->record, e->span, &star->shape))
      return false;
   star->count = star->shape->count;
   return true;
}

bool mt_star_columns (MtBinder *b, MtScope *s, const MtRel *rel, const MtExpr *e, MtStar *out)
{
   *out = (MtStar) {.e = e};
   if (e->column.of && !mt_names_a_table (b, s, e->column.of))
      return find_fields (b, s, out);
   if (!find_names (b, rel, out))
      return false;
   out->count = out->names.count;
   if (!e->column.changes)
      return true;
   out->changes = MT_NEW_N (b->a, MtStarColumn, (size_t) out->count + 1);
   for (const MtStarItem *i = e->column.changes; i; i = i->next)
      if (!apply (b, out, i))
         return false;
   for (int i = 0; i < out->names.count; i++)
      out->count -= out->changes[i].excluded;
   return true;
}

/* ---- adding the columns to the select list ---- */

static bool bind_column (MtBinder *b, MtScope *s, const MtStar *star, int i, MtX **out)
{
   const MtExpr *value = star->changes ? star->changes[i].value : NULL;
   if (value)
      return mt_bind_x (b, s, value, out);
   if (star->around) {
      MtName name = {.text = mt_names_text (&star->names, i), .quoted = true};
      return mt_outer_column (b, star->around, &name, star->e->span, out);
   }
   *out = mt_names_x (b, &star->names, i, star->e->span);
   return true;
}

bool mt_bind_star (MtBinder *b, MtScope *s, const MtStar *star, MtQuery *q)
{
   for (int i = 0; star->record && i < star->count; i++)
      q->targets[q->target_count++] = (MtTargetX) {
         star->shape->names[i], mt_record_part (b, star->record, i, star->e->span)};
   for (int i = 0; i < star->names.count; i++) {
      const MtStarColumn *c = star->changes ? &star->changes[i] : NULL;
      if (c && c->excluded)
         continue;
      MtTargetX *out = &q->targets[q->target_count];
      out->name = c && c->name ? c->name : mt_names_text (&star->names, i);
      if (!bind_column (b, s, star, i, &out->expr))
         return false;
      q->target_count++;
   }
   return true;
}
