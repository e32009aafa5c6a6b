/* The stage $sort. A row contains its sort keys and the slots (values) that later nodes read. With
 * a limit, a heap keeps only the first rows in sort order, if they fit into work_mem. With a limit
 * that includes ties (rows with the same keys as the last one), rows that sort after the last
 * needed row are removed from time to time. Rows that exceed work_mem are written to a file as
 * runs: sorted streams.
 *
 * All runs of a thread are in one file. As many runs as fit into work_mem are merged at a time. If
 * there are more, some runs are first merged into longer ones.
 *
 * Each thread sorts its own rows. Then the sorted rows of the threads are merged. */
#include "base/streams.h"
#include "base/temporary.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/sort_head.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

#define ROWS_A_DRAIN 512
#define FIRST_CHUNK_ROWS 16u
/* The maximum number of rows in a chunk: rows in memory that are allocated together. */
#define ROWS_A_CHUNK 512u
/* Rows are prefetched into the CPU's cache this many rows ahead. */
#define ROWS_AHEAD 8
/* At most this many rows are sorted by insertion sort. */
#define FEW_ROWS ((size_t) 16)
/* The cancel flag is checked each time this many rows were processed. */
#define ROWS_A_POLL 8192u
#define MAX_HEAP_ROWS 1000000u
/* Row.seq is the number of the row's block, followed by this many bits for the row's number in the
 * block. Rows with equal keys are sorted by it. */
#define SEQ_ROWS 40
#define MIN_MERGED 8u
#define MAX_MERGED 512u
/* The block size of a file is chosen as if this many runs were merged at a time. */
#define USUALLY_MERGED 256u
#define MIN_BLOCK_BYTES 4096u
#define MAX_BLOCK_BYTES 65536u

typedef struct SortNode {
   MtExecNode n;
   uint32_t *keys; /* slots of the sort keys */
   int8_t *dirs;
   uint32_t key_count;
   uint32_t *carry; /* slots that later nodes read */
   uint32_t carry_count;
   uint64_t limit; /* number of rows to keep; 0: all */
   /* with a limit that includes ties: the number of rows; all rows with the same keys as the last
    * of them are kept, too. 0: all rows */
   uint64_t ties;
   uint32_t width; /* number of values in a row: keys, then the slots that later nodes read */
} SortNode;

typedef struct Row {
   uint64_t seq;
   MtVal v[];
} Row;

/* A row in memory. */
typedef struct Item {
   MtSortHead head; /* the first bits of the sort keys, to compare rows quickly (sort_head.h) */
   Row *row;
} Item;

typedef struct Run {
   MtStreams *file; /* the file of the thread that wrote the run */
   uint32_t stream;
   uint32_t longest; /* size in bytes of the longest row */
   uint8_t *buf;
   size_t n, cap;
   Item next; /* the next row of the run, n bytes in `buf`; its row is NULL at the end */
} Run;

typedef struct SortState {
   const SortNode *node;
   MtArena *arena;
   MtArena **arenas; /* memory of the rows that came from other threads; owned */
   size_t arena_count, arena_cap;
   Item *items; /* rows, or a heap with the last row in sort order on top */
   size_t n, cap;
   bool in_order;   /* the items are in the order in which their rows came (Row.seq) */
   bool sorted;     /* the items are sorted */
   MtSortForm form; /* the form of the heads of all rows so far */
   /* Rows that sort after this row are not needed. The bar's row is NULL if no such limit is known.
    * With ties, the row is one of `items`; otherwise it is in bar_arena. */
   Item bar;
   MtArena *bar_arena; /* memory of `bar`; NULL: not used */
   uint64_t handed_on; /* how many rows of runs were pushed */
   /* with ties: when there are this many rows, those that sort after `bar` are removed */
   size_t prune_at;
   uint8_t *chunk;
   uint32_t chunk_left, chunk_rows;
   Item scratch; /* the row that is pushed; owned */
   uint64_t rows_seen;
   MtStreams **files; /* the temporary files; the first one is being written */
   size_t file_count;
   uint32_t block_bytes;
   Run *runs;
   size_t run_count, run_cap;
   size_t merged; /* how many runs were already merged into a later run */
   size_t heap_n; /* number of runs that still have rows; they form a heap by their next row */
   Run **heap;
   size_t drain_at;
   bool draining;
   uint64_t bytes_sorted; /* size of the documents of the sorted rows, for the progress report */
   double row_bytes;      /* while rows are pushed: average size of the document of one row */
} SortState;

static int compare_rows (const SortNode *s, const Item *a, const Item *b)
{
   for (uint32_t i = 0; i < s->key_count; i++) {
      const MtVal *x = &a->row->v[i], *y = &b->row->v[i];
      int sign;
      if (x->type == y->type && (x->type == MT_INT32 || x->type == MT_INT64 || x->type == MT_DATE))
         sign = (x->i > y->i) - (x->i < y->i);
      else
         sign = mt_x_compare (*x, *y);
      if (sign)
         return s->dirs[i] > 0 ? sign : -sign;
   }
   return 0;
}

