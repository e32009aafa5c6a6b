/* References to columns, and errors about them. */
#include "analyze/names/column.h"

#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/calls/set.h"
#include "analyze/names/names.h"
#include "analyze/names/record.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"

#include <string.h>

/* ---- hints for unknown columns and tables ---- */

/* Returns the column name in n that is most similar to `name`, with its table: "t.c". NULL: no name
 * is similar enough. */
static const char *near_column (MtArena *a, const MtNames *n, const char *name)
{
   const char *near = mt_names_nearest (a, n, name);
   if (!near)
      return NULL;
   const char *table = n->alias;
   for (int i = 0; !table && i < n->rel->item_count; i++) {
      const MtRelItem *item = &n->rel->items[i];
      for (int k = 0; k < item->name_count; k++)
         if (strcmp (item->names[k].name, near) == 0)
            table = item->alias;
   }
   return mt_printf (a, "%s.%s", table ? table : "?", near);
}

static bool no_column (MtBinder *b, const MtNames *n, const MtName *qualifier, const MtName *name,
                       MtSpan span)
{
   if (qualifier)
      mt_error_at (b->err, span, MT_E_UNDEFINED_COLUMN, "column %s.%s does not exist",
                   qualifier->text, name->text);
   else
      mt_error_at (b->err, span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist", name->text);
   const char *near = n ? near_column (b->a, n, name->text) : NULL;
   if (near)
      mt_error_hint (b->err, "Perhaps you meant to reference the column \"%s\".", near);
   else if (name->quoted && !qualifier)
      mt_error_hint (b->err, "Double quotes are for names. Use single quotes for a text: '%s'.",
                     name->text);
   return false;
}

/* If table `name` is in FROM under an alias, returns the alias, since the alias hides the name.
 * Otherwise NULL. */
static const char *alias_of_table (const MtRel *rel, const MtName *name)
{
   if (rel->kind == MT_REL_TABLE && mt_same_name (rel->table->name, name))
      return rel->alias;
   for (int i = 0; i < rel->item_count; i++)
      if (rel->items[i].table && rel->items[i].alias &&
          mt_same_name (rel->items[i].table->name, name))
         return rel->items[i].alias;
   return NULL;
}

/* Returns the alias of `table` in rel or in an enclosing query, if the table can be referenced only
 * by this alias. NULL: there is none. */
static const char *visible_alias (const MtBinder *b, const MtRel *rel, const MtName *table)
{
   const char *alias = rel ? alias_of_table (rel, table) : NULL;
   for (const MtOuter *o = b->outer; o && !alias; o = o->next)
      alias = o->scope->rel ? alias_of_table (o->scope->rel, table) : NULL;
   return alias;
}

/* Returns the alias of `table`, if the statement has the table, but its columns can't be referenced
 * at this place. NULL: there is no such table. */
static const char *unseen_alias (const MtBinder *b, const MtName *table)
{
   MtNames names;
   for (const MtOuter *o = b->unseen; o && o->query; o = o->next) {
      const char *alias = NULL;
      if (o->scope->rel && mt_names_of_table (o->scope->rel, table, &names))
         return names.alias;
      if (o->scope->rel && (alias = alias_of_table (o->scope->rel, table)))
         return alias;
   }
   const MtOutOfReach *target = &b->env->out_of_reach;
   bool same = target->table &&
               (mt_same_name (target->alias, table) || mt_same_name (target->table->name, table));
   return same ? target->alias : NULL;
}

bool mt_no_from_entry (MtBinder *b, const MtRel *rel, const MtName *table, MtSpan span)
{
   const char *visible = visible_alias (b, rel, table),
              *unseen = visible ? NULL : unseen_alias (b, table);
   if (!visible && !unseen)
      return mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE,
                          "missing FROM-clause entry for table \"%s\"", table->text);
   mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE,
                "invalid reference to FROM-clause entry for table \"%s\"", table->text);
   if (visible)
      return mt_error_hint (b->err, "Perhaps you meant to reference the table alias \"%s\".",
                            visible);
   return mt_error_hint (b->err,
                         "There is an entry for table \"%s\", but it cannot be referenced from "
                         "this part of the query.",
                         unseen);
}

