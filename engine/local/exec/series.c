/* The stage $_mtSeries: replaces each input document by a series of documents with values from
 * `start` to `stop`. Each value is computed from the previous one.
 *
 *    {"$_mtSeries": {"start": …, "stop": …, "next": expression over the field `as`,
 *                    "down": false, "as": "c0", "ordinal": "c1"}}
 *
 * The series ends when a value is beyond `stop`, or when `next` is out of the range of its type
 * (22003). */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct SeriesNode {
   MtExecNode n;
   MtExecExpr *start, *stop, *next;
   bool down;
   /* the variables for the value and for its number in the series; `ordinal` NULL: the number is
    * not needed */
   MtExecVar *value, *ordinal;
} SeriesNode;

/* A value with a copy of its bytes, so that it stays valid when the memory of rows is freed. */
typedef struct Kept {
   MtVal v;
   uint8_t bytes[16];
} Kept;

static bool keep (MtWork *w, Kept *k, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   if (n > sizeof k->bytes)
      return mt_error (&w->err, MT_E_PARAMETER, "$_mtSeries needs numbers or times");
   if (n) {
      memcpy (k->bytes, v.p, n);
      v.p = k->bytes;
   }
   k->v = v;
   return true;
}

/* Replaces *now by the next value of the series. Sets *end if the value is out of range. Returns
 * false with w->err set on other errors. */
static bool step (const SeriesNode *s, MtWork *w, Kept *now, bool *end)
{
   MtVal v;
   w->slots[s->value->slot] = now->v;
   if (mt_eval (s->next, w, &v))
      return keep (w, now, v);
   *end = mt_error_is (&w->err, MT_E_NUMERIC_RANGE);
   if (*end)
      mt_error_clear (&w->err);
   return *end;
}

static MtFlow run (const SeriesNode *s, MtWork *w, MtArena *own, Kept *now, const Kept *stop)
{
   MtFlow flow = MT_GO;
   bool end = false;
   for (int64_t i = 1; flow == MT_GO && !end; i++) {
      int sign = mt_v_compare (now->v, stop->v);
      if (s->down ? sign < 0 : sign > 0)
         break;
      if (!mt_tick (w))
         return MT_FAIL;
      w->slots[s->value->slot] = now->v;
      if (s->ordinal)
         w->slots[s->ordinal->slot] = mt_v_int64 (i);
      w->seq++;
      flow = mt_next (&s->n, w);
      if (mt_rows_weigh (own, (uint64_t) i)) {
         mt_arena_reset (own);
         w->epoch++;
      }
      if (flow == MT_GO && !step (s, w, now, &end))
         flow = MT_FAIL;
   }
   return flow;
}

static MtFlow series_push (const MtExecNode *n, MtWork *w)
{
   const SeriesNode *s = (const SeriesNode *) n;
   MtArena *outer = w->arena, *own = mt_arena_new ("series", NULL);
   MtVal start, stop;
   Kept now, last;
   MtFlow flow = MT_FAIL;
   w->count[n->id].in++;
   if (mt_eval (s->start, w, &start) && mt_eval (s->stop, w, &stop) && keep (w, &now, start) &&
       keep (w, &last, stop)) {
      w->arena = w->ev.arena = own;
      flow = mt_is_nullish (start) || mt_is_nullish (stop) ? MT_GO : run (s, w, own, &now, &last);
      w->arena = w->ev.arena = outer;
   }
   w->epoch++;
   mt_arena_free (own);
   return flow;
}

static MtExecExpr *parse (MtCompile *c, MtVal spec, const char *name)
{
   MtVal v = mt_doc_field (spec, name);
   if (v.type != MT_MISSING)
      return mt_expr_parse (c, v);
   mt_bad (c, 0, "the $_mtSeries stage needs '%s'", name);
   return NULL;
}

static void put (MtCompile *c, MtShape *out, MtVal name, MtExecVar *var)
{
   mt_shape_put (c, out, mt_strndup (c->arena, (const char *) name.p, name.len),
                 mt_shape_var (c, var), false);
}

bool mt_stage_series (MtCompile *c, MtVal spec)
{
   MtVal as = mt_doc_field (spec, "as"), ordinal = mt_doc_field (spec, "ordinal"),
         down = mt_doc_field (spec, "down");
   if (spec.type != MT_DOC || as.type != MT_STRING)
      return mt_bad (c, 0, "the $_mtSeries stage needs an object with a string 'as'");
   MtExecExpr *start = parse (c, spec, "start"), *stop = start ? parse (c, spec, "stop") : NULL,
              *next = stop ? parse (c, spec, "next") : NULL;
   if (!next)
      return false;
   SeriesNode *s = (SeriesNode *) mt_node_new (c, sizeof *s, NULL, series_push);
   int pos = s->n.pos;
   s->start = start;
   s->stop = stop;
   s->next = next;
   s->down = mt_truthy (down);
   s->n.serial = true;
   if (!mt_expr_bind (c, start, c->root, c->scope, pos) ||
       !mt_expr_bind (c, stop, c->root, c->scope, pos))
      return false;
   MtShape *out = mt_shape_doc (c, NULL, false);
   s->value = mt_var_new (c, pos, false);
   put (c, out, as, s->value);
   if (ordinal.type == MT_STRING)
      put (c, out, ordinal, s->ordinal = mt_var_new (c, pos, false));
   c->root = out;
   return mt_expr_bind (c, next, out, c->scope, pos);
}
