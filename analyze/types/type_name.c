/* Type names in SQL: modifiers, types like oid, and similar names for hints. */
#include "analyze/state/lacking.h"
#include "analyze/types/coerce.h"

#include "types/binary.h"

#include <string.h>

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

/* Warns that the precision p of a time type is greater than the supported number of fractional
 * digits. */
static void warn_precision (MtBinder *b, int p, MtTypeId id)
{
   const char *name = "TIMESTAMP", *zone = id == MT_T_TIMESTAMPTZ ? " WITH TIME ZONE" : "";
   if (id == MT_T_INTERVAL)
      name = "INTERVAL";
   else if (id == MT_T_TIME)
      name = "TIME";
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
   if (t->id == MT_T_VARCHAR || t->id == MT_T_BPCHAR) {
      const char *name = t->id == MT_T_VARCHAR ? "varchar" : "char";
      if (p < 1)
         return mt_error_at (b->err, tn->span, MT_E_PARAMETER,
                             "length for type %s must be at least 1", name);
      if (p > INT16_MAX)
         return mt_refuse (b, tn->span, mt_printf (b->a, "%s longer than 32767 is", name)) ||
                mt_error_hint (b->err, "Use text.");
      t->mod1 = (int16_t) p;
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

bool mt_named_type (MtBinder *b, const char *name, MtTypeId *out)
{
   return mt_type_by_name (mt_str (name), out) ||
          (b->env && b->env->type && b->env->type (b->env->ctx, name, out));
}

/* Refuses the domain d where only a base type is allowed. Only casts and columns may have domains;
 * elsewhere the constraints would not be checked. */
static bool refuse_domain (MtBinder *b, const MtTypeName *tn, const MtDomain *d)
{
   mt_refuse (b, tn->span,
              tn->array_dims ? "an array of a domain is" : "a domain as the type here is");
   return mt_error_hint (b->err, "Use its base type: %s.", mt_type_display (b->a, d->base));
}

bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out)
{
   MtTypeId id;
   /* The quoted name "char" is a type of columns in pg_catalog, other than char. */
   bool one_byte = tn->name.quoted && strcmp (tn->name.text, "char") == 0;
   if (one_byte)
      id = MT_T_TEXT;
   else if (!mt_named_type (b, tn->name.text, &id) || mt_type_element (id) == MT_T_UNKNOWN) {
      MtDomain d;
      if (b->env && b->env->domain && b->env->domain (b->env->ctx, b->a, tn->name.text, &d))
         return refuse_domain (b, tn, &d);
      if (mt_is_lacking_type (tn->name.text)) {
         mt_error_at (b->err, tn->span, MT_E_FEATURE, "type %s is not supported", tn->name.text);
         const char *hint = mt_lacking_type_hint (tn->name.text);
         return hint ? mt_error_hint (b->err, "%s", hint) : false;
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
   if (one_byte) {
      t.id = MT_T_VARCHAR;
      t.mod1 = 1;
   }
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

bool mt_resolve_cast_type (MtBinder *b, const MtTypeName *tn, MtType *out)
{
   if (!mt_resolve_type (b, tn, out))
      return false;
   if (tn->array_dims)
      return true;
   if (tn->name.quoted && strcmp (tn->name.text, "char") == 0)
      out->mod2 = mt_type_catalog_char ().mod2; /* varchar(1), which cuts the value */
   else if (out->id == MT_T_TEXT && mt_ieq (tn->name.text, "name"))
      *out = mt_type_catalog_name ();
   return true;
}