/* ---- parameters and paths ---- */

static bool body_param (const MtScope *body, const MtName *name, MtX **out)
{
   for (int i = 0; body && i < body->param_count; i++)
      if (mt_str_ieq (body->param_sig->arg_names[i], mt_str (name->text))) {
         *out = mt_body_param (body, i);
         return true;
      }
   return false;
}

static int find_path (MtBinder *b, const MtNames *names, const MtNameList *parts)
{
   MtName path = parts->name;
   for (const MtNameList *n = parts->next; n; n = n->next) {
      path.text = mt_printf (b->a, "%s.%s", path.text, n->name.text);
      path.quoted |= n->name.quoted;
   }
   return mt_names_find (names, &path);
}

/* Finds a column of FROM whose own name contains dots: the name [table.]a.b.c means column "a.b.c".
 * Returns false if there is none. */
static bool path_column (MtBinder *b, const MtScope *s, const MtNameList *parts, MtSpan span,
                         MtX **out)
{
   if (!s->rel || !parts->next)
      return false;
   MtNames names = mt_names_all (s->rel);
   int i = find_path (b, &names, parts);
   if (i == -1 && parts->next->next && mt_names_of_table (s->rel, &parts->name, &names))
      i = find_path (b, &names, parts->next);
   if (i >= 0)
      *out = mt_names_x (b, &names, i, span);
   return i >= 0;
}

typedef struct Outer {
   MtArena *a;
   int scope;
   const MtRel *rel;
} Outer;

static MtX *as_outer (void *ctx, const MtX *column)
{
   const Outer *o = ctx;
   MtX *x = mt_x_new (o->a, MT_X_OUTER, column->type, column->span);
   x->outer.scope = o->scope;
   x->outer.column = column->column;
   const char *table = mt_column_table (o->rel, column->column),
              *name = column->column < o->rel->column_count ? o->rel->columns[column->column].name
                                                            : NULL;
   x->outer.name = name && table ? mt_printf (o->a, "%s.%s", table, name) : name;
   mt_x_refers (x, column);
   return x;
}

/* Finds the column `name` [of table `qualifier`] in the enclosing scope o. Returns its index in
 * *names. -1: not found; -2: ambiguous. */
static int find_around (const MtOuter *o, const MtName *qualifier, const MtName *name,
                        MtNames *names)
{
   const MtRel *rel = o->scope->rel;
   if (!rel || (qualifier && !mt_names_of_table (rel, qualifier, names)))
      return -1;
   if (!qualifier)
      *names = mt_names_all (rel);
   return mt_names_find (names, name);
}

/* Returns whether another FROM item to the left of the same LATERAL item also has the name, so that
 * the name is ambiguous. first: the scope where the name was found. */
static bool found_twice (const MtOuter *first, const MtName *qualifier, const MtName *name)
{
   MtNames names;
   for (const MtOuter *o = first->next; first->query && o && o->query == first->query; o = o->next)
      if (find_around (o, qualifier, name, &names) != -1)
         return true;
   return false;
}

static bool denied (MtBinder *b, const char *table, MtSpan span)
{
   mt_error_at (b->err, span, MT_E_INVALID_COLUMN_REF,
                "invalid reference to FROM-clause entry for table \"%s\"", table ? table : "?");
   return mt_error_detail (
      b->err, "The combining JOIN type must be INNER or LEFT for a LATERAL reference.");
}

/* ---- fields of documents ---- */

/* Makes a reference to the sub-document with the dotted path `path`, in a collection without
 * declared columns, whose leaf fields are columns. NULL: there is no such sub-document. */
