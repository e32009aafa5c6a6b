/* The stage $group: compiling it, adding rows to groups, merging the groups of several threads, and
 * pushing the results. */
#include "engine/local/group/group_int.h"

#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/group/accum_int.h"

#include <stdlib.h>

#define ROWS_A_DRAIN 1024
#define LEAST_SPILL (1u << 20)
/* Integers are added up in a batch only if their absolute values are at most this, so that the sum
 * of two of them can't overflow. */
#define FOLD_MAX (INT64_MAX / 2)

/* ---- receiving rows ---- */

MtGroupState *mt_group_state (const MtGroupNode *g, MtWork *w)
{
   MtGroupState *st = w->state[g->n.id];
   if (st)
      return st;
   st = mt_x_calloc (1, sizeof *st);
   mt_table_init (&st->table, g);
   st->keys = mt_x_calloc (g->part_count + 1u, sizeof *st->keys);
   st->batch.keys = mt_x_calloc ((size_t) MT_BATCH * g->part_count + 1, sizeof (MtVal));
   st->batch.args = mt_x_calloc ((size_t) MT_BATCH * g->acc_count + 1, sizeof (MtVal));
   w->state[g->n.id] = st;
   return st;
}

static bool over_budget (const MtGroupState *st, const MtWork *w)
{
   return (st->table.count & 63) == 0 && mt_table_bytes (&st->table) > w->exec->args.work_mem;
}

MtRec *mt_group_find (const MtGroupNode *g, MtGroupState *st, MtWork *w, const MtVal *keys,
                      uint64_t hash)
{
   bool made;
   MtRec *r = mt_table_find (&st->table, keys, g->part_count, hash, &made);
   if (made && over_budget (st, w)) {
      if (!mt_group_spill (g, st, w))
         return NULL;
      r = mt_table_find (&st->table, keys, g->part_count, hash, &made);
   }
   return r;
}

static void fetch_ahead (const MtGroupNode *g, const MtGroupState *st)
{
   const MtGroupTable *t = &st->table;
   const MtRowBatch *b = &st->batch;
   for (uint32_t i = 0; i < b->n; i++)
      if (!b->again[i])
         __builtin_prefetch (&t->buckets[(uint32_t) b->hash[i] & t->mask]);
   for (uint32_t i = 0; i < b->n; i++) {
      if (b->again[i])
         continue;
      MtBucket k = t->buckets[(uint32_t) b->hash[i] & t->mask];
      if (!k.rec)
         continue;
      const uint8_t *r = (const uint8_t *) mt_table_rec (t, k.rec - 1);
      __builtin_prefetch (r);
      __builtin_prefetch (r + 64);
   }
}

/* Returns whether the groups of this thread take more memory than work_mem. They can grow without
 * new groups, because lists and sets grow. */
static bool grown (const MtGroupState *st, const MtWork *w)
{
   return mt_arena_bytes (st->table.arena) > LEAST_SPILL &&
          mt_table_bytes (&st->table) > w->exec->args.work_mem;
}

bool mt_group_fit (const MtGroupNode *g, MtGroupState *st, MtWork *w, bool *spilled)
{
   *spilled = false;
   if (!g->grows || !grown (st, w))
      return true;
   /* Without a key there is only one group, which must fit in memory anyway. */
   if (g->part_count == 0)
      return mt_acc_fits (mt_table_bytes (&st->table), w);
   *spilled = true;
   return mt_group_spill (g, st, w);
}

bool mt_batch_flush (const MtGroupNode *g, MtGroupState *st, MtWork *w)
{
   MtRowBatch *b = &st->batch;
   uint64_t seq = w->seq;
   uint32_t n = b->n;
   if (n > 4)
      fetch_ahead (g, st);
   b->n = 0;
   for (uint32_t i = 0; i < n; i++) {
      if (!b->again[i] || !st->current)
         st->current = mt_group_find (g, st, w, b->keys + (size_t) i * g->part_count, b->hash[i]);
      if (!st->current)
         return false;
      w->seq = b->seq[i];
      for (uint32_t k = 0; k < g->acc_count; k++) {
         const MtAcc *a = &g->accs[k];
         if (!mt_group_accumulate (a, &st->table, mt_state_of (a, st->current),
                                   b->args[(size_t) i * g->acc_count + k], b->rows[i], w))
            return false;
      }
   }
   st->current = NULL;
   w->seq = seq;
   bool spilled;
   return mt_group_fit (g, st, w, &spilled);
}