static inline int compare_keys (const SortState *st, const Item *a, const Item *b)
{
   if (a->head.high != b->head.high)
      return a->head.high < b->head.high ? -1 : 1;
   if (a->head.low != b->head.low)
      return a->head.low < b->head.low ? -1 : 1;
   return st->form.exact ? 0 : compare_rows (st->node, a, b);
}

static inline int compare (const SortState *st, const Item *a, const Item *b)
{
   int sign = compare_keys (st, a, b);
   return sign ? sign : (a->row->seq > b->row->seq) - (a->row->seq < b->row->seq);
}

static void set_head (SortState *st, Item *item)
{
   const SortNode *s = st->node;
   if (item->row)
      item->head = mt_sort_head (&st->form, item->row->v, s->dirs, s->key_count);
}

static void set_all_heads (SortState *st)
{
   for (size_t i = 0; i < st->n; i++)
      set_head (st, &st->items[i]);
   for (size_t i = 0; i < st->heap_n; i++)
      set_head (st, &st->heap[i]->next);
   set_head (st, &st->bar);
}

/* Computes the head of a new row. If its keys do not have the form of the rows before, computes the
 * heads of all rows again. */
static void set_new_head (SortState *st, Item *item)
{
   if (mt_sort_admit (&st->form, item->row->v))
      set_all_heads (st);
   set_head (st, item);
}

/* ---- receiving rows ---- */

static size_t row_bytes (const SortNode *s) { return sizeof (Row) + s->width * sizeof (MtVal); }

static SortState *state_of (const SortNode *s, MtWork *w)
{
   SortState *st = w->state[s->n.id];
   if (st)
      return st;
   st = mt_x_calloc (1, sizeof *st);
   st->arena = mt_arena_new ("sort", NULL);
   st->scratch.row = mt_x_calloc (1, row_bytes (s));
   st->node = s;
   st->form = mt_sort_form (s->key_count);
   st->in_order = true;
   w->state[s->n.id] = st;
   return st;
}

static Row *new_row (const SortNode *s, SortState *st)
{
   if (!st->chunk_left) {
      st->chunk_rows = st->chunk_rows ? 2 * st->chunk_rows : FIRST_CHUNK_ROWS;
      if (st->chunk_rows > ROWS_A_CHUNK)
         st->chunk_rows = ROWS_A_CHUNK;
      st->chunk = mt_alloc (st->arena, row_bytes (s) * st->chunk_rows);
      st->chunk_left = st->chunk_rows;
   }
   Row *r = (Row *) (void *) st->chunk;
   st->chunk += row_bytes (s);
   st->chunk_left--;
   return r;
}

static void free_arenas (SortState *st)
{
   mt_arena_free (st->arena);
   for (size_t i = 0; i < st->arena_count; i++)
      mt_arena_free (st->arenas[i]);
   st->arena = NULL;
   st->arena_count = 0;
}

/* Frees all rows in memory. The new arena begins with a small chunk, so that the size of the arena
 * tells how much memory the next rows take. */
static void forget_rows (SortState *st)
{
   free_arenas (st);
   st->arena = mt_arena_new ("sort", NULL);
   st->bar.row = NULL;
   st->n = 0;
   st->in_order = true;
   st->sorted = false;
   st->chunk_left = 0;
}

/* Copies the pushed row into `to`, which has a row. */
static bool keep_row (const SortNode *s, SortState *st, MtWork *w, Item *to)
{
   Row *r = to->row;
   for (uint32_t i = 0; i < s->width; i++) {
      MtVal v = i < s->key_count ? st->scratch.row->v[i] : w->slots[s->carry[i - s->key_count]];
      if (!mt_x_verify (w, v))
         return false;
      r->v[i] = mt_x_keep (w, st->arena, v);
   }
   r->seq = st->scratch.row->seq;
   to->head = st->scratch.head;
   return true;
}

static inline void swap (Item *a, Item *b)
{
   Item t = *a;
   *a = *b;
   *b = t;
}

static void sift_down (const SortState *st, Item *items, size_t n, size_t i)
{
   for (;;) {
      size_t worst = i, kid = 2 * i + 1;
      if (kid < n && compare (st, &items[kid], &items[worst]) > 0)
         worst = kid;
      if (kid + 1 < n && compare (st, &items[kid + 1], &items[worst]) > 0)
         worst = kid + 1;
      if (worst == i)
         return;
      swap (&items[i], &items[worst]);
      i = worst;
   }
}

static bool uses_heap (const SortNode *s, const SortState *st)
{
   return s->limit && s->limit <= MAX_HEAP_ROWS && !st->run_count;
}

