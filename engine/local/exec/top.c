/* Chooses the order of blocks for a $sort with a limit, also if it follows a $group by the sort
 * keys.
 *
 * The store has the range of each field in each block. From the ranges, bounds of the sort keys of
 * a block's rows are computed (bounds.h). The block that may have the first rows in sort order is
 * read first. The workers (threads) share the keys of the last needed row found so far. A block is
 * skipped if even its best row would sort after that row. Rows with equal keys are ordered by their
 * blocks, so the result is the same as without skipping.
 *
 * In a block that is read by its columns, the rows that sort after that row are skipped, too: their
 * numbers in the column of a sort key show it. */
#include "engine/local/exec/top.h"

#include "engine/local/exec/columns_int.h"
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
   MtVal *bound;                 /* its sort keys; NULL: not known yet */
   size_t bound_block;           /* blocks after this one need no rows equal to `bound` */
   atomic_uint_least64_t bounds; /* how many bounds there were until now */
};

/* ---- bounds of the sort keys in a block ---- */

typedef struct Reading {
   const MtExec *x;
   size_t block;
   MtBounding bounding;
   int first; /* the first field whose bounds were read; -1: none */
   /* If not -1: only rows are considered whose field `part_of` has a value within the bounds
    * `part`. */
   int part_of;
   MtExprBounds part;
} Reading;

/* Returns the number of the field whose value is in this slot: a field of the column plan, or if
 * there is none, a top-level field of the source's documents. -1: the slot contains something
 * else. */
static int field_in (const MtExec *x, uint32_t slot)
{
   const MtExtract *f = x->root->extract;
   if (x->by_columns)
      return mt_columns_field (x->by_columns, slot);
   for (uint32_t i = 0; f && i < f->count; i++)
      if (f->fields[i].value == slot)
         return (int) i;
   return -1;
}

/* Returns the name of a field of the source's documents. NULL: it is a field of their lists. */
static const char *top_field (const MtExec *x, int field)
{
   const MtColumnPlan *p = x->by_columns;
   if (p && p->field[field].level > 0)
      return NULL;
   return (p ? p->fields : x->root->extract)->fields[field].name;
}

static bool field_parts (const MtExec *x, size_t block, int field, MtRangeParts *out)
{
   const char *name = top_field (x, field);
   return (name && mt_block_parts (x->source, block, name, out)) ||
          (x->by_columns && mt_columns_parts (x, block, (uint32_t) field, out));
}

static bool field_bounds (const MtExec *x, size_t block, int field, MtExprBounds *out)
{
   const char *name = top_field (x, field);
   MtRangeParts p;
   if (name && mt_field_bounds (x->source, block, name, out))
      return true;
   if (!x->by_columns || !mt_columns_parts (x, block, (uint32_t) field, &p))
      return false;
   *out = mt_parts_bounds (&p);
   return true;
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
   int field = field_in (r->x, slot);
   if (r->first < 0)
      r->first = field;
   if (field >= 0 && field == r->part_of) {
      *out = r->part;
      return true;
   }
   if (field >= 0)
      return field_bounds (r->x, r->block, field, out);
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
   int field = r->first;
   if (field < 0 || !field_parts (t->x, r->block, field, &p) || !(p.nulls || p.nans))
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
   r->part_of = -1;
}

/* Computes the best sort keys of all blocks, and orders the blocks by them. Returns false if the
 * store has no range of the first sort key. */
