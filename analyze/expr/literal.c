/* Literals and parameters. */
#include "analyze/calls/call.h"
#include "analyze/types/domain.h"
#include "analyze/expr/expr_int.h"
#include "analyze/types/coerce.h"
#include "types/datetime.h"
#include "types/numeric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a constant of type integer if v fits, otherwise bigint. */
static MtX *integer_const (MtBinder *b, int64_t v, MtSpan span)
{
   if (v >= INT32_MIN && v <= INT32_MAX)
      return mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 ((int32_t) v), span);
   return mt_x_const (b->a, mt_type (MT_T_INT8), mt_v_int64 (v), span);
}

bool mt_bind_integer (MtBinder *b, const MtExpr *e, MtX **out)
{
   size_t n = strlen (e->text);
   if (n <= 19) {
      errno = 0;
      long long v = strtoll (e->text, NULL, 10);
      if (errno == 0) {
         *out = integer_const (b, v, e->span);
         return true;
      }
   }
   MtNum num;
   if (!mt_num_in (e->text, n, &num, b->err))
      return false;
   *out = mt_x_const (b->a, mt_type (MT_T_NUMERIC), mt_num_to_val (b->a, num), e->span);
   return true;
}

bool mt_bind_negative_integer (MtBinder *b, const MtExpr *e, MtX **out)
{
   const char *digits = e->op.right->text;
   char text[24];
   if (strlen (digits) > 19)
      return false;
   snprintf (text, sizeof text, "-%s", digits);
   errno = 0;
   long long v = strtoll (text, NULL, 10);
   if (errno)
      return false;
   *out = integer_const (b, v, e->span);
   return true;
}

bool mt_bind_decimal (MtBinder *b, const MtExpr *e, MtX **out)
{
   MtNum num;
   if (!mt_num_in (e->text, strlen (e->text), &num, b->err)) {
      b->err->span = e->span;
      return false;
   }
   *out = mt_x_const (b->a, mt_type (MT_T_NUMERIC), mt_num_to_val (b->a, num), e->span);
   return true;
}

MtX *mt_unknown_literal (MtBinder *b, MtStr s, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_UNKNOWN), mt_v_str (s.p ? s.p : "", s.n), span);
}

/* ---- intervals with fields ---- */

/* Returns the last of the fields of an interval type, such as the hour of INTERVAL DAY TO HOUR. */
static const char *last_field (const MtTypeName *t)
{
   const char *space = strrchr (t->interval_fields, ' ');
   return space ? space + 1 : t->interval_fields;
}

/* Casts x to an interval type with fields, such as INTERVAL DAY TO HOUR: removes all units smaller
 * than the last field. Units larger than the first field stay. */
static bool cut_interval (MtBinder *b, const MtTypeName *name, MtX *x, MtX **out)
{
   MtTypeName plain = *name;
   MtType t;
   const char *last = last_field (name);
   plain.interval_fields = NULL;
   if (!mt_resolve_type (b, &plain, &t))
      return false;
   if (mt_type_is_array (t.id))
      return mt_refuse (b, name->span, "the fields of an array's intervals are");
   if (strcmp (last, "second") != 0) {
      MtX **args = MT_NEW_N (b->a, MtX *, 2);
      args[0] = mt_x_text (b->a, last, x->span);
      args[1] = x;
      if (!mt_bind_function (b, "date_trunc", x->span, args, 2, &x))
         return false;
   }
   return mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out);
}

/* Analyzes an interval literal with fields, such as interval '2' day or '1:30'::interval minute to
 * second. The fields decide the units of the literal's numbers. */
