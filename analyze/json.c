/* What lies within a jsonb or a document, by syntax instead of operators: subscripts and names
 * joined by dots. */
#include "analyze/bind_int.h"

#include "types/tz.h"

#include <string.h>

bool mt_json_field (MtBinder *b, MtX *x, const char *name, MtSpan span, MtX **out)
{
   return mt_bind_operator (b, "->", span, x, mt_x_text (b->a, name, span), out);
}

/* A key, or a number that counts elements from 0. */
bool mt_json_subscript (MtBinder *b, MtX *x, MtX *key, MtSpan span, MtX **out)
{
   static const MtTypeId keys[] = {MT_T_INT4, MT_T_TEXT};
   MtX *path[2] = {x, NULL};
   if (key->type.id == MT_T_UNKNOWN &&
       !mt_coerce (b, key, mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, &key))
      return false;
   for (size_t i = 0; i < sizeof keys / sizeof *keys && !path[1]; i++)
      if (mt_can_coerce (key->type.id, keys[i], MT_COERCE_IMPLICIT) &&
          !mt_coerce (b, key, mt_type (keys[i]), MT_COERCE_IMPLICIT, &path[1]))
         return false;
   if (!path[1]) {
      mt_error_at (b->err, key->span, MT_E_DATATYPE_MISMATCH, "subscript type %s is not supported",
                   mt_type_info (key->type.id)->display);
      return mt_error_hint (b->err, "jsonb subscript must be coercible to either integer or text.");
   }
   if (x->type.id == MT_T_DOCUMENT)
      return mt_bind_operator (b, "->", span, x, path[1], out);
   return mt_coerce (b, path[1], mt_type (MT_T_TEXT), MT_COERCE_EXPLICIT, &path[1]) &&
          mt_bind_function (b, "jsonb_extract_path", span, path, NULL, 2, out);
}

/* ---- rows as objects ---- */

/* Whether a row of it may be NULL as a whole, which its columns don't tell. */
static bool has_outer (const MtRel *rel)
{
   if (rel->kind == MT_REL_UNNEST)
      return rel->unnest->keep || has_outer (rel->unnest->input);
   if (rel->kind != MT_REL_JOIN)
      return false;
   return rel->join->keep_left || rel->join->keep_right || has_outer (rel->join->left) ||
          has_outer (rel->join->right);
}

/* A table's alias where no column has that name. */
static bool whole_row (const MtScope *s, const MtExpr *e, MtNames *out)
{
   const MtNameList *parts = e->kind == MT_EXPR_COLUMN ? e->column.parts : NULL;
   if (!s->rel || !parts || parts->next || mt_rel_column (s->rel, &parts->name) != -1 ||
       !mt_names_of_table (s->rel, &parts->name, out))
      return false;
   return out->count > 1 || s->rel->kind == MT_REL_TABLE || s->rel->kind == MT_REL_QUERY ||
          s->rel->kind == MT_REL_VALUES; /* a function's may be its value */
}

static bool row_object (MtBinder *b, const MtNames *names, MtSpan span, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2 * (size_t) names->count + 1);
   if (has_outer (names->rel))
      return mt_refuse (b, span, "a row of an outer join as a value is");
   for (int i = 0; i < names->count; i++) {
      args[2 * i] = mt_x_text (b->a, mt_names_text (names, i), span);
      args[2 * i + 1] = mt_names_x (b, names, i, span);
   }
   return mt_bind_function (b, "jsonb_build_object", span, args, NULL, 2 * names->count, out);
}

/* ROW (…): its fields are f1, f2 … */
static bool row_of_values (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   int n = 0;
   for (const MtExprList *l = e->list; l; l = l->next)
      n++;
   MtX **args = MT_NEW_N (b->a, MtX *, 2 * (size_t) n + 1);
   n = 0;
   for (const MtExprList *l = e->list; l; l = l->next, n++) {
      args[2 * n] = mt_x_text (b->a, mt_printf (b->a, "f%d", n + 1), e->span);
      if (!mt_bind_json_arg (b, s, l->expr, &args[2 * n + 1]))
         return false;
   }
   return mt_bind_function (b, "jsonb_build_object", e->span, args, NULL, 2 * n, out);
}

bool mt_takes_json_rows (const MtExpr *call)
{
   const MtNameList *n = call->call.name;
   static const char *const names[] = {"to_jsonb", "jsonb_agg", "jsonb_build_array",
                                       "jsonb_build_object", "jsonb_object_agg"};
   while (n->next)
      n = n->next;
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (n->name.text, names[i]))
         return true;
   return false;
}

bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtNames names;
   if (e->kind == MT_EXPR_ROW)
      return row_of_values (b, s, e, out);
   return whole_row (s, e, &names) ? row_object (b, &names, e->span, out)
                                   : mt_bind_x (b, s, e, out);
}

/* ---- rows of columns that the call says ---- */

static MtVal *field_spec (MtBinder *b, const MtFieldDef *d, const MtType *t, MtVal *out)
{
   const char *type = mt_type_info (t->id)->name;
   MtVal parts[4] = {mt_v_str (d->name.text, strlen (d->name.text)), mt_v_str (type, strlen (type)),
                     mt_v_int32 (t->mod1), mt_v_int32 (t->mod2)};
   return mt_v_make_array (b->a, parts, 4, out, b->err) ? out : NULL;
}

/* The columns' names and types as a constant: [[name, type, modifier, modifier], …]. */
static bool record_spec (MtBinder *b, const MtFieldDef *fields, int n, const MtType **types,
                         MtX **out)
{
   MtType *t = MT_NEW_N (b->a, MtType, (size_t) n + 1);
   MtVal *list = MT_NEW_N (b->a, MtVal, (size_t) n + 1), spec;
   int i = 0;
   for (const MtFieldDef *d = fields; d; d = d->next, i++)
      if (!mt_resolve_type (b, d->type, &t[i]) || !field_spec (b, d, &t[i], &list[i]))
         return false;
   if (!mt_v_make_array (b->a, list, (size_t) n, &spec, b->err))
      return false;
   *types = t;
   *out = mt_x_const (b->a, mt_type (MT_T_JSONB), spec, MT_NO_SPAN);
   return true;
}

bool mt_bind_json_records (MtBinder *b, MtScope *s, const MtFrom *f, MtX **call,
                           const MtType **types)
{
   const MtExpr *e = f->function.call;
   const MtNameList *name = e->kind == MT_EXPR_CALL ? e->call.name : NULL;
   int n = 0;
   while (name && name->next)
      name = name->next;
   bool set = name && mt_ieq (name->name.text, "jsonb_to_recordset"),
        one = name && mt_ieq (name->name.text, "jsonb_to_record");
   *call = NULL;
   if (!set && !one)
      return !f->function.fields ||
             mt_error_at (
                b->err, f->function.fields->name.span, MT_E_SYNTAX,
                "a column definition list is only allowed for functions returning \"record\"");
   if (!f->function.fields)
      return mt_error_at (
         b->err, e->span, MT_E_SYNTAX,
         "a column definition list is required for functions returning \"record\"");
   for (const MtFieldDef *d = f->function.fields; d; d = d->next)
      n++;
   MtX **args = MT_NEW_N (b->a, MtX *, 4);
   if (n > MT_MAX_COLUMNS)
      return mt_error_at (b->err, e->span, "54011", "a row can have at most %d columns",
                          MT_MAX_COLUMNS);
   if (!e->call.args || e->call.args->next || !mt_bind_x (b, s, e->call.args->expr, &args[0]))
      return e->call.args && !e->call.args->next
                ? false
                : mt_error_at (b->err, e->span, MT_E_UNDEFINED_FUNCTION,
                               "function %s takes one jsonb", name->name.text);
   if (!mt_coerce (b, args[0], mt_type (MT_T_JSONB), MT_COERCE_IMPLICIT, &args[0]) ||
       !record_spec (b, f->function.fields, n, types, &args[1]))
      return false;
   args[2] = mt_x_text (b->a, mt_tz_name (b->env->style.zone ? b->env->style.zone : mt_tz_utc ()),
                        MT_NO_SPAN);
   args[3] = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.now_ms),
                         MT_NO_SPAN);
   *call = mt_x_call (b->a, mt_hidden_func (set ? "$jsonb_to_recordset" : "$jsonb_to_record"),
                      mt_type (MT_T_JSONB), args, 4, e->span);
   return true;
}

void mt_json_record_columns (MtBinder *b, const MtFrom *f, const MtType *types, MtRel *rel)
{
   int i = 0;
   for (const MtFieldDef *d = f->function.fields; d; d = d->next, i++) {
      rel->unnest->columns[rel->unnest->column_count++] = (MtUnnestColumn) {
         0, mt_printf (b->a, "f%d", i)};
      rel->columns[rel->column_count++] = (MtRelColumn) {d->name.text, types[i], true, false};
   }
}