/* Copies the rows to a new arena if too much memory is wasted by rows that were replaced. */
static void compact (const SortNode *s, SortState *st, MtWork *w)
{
   if (mt_arena_bytes (st->arena) < w->exec->args.work_mem)
      return;
   MtArena *fresh = mt_arena_new ("sort", NULL);
   for (size_t i = 0; i < st->n; i++) {
      Row *r = mt_alloc (fresh, row_bytes (s));
      *r = *st->items[i].row;
      for (uint32_t k = 0; k < s->width; k++)
         r->v[k] = mt_x_own (fresh, st->items[i].row->v[k]);
      st->items[i].row = r;
   }
   free_arenas (st);
   st->arena = fresh;
   st->chunk_left = 0;
}

static void heap_up (const SortState *st, Item *items, size_t i)
{
   while (i && compare (st, &items[i], &items[(i - 1) / 2]) > 0) {
      swap (&items[i], &items[(i - 1) / 2]);
      i = (i - 1) / 2;
   }
}

static bool add_item (SortState *st, MtWork *w, Item item)
{
   if (!MT_TRY_GROW ("sort", st->items, st->n, st->cap, 256))
      return mt_memory_check (&w->err);
   st->in_order &= !st->n || st->items[st->n - 1].row->seq < item.row->seq;
   st->sorted = false;
   st->items[st->n++] = item;
   return true;
}

static bool write_run (const SortNode *s, SortState *st, MtWork *w);
static bool sort_rows (SortState *st, MtWork *w, double worth);

enum { PRUNE_ROWS = 1024 };

/* With ties: removes the rows that are not needed. This happens each time the number of rows has
 * doubled, so it costs about as much as sorting the kept rows once. */
static bool prune (const SortNode *s, SortState *st, MtWork *w)
{
   if (st->n <= s->ties || st->n < st->prune_at || st->n < s->ties + PRUNE_ROWS)
      return true;
   if (!sort_rows (st, w, 0))
      return false;
   size_t n = s->ties;
   while (n < st->n && compare_keys (st, &st->items[n], &st->items[s->ties - 1]) == 0)
      n++;
   st->n = n;
   st->prune_at = 2 * n;
   compact (s, st, w);
   st->bar = st->items[s->ties - 1];
   return true;
}

static size_t held_bytes (const SortState *st)
{
   size_t bytes = mt_arena_bytes (st->arena) + st->n * sizeof *st->items;
   for (size_t i = 0; i < st->arena_count; i++)
      bytes += mt_arena_bytes (st->arenas[i]);
   return bytes;
}

/* After a new row was added: if the rows exceed memory, removes rows that are not needed, or writes
 * the rows to the file as a run. */
static bool fits (const SortNode *s, SortState *st, MtWork *w)
{
   if (s->ties && !prune (s, st, w))
      return false;
   return held_bytes (st) <= w->exec->args.work_mem || write_run (s, st, w);
}

/* After a new row was added to the heap of a sort with a limit: if the rows exceed memory, frees
 * the memory of replaced rows, or writes the heap to the file as a run. After that, rows are sorted
 * without a heap, but those after the last row of a full heap (st->bar) are dropped. */
static bool heap_fits (const SortNode *s, SortState *st, MtWork *w)
{
   size_t budget = w->exec->args.work_mem;
   if (held_bytes (st) <= budget)
      return true;
   if (st->n >= s->limit) {
      compact (s, st, w);
      /* if compacting freed too little, the heap would soon be compacted again */
      if (held_bytes (st) <= budget / 4 * 3)
         return true;
   }
   Item bar = {.row = NULL};
   if (st->n >= s->limit) {
      const Row *top = st->items[0].row;
      st->bar_arena = mt_arena_new ("sort", NULL);
      bar = (Item) {st->items[0].head, mt_alloc (st->bar_arena, row_bytes (s))};
      *bar.row = *top;
      for (uint32_t i = 0; i < s->width; i++)
         bar.row->v[i] = mt_x_own (st->bar_arena, top->v[i]);
   }
   if (!write_run (s, st, w))
      return false;
   st->bar = bar;
   return true;
}

/* Moves the row that was added last to its position in the heap. */
static bool placed (const SortNode *s, SortState *st, MtWork *w)
{
   if (!uses_heap (s, st))
      return fits (s, st, w);
   st->in_order = false;
   heap_up (st, st->items, st->n - 1);
   return heap_fits (s, st, w);
}

static MtFlow sort_push (const MtExecNode *n, MtWork *w)
{
   const SortNode *s = (const SortNode *) n;
   SortState *st = state_of (s, w);
   w->count[n->id].in++;
   Row *pushed = st->scratch.row;
   for (uint32_t i = 0; i < s->key_count; i++)
      pushed->v[i] = mt_sort_key (w->slots[s->keys[i]], s->dirs[i]);
   set_new_head (st, &st->scratch);
   pushed->seq = (w->seq >> 32) << SEQ_ROWS | ++st->rows_seen;
   if (st->bar.row && compare_keys (st, &st->scratch, &st->bar) > 0)
      return MT_GO;
   if (uses_heap (s, st) && st->n >= s->limit) {
      if (compare (st, &st->scratch, &st->items[0]) >= 0)
         return MT_GO;
      if (!keep_row (s, st, w, &st->items[0]))
         return MT_FAIL;
      sift_down (st, st->items, st->n, 0);
      return heap_fits (s, st, w) ? MT_GO : MT_FAIL;
   }
   Item kept = {.row = new_row (s, st)};
   if (!keep_row (s, st, w, &kept) || !add_item (st, w, kept))
      return MT_FAIL;
   return placed (s, st, w) ? MT_GO : MT_FAIL;
}

