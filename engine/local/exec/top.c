/* Chooses the order of blocks for a $sort with a limit, also if it follows a $group by the sort
 * keys.
 *
 * The store has the range of each field in each block. From the ranges, bounds of the sort keys of
 * a block's rows are computed (bounds.h). The block that may have the first rows in sort order is
 * read first. The workers (threads) share the keys of the last needed row found so far. A block is
 * skipped if even its best row would sort after that row. Rows with equal keys are ordered by their
 * blocks, so the result is the same as without skipping. */
#include "engine/local/exec/top.h"

#include "engine/local/exec/run.h"
#include "engine/local/exec/stages.h"
#include "engine/local/expr/bounds.h"
#include "engine/local/expr/shape.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* The maximum limit of a $sort after a $group. */
#define MOST_GROUPS 10000u

typedef struct TopBlock {
   size_t block;
   const MtVal *best; /* for each sort key the best value in the block, perhaps of different rows */
} TopBlock;

struct MtTop {
   const MtExec *x;
   const MtExecNode *sink;
   MtArena *arena;
   uint32_t key_count;
   const uint32_t *keys; /* positions in the row (slots) of the sort keys */
   const int8_t *dirs;
   /* With a $group: for each sort key, which part of the group key it is; and the number of groups
    * needed. */
   uint32_t *parts;
   uint64_t rows;
   TopBlock *order;
   size_t count;
   atomic_size_t past; /* blocks of `order` from this index on are not needed, as far as known */
   pthread_mutex_t lock;
   /* The following members describe the last needed row found so far. The mutex `lock` protects
    * them. */
   MtArena *bound_arena;
   MtVal *bound;       /* its sort keys; NULL: not known yet */
   size_t bound_block; /* blocks after this one need no rows equal to `bound` */
};

/* ---- bounds of the sort keys in a block ---- */

typedef struct Reading {
   const MtExec *x;
   size_t block;
   MtBounding bounding;
   const char *first; /* the first field whose bounds were read; NULL: none */
   /* If not NULL: only rows are considered whose field `part_of` has a value within the bounds
    * `part`. */
   const char *part_of;
   MtExprBounds part;
} Reading;

/* Returns the name of the top-level field of the source's documents whose value is in this slot.
 * NULL: the slot contains something else. */
static const char *field_in (const MtExec *x, uint32_t slot)
{
   const MtExtract *f = x->root->extract;
   for (uint32_t i = 0; f && i < f->count; i++)
      if (f->fields[i].value == slot)
         return f->fields[i].name;
   return NULL;
}

/* Returns the expression that a node before `sink` computes into this slot, or NULL. If `sink` is a
 * $group, also returns the expression of a part of its key. */
static const MtExecExpr *expression_in (const MtExec *x, const MtExecNode *sink, uint32_t slot)
{
   for (uint32_t i = 0; x->nodes[i] != sink; i++)
      if (x->nodes[i]->push == mt_eval_push &&
          ((const MtEvalNode *) x->nodes[i])->var->slot == slot)
         return ((const MtEvalNode *) x->nodes[i])->expr;
   return NULL;
}

static bool slot_bounds (void *ctx, uint32_t slot, MtExprBounds *out)
{
   Reading *r = ctx;
   const char *field = field_in (r->x, slot);
   if (field && !r->first)
      r->first = field;
   if (field && r->part_of && strcmp (field, r->part_of) == 0) {
      *out = r->part;
      return true;
   }
   if (field)
      return mt_field_bounds (r->x->source, r->block, field, out);
   const MtExecExpr *e = expression_in (r->x, r->x->nodes[mt_sink_after (r->x, -1)], slot);
   return e && mt_expr_bounds (e, &r->bounding, out);
}

/* Computes the bounds of sort key number `key` in a block. Returns false if they are unknown. */
static bool key_bounds (const MtTop *t, Reading *r, uint32_t key, MtExprBounds *out)
{
   if (!t->parts)
      return slot_bounds (r, t->keys[key], out);
   const MtGroupNode *g = (const MtGroupNode *) t->sink;
   return mt_expr_bounds (g->parts[t->parts[key]], &r->bounding, out);
}

/* ---- ordering the blocks ---- */

static int compare_keys (const MtTop *t, const MtVal *a, const MtVal *b)
{
   for (uint32_t i = 0; i < t->key_count; i++) {
      bool ints = a[i].type == b[i].type &&
                  (a[i].type == MT_DATE || a[i].type == MT_INT64 || a[i].type == MT_INT32);
      int sign = ints ? (a[i].i > b[i].i) - (a[i].i < b[i].i) : mt_v_compare (a[i], b[i]);
      if (sign)
         return t->dirs[i] > 0 ? sign : -sign;
   }
   return 0;
}

