/* Computes an accumulator over a sliding range of rows: both ends only move forward. No row is ever
 * subtracted from a state. So each result is as exact as if all rows of the range were added from
 * the beginning. */
#include "engine/local/window/window_int.h"

#include <stdlib.h>

#define BACK_LIMIT (1u << 20)

/* Returns whether the accumulator's state has no pointers and does not depend on the order of rows.
 * Such a state can be copied by memcpy. */
static bool is_plain (const MtAcc *a) { return !a->row->save && !a->row->serial; }

MtWinSlide *mt_win_slides_new (const MtAcc *a)
{
   MtWinSlide *s = mt_x_calloc (2, sizeof *s);
   for (int i = 0; i < 2; i++) {
      s[i].suffix_mem.arena = mt_arena_new ("window", NULL);
      s[i].marks_mem.arena = mt_arena_new ("window", NULL);
      s[i].back_mem.arena = mt_arena_new ("window", NULL);
      s[i].back = mt_x_aligned (16, mt_win_state_size (a));
   }
   return s;
}

void mt_win_slides_free (MtWinSlide *s)
{
   for (int i = 0; i < 2; i++) {
      mt_arena_free (s[i].suffix_mem.arena);
      mt_arena_free (s[i].marks_mem.arena);
      mt_arena_free (s[i].back_mem.arena);
      free (s[i].back);
      free (s[i].suffix);
      free (s[i].marks);
   }
   free (s);
}

void mt_win_slide_begin (MtWinSlide *s, const MtAcc *a, uint64_t at)
{
   s->lo = s->mid = s->hi = at;
   s->suffix_count = s->mark_count = 0;
   s->back_limit = BACK_LIMIT;
   memset (s->back, 0, mt_win_state_size (a));
   if (!is_plain (a))
      mt_arena_reset (s->back_mem.arena);
}

bool mt_win_add (const MtWinFunc *f, MtGroupTable *t, void *state, const MtWinRow *row, MtWork *w)
{
   for (uint32_t i = 0; f->keys && i < f->acc.key_count; i++)
      w->slots[f->acc.keys[i]->slot] = row->v[f->keys_at[i]];
   return f->acc.row->add (&f->acc, t, state, row->v[f->arg_at], w);
}

static bool add (const MtWinFunc *f, MtGroupTable *t, void *state, uint64_t i, MtWinRows *rows,
                 MtWork *w)
{
   const MtWinRow *row = mt_win_row (rows, i, w);
   w->seq = i;
   return row && mt_tick (w) && mt_win_add (f, t, state, row, w);
}

/* Adds row i in front of the rows of `state`: the result is row i merged with the state of the rows
 * behind it. */
static bool prepend (const MtWinFunc *f, MtGroupTable *t, uint8_t *state, uint64_t i,
                     MtWinRows *rows, MtWork *w)
{
   const MtAcc *a = &f->acc;
   if (is_plain (a))
      return add (f, t, state, i, rows, w);
   uint8_t *one = mt_alloc (t->arena, mt_win_state_size (a));
   if (!add (f, t, one, i, rows, w) || !a->row->merge (a, t, one, state, w))
      return false;
   memcpy (state, one, mt_win_state_size (a));
   return true;
}

static uint64_t end_of_block (uint64_t row, uint64_t mid)
{
   uint64_t end = (row / MT_WIN_BLOCK + 1) * MT_WIN_BLOCK;
   return end < mid ? end : mid;
}

/* Fills s->suffix: for each row of the block that contains s->lo, the state of all rows from it up
 * to s->mid. Uses up the last mark, which is the state of the rows behind this block. */
static bool open_block (MtWinSlide *s, const MtWinFunc *f, MtWinRows *rows, MtWork *w)
{
   size_t size = mt_win_state_size (&f->acc);
   uint64_t end = end_of_block (s->lo, s->mid);
   if (!s->suffix)
      s->suffix = mt_x_aligned (16, size * MT_WIN_BLOCK);
   mt_arena_reset (s->suffix_mem.arena);
   s->block = s->lo;
   s->suffix_count = (uint32_t) (end - s->lo);
   uint8_t *zero = mt_alloc (s->suffix_mem.arena, size);
   const uint8_t *rest = end < s->mid ? s->marks + size * --s->mark_count : zero;
   for (uint64_t i = end; i-- > s->lo;) {
      uint8_t *state = s->suffix + size * (i - s->lo);
      memcpy (state, rest, size);
      if (!prepend (f, &s->suffix_mem, state, i, rows, w))
         return false;
      rest = state;
   }
   return true;
}