static bool plan_order (MtTop *t, MtWork *w)
{
   Reading r = {.x = t->x, .bounding = {.slot = slot_bounds, .w = w}, .part_of = -1};
   bool any = false;
   r.bounding.ctx = &r;
   t->count = mt_source_blocks (t->x->source);
   t->order = MT_NEW_N (t->arena, TopBlock, t->count + 1);
   MtVal *best = MT_NEW_N (t->arena, MtVal, (t->count + 1) * t->key_count);
   MtVal *other = best + t->count * t->key_count;
   for (r.block = 0; r.block < t->count; r.block++, best += t->key_count) {
      t->order[r.block] = (TopBlock) {r.block, best};
      r.first = -1;
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
       x->start >= 0 || mt_source_blocks (x->source) < (x->by_columns ? 1 : 2) ||
       !any_order (x, sink))
      return NULL;
   MtTop *t = mt_x_calloc (1, sizeof *t);
   *t = (MtTop) {.x = x,
                 .sink = x->nodes[sink],
                 .arena = mt_arena_new ("top", NULL),
                 .bound_arena = mt_arena_new ("top", NULL)};
   atomic_init (&t->past, SIZE_MAX);
   atomic_init (&t->bounds, 0);
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
   atomic_fetch_add (&t->bounds, 1);
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

/* ---- rows of a block that is read by its columns ---- */

/* How the rows of a block are tested. The sort keys are functions of one field. */
typedef struct Picking {
   MtTop *t;
   Reading r;
   const MtVal *bound; /* the sort keys of the last needed row */
   bool ties;          /* rows with equal keys are needed */
   MtColumnTest *test;
} Picking;

/* Returns the plan's field in which the sort key does not decrease, or -1. */
static int rises_in (const Picking *p, uint32_t key)
{
   const MtExec *x = p->t->x;
   const MtExecExpr *e = NULL;
   uint32_t slot = MT_NO_SLOT;
   if (p->t->parts)
      e = ((const MtGroupNode *) p->t->sink)->parts[p->t->parts[key]];
   else
      slot = p->t->keys[key];
   for (;;) {
      if (e && e->kind == MT_EX_SLOT)
         slot = e->slot;
      int field = slot == MT_NO_SLOT ? -1 : field_in (x, slot);
      if (field >= 0)
         return field;
      if (slot == MT_NO_SLOT)
         e = mt_expr_rises_in (e);
      else
         e = expression_in (x, x->nodes[mt_sink_after (x, -1)], slot);
      slot = MT_NO_SLOT;
      if (!e)
         return -1;
   }
}

/* Returns whether rows are needed if this sort key is the first that differs from the bound, by
 * this sign, or if it is equal (sign 0). */
static bool needs (const Picking *p, uint32_t key, int sign)
{
   bool ties = p->ties || key + 1 < p->t->key_count;
   return p->t->dirs[key] * sign < (ties ? 1 : 0);
}

/* Returns whether the sort key may be needed in rows with this number in the column. */
static bool needs_number (Picking *p, uint32_t key, uint64_t number)
{
   const MtStoredColumn *c = p->test->column;
   MtVal v = mt_stored_value (c, c->type == MT_INT32 ? MT_INT64 : c->type, number);
   MtExprBounds b;
   p->r.part = (MtExprBounds) {v, v};
   if (!key_bounds (p->t, &p->r, key, &b))
      return true;
   return needs (p, key, mt_v_compare (p->t->dirs[key] > 0 ? b.lo : b.hi, p->bound[key]));
}

/* Sets the range of numbers for which the sort key may be needed. */
static void set_range (Picking *p, uint32_t key)
{
   MtColumnTest *test = p->test;
   bool up = p->t->dirs[key] > 0; /* the least numbers are needed, up to some number */
   uint64_t low = 0, high = test->column->most;
   *test = (MtColumnTest) {.kind = MT_BY_RANGE, .column = test->column, .high = high};
   if (!needs_number (p, key, up ? 0 : high)) {
      test->low = 1;
      test->high = 0;
      return;
   }
   while (low < high) { /* numbers beyond these are needed, or none of them */
      uint64_t half = (high - low) / 2, middle = up ? high - half : low + half;
      if (needs_number (p, key, middle) == up)
         low = up ? middle : middle + 1;
      else
         high = up ? middle - 1 : middle;
   }
   *(up ? &test->high : &test->low) = low;
}

/* Sets a comparison of the column's doubles with the sort key. Returns false if it is no double. */
static bool set_compare (Picking *p, uint32_t key)
{
   static const MtMatch up[] = {{.kind = MT_M_LT}, {.kind = MT_M_LTE}},
                        down[] = {{.kind = MT_M_GT}, {.kind = MT_M_GTE}};
   MtVal v = p->bound[key];
   if (!mt_stored_one_type (p->test->column) || v.type != MT_DOUBLE || isnan (v.d))
      return false;
   *p->test = (MtColumnTest) {.kind = MT_BY_COMPARE,
                              .column = p->test->column,
                              .match = (p->t->dirs[key] > 0 ? up : down) + needs (p, key, 0),
                              .with = v.d};
   return true;
}

/* Returns which rows are needed whose field `part_of` is within `part`. Sets the test if these are
 * some. */
static MtColumnPick pick_part (Picking *p, MtVal least, MtVal greatest, bool tests)
{
   const MtTop *t = p->t;
   for (uint32_t i = 0; i < t->key_count; i++) {
      MtExprBounds b;
      p->r.part = (MtExprBounds) {least, greatest};
      if (!key_bounds (t, &p->r, i, &b))
         return MT_PICK_ALL;
      int dir = t->dirs[i], lo = mt_v_compare (b.lo, p->bound[i]) * dir,
          hi = mt_v_compare (b.hi, p->bound[i]) * dir;
      if (lo > 0 && hi > 0)
         return MT_PICK_NONE;
      if (lo == 0 && hi == 0)
         continue;
      if ((lo < 0 && hi < 0) || !tests || rises_in (p, i) != p->r.part_of)
         return MT_PICK_ALL;
      if (p->test->column->form == MT_COLUMN_BITS)
         return set_compare (p, i) ? MT_PICK_SOME : MT_PICK_ALL;
      set_range (p, i);
      return MT_PICK_SOME;
   }
   return p->ties ? MT_PICK_ALL : MT_PICK_NONE;
}

/* Sets the test of the field that decides the order in the block. Returns MT_PICK_SOME if it must
 * be applied. */
static MtColumnPick prepare (Picking *p, MtWork *w)
{
   MtRangeParts parts;
   MtExprBounds b;
   MtColumnTest *test = p->test;
   const MtColumnPlan *plan = p->t->x->by_columns;
   if (!key_bounds (p->t, &p->r, 0, &b) || p->r.first < 0 ||
       plan->field[p->r.first].until + 1 < plan->levels ||
       !mt_columns_parts (p->t->x, p->r.block, (uint32_t) p->r.first, &parts))
      return MT_PICK_ALL;
   p->r.part_of = p->r.first;
   *test = (MtColumnTest) {.column = &w->columns->columns[p->r.first]};
   bool null = parts.nulls && pick_part (p, mt_v_missing (), mt_v_null (), false) != MT_PICK_NONE;
   MtVal nan = mt_v_double (NAN);
   if (parts.nans && pick_part (p, nan, nan, false) != MT_PICK_NONE)
      return MT_PICK_ALL;
   MtColumnPick pick = pick_part (p, parts.least, parts.greatest, true);
   if (pick == MT_PICK_ALL || (pick == MT_PICK_NONE && !parts.nulls))
      return pick;
   if (pick == MT_PICK_NONE)
      *test = (MtColumnTest) {.kind = MT_BY_RANGE, .column = test->column, .low = 1};
   test->null_passes = test->missing_passes = null;
   return MT_PICK_SOME;
}

bool mt_top_pick (MtTop *t, MtWork *w, uint32_t n, uint8_t *passes)
{
   MtColumnScan *s = w->columns;
   MtVal few[8];
   uint8_t needed[MT_COLUMN_CHUNK];
   if (!t->parts)
      mt_top_note (t, w);
   uint64_t bounds = atomic_load (&t->bounds);
   if (bounds != s->bounds) {
      MtVal *bound = t->key_count <= 8 ? few : MT_NEW_N (w->arena, MtVal, t->key_count);
      Picking p = {.t = t,
                   .r = {.x = t->x,
                         .block = (size_t) (w->seq >> 32),
                         .bounding = {.slot = slot_bounds, .w = w},
                         .first = -1,
                         .part_of = -1},
                   .bound = bound,
                   .test = &s->picking};
      p.r.bounding.ctx = &p.r;
      pthread_mutex_lock (&t->lock);
      for (uint32_t i = 0; i < t->key_count; i++)
         bound[i] = mt_v_copy (w->arena, t->bound[i]);
      p.ties = t->bound_block > p.r.block;
      pthread_mutex_unlock (&t->lock);
      s->pick = prepare (&p, w);
      s->bounds = bounds;
   }
   if (s->pick == MT_PICK_ALL)
      return true;
   memset (needed, 0, n);
   if (s->pick == MT_PICK_SOME && !mt_column_test_one (&s->picking, w, n, needed))
      return false;
   for (uint32_t i = 0; i < n; i++)
      passes[i] &= needed[i];
   return true;
}