static MtX *inner_column (MtBinder *b, const MtNames *n, const MtName *path, MtSpan span)
{
   const MtTable *t = n->rel->kind == MT_REL_TABLE ? n->rel->table : NULL;
   int first = 0;
   for (int i = 0; i < n->rel->item_count; i++)
      if (n->rel->items[i].table && n->rel->items[i].names == n->list && n->count &&
          !n->list[0].expr) {
         t = n->rel->items[i].table;
         first = n->list[0].column;
      }
   int found = -1;
   for (size_t i = 0; t && i < t->column_count; i++)
      if (t->columns[i].inner && mt_same_name (t->columns[i].name, path) &&
          (found < 0 || strcmp (t->columns[i].name, path->text) == 0))
         found = (int) i;
   if (found < 0)
      return NULL;
   MtX *x = mt_x_new (b->a, MT_X_COLUMN, t->columns[found].type, span);
   x->column = first + found;
   x->nullable = true;
   return x;
}

static MtName joined_name (MtBinder *b, const MtNameList *parts, int count)
{
   MtName path = parts->name;
   for (const MtNameList *n = parts->next; --count > 0; n = n->next) {
      path.text = mt_printf (b->a, "%s.%s", path.text, n->name.text);
      path.quoted |= n->name.quoted;
   }
   return path;
}

/* Splits a dotted name into the longest prefix that is a column or a sub-document, and the names of
 * fields within it. Makes *out the innermost field. *out is NULL if no prefix is a column. */
static bool within (MtBinder *b, const MtNames *names, const MtNameList *parts, MtSpan span,
                    MtX **out)
{
   int count = 0;
   for (const MtNameList *n = parts; n; n = n->next)
      count++;
   *out = NULL;
   for (int k = count; k > 0 && !*out; k--) {
      MtName path = joined_name (b, parts, k);
      int i = mt_names_find (names, &path);
      MtX *x = i >= 0 ? mt_names_x (b, names, i, span) : inner_column (b, names, &path, span);
      if (!x)
         continue;
      if (k < count && !mt_is_json (x->type.id))
         return true;
      const MtNameList *rest = parts;
      for (int skip = 0; skip < k; skip++)
         rest = rest->next;
      for (; rest; rest = rest->next)
         if (!mt_json_field (b, x, rest->name.text, span, &x))
            return false;
      *out = x;
   }
   return true;
}

static bool column_within (MtBinder *b, const MtScope *s, const MtNameList *parts, MtSpan span,
                           MtX **out)
{
   MtNames names;
   *out = NULL;
   if (!s->rel)
      return true;
   names = mt_names_all (s->rel);
   if (!within (b, &names, parts, span, out))
      return false;
   return *out || !parts->next || !mt_names_of_table (s->rel, &parts->name, &names) ||
          within (b, &names, parts->next, span, out);
}

bool mt_outer_column (MtBinder *b, const MtName *qualifier, const MtName *name, MtSpan span,
                      MtX **out)
{
   *out = NULL;
   for (MtOuter *o = b->outer; o; o = o->next) {
      MtNames names;
      int i = find_around (o, qualifier, name, &names);
      if (i == -1)
         continue;
      if (i == -2 || found_twice (o, qualifier, name))
         return mt_error_at (b->err, span, MT_E_AMBIGUOUS_COLUMN,
                             "column reference \"%s\" is ambiguous", name->text);
      MtX *x = mt_names_x (b, &names, i, span);
      if (o->denied)
         return denied (
            b, x->kind == MT_X_COLUMN ? mt_column_table (o->scope->rel, x->column) : names.alias,
            span);
      if (!o->query && !o->scope->own)
         return mt_refuse (b, span, "a correlated sub-select in this place is");
      for (MtOuter *c = b->outer; c != o->next; c = c->next)
         c->crossed = true;
      o->referred = true;
      Outer as = {b->a, mt_scope_id (b, o->scope), o->scope->rel};
      *out = mt_x_map_columns (b->a, x, as_outer, &as);
      return true;
   }
   return true;
}