/* Appends a copy of `state` to s->marks: the state of all rows from the start of a block up to
 * s->mid. Goes on with the copy, so that the memory used for computing it can be freed. */
static bool push_mark (MtWinSlide *s, const MtAcc *a, uint8_t *state, MtWork *w)
{
   size_t size = mt_win_state_size (a);
   if (s->mark_count == s->mark_cap) {
      uint32_t cap = (uint32_t) mt_room ("pipeline", s->mark_cap, s->mark_count + 1, 4, size,
                                         sizeof s->mark_cap);
      uint8_t *more = mt_x_aligned (16, cap * size);
      if (s->mark_count)
         memcpy (more, s->marks, s->mark_count * size);
      free (s->marks);
      s->marks = more;
      s->mark_cap = cap;
   }
   uint8_t *mark = s->marks + size * s->mark_count++;
   if (is_plain (a)) {
      memcpy (mark, state, size);
      return true;
   }
   memset (mark, 0, size);
   bool ok = a->row->merge (a, &s->marks_mem, mark, state, w);
   memcpy (state, mark, size);
   mt_arena_reset (s->suffix_mem.arena);
   return ok;
}

/* Makes [lo, mid) the whole range, and `back` empty. Computes the states of [lo, mid) from its last
 * row to its first, with a mark at the start of each block except the first. */
static bool turn (MtWinSlide *s, const MtWinFunc *f, MtWinRows *rows, MtWork *w)
{
   const MtAcc *a = &f->acc;
   size_t size = mt_win_state_size (a);
   mt_arena_reset (s->marks_mem.arena);
   mt_arena_reset (s->suffix_mem.arena);
   s->mid = s->hi;
   s->mark_count = 0;
   uint8_t *state = mt_alloc (w->arena, size);
   for (uint64_t i = s->mid; i-- > end_of_block (s->lo, s->mid);) {
      if (!prepend (f, &s->suffix_mem, state, i, rows, w) ||
          (i % MT_WIN_BLOCK == 0 && !push_mark (s, a, state, w)))
         return false;
   }
   memset (s->back, 0, size);
   if (!is_plain (a))
      mt_arena_reset (s->back_mem.arena);
   s->back_limit = BACK_LIMIT;
   return open_block (s, f, rows, w);
}

/* Copies s->back into new memory if values that were replaced waste too much of the old memory. */
static bool compact (MtWinSlide *s, const MtAcc *a, MtWork *w)
{
   if (is_plain (a) || mt_arena_bytes (s->back_mem.arena) < s->back_limit)
      return true;
   MtGroupTable fresh = {.arena = mt_arena_new ("window", NULL)};
   uint8_t *state = mt_x_aligned (16, mt_win_state_size (a));
   bool ok = a->row->merge (a, &fresh, state, s->back, w);
   memcpy (s->back, state, mt_win_state_size (a));
   free (state);
   mt_arena_free (s->back_mem.arena);
   s->back_mem = fresh;
   s->back_limit = 2 * mt_arena_bytes (fresh.arena) + BACK_LIMIT;
   return ok;
}

bool mt_win_slide_to (MtWinSlide *s, const MtWinFunc *f, uint64_t lo, uint64_t hi, MtWinRows *rows,
                      MtWork *w)
{
   uint64_t seq = w->seq;
   bool ok = true;
   if (lo >= hi || lo >= s->hi) /* the new range has no row in common with the old range */
      mt_win_slide_begin (s, &f->acc, lo);
   for (; s->hi < hi && ok; s->hi++)
      ok = add (f, &s->back_mem, s->back, s->hi, rows, w);
   if (ok)
      ok = compact (s, &f->acc, w);
   if (ok && lo > s->lo) {
      s->lo = lo;
      if (lo >= s->mid)
         ok = lo < s->hi ? turn (s, f, rows, w) : true;
      else {
         while (s->mark_count && lo >= end_of_block (s->block, s->mid) +
                                          MT_WIN_BLOCK) { /* the range moves beyond whole blocks */
            s->block = end_of_block (s->block, s->mid);
            s->mark_count--;
         }
         if (lo >= s->block + s->suffix_count)
            ok = open_block (s, f, rows, w);
      }
   }
   w->seq = seq;
   return ok;
}

bool mt_win_slide_merge (const MtWinSlide *s, const MtAcc *a, MtGroupTable *t, void *into,
                         MtWork *w)
{
   if (s->lo < s->mid &&
       !a->row->merge (a, t, into, s->suffix + mt_win_state_size (a) * (s->lo - s->block), w))
      return false;
   return s->mid == s->hi || a->row->merge (a, t, into, s->back, w);
}
