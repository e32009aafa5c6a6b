/* Hidden arguments, which analysis adds to a call, such as the session's time zone. */
#include "analyze/types/coerce.h"
#include "analyze/types/coerce.h"
#include "types/tz.h"

/* Makes *out the value of the hidden argument `name`, from the session (MtBindEnv.lookup). If the
 * session has no value, makes an empty text or document. Returns false if the name is unknown. */
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

/* The hidden parameters are: _zone, the session's time zone; _now, the start of the transaction;
 * _statement, the start of the statement; _type, the actual type of anyelement. MtBindEnv.lookup
 * has further names. */
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
