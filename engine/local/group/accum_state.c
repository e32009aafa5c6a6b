/* Accumulators of extensions, which are C functions that update a state (state.h). */
#include "base/memory.h"
#include "engine/local/group/accum_int.h"
#include "engine/local/group/state.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* A row of the table of accumulators, with the extension's aggregate that it calls. */
typedef struct StateRow {
   MtAccRow row;
   const MtStateAccumulator *acc;
} StateRow;

static const MtStateAccumulator *accumulator_of (const MtAcc *a)
{
   return ((const StateRow *) (const void *) a->row)->acc;
}

static const MtAggState *state_of (const MtAcc *a) { return accumulator_of (a)->state; }

static MtEval eval_in (const MtWork *w, MtArena *arena, MtError *err, const MtAggState *s)
{
   MtEval ev = w->ev;
   ev.arena = arena;
   ev.err = err;
   ev.user = s->user;
   return ev;
}

/* ---- a single state that is not joined yet ---- */

/* Precedes the state of an aggregate that joins (combines) states. The first state of a group is
 * only stored here. If it stays the only one, it is returned unchanged, without parsing it. */
typedef struct Held {
   _Alignas (max_align_t) MtVal only; /* the only state so far, as stored; MT_MISSING: none */
   bool joined;                       /* the aggregate's own state has joined all states */
} Held;

/* Returns the aggregate's own state, which follows the structure Held if there is one. */
static void *inner (const MtAggState *s, const void *state)
{
   return (char *) (uintptr_t) state + (s->joins ? sizeof (Held) : 0);
}

static bool holds (const MtAggState *s, const void *state)
{
   return s->joins && !((const Held *) state)->joined;
}

/* If the group's first state is only stored, joins it to the aggregate's own state now, because
 * another state is added. */
static bool unfold (MtEval *ev, const MtAggState *s, void *state)
{
   Held *h = state;
   if (!holds (s, state))
      return true;
   h->joined = true;
   return mt_is_nullish (h->only) || s->step (ev, inner (s, state), &h->only, 1);
}

/* ---- calling the extension's functions ---- */

static bool convert (MtArena *scratch, MtTypeId type, MtVal *v, MtError *err)
{
   return !mt_type_exists (type) || mt_value_normalize (scratch, mt_type (type), *v, v, err);
}

/* Calls the aggregate's function `step` with the first elements of array `list` as arguments.
 * scratch: memory for converted arguments. */
static bool step_array (MtEval *ev, const MtStateAccumulator *acc, void *state, MtVal list,
                        MtArena *scratch)
{
   MtVal args[MT_STATE_ARGS], v;
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   int n = 0;
   for (; n < acc->argc && mt_doc_next (&it, &key, &v); n++) {
      args[n] = v;
      if (!convert (scratch, acc->types[n], &args[n], ev->err))
         return false;
   }
   for (; n < acc->argc; n++)
      args[n] = mt_v_null ();
   return acc->state->step (ev, state, args, n);
}

bool mt_state_add_row (MtEval *ev, const MtStateAccumulator *acc, void *state, const MtVal *args,
                       MtArena *scratch)
{
   MtVal converted[MT_STATE_ARGS];
   for (int i = 0; i < acc->argc; i++) {
      converted[i] = args[i];
      if (acc->strict && mt_is_nullish (args[i]))
         return true;
      if (!convert (scratch, acc->types[i], &converted[i], ev->err))
         return false;
   }
   return acc->state->step (ev, state, converted, acc->argc);
}

static bool step_bare (MtEval *ev, const MtAggState *s, void *state, MtVal v)
{
   if (holds (s, state) && mt_is_nullish (((Held *) state)->only)) {
      ((Held *) state)->only = mt_v_copy (ev->arena, v);
      return true;
   }
   return unfold (ev, s, state) && s->step (ev, inner (s, state), &v, 1);
}

static bool state_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   const MtStateAccumulator *acc = accumulator_of (a);
   const MtAggState *s = acc->state;
   MtEval ev = eval_in (w, t->arena, &w->err, s);
   if (mt_is_nullish (v))
      return true;
   bool ok = acc->bare
                ? convert (w->arena, acc->types[0], &v, &w->err) && step_bare (&ev, s, state, v)
                : unfold (&ev, s, state) && step_array (&ev, acc, inner (s, state), v, w->arena);
   return ok && mt_memory_check (&w->err);
}

