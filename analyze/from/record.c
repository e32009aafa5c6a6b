/* jsonb_to_record and jsonb_to_recordset in FROM, whose columns are listed in FROM. */
#include "analyze/from/from_int.h"
#include "analyze/types/coerce.h"
#include "types/tz.h"

#include <string.h>

static MtVal *field_spec (MtBinder *b, const MtFieldDef *d, const MtType *t, MtVal *out)
{
   const char *type = mt_type_info (t->id)->name;
   MtVal parts[4] = {mt_v_cstr (d->name.text), mt_v_cstr (type), mt_v_int32 (t->mod1),
                     mt_v_int32 (t->mod2)};
   return mt_v_make_array (b->a, parts, 4, out, b->err) ? out : NULL;
}

/* Makes a constant array argument from the listed columns: [[name, type, modifier, modifier],
 * …]. */
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
   bool plain = name && (mt_ieq (name->name.text, "json_to_recordset") ||
                         mt_ieq (name->name.text, "json_to_record")),
        set = name && (mt_ieq (name->name.text, "jsonb_to_recordset") ||
                       mt_ieq (name->name.text, "json_to_recordset")),
        one = name && (mt_ieq (name->name.text, "jsonb_to_record") ||
                       mt_ieq (name->name.text, "json_to_record"));
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
      return mt_error_at (b->err, e->span, MT_E_TOO_MANY_COLUMNS,
                          "a row can have at most %d columns", MT_MAX_COLUMNS);
   if (!e->call.args || e->call.args->next || !mt_bind_x (b, s, e->call.args->expr, &args[0]))
      return e->call.args && !e->call.args->next
                ? false
                : mt_error_at (b->err, e->span, MT_E_UNDEFINED_FUNCTION,
                               "function %s takes one argument", name->name.text);
   if ((plain && !mt_coerce (b, args[0], mt_type (MT_T_JSON), MT_COERCE_IMPLICIT, &args[0])) ||
       !mt_coerce (b, args[0], mt_type (MT_T_JSONB),
                   plain ? MT_COERCE_EXPLICIT : MT_COERCE_IMPLICIT, &args[0]) ||
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
      rel->columns[rel->column_count++] = mt_column_computed (d->name.text, types[i], true, false);
   }
}
