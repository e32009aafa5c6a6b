/* The node of $_mtWindow and $setWindowFields: computes window functions over rows that come sorted
 * by partition and sort keys. A row is kept (rows.c) until all rows of its frames have been
 * received. Then the executor calls pump, which passes the row on with its results. */
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/window/window_int.h"

#include <stdlib.h>

#define ROWS_A_PUMP 512

/* ---- rows in ---- */

static MtWinState *state_of (const MtWindowNode *n, MtWork *w)
{
   MtWinState *st = w->state[n->n.id];
   if (st)
      return st;
   st = mt_x_calloc (1, sizeof *st);
   mt_win_rows_init (&st->rows, n->carry_count + n->extra_count, w->exec->args.work_mem);
   st->last = mt_x_calloc (n->partition_count + n->order_count + 1u, sizeof *st->last);
   st->last_part = mt_arena_new ("window", NULL);
   st->last_order = mt_arena_new ("window", NULL);
   st->frames = mt_x_calloc (n->frame_count + 1u, sizeof *st->frames);
   st->funcs = mt_x_calloc (n->func_count + 1u, sizeof *st->funcs);
   w->state[n->n.id] = st;
   return st;
}

/* Evaluates n expressions for the current row. Sets *out if a value differs from the preceding
 * row's, in `last`; then the new values replace them, copied into arena `a`. *out must be set
 * before by the caller. */
static bool changed (MtExecExpr *const *list, uint32_t n, MtVal *last, MtArena *a, MtWork *w,
                     bool *out)
{
   MtVal *now = mt_alloc (w->arena, (n + 1u) * sizeof *now);
   for (uint32_t i = 0; i < n; i++) {
      if (!mt_eval (list[i], w, &now[i]))
         return false;
      if (!mt_x_verify (w, now[i]))
         return false;
      *out = *out || mt_x_compare (now[i], last[i]) != 0;
   }
   if (*out) {
      mt_arena_reset (a);
      for (uint32_t i = 0; i < n; i++)
         last[i] = mt_x_own (a, now[i]);
   }
   return true;
}

static void add_start (MtWinState *st, uint64_t row)
{
   if (st->starts_count == st->starts_cap && st->starts_at) {
      memmove (st->starts, st->starts + st->starts_at,
               (st->starts_count - st->starts_at) * sizeof *st->starts);
      st->starts_count -= st->starts_at;
      st->starts_at = 0;
   }
   MT_GROW ("pipeline", st->starts, st->starts_count, st->starts_cap, 64);
   st->starts[st->starts_count++] = row;
}

static bool keep (MtWork *w, MtArena *a, MtVal v, MtVal *out)
{
   if (!mt_x_verify (w, v))
      return false;
   *out = mt_x_keep (w, a, v);
   return true;
}

static MtFlow window_push (const MtExecNode *node, MtWork *w)
{
   const MtWindowNode *n = (const MtWindowNode *) node;
   MtWinState *st = state_of (n, w);
   MtArena *a;
   bool part = !st->any, peer = !st->any; /* the first row of all begins a partition */
   w->count[node->id].in++;
   if (!changed (n->partition, n->partition_count, st->last, st->last_part, w, &part) ||
       !changed (n->order, n->order_count, st->last + n->partition_count, st->last_order, w, &peer))
      return MT_FAIL;
   if (part)
      add_start (st, st->rows.end);
   MtWinRow *row = mt_win_rows_add (&st->rows, w, &a);
   if (!row)
      return MT_FAIL;
   st->any = true;
   row->group = st->group += part || peer; /* groups of peers are numbered from 1 */
   for (uint32_t i = 0; i < n->carry_count; i++)
      if (!keep (w, a, w->slots[n->carry[i]], &row->v[i]))
         return MT_FAIL;
   for (uint32_t i = 0; i < n->extra_count; i++) {
      MtVal v;
      if (!mt_eval (n->extra[i], w, &v) || !keep (w, a, v, &row->v[n->carry_count + i]))
         return MT_FAIL;
   }
   return MT_GO;
}

/* ---- rows out ---- */

static void enter_partition (const MtWindowNode *n, MtWinState *st, const MtWinRow *row)
{
   st->part = st->starts[st->starts_at++];
   st->part_group = row->group;
   for (uint32_t i = 0; i < n->frame_count; i++)
      st->frames[i] = (MtWinFrameState) {.head = st->part, .tail = st->part};
   for (uint32_t i = 0; i < n->func_count; i++)
      mt_win_func_begin (n, i, st);
   st->group_end = st->part;
   st->group_number = 0;
}

