/* The accumulators $percentile and $median. They keep all numbers, so their answers are exact. */
#include "engine/local/group/accum_int.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <math.h>

typedef struct Numbers {
   double *v;
   uint32_t n, cap;
} Numbers;
_Static_assert (sizeof (Numbers) == MT_PERCENTILE_BYTES, "as declared");

static bool append (MtGroupTable *t, Numbers *s, double x, MtWork *w)
{
   if (!mt_acc_fits ((size_t) s->n * sizeof *s->v, w))
      return false;
   if (MT_TRY_GROW_IN (t->arena, s->v, s->n, s->cap, 4))
      s->v[s->n++] = x;
   return true;
}

bool mt_percentile_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (!mt_is_number (v))
      return true;
   double x = v.type == MT_DOUBLE ? v.d : (double) v.i;
   if (v.type == MT_DECIMAL)
      x = mt_acc_decimal_double (v);
   return isnan (x) || append (t, state, x, w);
}

bool mt_percentile_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const Numbers *f = from;
   for (uint32_t i = 0; i < f->n; i++)
      if (!mt_tick (w) || !append (t, into, f->v[i], w))
         return false;
   return true;
}

bool mt_percentile_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Numbers *s = state;
   const MtPercentiles *p = a->extra;
   double *sorted = MT_TRY_NEW_N (w->arena, double, s->n + 1u);
   if (!sorted)
      return mt_memory_check (&w->err);
   if (s->n)
      memcpy (sorted, s->v, s->n * sizeof *sorted);
   mt_op_sort_doubles (sorted, s->n);
   if (a->row->form & MT_ACC_SINGLE) {
      *out = mt_op_percentile (sorted, s->n, p->p[0], p->continuous);
      return true;
   }
   MtVal *list = MT_NEW_N (w->arena, MtVal, p->n + 1);
   for (size_t i = 0; i < p->n; i++)
      list[i] = mt_op_percentile (sorted, s->n, p->p[i], p->continuous);
   return mt_v_make_array (w->arena, list, p->n, out, &w->err);
}

bool mt_percentile_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const Numbers *s = state;
   mt_bson_bytes (b, &s->n, 4);
   mt_bson_bytes (b, s->v, s->n * sizeof *s->v);
   return true;
}

bool mt_percentile_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                         const uint8_t *end, MtWork *w)
{
   Numbers *s = state;
   *s = (Numbers) {0};
   if (end - *p < 4)
      return false;
   memcpy (&s->n, *p, 4);
   *p += 4;
   size_t bytes = s->n * sizeof *s->v;
   if ((size_t) (end - *p) < bytes)
      return false;
   s->cap = s->n;
   s->v = MT_NEW_N (t->arena, double, s->n + 1u);
   if (bytes)
      memcpy (s->v, *p, bytes);
   *p += bytes;
   return true;
}

/* Returns a field of the argument if it is constant. */
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