/* ---- runs ---- */

/* Compares two items of a list, where `a` comes before `b`. The sort is stable. So if the list was in
 * the order of Row.seq, equal rows need no further comparison. */
static inline int compare_in_list (const SortState *st, const Item *a, const Item *b)
{
   return st->in_order ? compare_keys (st, a, b) : compare (st, a, b);
}

/* Sorts a few rows by insertion sort. */
static void sort_few (const SortState *st, Item *items, size_t n)
{
   for (size_t i = 1; i < n; i++) {
      Item item = items[i];
      size_t at = i;
      for (; at && compare_in_list (st, &items[at - 1], &item) > 0; at--)
         items[at] = items[at - 1];
      items[at] = item;
   }
}

/* The progress of a sort, for the user's progress report. */
typedef struct Progress {
   const SortState *st;
   MtWork *w;
   double worth; /* bytes of progress that one row counts for in each step */
   size_t rows;  /* how many rows are not reported yet */
} Progress;

/* Counts processed rows. Returns false if the statement was cancelled. */
static bool go_on (Progress *p, size_t rows)
{
   p->rows += rows;
   if (p->rows < ROWS_A_POLL)
      return true;
   mt_x_ordered (p->w, &p->st->node->n, p->worth * (double) p->rows);
   p->rows = 0;
   return mt_x_poll (p->w);
}

/* A sorted list of items. */
typedef struct List {
   const Item *at, *end;
} List;

static Item *copy_list (Item *to, List l)
{
   size_t n = (size_t) (l.end - l.at);
   if (n)
      memcpy (to, l.at, n * sizeof *to);
   return to + n;
}

/* Merges two sorted lists into `to`. Of equal rows, those of `a` come first. */
static bool merge_two (Progress *p, List a, List b, Item *to)
{
   size_t since = 0;
   while (a.at < a.end && b.at < b.end) {
      *to++ = compare_in_list (p->st, a.at, b.at) <= 0 ? *a.at++ : *b.at++;
      if (++since == ROWS_A_POLL) {
         if (!go_on (p, since))
            return false;
         since = 0;
      }
   }
   since += (size_t) (a.end - a.at) + (size_t) (b.end - b.at);
   copy_list (copy_list (to, a), b);
   return go_on (p, since);
}

/* Sorts the rows in memory: sorts a few at a time, then merges pairs of sorted lists until there is
 * one. Checks the cancel flag now and then. worth: how many bytes of progress the whole sort counts
 * for. */
static bool sort_rows (SortState *st, MtWork *w, double worth)
{
   size_t n = st->n;
   double steps = 1;
   if (n <= 1 || st->sorted)
      return true;
   for (size_t width = FEW_ROWS; width < n; width *= 2)
      steps++;
   Item *other = mt_try_malloc ("sort", n * sizeof *other), *from = st->items, *to = other;
   if (!other)
      return mt_memory_check (&w->err);
   Progress p = {st, w, worth / steps / (double) n, 0};
   bool ok = true;
   for (size_t at = 0; at < n && ok; at += FEW_ROWS) {
      sort_few (st, from + at, n - at < FEW_ROWS ? n - at : FEW_ROWS);
      ok = go_on (&p, FEW_ROWS);
   }
   for (size_t width = FEW_ROWS; width < n && ok; width *= 2) {
      for (size_t at = 0; at < n && ok; at += 2 * width) {
         size_t middle = at + width < n ? at + width : n,
                end = middle + width < n ? middle + width : n;
         ok = merge_two (&p, (List) {from + at, from + middle}, (List) {from + middle, from + end},
                         to + at);
      }
      if (ok) {
         Item *t = from;
         from = to;
         to = t;
      }
   }
   st->items = from;
   st->cap = n < st->cap && from == other ? n : st->cap;
   st->in_order = false;
   st->sorted = ok;
   free (to);
   return ok;
}

static void add_file (SortState *st, MtStreams *file)
{
   st->files = mt_x_realloc (st->files, (st->file_count + 1) * sizeof (MtStreams *));
   st->files[st->file_count++] = file;
}

/* Creates an empty run (a stream of sorted rows) in `file`. Returns NULL with *err set on
 * failure. */
static Run *new_run (SortState *st, MtStreams *file, MtError *err)
{
   uint32_t stream;
   if (!mt_streams_add (file, &stream, err))
      return NULL;
   MT_GROW ("pipeline", st->runs, st->run_count, st->run_cap, 8);
   st->runs[st->run_count] = (Run) {.file = file, .stream = stream};
   return &st->runs[st->run_count++];
}