static bool enter (const MtWindowNode *n, MtWinState *st, MtWork *w)
{
   const MtWinRow *row = mt_win_row (&st->rows, st->at, w);
   if (!row)
      return false;
   if (st->starts_at < st->starts_count && st->starts[st->starts_at] == st->at)
      enter_partition (n, st, row);
   if (row->group != st->group_number) {
      st->group_number = row->group;
      st->group_first = st->at;
   }
   st->entered = true;
   return true;
}

static MtWinStep end_of_peers (MtWinState *st, MtWork *w)
{
   for (; st->group_end < st->part_end; st->group_end++) {
      const MtWinRow *row = mt_win_row (&st->rows, st->group_end, w);
      if (!row || !mt_tick (w))
         return MT_WIN_ERROR;
      if (row->group > st->group_number)
         return MT_WIN_READY;
   }
   return st->complete ? MT_WIN_READY : MT_WIN_WAIT;
}

/* Returns whether all rows have been received that lead() needs for the current row, for constant
 * distances. */
static bool shifts_known (const MtWindowNode *n, const MtWinState *st)
{
   for (uint32_t i = 0; i < n->func_count && !st->complete; i++) {
      const MtWinFunc *f = &n->funcs[i];
      if (f->kind == MT_WK_SHIFT && f->n->value.i > 0 &&
          st->part_end - st->at <= (uint64_t) f->n->value.i)
         return false;
   }
   return true;
}

static MtWinStep ready (const MtWindowNode *n, MtWinState *st, MtWork *w)
{
   bool more = st->starts_at < st->starts_count;
   st->complete = more || st->ended;
   st->part_end = more ? st->starts[st->starts_at] : st->rows.end;
   if ((n->whole && !st->complete) || !shifts_known (n, st))
      return MT_WIN_WAIT;
   MtWinStep step = n->peers ? end_of_peers (st, w) : MT_WIN_READY;
   for (uint32_t i = 0; i < n->frame_count && step == MT_WIN_READY; i++)
      step = mt_win_frame_move (&n->frames[i], &st->frames[i], st, w);
   return step;
}

static MtFlow emit (const MtWindowNode *n, MtWinState *st, MtWork *w)
{
   for (uint32_t i = 0; i < n->func_count; i++) {
      const MtExecVar *var = n->funcs[i].var;
      if (!mt_win_func (n, i, st, w, &w->slots[var->slot]) || !mt_bind (w, var, &w->count[n->n.id]))
         return MT_FAIL;
   }
   const MtWinRow *row = mt_win_row (&st->rows, st->at, w);
   if (!row)
      return MT_FAIL;
   for (uint32_t i = 0; i < n->carry_count; i++)
      w->slots[n->carry[i]] = row->v[i];
   w->epoch++; /* the memory with the row's bytes may contain another row now */
   st->entered = false;
   st->at++;
   return mt_next (&n->n, w);
}

static void forget (const MtWindowNode *n, MtWinState *st)
{
   uint64_t needs = st->at;
   bool left = st->starts_at < st->starts_count && st->starts[st->starts_at] == st->at;
   for (uint32_t i = 0; i < n->frame_count && !left; i++) {
      uint64_t of = mt_win_frame_needs (&n->frames[i], &st->frames[i]);
      needs = of < needs ? of : needs;
   }
   for (uint32_t i = 0; i < n->func_count && !left; i++) {
      uint64_t of = mt_win_func_needs (n, i, st);
      needs = of < needs ? of : needs;
   }
   if (needs > st->rows.first)
      mt_win_rows_drop (&st->rows, needs);
}

static MtFlow window_pump (const MtExecNode *node, MtWork *w, bool *any)
{
   const MtWindowNode *n = (const MtWindowNode *) node;
   MtWinState *st = state_of (n, w);
   MtFlow flow = MT_GO;
   int k = 0;
   for (; k < ROWS_A_PUMP && st->at < st->rows.end && flow == MT_GO; k++) {
      if (!mt_tick (w) || (!st->entered && !enter (n, st, w)))
         return MT_FAIL;
      MtWinStep step = ready (n, st, w);
      if (step != MT_WIN_READY) {
         flow = step == MT_WIN_ERROR ? MT_FAIL : MT_GO;
         break;
      }
      flow = emit (n, st, w);
      *any = true;
   }
   if (k && flow == MT_GO)
      forget (n, st);
   return flow;
}