/* ---- meanings of a name that is no column ---- */

/* Returns whether a column is the only result of a function in FROM. The alias of the function then
 * also names the column. */
static bool is_whole_value (const MtRel *rel, int column)
{
   for (; rel->kind == MT_REL_UNNEST; rel = rel->unnest->input)
      if (column >= rel->unnest->input->column_count)
         return rel->unnest->column_count == 1 && !rel->unnest->columns[0].field &&
                !rel->unnest->ordinality;
   return false;
}

static bool whole_value (MtBinder *b, const MtScope *s, const MtName *alias, MtSpan span, MtX **out)
{
   MtNames names;
   if (!s->rel || !mt_names_of_table (s->rel, alias, &names) || names.count != 1)
      return false;
   *out = mt_names_x (b, &names, 0, span);
   return (*out)->kind == MT_X_COLUMN && is_whole_value (s->rel, (*out)->column);
}

/* Returns the table with column `column`, if the statement has this table, but its columns can't be
 * referenced at this place. NULL: there is no such table. */
static const char *unseen_table (MtBinder *b, const MtName *column)
{
   const MtOutOfReach *target = &b->env->out_of_reach;
   for (const MtOuter *o = b->unseen; o && o->query; o = o->next) {
      MtNames names;
      int i = find_around (o, NULL, column, &names);
      if (i < 0)
         continue;
      MtX *x = mt_names_x (b, &names, i, MT_NO_SPAN);
      const char *table = x->kind == MT_X_COLUMN ? mt_column_table (o->scope->rel, x->column)
                                                 : names.alias;
      return table ? table : "?";
   }
   for (size_t i = 0; target->table && i < target->table->column_count; i++)
      if (mt_same_name (target->table->columns[i].name, column))
         return target->alias;
   return NULL;
}

static void hint_unseen (MtBinder *b, const MtName *column)
{
   const char *table = unseen_table (b, column);
   if (table)
      mt_error_hint (
         b->err,
         "There is a column named \"%s\" in table \"%s\", but it cannot be referenced from this "
         "part of the query.",
         column->text, table);
}

/* Returns the name of the table to which the names n [of alias `qualifier`] belong. NULL: they do
 * not belong to a table. Sets *sure if the table's first column is NOT NULL, so that NULL there
 * means that an outer join has no row of the table. */
static const char *table_of_names (const MtNames *n, const MtName *qualifier, bool *sure)
{
   const MtRel *rel = n->rel;
   const MtTable *t = rel->kind == MT_REL_TABLE ? rel->table : NULL;
   const char *system = rel->kind == MT_REL_SYSTEM ? rel->work : NULL;
   int i = qualifier ? mt_rel_item (rel, qualifier) : -1;
   if (i >= 0) {
      t = rel->items[i].table;
      system = rel->items[i].system;
   }
   *sure = system || (t && t->column_count && t->columns[0].not_null);
   return t ? t->name : system;
}

/* Makes *out the system column tableoid, which * does not include: the OID of the table, or NULL if
 * an outer join has no row of the table. *out is NULL if `name` is not tableoid. */
static bool table_oid (MtBinder *b, const MtNames *n, const MtName *qualifier, const MtName *name,
                       MtSpan span, MtX **out)
{
   bool sure;
   const char *table = mt_ieq (name->text, "tableoid") && b->env->lookup
                          ? table_of_names (n, qualifier, &sure)
                          : NULL;
   *out = NULL;
   if (!table || !n->count)
      return true;
   if (n->rel->items && !sure)
      return mt_refuse (b, span,
                        "tableoid of a table whose first column can be NULL, in a join, is");
   MtX **list = MT_NEW_N (b->a, MtX *, 3), **first = MT_NEW_N (b->a, MtX *, 1),
       *oid = mt_x_text (b->a, mt_printf (b->a, "\"%s\"", table), span);
   first[0] = mt_names_x (b, n, 0, span);
   oid->type = mt_type (MT_T_UNKNOWN);
   list[0] = mt_x_list (b->a, MT_X_IS_NULL, mt_type (MT_T_BOOL), first, 1, span);
   list[1] = mt_x_null (b->a, mt_type (MT_T_OID), span);
   if (!mt_coerce (b, oid, mt_type (MT_T_REGCLASS), MT_COERCE_EXPLICIT, &oid) ||
       !mt_coerce (b, oid, mt_type (MT_T_OID), MT_COERCE_EXPLICIT, &list[2]) ||
       !mt_fold (b, &list[2]))
      return false;
   *out = n->rel->items ? mt_x_list (b->a, MT_X_CASE, mt_type (MT_T_OID), list, 3, span) : list[2];
   return true;
}

