/* The states that levels keep (layouts/cell_state.h), while documents are built.
 *
 * A record is added to the states of its leaf, or of the nearest level above the leaf that keeps
 * the same state. When a cell is complete, its states are merged into those of the nearest level
 * above that keeps them. Of redundant copies only the first one feeds the levels above. */
#include "layouts/pack/build_int.h"

#include "base/memory.h"

/* ---- who feeds whom ---- */

static MtStateW *kept_by (MtNodeW *nw, const MtCellState *s)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++)
      if (mt_cell_state_same (nw->states[i].s, s))
         return &nw->states[i];
   return NULL;
}

/* Returns the state of the nearest level above n that is fed through n; NULL: there is none. */
static MtStateW *fed_through (MtBuilder *b, const MtNode *n, const MtCellState *s)
{
   for (; n->parent && n->parent->subs[0] == n; n = n->parent) {
      MtStateW *found = kept_by (b->nodes[n->parent->id], s);
      if (found)
         return found;
   }
   return NULL;
}

void mt_kept_states_new (MtBuilder *b, MtNodeW *nw)
{
   const MtPreagg *agg = &nw->n->agg;
   MtArena *a = b->x.a;
   nw->states = MT_NEW_N (a, MtStateW, agg->state_count);
   if (agg->state_count)
      nw->state_arena = mt_arena_new ("states", NULL);
   for (size_t i = 0; i < agg->state_count; i++)
      nw->states[i] = (MtStateW) {.s = &agg->states[i], .arena = nw->state_arena};
}

void mt_kept_states_link (MtBuilder *b, MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++)
      nw->states[i].above = fed_through (b, nw->n, nw->states[i].s);
}

/* Returns where a stream has a column's values: the index into `pay`, to which mt_way_make adds
 * each column of a state. */
static int place_of (const MtWriteWay *w, int column)
{
   int i = 0;
   while (i < w->pay_count && w->pay[i] != column)
      i++;
   return i;
}

static void add_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w, MtStateW *to)
{
   MtArena *a = b->x.a;
   for (size_t i = 0; i < leaf->feed_count; i++)
      if (leaf->feeds[i].to == to)
         return;
   MT_GROW_IN (a, leaf->feeds, leaf->feed_count, leaf->feed_cap, 4);
   MtStateFeed *f = &leaf->feeds[leaf->feed_count++];
   *f = (MtStateFeed) {.to = to, .from = MT_NEW_N (a, int, to->s->argc + 1)};
   for (int i = 0; i < to->s->argc; i++)
      f->from[i] = to->s->args[i].column >= 0 ? place_of (w, to->s->args[i].column) : 0;
}

void mt_kept_states_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w)
{
   leaf->feed_count = 0;
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      const MtPreagg *agg = &b->x.store->nodes[i]->agg;
      for (size_t k = 0; k < agg->state_count; k++) {
         MtStateW *own = kept_by (leaf, &agg->states[k]),
                  *to = own ? own : fed_through (b, leaf->n, &agg->states[k]);
         if (to)
            add_feed (b, leaf, w, to);
      }
   }
}

void mt_kept_states_free (MtNodeW *nw) { mt_arena_free (nw->state_arena); }

/* ---- a cell ---- */

static MtEval eval_of (MtBuilder *b, const MtStateW *s)
{
   return (MtEval) {
      .arena = s->arena, .err = b->err, .user = s->s->acc->state->user, .cancel = b->x.cancel};
}

void mt_kept_states_open (MtNodeW *nw)
{
   if (!nw->state_arena)
      return;
   mt_arena_reset (nw->state_arena);
   for (size_t i = 0; i < nw->n->agg.state_count; i++)
      nw->states[i].memory = mt_alloc (nw->state_arena, nw->states[i].s->acc->state->size);
}

/* Merges the states of a stored cell into those of the current one. */
static bool add_stored (MtBuilder *b, MtNodeW *leaf, MtVal cell)
{
   for (size_t i = 0; i < leaf->n->agg.state_count; i++) {
      const MtStateW *to = &leaf->states[i];
      MtEval ev = eval_of (b, to);
      MtVal stored = mt_path_get (cell, to->s->at);
      if (!mt_is_nullish (stored) && !to->s->rollup->state->step (&ev, to->memory, &stored, 1))
         return false;
   }
   return true;
}

bool mt_kept_states_add (MtBuilder *b, MtNodeW *leaf)
{
   const MtStream *s = leaf->stream;
   MtVal args[MT_STATE_ARGS];
   if (s->extra && s->extra->nonnull)
      return add_stored (b, leaf, s->extra->cell);
   for (size_t i = 0; i < leaf->feed_count; i++) {
      const MtStateFeed *f = &leaf->feeds[i];
      const MtCellState *kept = f->to->s;
      MtEval ev = eval_of (b, f->to);
      for (int k = 0; k < kept->argc; k++)
         if (kept->args[k].column < 0)
            args[k] = kept->args[k].constant;
         else
            args[k] = s->pay[f->from[k]];
      if (!mt_state_add_row (&ev, kept->acc, f->to->memory, args, f->to->arena))
         return false;
   }
   return !leaf->feed_count || mt_memory_check (b->err);
}

bool mt_kept_states_fold (MtBuilder *b, const MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++) {
      MtStateW *to = nw->states[i].above;
      MtEval ev = to ? eval_of (b, to) : (MtEval) {0};
      if (to && !to->s->acc->state->merge (&ev, to->memory, nw->states[i].memory))
         return false;
   }
   return true;
}

bool mt_kept_states_value (MtBuilder *b, const MtStateW *s, MtVal *out)
{
   MtEval ev = eval_of (b, s);
   *out = mt_v_null ();
   if (!s->s->acc->state->final (&ev, s->memory, out))
      return false;
   if (mt_is_nullish (*out))
      *out = mt_v_null ();
   return mt_memory_check (b->err);
}
