/* Which type becomes which, and when: PostgreSQL's rules (parse_coerce.c), for the types of
 * types/type.h. */
#include "analyze/bind_int.h"

#include <string.h>

/* Between arrays as between their elements; any array to text by assignment, text to an array by a
 * cast. */
static bool can_coerce_array (MtTypeId from, MtTypeId to, MtCoercion how)
{
   if (mt_type_is_array (from) && mt_type_is_array (to))
      return mt_can_coerce (mt_type_element (from), mt_type_element (to), how);
   if (mt_type_is_array (from))
      return how != MT_COERCE_IMPLICIT && mt_type_info (to)->category == 'S';
   return how == MT_COERCE_EXPLICIT && mt_type_info (from)->category == 'S';
}

bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how)
{
   if (from == to || from == MT_T_UNKNOWN || to == MT_SIG_ANY || to == MT_SIG_ELEMENT ||
       to == MT_SIG_COMPATIBLE)
      return true;
   if (to == MT_SIG_NONARRAY || to == MT_SIG_ARRAY || to == MT_SIG_COMPATIBLE_ARRAY)
      return mt_type_is_array (from) == (to != MT_SIG_NONARRAY);
   if (mt_type_is_array (from) || mt_type_is_array (to))
      return can_coerce_array (from, to, how);
   const MtSig *row = mt_cast_row (from, to);
   if (!row)
      return false;
   unsigned f = row->fn->flags;
   switch (how) {
   case MT_COERCE_IMPLICIT: return f & MT_F_CAST_IMPLICIT;
   case MT_COERCE_ASSIGN: return f & (MT_F_CAST_IMPLICIT | MT_F_CAST_ASSIGN);
   case MT_COERCE_EXPLICIT: return true;
   }
   return false;
}

static bool clash (MtBinder *b, const MtX *x, const char *what, MtTypeId t, MtTypeId u)
{
   return mt_error_at (b->err, x->span, MT_E_DATATYPE_MISMATCH,
                       "%s types %s and %s cannot be matched", what, mt_type_info (t)->display,
                       mt_type_info (u)->display);
}

bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad)
{
   MtTypeId t = MT_T_UNKNOWN;
   bool ok = true;
   for (int i = 0; i < count && ok; i++) {
      MtTypeId n = types[i];
      if (n == MT_T_UNKNOWN || n == t)
         continue;
      *bad = i;
      if (t == MT_T_UNKNOWN)
         t = n;
      else if (mt_type_info (t)->category != mt_type_info (n)->category)
         ok = false;
      else if (!mt_type_info (t)->preferred && mt_can_coerce (t, n, MT_COERCE_IMPLICIT) &&
               !mt_can_coerce (n, t, MT_COERCE_IMPLICIT))
         t = n;
   }
   *out = t;
   for (int i = 0; i < count && ok; i++) {
      ok = mt_can_coerce (types[i], t, MT_COERCE_IMPLICIT);
      *bad = i;
   }
   return ok;
}

bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out)
{
   MtTypeId few[16], *types = count <= 16 ? few : MT_NEW_N (b->a, MtTypeId, (size_t) count), t;
   int bad;
   for (int i = 0; i < count; i++)
      types[i] = list[i]->type.id;
   if (!mt_common_type_of (types, count, &t, &bad))
      return clash (b, list[bad], what, t, types[bad]);
   *out = t == MT_T_UNKNOWN ? MT_T_TEXT : t;
   return true;
}

MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t)
{
   MtType first = count ? list[0]->type : mt_type (t);
   for (int i = 0; i < count; i++) {
      MtType o = list[i]->type;
      if (o.id != t || o.mod1 < 0 || o.mod1 != first.mod1 || o.mod2 != first.mod2)
         return mt_type (t);
   }
   return first;
}

static bool numeric_modifiers (MtBinder *b, const MtTypeName *tn, MtType *t)
{
   int p = tn->modifiers[0], s = tn->modifiers[1];
   if (p < 0)
      return true;
   if (p < 1 || p > 1000)
      return mt_error_at (b->err, tn->span, MT_E_PARAMETER,
                          "NUMERIC precision %d must be between 1 and 1000", p);
   if (p > 34)
      return mt_refuse (b, tn->span, "numeric precision above 34 is");
   if (s < 0)
      s = 0;
   if (s > p)
      return mt_refuse (b, tn->span, "numeric scale above the precision is");
   t->mod1 = (int16_t) p;
   t->mod2 = (int16_t) s;
   return true;
}

/* More digits of a second than there are. */
static void warn_precision (MtBinder *b, int p, MtTypeId id)
{
   const char *name = id == MT_T_INTERVAL ? "INTERVAL"
                      : id == MT_T_TIME   ? "TIME"
                                          : "TIMESTAMP",
              *zone = id == MT_T_TIMESTAMPTZ ? " WITH TIME ZONE" : "";
   if (b->env && b->env->warn)
      b->env->warn (b->env->ctx,
                    mt_printf (b->a, "%s(%d)%s precision reduced to maximum allowed, 6", name, p,
                               zone));
}