static MtFlow window_finish (const MtExecNode *node, MtWork *w)
{
   const MtWindowNode *n = (const MtWindowNode *) node;
   MtWinState *st = state_of (n, w);
   st->ended = true;
   for (uint32_t i = 0; i < n->frame_count && !st->any; i++) {
      const MtWinBound *bad = n->frames[i].start.fails_always ? &n->frames[i].start
                                                              : &n->frames[i].end;
      if (bad->fails_always) {
         mt_error (&w->err, bad->state, "%s", bad->message);
         return MT_FAIL;
      }
   }
   return MT_GO;
}

static void window_drop (const MtExecNode *node, MtWork *w)
{
   const MtWindowNode *n = (const MtWindowNode *) node;
   MtWinState *st = w->state[node->id];
   for (uint32_t i = 0; i < n->func_count; i++)
      mt_win_func_free (&st->funcs[i]);
   mt_win_rows_free (&st->rows);
   mt_arena_free (st->last_part);
   mt_arena_free (st->last_order);
   free (st->starts);
   free (st->last);
   free (st->frames);
   free (st->funcs);
   free (st);
   w->state[node->id] = NULL;
}

/* ---- finishing a window node when the whole pipeline is compiled ---- */

/* Returns the index of expression e among a row's values. The first values are the slots that later
 * nodes read; if e is none of these, it is added behind them. */
static uint32_t place_of (MtWindowNode *n, MtExecExpr *e)
{
   if (!e)
      return MT_NO_SLOT;
   for (uint32_t i = 0; i < n->carry_count && e->kind == MT_EX_SLOT; i++)
      if (n->carry[i] == e->slot)
         return i;
   for (uint32_t i = 0; i < n->extra_count; i++)
      if (n->extra[i] == e || (e->kind == MT_EX_SLOT && n->extra[i]->kind == MT_EX_SLOT &&
                               n->extra[i]->slot == e->slot))
         return n->carry_count + i;
   n->extra[n->extra_count++] = e;
   return n->carry_count + n->extra_count - 1;
}

static void window_seal (MtExecNode *node, MtCompile *c)
{
   MtWindowNode *n = (MtWindowNode *) node;
   n->carry = MT_NEW_N (c->arena, uint32_t, c->slot_count + 1u);
   for (uint32_t i = 0; i < c->slot_count; i++)
      if (c->slots[i].def < node->pos && c->slots[i].use > node->pos)
         n->carry[n->carry_count++] = i;
   uint32_t keys = 0;
   for (uint32_t i = 0; i < n->func_count; i++)
      keys += n->funcs[i].acc.key_count;
   n->extra = MT_NEW_N (c->arena, MtExecExpr *,
                        n->frame_count * 4u + n->func_count * 3u + keys + 1u);
   for (uint32_t i = 0; i < n->frame_count; i++) {
      MtWinFrame *f = &n->frames[i];
      f->by_at = place_of (n, f->by);
      f->rank_at = place_of (n, f->rank);
      f->start.limit_at = place_of (n, f->start.limit);
      f->end.limit_at = place_of (n, f->end.limit);
      n->whole |= f->end.kind == MT_WB_UNBOUNDED;
      n->peers |= f->exclude == MT_WX_GROUP || f->exclude == MT_WX_TIES;
   }
   for (uint32_t i = 0; i < n->func_count; i++) {
      MtWinFunc *f = &n->funcs[i];
      f->arg_at = place_of (n, f->arg);
      f->n_at = place_of (n, f->n);
      f->otherwise_at = place_of (n, f->otherwise);
      f->keys_at = MT_NEW_N (c->arena, uint32_t, f->acc.key_count + 1u);
      for (uint32_t k = 0; f->keys && k < f->acc.key_count; k++)
         f->keys_at[k] = place_of (n, f->keys[k]);
      n->whole |= f->kind == MT_WK_PERCENT_RANK || f->kind == MT_WK_CUME_DIST ||
                  f->kind == MT_WK_NTILE || f->kind == MT_WK_LINEAR_FILL;
      n->whole |= f->kind == MT_WK_SHIFT &&
                  (f->n->kind != MT_EX_CONST ||
                   (f->n->value.type != MT_INT32 && f->n->value.type != MT_INT64));
      n->peers |= f->kind == MT_WK_CUME_DIST;
   }
}

/* Sets the callbacks (push, pump, …) of the node. parse.c compiles the rest of the stage. */
void mt_window_node_init (MtWindowNode *n)
{
   n->n.push = window_push;
   n->n.pump = window_pump;
   n->n.finish = window_finish;
   n->n.drop = window_drop;
   n->n.seal = window_seal;
   n->n.serial = true;
}
