/* The column names of select-list items without AS, by the rules of PostgreSQL (FigureColname). */
#include "analyze/names/names.h"

static const char *name_of (const MtExpr *e, int *strength);

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

/* Returns the type's name in lower case, as PostgreSQL writes it in column names. */
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

/* Returns the name of a sub-select used as a value: the name of its first column. */
static const char *select_name (const MtSelect *s, int *strength)
{
   while (s->kind == MT_SELECT_SETOP)
      s = s->setop.left;
   if (s->kind == MT_SELECT_VALUES)
      return "column1";
   const MtTarget *t = s->plain.targets;
   *strength = 0;
   if (!t)
      return NULL;
   if (!t->alias.text)
      return name_of (t->expr, strength);
   *strength = 2;
   return t->alias.text;
}

/* Returns the column name for expression e. *strength: 0 if e gives no name, 1 for the name of a
 * type or construct such as CASE, 2 for the name of a column or function. */
static const char *name_of (const MtExpr *e, int *strength)
{
   *strength = 2;
   if (e->kind == MT_EXPR_COLUMN || (e->kind == MT_EXPR_STAR && e->column.parts))
      return mt_last_name (e->column.parts)->text;
   if (e->kind == MT_EXPR_CALL)
      return mt_last_name (e->call.name)->text;
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
   if (e->kind == MT_EXPR_ROW)
      return "row";
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
