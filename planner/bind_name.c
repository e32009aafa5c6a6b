/* Names: columns of the FROM item, and the names that results get. */
#include "planner/bind_int.h"

#include <string.h>

static bool same_name (const char *have, const MtName *want)
{
   return want->quoted ? strcmp (have, want->text) == 0 : mt_ieq (have, want->text);
}

int mt_rel_column (const MtRel *rel, const MtName *name)
{
   int found = -1, exact = -1, n = 0, exacts = 0;
   for (int i = 0; i < rel->column_count; i++) {
      const char *c = rel->columns[i].name;
      if (strcmp (c, name->text) == 0) {
         exact = i;
         exacts++;
      }
      if (same_name (c, name)) {
         found = i;
         n++;
      }
   }
   if (exacts)
      return exacts > 1 ? -2 : exact;
   return n > 1 ? -2 : found;
}

static const char *near_column (const MtRel *rel, const char *name, MtArena *a)
{
   const char **names = MT_NEW_N (a, const char *, (size_t) rel->column_count + 1);
   for (int i = 0; i < rel->column_count; i++)
      names[i] = rel->columns[i].name;
   return mt_nearest (name, names, (size_t) rel->column_count);
}

static bool no_column (MtBinder *b, const MtScope *s, const MtName *qualifier, const MtName *name, MtSpan span)
{
   const MtRel *rel = s->rel;
   if (qualifier)
      mt_error_at (b->err, span, MT_E_UNDEFINED_COLUMN, "column %s.%s does not exist", qualifier->text, name->text);
   else
      mt_error_at (b->err, span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist", name->text);
   if (!rel)
      return false;
   const char *near = near_column (rel, name->text, b->a);
   if (near)
      mt_error_hint (b->err, "Perhaps you meant to reference the column \"%s.%s\".", rel->alias ? rel->alias : "?", near);
   return false;
}

static bool wrong_table (MtBinder *b, const MtScope *s, const MtName *qualifier, MtSpan span)
{
   const MtRel *rel = s->rel;
   if (rel && rel->kind == MT_REL_TABLE && rel->table && same_name (rel->table->name, qualifier)) {
      mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE, "invalid reference to FROM-clause entry for table \"%s\"", qualifier->text);
      return mt_error_hint (b->err, "Perhaps you meant to reference the table alias \"%s\".", rel->alias);
   }
   return mt_error_at (b->err, span, MT_E_UNDEFINED_TABLE, "missing FROM-clause entry for table \"%s\"", qualifier->text);
}

static bool sql_param (MtScope *s, const MtName *name, MtX **out)
{
   for (int i = 0; s->param_sig && i < s->param_count; i++)
      if (mt_str_ieq (s->param_sig->arg_names[i], mt_str (name->text))) {
         *out = s->params[i];
         return true;
      }
   return false;
}

/* A column whose name is a path, with or without the table before it: names joined by dots. */
static int path_column (MtBinder *b, const MtScope *s, const MtNameList *parts)
{
   if (!s->rel || !parts->next)
      return -1;
   MtName path = parts->name;
   for (const MtNameList *n = parts->next; n; n = n->next) {
      path.text = mt_printf (b->a, "%s.%s", path.text, n->name.text);
      path.quoted |= n->name.quoted;
   }
   int i = mt_rel_column (s->rel, &path);
   return i == -1 && s->rel->alias && same_name (s->rel->alias, &parts->name) && parts->next->next ? path_column (b, s, parts->next) : i;
}

static bool column_x (MtBinder *b, const MtScope *s, int i, MtSpan span, MtX **out)
{
   const MtRelColumn *c = &s->rel->columns[i];
   *out = mt_x_new (b->a, MT_X_COLUMN, c->type, span);
   (*out)->column = i;
   (*out)->nullable = c->nullable;
   return true;
}

/* Whether a query around a sub-select has that column. */
static bool is_outer (const MtBinder *b, const MtName *qualifier, const MtName *name)
{
   for (const MtOuter *o = b->outer; o; o = o->next) {
      const MtRel *rel = o->scope->rel;
      if (rel && (!qualifier || (rel->alias && same_name (rel->alias, qualifier))) && mt_rel_column (rel, name) != -1)
         return true;
   }
   return false;
}

bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtNameList *n = e->column.parts;
   const MtName *qualifier = NULL, *name;
   int path = path_column (b, s, n);
   if (path >= 0)
      return column_x (b, s, path, e->span, out);
   if (n->next && n->next->next) /* schema.table.column */
      n = n->next;
   if (n->next) {
      qualifier = &n->name;
      n = n->next;
   }
   if (n->next)
      return mt_refuse (b, e->span, "cross-database references are");
   name = &n->name;
   if (!qualifier && sql_param (s, name, out))
      return true;
   bool mine = !qualifier || (s->rel && s->rel->alias && same_name (s->rel->alias, qualifier));
   if ((!mine || !s->rel || mt_rel_column (s->rel, name) == -1) && is_outer (b, qualifier, name))
      return mt_refuse (b, e->span, "a sub-select that refers to the query around it is");
   if (!mine)
      return wrong_table (b, s, qualifier, e->span);
   if (s->clause == MT_CLAUSE_DEFAULT && (!s->rel || !s->rel->column_count))
      return mt_error_at (b->err, e->span, MT_E_FEATURE, "cannot use column reference in DEFAULT expression");
   int i = s->rel ? mt_rel_column (s->rel, name) : -1;
   if (i == -2)
      return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN, "column reference \"%s\" is ambiguous", name->text);
   if (i < 0)
      return no_column (b, s, qualifier, name, e->span);
   return column_x (b, s, i, e->span, out);
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

static const char *cast_name (const MtExpr *e, int *strength)
{
   int inner = 0;
   const char *n = name_of (e->cast.arg, &inner);
   if (inner == 2) {
      *strength = 2;
      return n;
   }
   *strength = 1;
   return e->cast.type->name.text;
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
   *strength = 1;
   if (e->kind == MT_EXPR_TYPED_STRING)
      return e->typed.type->name.text;
   if (e->kind == MT_EXPR_BOOL)
      return "bool";
   *strength = 0;
   return NULL;
}

const char *mt_target_name (const MtExpr *e)
{
   int strength;
   const char *n = name_of (e, &strength);
   return n ? n : "?column?";
}
