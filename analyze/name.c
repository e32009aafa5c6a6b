/* Names: columns of the FROM item, and the names that results get. */
#include "analyze/bind_int.h"

#include <string.h>

bool mt_same_name (const char *have, const MtName *want)
{
   return mt_name_is_exact (want) ? strcmp (have, want->text) == 0 : mt_ieq (have, want->text);
}

/* ---- the names of FROM ---- */

MtNames mt_names_all (const MtRel *rel)
{
   return (MtNames) {rel, rel->alias, rel->names, rel->names ? rel->name_count : rel->column_count};
}

/* -1: there is none. One that is spelled the same goes before others that differ in case. */
static int find_item (const MtRel *rel, const MtName *alias)
{
   int found = -1;
   for (int i = 0; i < rel->item_count; i++) {
      const char *have = rel->items[i].alias;
      if (have && strcmp (have, alias->text) == 0)
         return i;
      if (have && found < 0 && mt_same_name (have, alias))
         found = i;
   }
   return found;
}

bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out)
{
   int i = find_item (rel, alias);
   if (i >= 0) {
      *out = (MtNames) {rel, rel->items[i].alias, rel->items[i].names, rel->items[i].name_count};
      return true;
   }
   if (rel->items || !rel->alias || !mt_same_name (rel->alias, alias))
      return false;
   *out = mt_names_all (rel);
   return true;
}

const char *mt_names_text (const MtNames *n, int i)
{
   return n->list ? n->list[i].name : n->rel->columns[i].name;
}

MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span)
{
   int column = n->list ? n->list[i].column : i;
   if (n->list && n->list[i].expr)
      return n->list[i].expr;
   MtX *x = mt_x_new (b->a, MT_X_COLUMN, n->rel->columns[column].type, span);
   x->column = column;
   mt_x_refers_column (x, &n->rel->columns[column]);
   return x;
}

const char *mt_column_table (const MtRel *rel, int column)
{
   for (int i = 0; i < rel->item_count; i++)
      for (int k = 0; k < rel->items[i].name_count; k++)
         if (!rel->items[i].names[k].expr && rel->items[i].names[k].column == column)
            return rel->items[i].alias;
   return rel->items ? NULL : rel->alias;
}

/* One that is spelled the same goes before others that differ in case. */
int mt_names_find (const MtNames *n, const MtName *name)
{
   int found = -1, exact = -1, count = 0, exacts = 0;
   for (int i = 0; i < n->count; i++) {
      const char *c = mt_names_text (n, i);
      if (strcmp (c, name->text) == 0) {
         exact = i;
         exacts++;
      }
      if (mt_same_name (c, name)) {
         found = i;
         count++;
      }
   }
   if (exacts)
      return exacts > 1 ? -2 : exact;
   return count > 1 ? -2 : found;
}

int mt_rel_column (const MtRel *rel, const MtName *name)
{
   MtNames all = mt_names_all (rel);
   return mt_names_find (&all, name);
}

/* ---- what isn't there ---- */

/* The name nearest to a wrong one, with its table: "t.c". NULL: none is near. */
static const char *near_column (MtArena *a, const MtNames *n, const char *name)
{
   const char **names = MT_NEW_N (a, const char *, (size_t) n->count + 1);
   for (int i = 0; i < n->count; i++)
      names[i] = mt_names_text (n, i);
   const char *near = mt_nearest (name, names, (size_t) n->count);
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
   return false;
}

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

static bool wrong_table (MtBinder *b, const MtScope *s, const MtName *qualifier, MtSpan span)
{
   const char *alias = s->rel ? alias_of_table (s->rel, qualifier) : NULL;
   if (alias) {
      mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE,
                   "invalid reference to FROM-clause entry for table \"%s\"", qualifier->text);
      return mt_error_hint (b->err, "Perhaps you meant to reference the table alias \"%s\".",
                            alias);
   }
   return mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE,
                       "missing FROM-clause entry for table \"%s\"", qualifier->text);
}

/* ---- columns ---- */

const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s)
{
   if (s->param_sig)
      return s;
   for (const MtOuter *o = b->outer; o; o = o->next)
      if (o->scope->param_sig)
         return o->scope;
   return NULL;
}

MtX *mt_body_param (const MtScope *body, int i)
{
   if (body->param_uses)
      body->param_uses[i]++;
   return body->params[i];
}

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

/* A column whose name is a path, with or without the table before it: names joined by dots. */
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

/* The name in a scope around: -1 none, -2 ambiguous. */
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

/* The items on the left of a LATERAL one are one level, though they are several scopes. */
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

/* ---- within documents ---- */