static int compare_blocks (const void *a, const void *b, void *top)
{
   const TopBlock *l = a, *r = b;
   int sign = compare_keys (top, l->best, r->best);
   return sign ? sign : (l->block > r->block) - (l->block < r->block);
}

/* Computes the best possible value of each sort key, the one that sorts first, for the rows of `r`.
 * Returns false if the first key has no bounds. */
static bool best_keys (const MtTop *t, Reading *r, MtVal *best)
{
   bool first = false;
   for (uint32_t i = 0; i < t->key_count; i++) {
      MtExprBounds b;
      bool has = key_bounds (t, r, i, &b);
      if (!has)
         b = (MtExprBounds) {{.type = MT_MINKEY}, {.type = MT_MAXKEY}};
      best[i] = t->dirs[i] > 0 ? b.lo : b.hi;
      first |= has && i == 0;
   }
   return first;
}

/* If the first field of a block has null or NaN values, whose ranks sort before or after all other
 * values, computes the best keys for rows with and without them separately. This gives better
 * bounds than for all rows together. */
static void by_parts (const MtTop *t, Reading *r, MtVal *best, MtVal *other)
{
   MtRangeParts p;
   const char *field = r->first;
   if (!field || !mt_block_parts (t->x->source, r->block, field, &p) || !(p.nulls || p.nans))
      return;
   const MtVal nan = mt_v_double (NAN);
   const MtExprBounds parts[] = {
      {p.least, p.greatest}, {nan, nan}, {mt_v_missing (), mt_v_null ()}};
   const bool has[] = {true, p.nans, p.nulls};
   r->part_of = field;
   for (int i = 0; i < 3; i++) {
      r->part = parts[i];
      if (has[i])
         best_keys (t, r, other);
      if (i == 0 || (has[i] && compare_keys (t, other, best) < 0))
         memcpy (best, other, t->key_count * sizeof *best);
   }
   r->part_of = NULL;
}

/* Computes the best sort keys of all blocks, and orders the blocks by them. Returns false if the
 * store has no range of the first sort key. */
static bool plan_order (MtTop *t, MtWork *w)
{
   Reading r = {.x = t->x, .bounding = {.slot = slot_bounds, .w = w}};
   bool any = false;
   r.bounding.ctx = &r;
   t->count = mt_source_blocks (t->x->source);
   t->order = MT_NEW_N (t->arena, TopBlock, t->count + 1);
   MtVal *best = MT_NEW_N (t->arena, MtVal, (t->count + 1) * t->key_count);
   MtVal *other = best + t->count * t->key_count;
   for (r.block = 0; r.block < t->count; r.block++, best += t->key_count) {
      t->order[r.block] = (TopBlock) {r.block, best};
      r.first = NULL;
      if (best_keys (t, &r, best)) {
         any = true;
         by_parts (t, &r, best, other);
      }
      for (uint32_t i = 0; i < t->key_count; i++)
         best[i] = mt_v_copy (t->arena, best[i]);
   }
   if (any)
      qsort_r (t->order, t->count, sizeof *t->order, compare_blocks, t);
   return any;
}

/* ---- pipelines for which this is possible ---- */

/* Returns whether no node up to `sink` depends on the order in which blocks are read. */
static bool any_order (const MtExec *x, int sink)
{
   for (int i = 0; i <= sink; i++)
      if (x->nodes[i]->serial || x->nodes[i]->pump || !x->nodes[sink]->sink)
         return false;
   return true;
}

static bool by_sort (MtTop *t)
{
   MtSortOrder o;
   if (!mt_sort_order (t->sink, &o))
      return false;
   t->keys = o.slots;
   t->dirs = o.dirs;
   t->key_count = o.count;
   return true;
}

/* Returns how many of the first sort keys are parts of the group key of g. */
static uint32_t keys_of_group (MtTop *t, const MtGroupNode *g, const MtSortOrder *o)
{
   t->parts = MT_NEW_N (t->arena, uint32_t, o->count);
   for (uint32_t i = 0; i < o->count; i++) {
      uint32_t k = 0;
      while (k < g->part_count && g->part_vars[k]->slot != o->slots[i])
         k++;
      if (k == g->part_count)
         return i;
      t->parts[i] = k;
   }
   return o->count;
}

