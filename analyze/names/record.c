/* Rows as values: as records, or as jsonb objects if they are arguments of functions such as
 * to_jsonb. */
#include "analyze/names/record.h"

#include "analyze/calls/call.h"
#include "analyze/names/column.h"
#include "analyze/types/coerce.h"

#include <string.h>

/* ---- rows of tables ---- */

/* Returns whether rel has an outer join, so that all columns of a table may be NULL because there
 * is no row. */
static bool has_outer (const MtRel *rel)
{
   if (rel->kind == MT_REL_UNNEST)
      return rel->unnest->keep || has_outer (rel->unnest->input);
   if (rel->kind != MT_REL_JOIN)
      return false;
   return rel->join->keep_left || rel->join->keep_right || has_outer (rel->join->left) ||
          has_outer (rel->join->right);
}

/* Returns whether the alias with the column names n can mean a whole row. The alias of a function
 * with a single column means its value instead. */
static bool are_a_row (const MtNames *n)
{
   for (int i = 0; i < n->rel->item_count; i++)
      if (n->rel->items[i].names == n->list && (n->rel->items[i].table || n->rel->items[i].system))
         return true;
   return n->count > 1 || n->rel->kind == MT_REL_TABLE || n->rel->kind == MT_REL_QUERY ||
          n->rel->kind == MT_REL_VALUES;
}

/* Finds the table `alias` in FROM or in the enclosing queries. Sets *around if it is in an
 * enclosing query. Returns false if there is no such table, or it can't be used as a row. */
static bool find_table (const MtBinder *b, const MtScope *s, const MtName *alias, MtNames *out,
                        bool *around)
{
   *around = !s->rel || !mt_names_of_table (s->rel, alias, out);
   return (!*around || mt_names_around (b, alias, out)) && are_a_row (out);
}

/* Returns the table name if e may mean a whole row: a name without dots, or t.*. NULL: e is another
 * expression. */
static const MtName *table_name (const MtExpr *e)
{
   const MtNameList *parts = e->kind == MT_EXPR_COLUMN || e->kind == MT_EXPR_STAR ? e->column.parts
                                                                                  : NULL;
   if (!parts || (e->kind == MT_EXPR_COLUMN && parts->next))
      return NULL;
   return mt_last_name (parts);
}

bool mt_names_a_table (MtBinder *b, const MtScope *s, const MtExpr *e)
{
   MtNames names;
   bool around;
   MtX *column = NULL;
   const MtName *name = table_name (e);
   if (!name || !find_table (b, s, name, &names, &around))
      return false;
   if (e->kind == MT_EXPR_STAR)
      return true;
   MtError ignored, *err = b->err;
   b->err = &ignored;
   bool found = (s->rel && mt_rel_column (s->rel, name) != -1) ||
                !mt_outer_column (b, NULL, name, e->span, &column) || column;
   b->err = err;
   return !found;
}

bool mt_bind_table_row (MtBinder *b, const MtScope *s, const MtName *alias, MtSpan span, MtRow *out,
                        const char ***texts)
{
   MtNames names;
   bool around;
   *out = (MtRow) {NULL, 0};
   if (!find_table (b, s, alias, &names, &around))
      return true;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) names.count + 1);
   if (texts)
      *texts = MT_NEW_N (b->a, const char *, (size_t) names.count + 1);
   for (int i = 0; i < names.count; i++) {
      MtName name = {.text = mt_names_text (&names, i), .quoted = true};
      if (texts)
         (*texts)[i] = name.text;
      if (!around)
         list[i] = mt_names_x (b, &names, i, span);
      else if (!mt_outer_column (b, alias, &name, span, &list[i]))
         return false;
   }
   *out = (MtRow) {list, names.count};
   return true;
}

/* Returns the index in n of a column that is NOT NULL, so that NULL there means that an outer join
 * has no row of the table. -1: there is none. */