/* Evaluates expression e for a row of the batch. Clears *stay if the bytes of the value do not stay
 * valid until the batch is processed. */
static inline bool eval_into (const MtExecExpr *e, MtWork *w, MtVal *out, bool *stay)
{
   if (e->kind == MT_EX_SLOT)
      *out = w->slots[e->slot];
   else if (!mt_eval (e, w, out))
      return false;
   /* Values of these types are kept in MtVal itself, so no bytes must be copied. */
   switch (out->type) {
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DATE:
   case MT_NULL:
   case MT_MISSING: return true;
   default:
      if (!mt_x_lasting (w, out->p) && mt_bytes_len (*out))
         *stay = false;
      return true;
   }
}

/* Returns whether all n values in a have the same bits as those in b. If they do, the key has not
 * changed since the previous row. */
static inline bool same_bits (const MtVal *a, const MtVal *b, uint32_t n)
{
   for (uint32_t i = 0; i < n; i++)
      if (a[i].i != b[i].i || a[i].type != b[i].type || a[i].len != b[i].len)
         return false;
   return true;
}

/* Evaluates the argument of accumulator a for a row. In a decimal sum, integers are not converted
 * to decimal. Clears *stay if the value's bytes do not stay valid until the batch is processed. */
static inline bool eval_arg (const MtAcc *a, MtWork *w, MtVal *out, bool *stay)
{
   if (a->int_slot != MT_NO_SLOT && mt_group_is_int (w->slots[a->int_slot])) {
      *out = w->slots[a->int_slot];
      return true;
   }
   return eval_into (a->arg, w, out, stay);
}

/* Adds the integers of the current row to those of the last row of the batch, which has the same
 * key. Returns false, without adding, if the current row must be a separate row of the batch. */
static inline bool fold (const MtGroupNode *g, MtRowBatch *b, const MtWork *w)
{
   MtVal *args = b->args + (size_t) (b->n - 1) * g->acc_count;
   for (uint32_t i = 0; i < g->acc_count; i++) {
      if (g->accs[i].fast == MT_FAST_COUNT)
         continue;
      MtVal v = w->slots[g->accs[i].int_slot];
      if (!mt_group_is_int (v) || !mt_group_is_int (args[i]) || v.i > FOLD_MAX || v.i < -FOLD_MAX ||
          args[i].i > FOLD_MAX || args[i].i < -FOLD_MAX)
         return false;
   }
   for (uint32_t i = 0; i < g->acc_count; i++) {
      if (g->accs[i].fast == MT_FAST_COUNT)
         continue;
      MtVal v = w->slots[g->accs[i].int_slot];
      args[i].i += v.i;
      if (v.type == MT_INT64)
         args[i].type = MT_INT64;
   }
   b->rows[b->n - 1] += w->rows;
   return true;
}

static __attribute__ ((noinline)) MtFlow push_row (const MtGroupNode *g, MtWork *w)
{
   MtGroupState *st = mt_group_state (g, w);
   MtRowBatch *b = &st->batch;
   uint32_t at = b->n, parts = g->part_count;
   MtVal *keys = b->keys + (size_t) at * parts, *args = b->args + (size_t) at * g->acc_count;
   bool stay = g->batched;
   for (uint32_t i = 0; i < parts; i++)
      if (!eval_into (g->parts[i], w, &keys[i], &stay))
         return MT_FAIL;
   if (g->null_for_missing && keys[0].type == MT_MISSING)
      keys[0] = mt_v_null ();
   for (uint32_t i = 0; i < g->acc_count; i++)
      if (!eval_arg (&g->accs[i], w, &args[i], &stay))
         return MT_FAIL;
   b->again[at] = at > 0 && same_bits (keys, keys - parts, parts);
   b->hash[at] = b->again[at] ? b->hash[at - 1] : mt_group_hash (keys, parts);
   b->seq[at] = w->seq;
   b->rows[at] = w->rows;
   b->run = w->run;
   b->n++;
   return (stay && b->n < MT_BATCH) || mt_batch_flush (g, st, w) ? MT_GO : MT_FAIL;
}

