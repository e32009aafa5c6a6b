/* Converts expressions to types: literals, parameters, casts, and type modifiers. */
#include "analyze/types/coerce.h"

#include "analyze/types/array_cast.h"
#include "planner/emit/eval.h"
#include "types/binary.h"

static MtX *int_const (MtBinder *b, int v, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (v), span);
}

/* Applies the modifier of a type, such as numeric (10, 2), varchar (3) or timestamp (0), by a
 * function call. x already has the type without the modifier. */
static MtX *apply_modifier (MtBinder *b, MtX *x, MtType to, MtCoercion how)
{
   bool catalog = mt_type_is_catalog_text (x->type) || mt_type_is_catalog_text (to);
   if (to.mod1 < 0 && how == MT_COERCE_EXPLICIT && (x->type.mod1 >= 0 || catalog)) {
      /* A cast to the same type without a modifier removes the modifier. */
      MtX *plain = MT_NEW (b->a, MtX);
      *plain = *x;
      plain->type = to;
      return plain;
   }
   if (to.mod1 < 0 || (x->type.id == to.id && x->type.mod1 == to.mod1 && x->type.mod2 == to.mod2))
      return x;
   if (mt_type_is_array (to.id))
      return mt_array_cast (b, x, to, how);
   const MtFunc *fn = mt_modifier_func (to, how == MT_COERCE_EXPLICIT);
   if (!fn)
      return x;
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   args[0] = x;
   args[1] = int_const (b, to.mod1, x->span);
   args[2] = int_const (b, to.mod2, x->span);
   return mt_x_call (b->a, fn, to, args, to.id == MT_T_NUMERIC ? 3 : 2, x->span);
}

static bool parse_literal (MtBinder *b, const MtX *x, MtType to, MtX **out)
{
   if (mt_is_nullish (x->value)) {
      *out = mt_x_null (b->a, to, x->span);
      return true;
   }
   MtVal v;
   MtStr text = {(const char *) x->value.p, x->value.len};
   MtTextStyle style = b->env->style;
   style.exact_times = true;
   if (!mt_value_parse (b->a, to, text, &style, &v, b->err)) {
      b->err->span = x->span;
      return false;
   }
   *out = mt_x_const (b->a, to, v, x->span);
   return mt_exact_array (b, text, out);
}

static bool cannot (MtBinder *b, const MtX *x, MtType to, MtCoercion how)
{
   const char *from = mt_type_info (x->type.id)->display;
   if (how == MT_COERCE_ASSIGN) {
      mt_error_at (b->err, x->span, MT_E_DATATYPE_MISMATCH,
                   "expression is of type %s where %s is needed", from,
                   mt_type_info (to.id)->display);
      return mt_error_hint (b->err, "You will need to rewrite or cast the expression.");
   }
   return mt_error_at (b->err, x->span, MT_E_CANNOT_COERCE, "cannot cast type %s to %s", from,
                       mt_type_info (to.id)->display);
}

/* Converts a literal like 't'::regclass to an OID, by looking up the name in the catalog. */
static bool name_literal (MtBinder *b, const MtX *x, MtType to, MtX **out)
{
   MtX *text = mt_x_const (b->a, mt_type (MT_T_TEXT), x->value, x->span);
   MtVal v;
   if (!mt_coerce (b, text, to, MT_COERCE_EXPLICIT, out) ||
       !mt_eval_const (b->a, *out, b->env, &v, b->err)) {
      b->err->span = x->span;
      return false;
   }
   *out = mt_x_const (b->a, (*out)->type, v, x->span);
   return true;
}

/* During PREPARE, gives the untyped parameter x the type that its first use requires. */
static bool settle_param (MtBinder *b, MtX *x, MtType to, MtX **out)
{
   MtType *known = &b->env->params->types[x->param - 1];
   if (known->id == MT_T_UNKNOWN)
      *known = mt_type (to.id);
   if (known->id != to.id) {
      mt_error_at (b->err, x->span, MT_E_AMBIGUOUS_PARAMETER,
                   "inconsistent types deduced for parameter $%d", x->param);
      return mt_error_detail (b->err, "%s versus %s", mt_type_info (known->id)->display,
                              mt_type_info (to.id)->display);
   }
   *out = mt_x_null (b->a, *known, x->span);
   return true;
}