static int sure_column (const MtNames *n)
{
   const MtRelItem *item = NULL;
   for (int i = 0; i < n->rel->item_count && !item; i++)
      if (n->rel->items[i].names == n->list)
         item = &n->rel->items[i];
   for (int i = 0; item && i < n->count && !n->list[0].expr; i++) {
      size_t at = (size_t) (n->list[i].column - n->list[0].column);
      if (n->list[i].expr)
         continue;
      if (item->system ||
          (item->table && at < item->table->column_count && item->table->columns[at].not_null))
         return i;
   }
   return -1;
}

/* Makes *test a condition that is true if an outer join has no row of table `alias`. *test is NULL
 * if there always is a row. */
static bool missing_test (MtBinder *b, const MtScope *s, const MtName *alias, const MtRow *row,
                          MtSpan span, MtX **test)
{
   MtNames names;
   bool around;
   *test = NULL;
   if (!find_table (b, s, alias, &names, &around) || !has_outer (names.rel))
      return true;
   for (int i = 0; i < row->n; i++)
      if (!row->x[i]->nullable)
         return true;
   int sure = sure_column (&names);
   if (sure < 0) {
      mt_refuse (b, span, "a row of an outer join as a value, without a column NOT NULL, is");
      return mt_error_hint (b->err, "A column that is NOT NULL shows whether there is a row.");
   }
   *test = mt_x_null_test (b->a, row->x[sure], span);
   return true;
}

/* Makes CASE WHEN test THEN NULL ELSE row END. test NULL: returns row. */
static MtX *unless_missing (MtBinder *b, MtX *test, MtX *row, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, 3);
   if (!test)
      return row;
   list[0] = test;
   list[1] = mt_x_null (b->a, row->type, span);
   list[2] = row;
   return mt_x_list (b->a, MT_X_CASE, row->type, list, 3, span);
}

/* ---- records ---- */

static MtX *array_of (MtBinder *b, MtTypeId element, const MtVal *v, int n, MtSpan span)
{
   MtVal array = mt_v_null ();
   mt_v_make_array (b->a, v, (size_t) n, &array, b->err); /* far below BSON's limit, so no error */
   return mt_x_const (b->a, mt_type_flat (element), array, span);
}

bool mt_make_record (MtBinder *b, const char **names, MtRow *row, MtSpan span, MtX **out)
{
   size_t n = (size_t) row->n;
   MtRecordShape shape = {names, MT_NEW_N (b->a, MtType, n + 1), row->n};
   MtX **args = MT_NEW_N (b->a, MtX *, n + 2);
   MtVal *v = MT_NEW_N (b->a, MtVal, n + 1);
   if (n > MT_MAX_COLUMNS)
      return mt_error_at (b->err, span, MT_E_TOO_MANY_COLUMNS,
                          "ROW expressions can have at most %d entries", MT_MAX_COLUMNS);
   if (!names)
      shape.names = MT_NEW_N (b->a, const char *, n + 1);
   for (int i = 0; i < row->n; i++) {
      if (!mt_settle_unknown (b, &row->x[i]))
         return false;
      args[i + 2] = row->x[i];
      shape.types[i] = row->x[i]->type;
      if (!names)
         shape.names[i] = mt_printf (b->a, "f%d", i + 1);
      v[i] = mt_v_cstr (shape.names[i]);
   }
   args[0] = array_of (b, MT_T_TEXT, v, row->n, span);
   for (int i = 0; i < row->n; i++)
      v[i] = mt_v_int32 ((int32_t) shape.types[i].id);
   args[1] = array_of (b, MT_T_INT4, v, row->n, span);
   *out = mt_x_call (b->a, mt_hidden_func ("$record"), mt_record_type (b, &shape), args, row->n + 2,
                     span);
   return true;
}

bool mt_bind_whole_row (MtBinder *b, const MtScope *s, const MtName *alias, MtSpan span, MtX **out)
{
   MtRow row;
   const char **names;
   MtX *test;
   *out = NULL;
   if (!mt_bind_table_row (b, s, alias, span, &row, &names))
      return false;
   if (!row.x)
      return true;
   if (!missing_test (b, s, alias, &row, span, &test) ||
       !mt_make_record (b, names, &row, span, out))
      return false;
   *out = unless_missing (b, test, *out, span);
   return true;
}