static bool state_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const MtAggState *s = state_of (a);
   MtEval ev = eval_in (w, t->arena, &w->err, s);
   bool ok = true;
   if (!holds (s, from))
      ok = unfold (&ev, s, into) && s->merge (&ev, inner (s, into), inner (s, from));
   else if (!mt_is_nullish (((const Held *) from)->only))
      ok = step_bare (&ev, s, into, ((const Held *) from)->only);
   return ok && mt_memory_check (&w->err);
}

static bool state_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtAggState *s = state_of (a);
   MtEval ev = eval_in (w, w->arena, &w->err, s);
   MtVal v = mt_v_null ();
   if (holds (s, state))
      v = ((const Held *) state)->only;
   else if (!s->final (&ev, inner (s, state), &v))
      return false;
   if (mt_is_nullish (v))
      v = mt_v_null ();
   return mt_v_make_doc (w->arena, &(MtStr) {"v", 1}, &v, 1, out, &w->err) &&
          mt_memory_check (&w->err);
}

static bool state_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const MtAggState *s = state_of (a);
   MtEval ev = eval_in (w, w->arena, &w->err, s);
   MtVal v = mt_v_null ();
   if (holds (s, state))
      v = ((const Held *) state)->only;
   else if (!s->save (&ev, inner (s, state), &v))
      return false;
   if (s->joins)
      mt_pack (b, mt_v_bool (holds (s, state)));
   mt_pack (b, v);
   return mt_memory_check (&w->err);
}

static bool state_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                        const uint8_t *end, MtWork *w)
{
   const MtAggState *s = state_of (a);
   MtEval ev = eval_in (w, t->arena, &w->err, s);
   MtVal held = mt_v_bool (false), v;
   if ((s->joins && !mt_unpack (p, end, &held)) || !mt_unpack (p, end, &v))
      return false;
   if (s->joins)
      *(Held *) state = (Held) {.joined = !held.i};
   if (held.i)
      ((Held *) state)->only = mt_v_copy (t->arena, v);
   return held.i || s->load (&ev, inner (s, state), v);
}

bool mt_state_run (MtEval *ev, const MtStateAccumulator *acc, MtVal rows, MtVal *out)
{
   const MtAggState *s = acc->state;
   MtEval inner = *ev;
   MtDocIter it = mt_doc_iter (rows);
   MtStr key;
   MtVal row;
   void *state = mt_alloc (ev->arena, s->size);
   inner.user = s->user;
   *out = mt_v_null ();
   while (rows.type == MT_ARRAY && mt_doc_next (&it, &key, &row))
      if ((ev->cancel && !mt_cancel_check (ev->cancel, ev->err)) ||
          !step_array (&inner, acc, state, row, ev->arena))
         return false;
   return s->final (&inner, state, out) && mt_memory_check (ev->err);
}

/* ---- the accumulators of all extensions ---- */

/* Protects `rows`. Rows are never removed or moved. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static StateRow **rows;
static size_t row_count, row_cap;

static StateRow *row_of (const MtStateAccumulator *acc)
{
   const MtAggState *s = acc->state;
   StateRow *r = mt_calloc ("accumulators", 1, sizeof *r);
   *r = (StateRow) {.row = {.name = acc->name,
                            .size = (uint32_t) (s->size + (s->joins ? sizeof (Held) : 0)),
                            .serial = s->ordered,
                            .add = state_add,
                            .merge = state_merge,
                            .result = state_result,
                            .save = s->save ? state_save : NULL,
                            .load = s->save ? state_load : NULL},
                    .acc = acc};
   return r;
}

void mt_accumulator_add (const MtStateAccumulator *acc)
{
   bool known = false;
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < row_count && !known; i++)
      known = rows[i]->acc == acc;
   if (!known) {
      MT_GROW ("accumulators", rows, row_count, row_cap, 8);
      rows[row_count++] = row_of (acc);
   }
   pthread_mutex_unlock (&lock);
}

const MtStateAccumulator *mt_accumulator_at (size_t place)
{
   pthread_mutex_lock (&lock);
   const MtStateAccumulator *acc = place < row_count ? rows[place]->acc : NULL;
   pthread_mutex_unlock (&lock);
   return acc;
}

static const MtKeptAggregate *kept;
static size_t kept_count;

void mt_kept_aggregates_set (const MtKeptAggregate *list, size_t count)
{
   kept = list;
   kept_count = count;
}

const MtKeptAggregate *mt_kept_aggregates (size_t *count)
{
   *count = kept_count;
   return kept;
}

const MtAccRow *mt_acc_added (const char *name)
{
   const MtAccRow *found = NULL;
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < row_count && !found; i++)
      found = strcmp (rows[i]->row.name, name) == 0 ? &rows[i]->row : NULL;
   pthread_mutex_unlock (&lock);
   return found;
}