/* Makes a call of the cast function with signature `row`. x is its argument. */
static bool cast_call (MtBinder *b, const MtSig *row, MtX *x, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, (size_t) row->argc + 1);
   args[0] = x;
   for (int i = 1; i < row->argc; i++)
      if (!mt_hidden_arg (b, row, i, MT_T_TEXT, &args[i]))
         return mt_error_at (b->err, x->span, MT_E_INTERNAL, "function %s lacks an argument",
                             row->name);
   *out = mt_x_call (b->a, row->fn, mt_type (row->ret), args, row->argc, x->span);
   return true;
}

static MtX *enum_cast (MtBinder *b, MtX *x, MtType to)
{
   bool in = mt_type_is_enum (to.id);
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = x;
   if (in)
      args[1] = mt_type_arg (b, to.id);
   return mt_x_call (b->a, mt_hidden_func (in ? "$enum_in" : "$enum_text"), mt_type (to.id), args,
                     in ? 2 : 1, x->span);
}

bool mt_coerce (MtBinder *b, MtX *x, MtType to, MtCoercion how, MtX **out)
{
   if (!mt_type_exists (to.id)) {
      *out = x;
      return true;
   }
   if (x->type.id == MT_T_UNKNOWN && x->kind == MT_X_CONST) {
      MtType plain = to;
      if (x->param)
         return settle_param (b, x, to, out);
      if (mt_type_is_reg (to.id) && !mt_is_nullish (x->value))
         return name_literal (b, x, to, out);
      if (mt_type_is_array (to.id) ||
          (how == MT_COERCE_EXPLICIT && (to.id == MT_T_VARCHAR || to.id == MT_T_BPCHAR)))
         plain.mod1 = -1; /* without the length: an explicit cast truncates, input would fail */
      if (!parse_literal (b, x, plain, out))
         return false;
      *out = apply_modifier (b, *out, to, how);
      return true;
   }
   if (x->type.id != to.id) {
      if (!mt_can_coerce (x->type.id, to.id, how))
         return cannot (b, x, to, how);
      if (mt_type_is_array (x->type.id) || mt_type_is_array (to.id)) {
         *out = mt_array_cast (b, x, to, how);
         return true;
      }
      bool through_text = !mt_cast_row (x->type.id, to.id) &&
                          (x->type.id == MT_T_BPCHAR || to.id == MT_T_BPCHAR);
      if (through_text && !mt_coerce (b, x, mt_type (MT_T_TEXT), MT_COERCE_EXPLICIT, &x))
         return false;
      if (mt_type_is_enum (x->type.id) || mt_type_is_enum (to.id))
         x = enum_cast (b, x, to);
      else if (!cast_call (b, mt_cast_row (x->type.id, to.id), x, &x))
         return false;
   }
   *out = apply_modifier (b, x, to, how);
   return true;
}

/* ---- conversions for a context ---- */

bool mt_settle_unknown (MtBinder *b, MtX **x)
{
   return (*x)->type.id != MT_T_UNKNOWN ||
          mt_coerce (b, *x, mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, x);
}

MtX *mt_param_again (MtBinder *b, MtX *x)
{
   MtType t = x->param ? b->env->params->types[x->param - 1] : x->type;
   return x->param && t.id != MT_T_UNKNOWN ? mt_x_null (b->a, t, x->span) : x;
}

bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out)
{
   if (!mt_bind_x (b, s, e, out))
      return false;
   if ((*out)->type.id == MT_T_BOOL)
      return true;
   if ((*out)->type.id == MT_T_UNKNOWN)
      return mt_coerce (b, *out, mt_type (MT_T_BOOL), MT_COERCE_IMPLICIT, out);
   return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                       "argument of %s must be type boolean, not type %s", what,
                       mt_type_info ((*out)->type.id)->display);
}
