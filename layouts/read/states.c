#include "layouts/read/states.h"

#include "types/numeric.h"

#include <math.h>
#include <string.h>

/* The aggregate states of a level, for its current cell (array or map element). */
typedef struct Open {
   MtArena *arena; /* holds the states; NULL: the level stores no states */
   void **memory;  /* for each state of the level, its MtAggState */
} Open;

struct MtStateCheck {
   const MtNode *records;
   Open *open; /* one for each node, by MtNode.id */
};

MtStateCheck *mt_state_check_new (MtArena *a, const MtStoreDesc *s)
{
   MtStateCheck *c = MT_NEW (a, MtStateCheck);
   bool any = false;
   c->records = mt_store_records (s);
   c->open = MT_NEW_N (a, Open, s->node_count + 1);
   for (size_t i = 0; i < s->node_count; i++) {
      const MtNode *n = s->nodes[i];
      if (!mt_state_check_decides (c, n))
         continue;
      any = true;
      c->open[n->id].arena = mt_arena_new ("states", a);
      c->open[n->id].memory = MT_NEW_N (a, void *, n->agg.state_count);
   }
   return any ? c : NULL;
}

/* Returns whether the node `records` is n, or is below it and is the first of redundant copies at
 * each nesting level between. */
static bool leads_to (const MtNode *n, const MtNode *records)
{
   const MtNode *p = records;
   while (p && p != n)
      p = p->parent && p->parent->subs[0] == p ? p->parent : NULL;
   return p != NULL;
}

bool mt_state_check_decides (const MtStateCheck *c, const MtNode *n)
{
   return n->agg.state_count && leads_to (n, c->records);
}

void mt_state_check_open (MtStateCheck *c, const MtNode *n)
{
   Open *o = &c->open[n->id];
   if (!o->arena)
      return;
   mt_arena_reset (o->arena);
   for (size_t i = 0; i < n->agg.state_count; i++)
      o->memory[i] = mt_alloc (o->arena, n->agg.states[i].acc->state->size);
}

bool mt_state_check_add (MtStateCheck *c, const MtNode *leaf, const MtVal *row, MtError *err)
{
   MtVal args[MT_STATE_ARGS];
   for (const MtNode *n = leaf; n; n = n->parent) {
      const Open *o = &c->open[n->id];
      for (size_t i = 0; o->arena && i < n->agg.state_count; i++) {
         const MtCellState *s = &n->agg.states[i];
         MtEval ev = {.arena = o->arena, .err = err, .user = s->acc->state->user};
         mt_cell_state_args (s, row, args);
         if (!mt_state_add_row (&ev, s->acc, o->memory[i], args, o->arena))
            return false;
      }
   }
   return true;
}

bool mt_state_check_value (MtStateCheck *c, const MtNode *n, size_t i, MtVal *expected,
                           MtError *err)
{
   const Open *o = &c->open[n->id];
   const MtAggState *s = n->agg.states[i].acc->state;
   MtEval ev = {.arena = o->arena, .err = err, .user = s->user};
   *expected = mt_v_null ();
   if (!s->final (&ev, o->memory[i], expected))
      return false;
   if (mt_is_nullish (*expected))
      *expected = mt_v_null ();
   return true;
}

/* ---- comparing ---- */

/* Returns the greatest absolute value of all doubles in a document or array, at any depth. */
static double magnitude (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   double most = 0;
   while (mt_doc_next (&it, &key, &x)) {
      double one = 0;
      if (x.type == MT_DOC || x.type == MT_ARRAY)
         one = magnitude (x);
      else if (x.type == MT_DOUBLE && isfinite (x.d))
         one = fabs (x.d);
      most = one > most ? one : most;
   }
   return most;
}

/* Returns whether two decimals differ by no more than rounding to 34 digits. */
static bool same_decimals (MtVal a, MtVal b)
{
   double x = mt_num_to_double (mt_num_of (a));
   MtNum difference;
   MtError lost;
   return mt_v_compare (a, b) == 0 ||
          (mt_num_sub (mt_num_of (a), mt_num_of (b), &difference, &lost) &&
           fabs (mt_num_to_double (difference)) <= 1e-30 * fabs (x));
}

static bool agree (MtVal a, MtVal b, double rounding)
{
   if (a.type == MT_DECIMAL && b.type == MT_DECIMAL)
      return same_decimals (a, b);
   if (a.type == MT_DOUBLE && b.type == MT_DOUBLE)
      return a.d == b.d || (isnan (a.d) && isnan (b.d)) || fabs (a.d - b.d) <= rounding;
   if (a.type != b.type || (a.type != MT_DOC && a.type != MT_ARRAY))
      return mt_v_compare (a, b) == 0;
   MtDocIter left = mt_doc_iter (a), right = mt_doc_iter (b);
   MtStr name, other;
   MtVal x, y;
   bool more = true, same = true;
   while (same && more) {
      more = mt_doc_next (&left, &name, &x);
      same = mt_doc_next (&right, &other, &y) == more;
      if (more && same)
         same = name.n == other.n && !memcmp (name.p, other.p, name.n) && agree (x, y, rounding);
   }
   return same;
}

bool mt_states_agree (MtTypeId type, MtVal a, MtVal b)
{
   if (a.type != MT_DOC || b.type != MT_DOC)
      return mt_is_nullish (a) && mt_is_nullish (b);
   if (type == MT_T_TDIGEST || type == MT_T_SPACESAVINGBIGINTAGGREGATE ||
       type == MT_T_SPACESAVINGTEXTAGGREGATE || type == MT_T_SPACESAVINGAGGREGATE)
      return mt_v_compare (mt_doc_field (a, "n"), mt_doc_field (b, "n")) == 0;
   double most = fmax (magnitude (a), magnitude (b));
   return agree (a, b, 1e-9 * most);
}
