/* The accumulators $percentile and $median. They keep all numbers, so their results are exact. */
#include "engine/local/group/accum_int.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

bool mt_percentile_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (!mt_is_number (v))
      return true;
   double x = v.type == MT_DOUBLE ? v.d : (double) v.i;
   if (v.type == MT_DECIMAL)
      x = mt_acc_decimal_double (v);
   if (isnan (x))
      return true;
   return mt_numbers_add (t, state, mt_key_of_double (x), w);
}

bool mt_percentile_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   return mt_numbers_join (t, into, from, w);
}

static bool percentile (const MtNumbers *s, double p, bool continuous, MtWork *w, MtVal *out)
{
   uint64_t low, high;
   *out = mt_v_null ();
   if (s->n == 0)
      return true;
   MtPercentilePlace at = mt_op_percentile_place (s->n, p, continuous);
   if (!mt_numbers_at (s, at.rank, w, &low, &high))
      return false;
   *out = mt_v_double (mt_op_between (mt_double_of_key (low), mt_double_of_key (high), at.share));
   return true;
}

bool mt_percentile_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtPercentiles *p = a->extra;
   if (a->row->form & MT_ACC_SINGLE)
      return percentile (state, p->p[0], p->continuous, w, out);
   MtVal *list = MT_NEW_N (w->arena, MtVal, p->n + 1);
   for (size_t i = 0; i < p->n; i++)
      if (!percentile (state, p->p[i], p->continuous, w, &list[i]))
         return false;
   return mt_v_make_array (w->arena, list, p->n, out, &w->err);
}

bool mt_percentile_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   mt_numbers_save (state, b);
   return true;
}

bool mt_percentile_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                         const uint8_t *end, MtWork *w)
{
   return mt_numbers_load (t, state, p, end, w);
}

/* Stores the field `name` of the argument `spec` in *out. Fails if it is not constant. */
static bool constant (MtCompile *c, const MtAcc *a, MtVal spec, const char *name, MtVal *out)
{
   MtVal v = mt_doc_field (spec, name);
   MtExecExpr *e = v.type == MT_MISSING ? NULL : mt_expr_parse (c, v);
   if (!e && mt_error_is_set (c->err))
      return false;
   *out = e && e->kind == MT_EX_CONST ? e->value : mt_v_missing ();
   return out->type != MT_MISSING ||
          mt_bad (c, 7750300, "%s needs a constant '%s'", a->row->name, name);
}

bool mt_percentile_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   MtVal p, method, half = mt_v_double (0.5);
   bool median = a->row->form & MT_ACC_SINGLE;
   MtVal input = spec.type == MT_DOC ? mt_doc_field (spec, "input") : mt_v_missing ();
   MtPercentiles *to = MT_NEW (c->arena, MtPercentiles);
   MtEval ev = {.arena = c->arena, .err = c->err};
   if (input.type == MT_MISSING || mt_doc_count (spec) != (median ? 2u : 3u))
      return mt_bad (c,
                     MT_CODE_IF ({spec.type == MT_DOC, 40414}, {median, 7436100}, {true, 7429703}),
                     "%s needs an object with 'input', %s'method'", a->row->name,
                     median ? "" : "'p', ");
   if (!constant (c, a, spec, "method", &method) ||
       (median ? !mt_v_make_array (c->arena, &half, 1, &p, c->err)
               : !constant (c, a, spec, "p", &p)) ||
       !mt_op_percentiles (&ev, a->row->name, p, method, to))
      return false;
   a->extra = to;
   return (a->arg = mt_expr_parse (c, input)) != NULL;
}
