/* Arguments that the session adds to a call. */
#include "analyze/types/coerce.h"
#include "analyze/types/coerce.h"
#include "types/tz.h"

/* Gets the value of a hidden argument from the session, by its name. Unknown values become an empty
 * text or document. */
static bool looked_up (MtBinder *b, MtStr name, MtTypeId type, MtX **out)
{
   static const uint8_t nothing[] = {5, 0, 0, 0, 0}; /* an empty document */
   MtVal v = mt_v_null ();
   if (!name.n || name.p[0] != '_' ||
       (b->env->lookup &&
        !b->env->lookup (b->env->ctx, b->a, mt_strndup (b->a, name.p + 1, name.n - 1), &v, b->err)))
      return false;
   if (mt_is_nullish (v))
      v = type == MT_T_DOCUMENT ? (MtVal) {.type = MT_DOC, .len = sizeof nothing, .p = nothing}
                                : mt_v_cstr ("");
   *out = mt_x_const (b->a, mt_type (type), v, MT_NO_SPAN);
   return true;
}

/* The names are: _zone, the session's zone; _now, the transaction's time; _statement, the
 * statement's time; _type, the type that polymorphic types stand for. MtBindEnv.lookup has
 * others. */
bool mt_hidden_arg (MtBinder *b, const MtSig *sig, int i, MtTypeId element, MtX **out)
{
   if (mt_str_is (sig->arg_names[i], "_type"))
      *out = mt_type_arg (b, element);
   else if (mt_str_is (sig->arg_names[i], "_zone"))
      *out = mt_x_text (b->a, mt_tz_name (b->env->style.zone ? b->env->style.zone : mt_tz_utc ()),
                        MT_NO_SPAN);
   else if (mt_str_is (sig->arg_names[i], "_now"))
      *out = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.now_ms),
                         MT_NO_SPAN);
   else if (mt_str_is (sig->arg_names[i], "_statement"))
      *out = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.statement_ms),
                         MT_NO_SPAN);
   else
      return looked_up (b, sig->arg_names[i], sig->args[i], out);
   return true;
}

MtX *mt_type_arg (MtBinder *b, MtTypeId t)
{
   return mt_x_text (b->a, mt_type_handle (t), MT_NO_SPAN);
}