/* ---- names of select-list items ---- */

static bool is_aggregate (void *ctx, const MtX *x) { return x->kind == MT_X_AGG; }
static bool is_window (void *ctx, const MtX *x) { return x->kind == MT_X_WINDOW; }
static bool is_pending (void *ctx, const MtX *x)
{
   return x->kind == MT_X_COLUMN && x->column >= MT_PENDING_COLUMN;
}

static bool result_refused (MtBinder *b, const MtName *name, MtSpan span, const char *sqlstate,
                            const char *what)
{
   mt_error_at (b->err, span, sqlstate, "result \"%s\" has %s, which is not allowed here",
                name->text, what);
   return mt_error_hint (b->err, "Compute the result in a sub-select in FROM.");
}

/* Checks that select-list item x, with the name `name`, may be used in the current clause. For
 * example, an aggregate may not be used in WHERE. */
static bool result_fits (MtBinder *b, const MtScope *s, const MtName *name, const MtX *x,
                         MtSpan span)
{
   bool selects = s->clause == MT_CLAUSE_SELECT || s->clause == MT_CLAUSE_ORDER,
        above = selects || s->clause == MT_CLAUSE_HAVING || s->clause == MT_CLAUSE_QUALIFY,
        inside = s->in_aggregate || s->in_window;
   if (x->is_volatile)
      return result_refused (b, name, span, MT_E_FEATURE, "a volatile function");
   if ((s->in_aggregate || !(above || s->clause == MT_CLAUSE_WINDOW)) &&
       mt_x_find (x, is_aggregate, NULL))
      return result_refused (b, name, span, MT_E_GROUPING, "an aggregate function");
   if ((inside || !(selects || s->clause == MT_CLAUSE_QUALIFY)) && mt_x_find (x, is_window, NULL))
      return result_refused (b, name, span, MT_E_WINDOWING, "a window function");
   if ((inside || !selects) && mt_has_set (x))
      return result_refused (b, name, span, MT_E_FEATURE, "a set-returning function");
   if ((inside || !above) && mt_x_find (x, is_pending, NULL))
      return result_refused (b, name, span, MT_E_FEATURE, "a correlated sub-select");
   return true;
}

/* Makes *out the select-list item with this name. PostgreSQL does not allow such names in
 * expressions, but DuckDB does. *out is NULL if no item has the name. */
static bool result_name (MtBinder *b, const MtScope *s, const MtName *name, MtSpan span, MtX **out)
{
   MtX *found = NULL;
   for (int i = 0; i < s->result_count; i++) {
      if (!mt_same_name (s->results[i].name->text, name))
         continue;
      if (found && !mt_x_equal (found, s->results[i].x))
         return mt_error_at (b->err, span, MT_E_AMBIGUOUS_COLUMN,
                             "column reference \"%s\" is ambiguous", name->text);
      found = s->results[i].x;
   }
   *out = found;
   return !found || result_fits (b, s, name, found, span);
}

/* A reference to a column, [table.]column, that is being resolved. */
typedef struct Ref {
   const MtNameList *parts;
   const MtName *qualifier, *name;
   MtSpan span;
   /* The column names of the whole FROM, or of the table that qualifies the reference. */
   MtNames names;
   /* The reference has no table name, or its table is in this query's own FROM. */
   bool mine;
} Ref;