static bool interval_literal (MtBinder *b, const MtTypeName *name, MtStr text, MtSpan span,
                              MtX **out)
{
   static const struct {
      const char *name;
      MtTimeUnit unit;
   } units[] = {{"year", MT_U_YEAR}, {"month", MT_U_MONTH},   {"day", MT_U_DAY},
                {"hour", MT_U_HOUR}, {"minute", MT_U_MINUTE}, {"second", MT_U_SECOND}};
   const char *last = last_field (name);
   MtInterval iv;
   size_t i = 0;
   while (strcmp (units[i].name, last) != 0)
      i++;
   if (!mt_interval_in_unit (text.p ? text.p : "", text.n, units[i].unit,
                             strcmp (name->interval_fields, "minute to second") == 0, &iv,
                             b->err)) {
      b->err->span = span;
      return false;
   }
   return cut_interval (
      b, name, mt_x_const (b->a, mt_type (MT_T_INTERVAL), mt_v_interval (b->a, iv), span), out);
}

bool mt_bind_interval_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *x;
   if (!mt_bind_x (b, s, e->cast.arg, &x))
      return false;
   if (x->kind == MT_X_CONST && x->type.id == MT_T_UNKNOWN && !x->param &&
       !mt_is_nullish (x->value))
      return interval_literal (b, e->cast.type, (MtStr) {(const char *) x->value.p, x->value.len},
                               x->span, out);
   if (mt_coerce (b, x, mt_type (MT_T_INTERVAL), MT_COERCE_EXPLICIT, &x))
      return cut_interval (b, e->cast.type, x, out);
   if (mt_error_is (b->err, MT_E_CANNOT_COERCE))
      b->err->span = e->at;
   return false;
}

bool mt_bind_typed_string (MtBinder *b, const MtExpr *e, MtX **out)
{
   MtType t;
   if (e->typed.type->interval_fields)
      return interval_literal (b, e->typed.type, e->typed.str, e->typed.str_span, out);
   MtDomain d = {0};
   if (mt_find_domain (b, e->typed.type, &d) && !e->typed.type->array_dims)
      t = d.base;
   else if (!mt_resolve_cast_type (b, e->typed.type, &t))
      return false;
   return mt_coerce (b, mt_unknown_literal (b, e->typed.str, e->typed.str_span), t,
                     MT_COERCE_EXPLICIT, out) &&
          (!d.name || mt_domain_value (b, &d, *out, out));
}

/* ---- parameters ---- */

static void more_params (MtBinder *b, int n)
{
   MtParams *p = b->env->params;
   MtType *types = MT_NEW_N (b->a, MtType, (size_t) n * 2);
   for (int i = 0; i < n * 2; i++)
      types[i] = i < p->count ? p->types[i] : mt_type (MT_T_UNKNOWN);
   p->types = types;
   p->count = n * 2;
}

/* Returns the value of parameter $n of a prepared statement. While PREPARE analyzes the statement,
 * the value is NULL of the parameter's type. */
static MtX *prepared_param (MtBinder *b, const MtExpr *e)
{
   MtParams *p = b->env->params;
   if (p->values)
      return mt_x_const (b->a, p->types[e->param - 1], p->values[e->param - 1], e->span);
   if (e->param > p->count)
      more_params (b, e->param);
   MtX *x = mt_x_null (b->a, p->types[e->param - 1], e->span);
   x->param = x->type.id == MT_T_UNKNOWN ? e->param : 0;
   p->most = e->param > p->most ? e->param : p->most;
   return x;
}

bool mt_bind_param (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtParams *p = b->env->params;
   const MtScope *body = mt_body_scope (b, s);
   if (body) {
      if (e->param < 1 || e->param > body->param_count)
         return mt_error_at (b->err, e->span, MT_E_UNDEFINED_PARAMETER, "there is no parameter $%d",
                             e->param);
      *out = mt_body_param (body, e->param - 1);
      return true;
   }
   if (p && e->param >= 1 && e->param <= (p->values ? p->count : MT_MAX_PARAMS)) {
      *out = prepared_param (b, e);
      return true;
   }
   return mt_error_at (b->err, e->span, MT_E_UNDEFINED_PARAMETER, "there is no parameter $%d",
                       e->param);
}