static MtFlow group_push (const MtExecNode *n, MtWork *w)
{
   const MtGroupNode *g = (const MtGroupNode *) n;
   MtGroupState *st = w->state[n->id];
   w->count[n->id].in += w->rows;
   if (g->folds && st && st->batch.n && st->batch.run == w->run && fold (g, &st->batch, w))
      return MT_GO;
   return push_row (g, w);
}

/* ---- merging the groups of several threads ---- */

static bool merge_rec (const MtGroupNode *g, MtGroupState *into, MtRec *from, MtWork *w)
{
   MtRec *r = mt_group_find (g, into, w, from->keys, from->hash);
   for (uint32_t i = 0; r && i < g->acc_count; i++) {
      const MtAcc *a = &g->accs[i];
      if (!a->row->merge (a, &into->table, mt_state_of (a, r), mt_state_of (a, from), w))
         return false;
   }
   return r != NULL;
}

static void take_files (MtGroupState *into, MtGroupState *from)
{
   if (!from->file_count)
      return;
   size_t n = into->file_count + from->file_count;
   into->files = mt_x_realloc (into->files, n * sizeof (MtStreams *));
   memcpy (into->files + into->file_count, from->files, from->file_count * sizeof (MtStreams *));
   into->file_count += from->file_count;
   from->file_count = 0;
}

static MtFlow group_merge (const MtExecNode *n, MtWork *into, MtWork *from)
{
   const MtGroupNode *g = (const MtGroupNode *) n;
   MtGroupState *a = mt_group_state (g, into), *b = from->state[n->id];
   if (!mt_batch_flush (g, a, into) || !mt_batch_flush (g, b, from)) {
      if (mt_error_is_set (&from->err))
         into->err = from->err;
      return MT_FAIL;
   }
   for (uint32_t i = 0; i < b->table.count; i++)
      if (!mt_tick (into) || !merge_rec (g, a, mt_table_rec (&b->table, i), into))
         return MT_FAIL;
   take_files (a, b);
   return g->part_count || !g->grows || mt_acc_fits (mt_table_bytes (&a->table), into) ? MT_GO
                                                                                       : MT_FAIL;
}

/* ---- pushing the results ---- */

static bool emit (const MtGroupNode *g, MtRec *r, MtWork *w, MtFlow *flow)
{
   MtCount *count = &w->count[g->n.id];
   for (uint32_t i = 0; i < g->part_count; i++) {
      w->slots[g->part_vars[i]->slot] = r->keys[i];
      if (!mt_bind (w, g->part_vars[i], count))
         return false;
   }
   for (uint32_t i = 0; i < g->acc_count; i++) {
      const MtAcc *a = &g->accs[i];
      MtVal *out = &w->slots[a->var->slot];
      if (!a->row->result (a, mt_state_of (a, r), w, out))
         return false;
      if (out->type == MT_MISSING)
         *out = mt_v_null ();
      if (!mt_bind (w, a->var, count))
         return false;
   }
   *flow = mt_next (&g->n, w);
   return *flow != MT_FAIL;
}