static bool one_modifier (MtBinder *b, const MtTypeName *tn, MtType *t)
{
   int p = tn->modifiers[0];
   if (p < 0)
      return true;
   if (t->id == MT_T_VARCHAR) {
      if (p < 1)
         return mt_error_at (b->err, tn->span, MT_E_PARAMETER,
                             "length for type varchar must be at least 1");
      t->mod1 =
         (int16_t) (p > INT16_MAX
                       ? -1
                       : p); /* longer than 32,767 is as good as no limit on a document's string */
      if (p > INT16_MAX)
         return mt_refuse (b, tn->span, "varchar longer than 32767 is");
      return true;
   }
   if (t->id == MT_T_TIMESTAMP || t->id == MT_T_TIMESTAMPTZ || t->id == MT_T_TIME ||
       t->id == MT_T_INTERVAL) {
      if (p > 6)
         warn_precision (b, p, t->id);
      t->mod1 = (int16_t) (p > 6 ? 6 : p);
      return true;
   }
   if (t->id == MT_T_FLOAT8 || t->id == MT_T_FLOAT4) {
      if (p < 1 || p > 53)
         return mt_error_at (b->err, tn->span, MT_E_PARAMETER,
                             "precision for type float must be %s",
                             p < 1 ? "at least 1 bit" : "less than 54 bits");
      t->id = p <= 24 ? MT_T_FLOAT4 : MT_T_FLOAT8;
      return true;
   }
   return mt_error_at (b->err, tn->span, MT_E_SYNTAX,
                       "type modifier is not allowed for type \"%s\"", mt_type_info (t->id)->name);
}

bool mt_is_oid (const MtTypeName *tn)
{
   return tn->array_dims == 0 && mt_ieq (tn->name.text, "oid");
}

void mt_check_oid (MtBinder *b, MtTypeId from, MtX **x)
{
   static const char *const kinds[] = {"text", "small", "big"};
   bool small = from == MT_T_INT2 || from == MT_T_INT4,
        text = mt_type_info (from)->category == 'S' || from == MT_T_UNKNOWN;
   if ((!small && !text && from != MT_T_INT8) || mt_x_is_null_const (*x))
      return;
   const char *kind = kinds[text ? 0 : small ? 1 : 2];
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = *x;
   args[1] = mt_x_const (b->a, mt_type (MT_T_TEXT), mt_v_str (kind, strlen (kind)), (*x)->span);
   *x = mt_x_call (b->a, mt_hidden_func ("$oid"), mt_type (MT_T_INT8), args, 2, (*x)->span);
}

bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out)
{
   MtTypeId id;
   bool one_byte = tn->name.quoted &&
                   strcmp (tn->name.text, "char") == 0; /* "char" of the catalog's columns */
   if (one_byte)
      id = MT_T_TEXT;
   else if (!mt_type_by_name (mt_str (tn->name.text), &id) ||
            mt_type_element (id) == MT_T_UNKNOWN) {
      if (mt_is_lacking_type (tn->name.text)) {
         mt_error_at (b->err, tn->span, MT_E_FEATURE, "type %s is not supported", tn->name.text);
         return mt_ieq (tn->name.text, "json") ? mt_error_hint (b->err, "Use jsonb.")
                : mt_ieq (tn->name.text, "jsonpath")
                   ? mt_error_hint (b->err, "Give the path as a text.")
                   : false;
      }
      const char *names[MT_T_COUNT];
      for (int i = 0; i < MT_T_COUNT; i++)
         names[i] = mt_type_info ((MtTypeId) i)->name;
      const char *near = mt_nearest (tn->name.text, names, MT_T_COUNT);
      mt_error_at (b->err, tn->span, MT_E_UNDEFINED_OBJECT, "type \"%s\" does not exist",
                   tn->name.text);
      if (near)
         mt_error_hint (b->err, "Perhaps you meant \"%s\".", near);
      return false;
   }
   MtType t = mt_type (id);
   if (tn->interval_fields)
      return mt_refuse (b, tn->span, "an interval's fields are");
   if (id == MT_T_NUMERIC) {
      if (!numeric_modifiers (b, tn, &t))
         return false;
   } else if (!one_modifier (b, tn, &t))
      return false;
   if (tn->array_dims)
      t.id = mt_type_array (t.id);
   *out = t;
   return true;
}

static MtX *int_const (MtBinder *b, int v, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (v), span);
}

/* numeric(10,2), varchar(3), timestamp(0): the modifier as a call over a value that has the type
 * already. */
static MtX *apply_modifier (MtBinder *b, MtX *x, MtType to, MtCoercion how)
{
   if (to.mod1 < 0 && how == MT_COERCE_EXPLICIT &&
       x->type.mod1 >= 0) { /* a cast forgets the modifier of its own type */
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

/* 'a name'::regclass: looked up now. */
static bool name_literal (MtBinder *b, const MtX *x, MtType to, MtX **out)
{
   MtX *text = mt_x_const (b->a, mt_type (MT_T_TEXT), x->value, x->span);
   if (mt_coerce (b, text, to, MT_COERCE_EXPLICIT, out) && mt_fold (b, out))
      return true;
   b->err->span = x->span;
   return false;
}

/* A parameter of unknown type becomes of the type that is needed first. */
static bool settle_param (MtBinder *b, MtX *x, MtType to, MtX **out)
{
   MtType *known = &b->env->params->types[x->param - 1];
   if (known->id == MT_T_UNKNOWN)
      *known = mt_type (to.id);
   if (known->id != to.id) {
      mt_error_at (b->err, x->span, "42P08", "inconsistent types deduced for parameter $%d",
                   x->param);
      return mt_error_detail (b->err, "%s versus %s", mt_type_info (known->id)->display,
                              mt_type_info (to.id)->display);
   }
   *out = mt_x_null (b->a, *known, x->span);
   return true;
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
      if (mt_type_is_array (to.id) || (how == MT_COERCE_EXPLICIT && to.id == MT_T_VARCHAR))
         plain.mod1 = -1; /* an explicit cast cuts, input would refuse */
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
      const MtSig *row = mt_cast_row (x->type.id, to.id);
      MtX **args = MT_NEW_N (b->a, MtX *, 1);
      args[0] = x;
      if (!mt_build_call (b, row, args, 1, x->span, &x))
         return false;
   }
   *out = apply_modifier (b, x, to, how);
   return true;
}