bool mt_is_record_call (const MtX *x)
{
   return x->kind == MT_X_CALL && x->call.fn == mt_hidden_func ("$record");
}

bool mt_record_shape (MtBinder *b, const MtX *x, MtSpan span, const MtRecordShape **out)
{
   *out = mt_record_shape_of (b, x->type);
   if (x->type.id != MT_T_RECORD)
      return mt_error_at (b->err, span, MT_E_WRONG_OBJECT, "type %s is not composite",
                          mt_type_info (x->type.id)->display);
   if (*out)
      return true;
   mt_refuse (b, span, "a field of a row whose columns are not known is");
   return mt_error_hint (b->err, "Select the columns of the row in a sub-select instead.");
}

MtX *mt_record_part (MtBinder *b, MtX *x, int i, MtSpan span)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   if (mt_is_record_call (x))
      return x->call.args[i + 2];
   args[0] = x;
   args[1] = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (i), span);
   MtX *part = mt_x_call (b->a, mt_hidden_func ("$record_field"),
                          mt_record_shape_of (b, x->type)->types[i], args, 2, span);
   part->nullable = true;
   return part;
}

bool mt_record_field (MtBinder *b, MtX *x, const MtName *name, MtSpan span, MtX **out)
{
   const MtRecordShape *shape;
   int found = -1;
   if (!mt_record_shape (b, x, span, &shape))
      return false;
   for (int i = 0; i < shape->count; i++)
      if (mt_same_name (shape->names[i], name) &&
          (found < 0 || strcmp (shape->names[i], name->text) == 0))
         found = i;
   if (found < 0)
      return mt_error_at (b->err, span, MT_E_UNDEFINED_COLUMN,
                          "could not identify column \"%s\" in record data type", name->text);
   *out = mt_record_part (b, x, found, span);
   return true;
}

/* ---- rows as jsonb objects ---- */

static bool make_object (MtBinder *b, const char **names, MtRow *row, MtSpan span, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2 * (size_t) row->n + 1);
   for (int i = 0; i < row->n; i++) {
      args[2 * i] = mt_x_text (b->a, names ? names[i] : mt_printf (b->a, "f%d", i + 1), span);
      args[2 * i + 1] = row->x[i];
   }
   return mt_bind_function (b, "jsonb_build_object", span, args, 2 * row->n, out);
}

static bool table_object (MtBinder *b, const MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow row;
   const char **names;
   const MtName *alias = table_name (e);
   MtX *test;
   if (!mt_bind_table_row (b, s, alias, e->span, &row, &names) ||
       !missing_test (b, s, alias, &row, e->span, &test) ||
       !make_object (b, names, &row, e->span, out))
      return false;
   *out = unless_missing (b, test, *out, e->span);
   return true;
}

/* Makes a jsonb object of ROW (…). Its keys are f1, f2 … */
static bool object_of_values (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow row = {MT_NEW_N (b->a, MtX *, (size_t) mt_list_length (e->list) + 1), 0};
   for (const MtExprList *l = e->list; l; l = l->next) {
      if (l->expr->kind == MT_EXPR_STAR)
         return mt_bind_x (b, s, e, out);
      if (!mt_bind_json_arg (b, s, l->expr, &row.x[row.n++]))
         return false;
   }
   return make_object (b, NULL, &row, e->span, out);
}

bool mt_takes_json_rows (const MtBinder *b, const MtExpr *call)
{
   int count;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, mt_last_name (call->call.name)->text, 0,
                                         &count);
   for (int i = 0; i < count; i++)
      if (sigs[i]->fn->flags & MT_F_JSON_ROWS)
         return true;
   return false;
}

bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (e->kind == MT_EXPR_ROW)
      return object_of_values (b, s, e, out);
   return mt_names_a_table (b, s, e) ? table_object (b, s, e, out) : mt_bind_x (b, s, e, out);
}