static bool begin_file (SortState *st, MtWork *w)
{
   size_t block = w->exec->args.work_mem / USUALLY_MERGED / MIN_BLOCK_BYTES * MIN_BLOCK_BYTES;
   if (block < MIN_BLOCK_BYTES)
      block = MIN_BLOCK_BYTES;
   if (block > MAX_BLOCK_BYTES)
      block = MAX_BLOCK_BYTES;
   MtStreams *file = mt_streams_new (0, (uint32_t) block, &w->err);
   st->block_bytes = (uint32_t) block;
   if (file)
      add_file (st, file);
   return file != NULL;
}

/* Returns how many bytes of this thread's documents the progress report does not count as sorted
 * yet. */
static double unsorted_bytes (SortState *st, const MtWork *w)
{
   uint64_t seen = w->count[w->exec->all_nodes].stored, before = st->bytes_sorted;
   if (seen <= before)
      return 0;
   st->bytes_sorted = seen;
   return (double) (seen - before);
}

/* Appends a row to b in the file's format: its length, then its keys and values. */
static bool pack_row (const SortNode *s, const Row *r, MtBson *b, MtError *err)
{
   b->n = 0;
   mt_bson_bytes (b, &(uint32_t) {0}, 4);
   mt_bson_bytes (b, &r->seq, 8);
   for (uint32_t k = 0; k < s->width; k++)
      mt_pack (b, r->v[k]);
   uint32_t n = (uint32_t) b->n - 4;
   if (b->failed)
      return mt_memory_check (err);
   memcpy (b->p, &n, 4);
   return true;
}

static bool write_run (const SortNode *s, SortState *st, MtWork *w)
{
   if (!st->n)
      return true;
   MtBson b = {0};
   double worth = unsorted_bytes (st, w) / 2;
   bool ok = (st->file_count || begin_file (st, w)) && sort_rows (st, w, worth);
   Run *run = ok ? new_run (st, st->files[0], &w->err) : NULL;
   ok = run != NULL;
   for (size_t i = 0; i < st->n && ok; i++) {
      if ((i & 1023) == 0)
         mt_x_ordered (w, &s->n, worth * 1024 / (double) st->n);
      ok = mt_tick (w) && pack_row (s, st->items[i].row, &b, &w->err) &&
           mt_spill_stream (w, run->file, run->stream, b.p, b.n);
      if (ok && b.n - 4 > run->longest)
         run->longest = (uint32_t) b.n - 4;
   }
   ok = ok && mt_streams_end (run->file, run->stream, &w->err);
   free (b.p);
   Item bar = st->bar;
   if (s->ties)
      bar.row = NULL;
   forget_rows (st);
   st->bar = bar;
   return ok;
}

static void close_run (Run *run)
{
   free (run->buf);
   free (run->next.row);
   run->buf = NULL;
   run->next.row = NULL;
   run->cap = 0;
}

/* Opens a run for reading, with a buffer for its longest row. last: the run is read for the last
 * time. */
static bool open_run (const SortNode *s, Run *run, bool last, MtError *err)
{
   run->next.row = mt_x_calloc (1, row_bytes (s));
   run->buf = mt_try_malloc ("sort", run->longest);
   run->cap = run->buf ? run->longest : 0;
   return run->buf ? mt_streams_rewind (run->file, run->stream, last, err) : mt_memory_check (err);
}

static bool read_row (const SortNode *s, SortState *st, Run *run, MtError *err)
{
   uint32_t n;
   bool end;
   if (!mt_streams_next (run->file, run->stream, &n, &end, err))
      return false;
   if (end) {
      close_run (run);
      return true;
   }
   if (n < 8 || n > run->cap)
      return mt_temporary_damaged (err);
   if (!mt_streams_read (run->file, run->stream, run->buf, n, err))
      return false;
   bool ok = true;
   const uint8_t *p = run->buf + 8;
   run->n = n;
   memcpy (&run->next.row->seq, run->buf, 8);
   for (uint32_t k = 0; k < s->width && ok; k++)
      ok = mt_unpack (&p, run->buf + n, &run->next.row->v[k]);
   if (ok)
      set_new_head (st, &run->next);
   return ok || mt_temporary_damaged (err);
}

static void runs_down (SortState *st, size_t i)
{
   for (;;) {
      size_t best = i, kid = 2 * i + 1;
      if (kid < st->heap_n && compare (st, &st->heap[kid]->next, &st->heap[best]->next) < 0)
         best = kid;
      if (kid + 1 < st->heap_n && compare (st, &st->heap[kid + 1]->next, &st->heap[best]->next) < 0)
         best = kid + 1;
      if (best == i)
         return;
      Run *t = st->heap[i];
      st->heap[i] = st->heap[best];
      st->heap[best] = t;
      i = best;
   }
}

/* Opens the `count` oldest runs (sorted files of rows) that are not merged yet, and builds a heap
 * of them by their first rows. last: the runs are read for the last time. */