/* Tries the other meanings of a name that is no column of FROM, in this order: column of an
 * enclosing query, parameter, tableoid, function value, field of a document, whole row, select-list
 * item. *out is NULL if it means none of them. */
static bool other_meaning (MtBinder *b, const MtScope *s, const Ref *r, MtX **out)
{
   if (!mt_outer_column (b, r->qualifier, r->name, r->span, out))
      return false;
   if (*out || (!r->qualifier && body_param (mt_body_scope (b, s), r->name, out)))
      return true;
   if (r->mine && s->rel && !table_oid (b, &r->names, r->qualifier, r->name, r->span, out))
      return false;
   if (*out || (!r->qualifier && whole_value (b, s, r->name, r->span, out)))
      return true;
   if (!column_within (b, s, r->parts, r->span, out))
      return false;
   MtNames row;
   bool is_row = r->qualifier || (s->rel && mt_names_of_table (s->rel, r->name, &row));
   if (!*out && !r->qualifier && !mt_bind_whole_row (b, s, r->name, r->span, out))
      return false;
   return *out || is_row || result_name (b, s, r->name, r->span, out);
}

static bool no_reference (MtBinder *b, const MtScope *s, const Ref *r, bool ambiguous)
{
   MtNames row;
   if (!ambiguous && !r->qualifier && s->rel && mt_names_of_table (s->rel, r->name, &row))
      return mt_refuse (b, r->span, "a row with one column, of a join, as a value is");
   if (!r->mine)
      return mt_no_from_entry (b, s->rel, r->qualifier, r->span);
   if (s->clause == MT_CLAUSE_DEFAULT && (!s->rel || !s->rel->column_count))
      return mt_error_at (b->err, r->span, MT_E_FEATURE,
                          "cannot use column reference in DEFAULT expression");
   if (ambiguous)
      return mt_error_at (b->err, r->span, MT_E_AMBIGUOUS_COLUMN,
                          "column reference \"%s\" is ambiguous", r->name->text);
   no_column (b, s->rel ? &r->names : NULL, r->qualifier, r->name, r->span);
   if (!r->qualifier)
      hint_unseen (b, r->name);
   return false;
}

/* Returns whether a column of the left side of a WINDOW JOIN has this name, while analysis is on
 * the right side. The name is then ambiguous. */
static bool is_shared (const MtBinder *b, const MtName *name)
{
   MtNames names;
   return b->outer && b->outer->shares && find_around (b->outer, NULL, name, &names) != -1;
}

bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtNameList *n = e->column.parts;
   Ref r = {.parts = n, .span = e->span};
   if (path_column (b, s, n, e->span, out))
      return true;
   if (n->next && n->next->next && !n->next->next->next) { /* schema.table.column */
      r.qualifier = mt_qualifier_of (b, s->rel, n);
      n = n->next->next;
   } else if (n->next) {
      r.qualifier = &n->name;
      n = n->next;
   }
   if (n->next)
      return column_within (b, s, e->column.parts, e->span, out) &&
             (*out || mt_refuse (b, e->span, "cross-database references are"));
   r.name = &n->name;
   if (s->rel && !r.qualifier)
      r.names = mt_names_all (s->rel);
   r.mine = !r.qualifier || (s->rel && mt_names_of_table (s->rel, r.qualifier, &r.names));
   int i = r.mine && s->rel ? mt_names_find (&r.names, r.name) : -1;
   if (i == -1) {
      if (!other_meaning (b, s, &r, out))
         return false;
      return *out || no_reference (b, s, &r, false);
   }
   if (i == -2 || (!r.qualifier && is_shared (b, r.name)))
      return no_reference (b, s, &r, true);
   *out = mt_names_x (b, &r.names, i, e->span);
   return true;
}