static MtFlow group_drain (const MtExecNode *n, MtWork *w, bool *done)
{
   const MtGroupNode *g = (const MtGroupNode *) n;
   MtGroupState *st = mt_group_state (g, w);
   if (!st->draining) {
      st->draining = true;
      if (!mt_batch_flush (g, st, w))
         return MT_FAIL;
      if (st->file_count && (!mt_group_spill (g, st, w) || !mt_group_load (g, st, w, 0)))
         return MT_FAIL;
   }
   for (uint32_t k = 0; k < ROWS_A_DRAIN; k++) {
      if (st->drain_at == st->table.count) {
         if (!st->file_count || ++st->drain_part == MT_SPILL_PARTS) {
            *done = true;
            return MT_GO;
         }
         st->drain_at = 0;
         if (!mt_group_load (g, st, w, st->drain_part))
            return MT_FAIL;
         continue;
      }
      MtFlow flow = MT_GO;
      if (!mt_tick (w) || !emit (g, mt_table_rec (&st->table, st->drain_at++), w, &flow))
         return MT_FAIL;
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static void group_drop (const MtExecNode *n, MtWork *w)
{
   mt_group_state_free (w->state[n->id]);
   w->state[n->id] = NULL;
}

/* ---- compiling ---- */

static uint32_t count_parts (const MtExecExpr *e)
{
   if (e->kind != MT_EX_DOC)
      return e->kind != MT_EX_CONST;
   uint32_t n = 0;
   for (uint32_t i = 0; i < e->argc; i++)
      n += count_parts (e->args[i]);
   return n;
}

/* If the key is a document, makes its fields separate parts of the key. The key document is built
 * only when results are pushed. */
static MtShape *add_parts (MtCompile *c, MtGroupNode *g, MtExecExpr *e)
{
   if (e->kind == MT_EX_CONST)
      return mt_shape_const (c, e->value);
   if (e->kind == MT_EX_DOC) {
      MtShape *s = mt_shape_doc (c, NULL, false);
      for (uint32_t i = 0; i < e->argc; i++)
         mt_shape_put (c, s, e->names[i], add_parts (c, g, e->args[i]), false);
      return s;
   }
   MtExecVar *var = mt_var_new (c, g->n.pos, false);
   g->parts[g->part_count] = e;
   g->part_vars[g->part_count++] = var;
   return mt_shape_var (c, var);
}

static bool bind_parts (MtCompile *c, MtGroupNode *g, MtShape *root)
{
   for (uint32_t i = 0; i < g->part_count; i++)
      if (!mt_expr_bind (c, g->parts[i], root, c->scope, g->n.pos))
         return false;
   for (uint32_t i = 0; i < g->acc_count; i++) {
      MtAcc *a = &g->accs[i];
      if (!mt_expr_bind (c, a->arg, root, c->scope, g->n.pos))
         return false;
      for (uint32_t k = 0; k < a->key_count; k++)
         if (!mt_expr_bind (c, a->keys[k], root, c->scope, g->n.pos))
            return false;
      bool sum = a->row->form & MT_ACC_TOTAL;
      const MtExecExpr *arg = a->decimal ? a->arg->args[0] : a->arg;
      a->int_slot = sum && arg->kind == MT_EX_SLOT ? arg->slot : MT_NO_SLOT;
      if (a->int_slot != MT_NO_SLOT)
         a->fast = MT_FAST_SUM_SLOT;
      if (sum && !a->decimal && a->arg->kind == MT_EX_CONST && a->arg->value.type == MT_INT32) {
         a->fast = MT_FAST_COUNT;
         a->n = a->arg->value.i;
      }
   }
   return true;
}

static bool parse_accs (MtCompile *c, MtGroupNode *g, MtVal spec, MtShape *out)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr key, op;
   MtVal v, arg;
   while (mt_doc_next (&it, &key, &v)) {
      char *name = mt_strndup (c->arena, key.p, key.n);
      if (strcmp (name, "_id") == 0)
         continue;
      MtDocIter one = mt_doc_iter (v);
      if (memchr (name, '.', key.n))
         return mt_bad (c, 40235, "the field name '%s' cannot contain '.'", name);
      if (v.type != MT_DOC || mt_doc_count (v) != 1 || !mt_doc_next (&one, &op, &arg))
         return mt_bad (c, mt_doc_count (v) > 1 && v.type == MT_DOC ? 40238 : 40234,
                        "the field '%s' must be an accumulator object", name);
      MtAcc *a = &g->accs[g->acc_count++];
      if (!mt_acc_parse (c, a, mt_strndup (c->arena, op.p, op.n), arg))
         return false;
      g->n.serial |= a->row->serial && !a->any_order;
      g->grows |= a->row->save != NULL;
      g->batched &= a->key_count == 0;
      a->offset = (uint32_t) g->rec_size;
      g->rec_size += (a->row->size + 15u) & ~15u;
      a->var = mt_var_new (c, g->n.pos, false);
      mt_shape_put (c, out, name, mt_shape_var (c, a->var), false);
   }
   return true;
}

/* Searches an $unwind after all nodes on which the key depends. Then all rows from the same array
 * have the same key. Makes this $unwind mark the rows of each array (MtWork.run), so that keys of
 * its rows need not be compared. */
static void group_seal (MtExecNode *n, MtCompile *c)
{
   MtGroupNode *g = (MtGroupNode *) n;
   int above = -1; /* position of the last node on which the key depends */
   bool folds = g->batched;
   n->counts = g->batched;
   for (uint32_t i = 0; i < g->part_count; i++) {
      n->counts &= g->parts[i]->kind == MT_EX_CONST;
      int def = g->parts[i]->kind == MT_EX_SLOT ? c->slots[g->parts[i]->slot].def : n->pos;
      /* All other slots are variables that the caller sets, which have the same value in all
       * rows. */
      if (def <= n->pos)
         above = def > above ? def : above;
   }
   for (uint32_t i = 0; i < g->acc_count; i++) {
      folds &= g->accs[i].fast != MT_FAST_NO;
      n->counts &= g->accs[i].fast == MT_FAST_COUNT;
   }
   MtExecNode *first = NULL, *before = NULL;
   for (int pos = above + 1; folds && pos < n->pos; pos++) {
      MtExecNode *up = c->nodes[pos];
      before = up->live ? up : before;
      if (up->live && up->sink)
         first = NULL;
      else if (up->live && up->unwinds && !first)
         first = up;
   }
   if (!first)
      return;
   first->marks_runs = g->folds = true;
   uint32_t slot = MT_NO_SLOT;
   for (uint32_t i = 0; i < g->acc_count; i++) {
      if (g->accs[i].fast == MT_FAST_COUNT)
         continue;
      if (slot != MT_NO_SLOT && slot != g->accs[i].int_slot)
         return;
      slot = g->accs[i].int_slot;
   }
   before->adds = slot != MT_NO_SLOT && slot == before->only;
}

bool mt_is_group (const MtExecNode *n) { return n->push == group_push; }

bool mt_stage_group (MtCompile *c, MtVal spec)
{
   MtVal id = spec.type == MT_DOC ? mt_doc_field (spec, "_id") : mt_v_missing ();
   if (id.type == MT_MISSING)
      return mt_bad (c, spec.type == MT_DOC ? 15955 : 15947,
                     "a group specification must include an _id");
   MtExecExpr *key = mt_expr_parse (c, id);
   if (!key)
      return false;
   MtShape *root = c->root, *out = mt_shape_doc (c, NULL, false);
   /* Nodes must be made in this order: those that compute the key, then this node, then those that
    * use its results. */
   MtGroupNode *g = (MtGroupNode *) mt_node_new (c, sizeof *g, NULL, group_push);
   uint32_t parts = count_parts (key);
   g->parts = MT_NEW_N (c->arena, MtExecExpr *, parts + 1u);
   g->part_vars = MT_NEW_N (c->arena, MtExecVar *, parts + 1u);
   g->accs = MT_NEW_N (c->arena, MtAcc, mt_doc_count (spec));
   g->null_for_missing = key->kind != MT_EX_DOC && parts == 1;
   mt_shape_put (c, out, "_id", add_parts (c, g, key), false);
   g->rec_size = (sizeof (MtRec) + g->part_count * (sizeof (MtVal) + MT_KEY_ROOM) + 15u) &
                 ~(size_t) 15;
   g->batched = true;
   if (!parse_accs (c, g, spec, out) || !bind_parts (c, g, root))
      return false;
   g->n.sink = true;
   g->n.merge = group_merge;
   g->n.drain = group_drain;
   g->n.drop = group_drop;
   g->n.seal = group_seal;
   c->root = out;
   c->last_sink = g->n.pos;
   return true;
}