/* Returns whether node `sink` is a $group that a $sort with a limit follows, and no stage between
 * them may drop groups. Then sets t up for them. */
static bool by_group (MtTop *t, int sink)
{
   const MtExec *x = t->x;
   MtSortOrder o;
   int sort = mt_sink_after (x, sink);
   if (!mt_is_group (t->sink) || !mt_sort_order (x->nodes[sort], &o) || o.rows > MOST_GROUPS)
      return false;
   for (int i = sink + 1; i < sort; i++)
      if (x->nodes[i]->push != mt_eval_push)
         return false;
   t->key_count = keys_of_group (t, (const MtGroupNode *) t->sink, &o);
   t->dirs = o.dirs;
   t->rows = o.rows;
   return t->key_count > 0;
}

MtTop *mt_top_new (const MtExec *x, MtWork *w)
{
   int sink = mt_sink_after (x, -1);
   /* The store's ranges are in byte order. They are of no use for a collation. */
   if (x->from != MT_FROM_SOURCE || x->args.reading.all_blocks || x->args.order || x->by_block ||
       x->start >= 0 || mt_source_blocks (x->source) < 2 || !any_order (x, sink))
      return NULL;
   MtTop *t = mt_x_calloc (1, sizeof *t);
   *t = (MtTop) {.x = x,
                 .sink = x->nodes[sink],
                 .arena = mt_arena_new ("top", NULL),
                 .bound_arena = mt_arena_new ("top", NULL)};
   atomic_init (&t->past, SIZE_MAX);
   if (pthread_mutex_init (&t->lock, NULL) != 0)
      mt_no_memory ("top", sizeof t->lock);
   if ((by_sort (t) || by_group (t, sink)) && plan_order (t, w))
      return t;
   mt_top_free (t);
   return NULL;
}

void mt_top_free (MtTop *t)
{
   if (!t)
      return;
   pthread_mutex_destroy (&t->lock);
   mt_arena_free (t->bound_arena);
   mt_arena_free (t->arena);
   free (t);
}

/* ---- while the pipeline runs ---- */

size_t mt_top_block (const MtTop *t, size_t at) { return t->order[at].block; }

/* Returns whether the blocks from position `at` of the order on have no needed row. The caller
 * holds `lock`. */
static bool is_past (const MtTop *t, size_t at)
{
   const TopBlock *b = &t->order[at];
   int sign = t->bound ? compare_keys (t, b->best, t->bound) : -1;
   return sign > 0 || (sign == 0 && b->block > t->bound_block);
}

bool mt_top_is_past (MtTop *t, size_t at)
{
   if (at >= atomic_load_explicit (&t->past, memory_order_relaxed))
      return true;
   pthread_mutex_lock (&t->lock);
   bool past = is_past (t, at);
   if (past)
      atomic_store_explicit (&t->past, at, memory_order_relaxed);
   pthread_mutex_unlock (&t->lock);
   return past;
}

static void tighten (MtTop *t, const MtVal *keys, size_t block)
{
   int sign = t->bound ? compare_keys (t, keys, t->bound) : -1;
   if (sign > 0 || (sign == 0 && block >= t->bound_block))
      return;
   MtArena *fresh = mt_arena_new ("top", NULL);
   t->bound = MT_NEW_N (fresh, MtVal, t->key_count);
   for (uint32_t i = 0; i < t->key_count; i++)
      t->bound[i] = mt_v_copy (fresh, keys[i]);
   t->bound_block = block;
   mt_arena_free (t->bound_arena);
   t->bound_arena = fresh;
}

void mt_top_note (MtTop *t, MtWork *w)
{
   MtVal few[8], *keys = t->key_count <= 8 ? few : MT_NEW_N (w->arena, MtVal, t->key_count);
   size_t block = SIZE_MAX;
   bool known = t->parts
                   ? mt_group_nth (t->sink, w,
                                   (MtGroupOrder) {t->parts, t->dirs, t->key_count, t->rows}, keys)
                   : mt_sort_last (t->sink, w, keys, &block);
   if (!known)
      return;
   pthread_mutex_lock (&t->lock);
   tighten (t, keys, block);
   pthread_mutex_unlock (&t->lock);
}

bool mt_top_has_left (MtTop *t, size_t at, uint64_t bytes)
{
   uint64_t left = 0;
   for (; at < t->count && left < bytes && !mt_top_is_past (t, at); at++) {
      MtBlock b;
      mt_source_block (t->x->source, t->order[at].block, &b);
      left += b.size;
   }
   return left >= bytes;
}