/* A sub-document of an undeclared collection, whose fields are columns, by its path. NULL: there is
 * none. */
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

/* The longest beginning of the parts that is a column or a sub-document; the rest are fields within
 * it. *out NULL: none is. */
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

/* A column of a query around this sub-select, or of what is on the left of a LATERAL one; *out
 * NULL: there is none of that name. */
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
         return mt_refuse (b, span, "a sub-select that refers to the query around it here is");
      for (MtOuter *c = b->outer; c != o->next; c = c->next)
         c->crossed = true;
      o->referred = true;
      Outer as = {b->a, mt_scope_id (b, o->scope), o->scope->rel};
      *out = mt_x_map_columns (b->a, x, as_outer, &as);
      return true;
   }
   return true;
}

bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out)
{
   for (const MtOuter *o = b->outer; o; o = o->next)
      if (o->scope->rel && mt_names_of_table (o->scope->rel, alias, out))
         return true;
   return false;
}

/* Whether a column is all that a function in FROM gives: then the function's alias means it,
 * too. */
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

/* What could be referred to from here if this sub-select were LATERAL. */
static void hint_unseen (MtBinder *b, const MtName *qualifier, const MtName *name)
{
   for (const MtOuter *o = b->unseen; o && o->query; o = o->next) {
      MtNames names;
      if (qualifier ? !o->scope->rel || !mt_names_of_table (o->scope->rel, qualifier, &names)
                    : find_around (o, NULL, name, &names) < 0)
         continue;
      if (qualifier) {
         mt_error_clear (b->err);
         mt_error (b->err, MT_E_UNDEFINED_TABLE,
                   "invalid reference to FROM-clause entry for table \"%s\"", qualifier->text);
         mt_error_hint (
            b->err,
            "There is an entry for table \"%s\", but it cannot be referenced from this part of the query.",
            qualifier->text);
      } else {
         MtX *x = mt_names_x (b, &names, mt_names_find (&names, name), MT_NO_SPAN);
         const char *table = x->kind == MT_X_COLUMN ? mt_column_table (o->scope->rel, x->column)
                                                    : names.alias;
         mt_error_hint (
            b->err,
            "There is a column named \"%s\" in table \"%s\", but it cannot be referenced from this part of the query.",
            name->text, table ? table : "?");
      }
      return;
   }
}

/* The table of the catalog or the user's that the names are of; NULL: they are of something else.
 * *sure: its first column is never NULL by itself. */
static const char *table_of_names (const MtNames *n, const MtName *qualifier, bool *sure)
{
   const MtRel *rel = n->rel;
   const MtTable *t = rel->kind == MT_REL_TABLE ? rel->table : NULL;
   const char *system = rel->kind == MT_REL_SYSTEM ? rel->work : NULL;
   int i = qualifier ? find_item (rel, qualifier) : -1;
   if (i >= 0) {
      t = rel->items[i].table;
      system = rel->items[i].system;
   }
   *sure = system || (t && t->column_count && t->columns[0].not_null);
   return t ? t->name : system;
}

/* tableoid, which * doesn't give: the table's OID, NULL where an outer join has no row of it. *out
 * NULL: it isn't meant. */
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
   list[1] = mt_x_null (b->a, mt_type (MT_T_INT8), span);
   if (!mt_coerce (b, oid, mt_type (MT_T_REGCLASS), MT_COERCE_EXPLICIT, &oid) ||
       !mt_coerce (b, oid, mt_type (MT_T_INT8), MT_COERCE_EXPLICIT, &list[2]) ||
       !mt_fold (b, &list[2]))
      return false;
   *out = n->rel->items ? mt_x_list (b->a, MT_X_CASE, mt_type (MT_T_INT8), list, 3, span) : list[2];
   return true;
}

bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtNameList *n = e->column.parts;
   const MtName *qualifier = NULL, *name;
   MtNames names = {0};
   if (path_column (b, s, n, e->span, out))
      return true;
   if (n->next && n->next->next) /* schema.table.column */
      n = n->next;
   if (n->next) {
      qualifier = &n->name;
      n = n->next;
   }
   if (n->next)
      return column_within (b, s, e->column.parts, e->span, out) &&
             (*out || mt_refuse (b, e->span, "cross-database references are"));
   name = &n->name;
   if (s->rel && !qualifier)
      names = mt_names_all (s->rel);
   bool mine = !qualifier || (s->rel && mt_names_of_table (s->rel, qualifier, &names));
   int i = mine && s->rel ? mt_names_find (&names, name) : -1;
   if (i == -1) {
      if (!mt_outer_column (b, qualifier, name, e->span, out))
         return false;
      if (*out)
         return true;
   }
   if (i == -1 && !qualifier && body_param (mt_body_scope (b, s), name, out))
      return true;
   if (mine && s->rel && i == -1) {
      if (!table_oid (b, &names, qualifier, name, e->span, out))
         return false;
      if (*out)
         return true;
   }
   if (i == -1 && !qualifier && whole_value (b, s, name, e->span, out))
      return true;
   if (i == -1 && !column_within (b, s, e->column.parts, e->span, out))
      return false;
   if (i == -1 && *out)
      return true;
   if (i == -1 && !qualifier && s->rel && mt_names_of_table (s->rel, name, &names))
      return mt_refuse (b, e->span, "a table's whole row as a value is");
   if (!mine) {
      wrong_table (b, s, qualifier, e->span);
      hint_unseen (b, qualifier, name);
      b->err->span = e->span;
      return false;
   }
   if (s->clause == MT_CLAUSE_DEFAULT && (!s->rel || !s->rel->column_count))
      return mt_error_at (b->err, e->span, MT_E_FEATURE,
                          "cannot use column reference in DEFAULT expression");
   if (i == -2)
      return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN,
                          "column reference \"%s\" is ambiguous", name->text);
   if (i < 0) {
      no_column (b, s->rel ? &names : NULL, qualifier, name, e->span);
      if (!qualifier)
         hint_unseen (b, NULL, name);
      return false;
   }
   *out = mt_names_x (b, &names, i, e->span);
   return true;
}

/* ---- default names, as PostgreSQL's FigureColname gives them ---- */

static const char *name_of (const MtExpr *e, int *strength);

static const char *last_part (const MtNameList *n)
{
   while (n->next)
      n = n->next;
   return n->name.text;
}

static const char *case_name (const MtExpr *e, int *strength)
{
   int inner = 0;
   const char *n = e->case_.otherwise ? name_of (e->case_.otherwise, &inner) : NULL;
   if (inner == 2) {
      *strength = 2;
      return n;
   }
   *strength = 1;
   return "case";
}

/* In small letters, as PostgreSQL calls the type. */
static const char *type_name (const MtTypeName *tn)
{
   MtTypeId id;
   bool known = !tn->name.quoted && mt_type_by_name (mt_str (tn->name.text), &id) &&
                mt_ieq (mt_type_info (id)->name, tn->name.text);
   return known ? mt_type_info (id)->name : tn->name.text;
}

static const char *cast_name (const MtExpr *e, int *strength)
{
   int inner = 0;
   const char *n = name_of (e->cast.arg, &inner);
   if (inner == 2) {
      *strength = 2;
      return n;
   }
   *strength = 1;
   return type_name (e->cast.type);
}

/* A sub-select's is its first column's. */
static const char *select_name (const MtSelect *s, int *strength)
{
   while (s->kind == MT_SELECT_SETOP)
      s = s->setop.left;
   if (s->kind == MT_SELECT_VALUES)
      return "column1";
   const MtTarget *t = s->plain.targets;
   *strength = 0;
   return !t ? NULL : t->alias.text ? (*strength = 2, t->alias.text) : name_of (t->expr, strength);
}

/* strength: 0 no name, 1 a type's or a construct's, 2 a column's or a function's. */
static const char *name_of (const MtExpr *e, int *strength)
{
   *strength = 2;
   if (e->kind == MT_EXPR_COLUMN)
      return last_part (e->column.parts);
   if (e->kind == MT_EXPR_CALL)
      return last_part (e->call.name);
   if (e->kind == MT_EXPR_FIELD)
      return e->field.name.text;
   if (e->kind == MT_EXPR_CASE)
      return case_name (e, strength);
   if (e->kind == MT_EXPR_CAST)
      return cast_name (e, strength);
   if (e->kind == MT_EXPR_COLLATE)
      return name_of (e->collate.arg, strength);
   if (e->kind == MT_EXPR_AT_TIME_ZONE)
      return "timezone";
   if (e->kind == MT_EXPR_SUBQUERY)
      return select_name (e->subquery, strength);
   if (e->kind == MT_EXPR_EXISTS)
      return "exists";
   if (e->kind == MT_EXPR_ARRAY)
      return "array";
   if (e->kind == MT_EXPR_SUBSCRIPT)
      return name_of (e->subscript.array, strength);
   *strength = 1;
   if (e->kind == MT_EXPR_TYPED_STRING)
      return type_name (e->typed.type);
   *strength = 0;
   return NULL;
}

const char *mt_target_name (const MtExpr *e)
{
   int strength;
   const char *n = name_of (e, &strength);
   return n ? n : "?column?";
}