static bool open_runs (const SortNode *s, SortState *st, size_t count, bool last, MtError *err)
{
   Run *first = st->runs + st->merged;
   st->heap_n = 0;
   for (size_t i = 0; i < count; i++) {
      if (!open_run (s, &first[i], last, err) || !read_row (s, st, &first[i], err))
         return false;
      if (first[i].next.row)
         st->heap[st->heap_n++] = &first[i];
   }
   for (size_t i = st->heap_n; i-- > 0;)
      runs_down (st, i);
   return true;
}

/* Reads the next row of the run on top of the heap, and restores the heap's order. */
static bool next_row (const SortNode *s, SortState *st, MtError *err)
{
   Run *run = st->heap[0];
   if (!read_row (s, st, run, err))
      return false;
   if (!run->next.row)
      st->heap[0] = st->heap[--st->heap_n];
   runs_down (st, 0);
   return true;
}

/* Returns how many runs can be merged at the same time in work_mem. Each run needs a block of the
 * file, a row, and the row's values. */
static size_t most_merged (const SortNode *s, const SortState *st, const MtWork *w)
{
   size_t longest = 0;
   for (size_t i = st->merged; i < st->run_count; i++)
      longest = st->runs[i].longest > longest ? st->runs[i].longest : longest;
   size_t n = w->exec->args.work_mem / (st->block_bytes + longest + row_bytes (s));
   if (n < MIN_MERGED)
      return MIN_MERGED;
   return n < MAX_MERGED ? n : MAX_MERGED;
}

/* Merges the `count` oldest runs into one new run. It reuses the blocks of the file that have been
 * read. */
static bool merge_runs (const SortNode *s, SortState *st, MtWork *w, size_t count)
{
   MtStreams *file = st->runs[st->merged].file;
   uint32_t longest = 0;
   /* The new run is created before the heap is built, because creating it may move the array of
    * runs. */
   Run *to = new_run (st, file, &w->err);
   if (!to || !open_runs (s, st, count, true, &w->err))
      return false;
   while (st->heap_n) {
      const Run *run = st->heap[0];
      uint32_t n = (uint32_t) run->n;
      longest = n > longest ? n : longest;
      if (!mt_tick (w) || !mt_streams_write (file, to->stream, &n, sizeof n, &w->err) ||
          !mt_streams_write (file, to->stream, run->buf, n, &w->err) || !next_row (s, st, &w->err))
         return false;
   }
   to->longest = longest;
   st->merged += count;
   return mt_streams_end (file, to->stream, &w->err);
}

/* Merges runs until there are so few that the final merge can push its rows directly. The first
 * merge takes only as many runs as are needed so that all later merges take the maximum number.
 * This is the least work if all runs have the same length. */
static bool start_runs (const SortNode *s, SortState *st, MtWork *w)
{
   if (!write_run (s, st, w))
      return false;
   free (st->items);
   st->items = NULL;
   st->cap = 0;
   size_t left = st->run_count, most = most_merged (s, st, w);
   st->heap = mt_x_calloc (most, sizeof *st->heap);
   size_t few = left > most ? (left - 1) % (most - 1) + 1 : 0;
   if (few > 1 && !merge_runs (s, st, w, few))
      return false;
   while ((left = st->run_count - st->merged) > most)
      if (!merge_runs (s, st, w, most))
         return false;
   return open_runs (s, st, left, false, &w->err);
}

/* ---- pushing sorted rows ---- */

static MtFlow emit (const SortNode *s, MtWork *w, const Row *r)
{
   for (uint32_t i = 0; i < s->carry_count; i++)
      w->slots[s->carry[i]] = r->v[s->key_count + i];
   return mt_next (&s->n, w);
}

static MtFlow drain_runs (const SortNode *s, SortState *st, MtWork *w, bool *done)
{
   for (int k = 0; k < ROWS_A_DRAIN; k++) {
      if (!st->heap_n || (s->limit && st->handed_on == s->limit)) {
         *done = true;
         return MT_GO;
      }
      MtFlow flow = mt_tick (w) ? emit (s, w, st->heap[0]->next.row) : MT_FAIL;
      if (flow != MT_GO)
         return flow;
      st->handed_on++;
      w->epoch++; /* the buffer that the row's values point into is reused */
      if (!next_row (s, st, &w->err))
         return MT_FAIL;
   }
   return MT_GO;
}

static MtFlow sort_drain (const MtExecNode *n, MtWork *w, bool *done)
{
   const SortNode *s = (const SortNode *) n;
   SortState *st = state_of (s, w);
   if (!st->draining) {
      st->draining = true;
      st->row_bytes = (double) atomic_load (&w->exec->bytes_done) / (double) (st->rows_seen + 1);
      if (!(st->run_count ? start_runs (s, st, w) : sort_rows (st, w, unsorted_bytes (st, w))))
         return MT_FAIL;
   }
   mt_x_ordered (w, &s->n, st->row_bytes * ROWS_A_DRAIN);
   if (st->run_count)
      return drain_runs (s, st, w, done);
   for (int k = 0; k < ROWS_A_DRAIN; k++) {
      if (st->drain_at >= st->n) {
         *done = true;
         return MT_GO;
      }
      if (st->drain_at + ROWS_AHEAD < st->n)
         __builtin_prefetch (st->items[st->drain_at + ROWS_AHEAD].row);
      MtFlow flow = mt_tick (w) ? emit (s, w, st->items[st->drain_at++].row) : MT_FAIL;
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

/* ---- the last needed row, for skipping blocks ---- */

bool mt_sort_order (const MtExecNode *n, MtSortOrder *out)
{
   const SortNode *s = (const SortNode *) n;
   if (n->push != sort_push || !(s->limit || s->ties))
      return false;
   *out = (MtSortOrder) {s->keys, s->dirs, s->key_count, s->limit ? s->limit : s->ties};
   return true;
}

bool mt_sort_last (const MtExecNode *n, const MtWork *w, MtVal *keys, size_t *block)
{
   const SortNode *s = (const SortNode *) n;
   const SortState *st = w->state[n->id];
   if (!st)
      return false;
   bool full = uses_heap (s, st) && st->n >= s->limit;
   const Row *last = full ? st->items[0].row : st->bar.row;
   if (!last)
      return false;
   memcpy (keys, last->v, s->key_count * sizeof *keys);
   *block = full ? last->seq >> SEQ_ROWS : SIZE_MAX;
   return true;
}

/* ---- merging the rows of several threads ---- */

/* Sorts the rows of a worker in its own thread: those in memory, or the rest of them as a run. */
static MtFlow sort_settle (const MtExecNode *n, MtWork *w)
{
   const SortNode *s = (const SortNode *) n;
   SortState *st = state_of (s, w);
   if (s->limit || s->ties)
      return MT_GO;
   bool ok = st->run_count ? write_run (s, st, w) : sort_rows (st, w, unsorted_bytes (st, w));
   return ok ? MT_GO : MT_FAIL;
}

static Item own_row (const SortNode *s, SortState *st, const Row *from)
{
   Row *r = new_row (s, st);
   r->seq = from->seq;
   for (uint32_t i = 0; i < s->width; i++)
      r->v[i] = mt_x_own (st->arena, from->v[i]);
   Item item = {.row = r};
   set_head (st, &item);
   return item;
}

/* Gives the heads of all items of `a` and `b` the same form. */
static void agree_on_heads (SortState *a, SortState *b)
{
   MtSortForm form = {a->form.tiny < b->form.tiny ? a->form.tiny : b->form.tiny,
                      a->form.plain < b->form.plain ? a->form.plain : b->form.plain,
                      a->form.exact && b->form.exact};
   SortState *both[] = {a, b};
   for (size_t i = 0; i < 2; i++) {
      bool same = both[i]->form.tiny == form.tiny && both[i]->form.plain == form.plain;
      both[i]->form = form;
      if (!same)
         set_all_heads (both[i]);
   }
   a->form.exact &= b->form.exact;
}

/* Merges the sorted rows of `b` into those of `a`, which takes over their memory. */
static bool merge_sorted (SortState *a, SortState *b, MtWork *w)
{
   size_t n = a->n + b->n;
   Item *all = mt_try_malloc ("sort", (n + 1) * sizeof *all);
   if (!all)
      return mt_memory_check (&w->err);
   agree_on_heads (a, b);
   a->in_order = false;
   Progress p = {a, w, 0, 0};
   bool ok = merge_two (&p, (List) {a->items, a->items + a->n}, (List) {b->items, b->items + b->n},
                        all);
   free (a->items);
   a->items = all;
   a->cap = n + 1;
   a->n = n;
   MT_GROW ("sort", a->arenas, a->arena_count, a->arena_cap, 8);
   a->arenas[a->arena_count++] = b->arena;
   b->arena = NULL;
   b->n = 0;
   return ok;
}

static void take_runs (SortState *into, SortState *from)
{
   for (size_t i = 0; i < from->run_count; i++) {
      MT_GROW ("pipeline", into->runs, into->run_count, into->run_cap, 8);
      into->runs[into->run_count++] = from->runs[i];
   }
   for (size_t i = 0; i < from->file_count; i++)
      add_file (into, from->files[i]);
   if (from->file_count)
      into->block_bytes = from->block_bytes;
   from->run_count = from->file_count = 0;
}

/* Merges the states of two workers that sorted all of their rows. If both do not fit into work_mem,
 * the rows become runs. */
static bool merge_all (const SortNode *s, SortState *a, MtWork *into, SortState *b, MtWork *from)
{
   bool fit = !a->run_count && !b->run_count &&
              held_bytes (a) + held_bytes (b) <= into->exec->args.work_mem;
   if (fit)
      return !b->n || merge_sorted (a, b, into);
   if (!write_run (s, b, from)) {
      into->err = from->err;
      return false;
   }
   take_runs (a, b);
   return write_run (s, a, into);
}

static MtFlow sort_merge (const MtExecNode *n, MtWork *into, MtWork *from)
{
   const SortNode *s = (const SortNode *) n;
   SortState *a = state_of (s, into), *b = from->state[n->id];
   a->rows_seen += b->rows_seen;
   a->bytes_sorted += b->bytes_sorted;
   if (!s->limit && !s->ties)
      return merge_all (s, a, into, b, from) ? MT_GO : MT_FAIL;
   take_runs (a, b);
   for (size_t i = 0; i < b->n; i++) {
      if (!mt_tick (into))
         return MT_FAIL;
      Item *item = &b->items[i];
      set_new_head (a, item);
      if (uses_heap (s, a) && a->n >= s->limit) {
         if (compare (a, item, &a->items[0]) >= 0)
            continue;
         a->items[0] = own_row (s, a, item->row);
         sift_down (a, a->items, a->n, 0);
         if (!heap_fits (s, a, into))
            return MT_FAIL;
         continue;
      }
      if (a->bar.row && compare_keys (a, item, &a->bar) > 0)
         continue;
      if (!add_item (a, into, own_row (s, a, item->row)) || !placed (s, a, into))
         return MT_FAIL;
   }
   return MT_GO;
}

static void sort_drop (const MtExecNode *n, MtWork *w)
{
   SortState *st = w->state[n->id];
   for (size_t i = 0; i < st->run_count; i++)
      close_run (&st->runs[i]);
   for (size_t i = 0; i < st->file_count; i++)
      mt_streams_free (st->files[i]);
   free (st->files);
   free (st->runs);
   free (st->heap);
   free (st->items);
   free (st->scratch.row);
   free_arenas (st);
   free (st->arenas);
   mt_arena_free (st->bar_arena);
   free (st);
   w->state[n->id] = NULL;
}

/* ---- compiling ---- */

static void sort_seal (MtExecNode *n, MtCompile *c)
{
   SortNode *s = (SortNode *) n;
   s->carry = MT_NEW_N (c->arena, uint32_t, c->slot_count + 1u);
   for (uint32_t i = 0; i < c->slot_count; i++)
      if (c->slots[i].def < n->pos && c->slots[i].use > n->pos)
         s->carry[s->carry_count++] = i;
   s->width = s->key_count + s->carry_count;
}

static bool sort_key_spec (MtCompile *c, SortNode *s, MtStr key, MtVal v)
{
   bool up = mt_is_number (v) && mt_v_compare_numbers (v, mt_v_int32 (1)) == 0;
   if (!up && !(mt_is_number (v) && mt_v_compare_numbers (v, mt_v_int32 (-1)) == 0)) {
      if (v.type == MT_DOC)
         return mt_error_coded (c->err, MT_E_FEATURE, 17312, "$sort by $meta is not supported");
      return mt_bad (c, mt_is_number (v) ? 15975 : 15974,
                     "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
   }
   uint32_t slot = mt_field_slot (c, key.p, key.n);
   s->dirs[s->key_count] = up ? 1 : -1;
   s->keys[s->key_count++] = slot;
   return slot != MT_NO_SLOT;
}

bool mt_stage_sort (MtCompile *c, MtVal spec, uint64_t limit, uint64_t ties)
{
   size_t n = spec.type == MT_DOC ? mt_doc_count (spec) : 0;
   SortNode plan = {.limit = limit, .ties = ties};
   if (!n)
      return mt_bad (c, spec.type == MT_DOC ? 15976 : 15973,
                     "the $sort key specification must be an object with at least one field");
   plan.keys = MT_NEW_N (c->arena, uint32_t, n);
   plan.dirs = MT_NEW_N (c->arena, int8_t, n);
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!sort_key_spec (c, &plan, key, v))
         return false;
   /* This node is created last, because the nodes that compute the keys must come before it. */
   SortNode *s = (SortNode *) mt_node_new (c, sizeof *s, "$sort", sort_push);
   MtExecNode node = s->n;
   *s = plan;
   s->n = node;
   s->n.sink = true;
   s->n.orders = !limit;
   s->n.settle = sort_settle;
   s->n.merge = sort_merge;
   s->n.drain = sort_drain;
   s->n.drop = sort_drop;
   s->n.seal = sort_seal;
   c->last_sink = s->n.pos;
   return true;
}

/* ---- sorting by computed values ---- */

MtSorting mt_sorting_begin (MtCompile *c)
{
   MtSorting s = {.doc = mt_shape_doc (c, NULL, false), .spec = {.arena = c->arena}};
   mt_bson_begin (&s.spec);
   return s;
}

void mt_sorting_add (MtCompile *c, MtSorting *s, const char *name, MtShape *key, MtVal direction)
{
   mt_shape_put (c, s->doc, name, key, false);
   mt_bson_put (&s->spec, name, direction);
   s->count++;
}

bool mt_sorting_end (MtCompile *c, MtSorting *s)
{
   MtShape *root = c->root;
   mt_bson_end (&s->spec, 0);
   if (!s->count || !mt_memory_check (c->err))
      return !s->count;
   c->root = s->doc;
   bool ok = mt_stage_sort (c, mt_bson_part (&s->spec, 0, MT_DOC), 0, 0);
   c->root = root;
   return ok;
}
