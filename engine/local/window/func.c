/* Computes the window functions for the current row. */
#include "engine/local/window/window_int.h"

#include <stdlib.h>

/* ---- copied values, and values of rows ---- */

void mt_win_keep (MtWinFuncState *s, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   if (n > s->cap) {
      s->cap = n * 2u;
      s->bytes = mt_x_realloc (s->bytes, s->cap);
   }
   if (n)
      v.p = memcpy (s->bytes, v.p, n);
   s->value = v;
   s->valid = true;
}

bool mt_win_value (MtWinState *st, uint64_t i, uint32_t at, MtWork *w, MtVal *out)
{
   const MtWinRow *row = mt_win_row (&st->rows, i, w);
   if (!row)
      return false;
   *out = mt_x_keep (w, w->arena, row->v[at]);
   return true;
}

static bool whole_number (MtVal v, int64_t *out)
{
   *out = v.i;
   return v.type == MT_INT32 || v.type == MT_INT64;
}

/* ---- ranks ---- */

static double share (uint64_t a, uint64_t b) { return (double) a / (double) b; }

static MtVal counted (const MtWinFunc *f, uint64_t n)
{
   return f->mongo && n <= INT32_MAX ? mt_v_int32 ((int32_t) n) : mt_v_int64 ((int64_t) n);
}

static MtVal ranking (const MtWinFunc *f, const MtWinState *st)
{
   uint64_t rank = st->group_first - st->part + 1, rows = st->part_end - st->part;
   switch (f->kind) {
   case MT_WK_RANK: return counted (f, rank);
   case MT_WK_DENSE_RANK: return counted (f, st->group_number - st->part_group + 1);
   case MT_WK_PERCENT_RANK: return mt_v_double (rows > 1 ? share (rank - 1, rows - 1) : 0);
   case MT_WK_CUME_DIST: return mt_v_double (share (st->group_end - st->part, rows));
   case MT_WK_ROW_NUMBER:
   case MT_WK_NTILE:
   case MT_WK_SHIFT:
   case MT_WK_FIRST:
   case MT_WK_LAST:
   case MT_WK_NTH:
   case MT_WK_EMA:
   case MT_WK_HOLT_WINTERS:
   case MT_WK_LOCF:
   case MT_WK_LINEAR_FILL:
   case MT_WK_DERIVATIVE:
   case MT_WK_EXP_AVG:
   case MT_WK_ACCUMULATE: break;
   }
   return counted (f, st->at - st->part + 1);
}

/* Computes NTILE. The number of tiles is read once for each partition, at the first row where it is
 * not NULL. */
static bool ntile (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out)
{
   if (st->at == st->part)
      s->tiles = -1;
   /* tiles are counted from the first row whose argument is not NULL */
   if (s->tiles < 0) {
      MtVal v;
      s->from = st->at;
      if (!mt_win_value (st, st->at, f->n_at, w, &v))
         return false;
      if (!whole_number (v, &s->tiles))
         s->tiles = -1;
      else if (s->tiles <= 0)
         return mt_error (&w->err, MT_E_BAD_NTILE, "argument of ntile must be greater than zero");
   }
   if (s->tiles < 0) {
      *out = mt_v_null ();
      return true;
   }
   uint64_t rows = st->part_end - st->part, tiles = (uint64_t) s->tiles, i = st->at - s->from;
   /* the first `longer` tiles have one more row than the later ones */
   uint64_t size = rows / tiles, longer = rows % tiles;
   uint64_t tile = i < longer * (size + 1) ? i / (size + 1)
                                           : longer + (i - longer * (size + 1)) / (size ? size : 1);
   *out = mt_v_int32 ((int32_t) tile + 1);
   return true;
}

/* ---- values of other rows ---- */

static bool shift (const MtWinFunc *f, MtWinState *st, MtWork *w, MtVal *out)
{
   MtVal by;
   int64_t n;
   *out = mt_v_null ();
   if (!mt_win_value (st, st->at, f->n_at, w, &by))
      return false;
   if (!whole_number (by, &n))
      return true;
   bool there = n<0 ? st->at - st->part >= (uint64_t) -n : st->part_end - st->at> (uint64_t) n;
   if (there && !mt_win_value (st, n < 0 ? st->at - (uint64_t) -n : st->at + (uint64_t) n,
                               f->arg_at, w, out))
      return false;
   if (there && !(f->mongo && out->type == MT_MISSING))
      return true;
   *out = mt_v_null ();
   return !f->otherwise || mt_win_value (st, st->at, f->otherwise_at, w, out);
}

static uint64_t piece_rows (const MtWinPieces *p) { return p->b - p->a + p->self + (p->d - p->c); }

/* Returns the number (over the whole input) of the frame's row i, counted from 0 without the
 * excluded rows. `self` is the number of the current row. */
static uint64_t nth_row (const MtWinPieces *p, uint64_t i, uint64_t self)
{
   if (i < p->b - p->a)
      return p->a + i;
   i -= p->b - p->a;
   if (p->self && i == 0)
      return self;
   return p->c + i - p->self;
}

static bool of_frame (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out)
{
   const MtWinPieces *p = &st->frames[f->frame].pieces;
   uint64_t rows = piece_rows (p), i = 0;
   if (f->kind == MT_WK_LAST)
      i = rows - 1;
   if (f->kind == MT_WK_NTH) {
      MtVal v;
      int64_t k;
      *out = mt_v_null ();
      if (!mt_win_value (st, st->at, f->n_at, w, &v))
         return false;
      if (!whole_number (v, &k))
         return true;
      if (k <= 0)
         return mt_error (&w->err, MT_E_BAD_NTH_VALUE,
                          "argument of nth_value must be greater than zero");
      i = (uint64_t) k - 1;
   }
   if (i >= rows) {
      *out = mt_v_null ();
      return true;
   }
   uint64_t row = nth_row (p, i, st->at);
   if (!s->valid ||
       /* The value is still the one of the preceding current row. It was copied, because its row
        * may have been removed from memory. */
       s->seen_self != row) {
      if (!mt_win_value (st, row, f->arg_at, w, out))
         return false;
      mt_win_keep (s, f->mongo && out->type == MT_MISSING ? mt_v_null () : *out);
      s->seen_self = row;
   }
   *out = s->value;
   return true;
}

/* ---- accumulators ---- */

static bool same_rows (const MtWinPieces *a, const MtWinPieces *b)
{
   return a->a == b->a && a->b == b->b && a->c == b->c && a->d == b->d && !a->self && !b->self;
}

static bool add_self (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w)
{
   const MtWinRow *row = mt_win_row (&st->rows, st->at, w);
   uint64_t seq = w->seq;
   w->seq = st->at;
   bool ok = row && mt_win_add (f, &s->scratch, s->total, row, w);
   w->seq = seq;
   return ok;
}

static bool accumulated (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w,
                         MtVal *out)
{
   const MtWinPieces *p = &st->frames[f->frame].pieces;
   const MtAcc *a = &f->acc;
   const void *state = s->total;
   if (s->valid && same_rows (p, &s->seen)) {
      *out = s->value;
      return true;
   }
   if (!mt_win_slide_to (&s->slides[0], f, p->a, p->b, &st->rows, w) ||
       !mt_win_slide_to (&s->slides[1], f, p->c, p->d, &st->rows, w))
      return false;
   if (s->slides[0].lo == s->slides[0].mid && p->c == p->d && !p->self)
      state = s->slides[0].back;
   else {
      mt_arena_reset (s->scratch.arena);
      memset (s->total, 0, a->row->size);
      if (!mt_win_slide_merge (&s->slides[0], a, &s->scratch, s->total, w) ||
          (p->self && !add_self (f, s, st, w)) ||
          !mt_win_slide_merge (&s->slides[1], a, &s->scratch, s->total, w))
         return false;
   }
   if (!a->row->result (a, state, w, out))
      return false;
   if (out->type == MT_MISSING)
      *out = mt_v_null ();
   mt_win_keep (s, *out);
   *out = s->value;
   s->seen = *p;
   return true;
}

/* ---- recursion ---- */

static bool smooth (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out)
{
   MtVal value, n;
   return mt_win_value (st, st->at, f->arg_at, w, &value) &&
          mt_win_value (st, st->at, f->n_at, w, &n) &&
          mt_win_smooth (f, &s->smooth, value, n, w, out);
}

/* ---- all of them ---- */

bool mt_win_func (const MtWindowNode *n, uint32_t i, MtWinState *st, MtWork *w, MtVal *out)
{
   const MtWinFunc *f = &n->funcs[i];
   MtWinFuncState *s = &st->funcs[i];
   switch (f->kind) {
   case MT_WK_ROW_NUMBER:
   case MT_WK_RANK:
   case MT_WK_DENSE_RANK:
   case MT_WK_PERCENT_RANK:
   case MT_WK_CUME_DIST: *out = ranking (f, st); return true;
   case MT_WK_NTILE: return ntile (f, s, st, w, out);
   case MT_WK_SHIFT: return shift (f, st, w, out);
   case MT_WK_FIRST:
   case MT_WK_LAST:
   case MT_WK_NTH: return of_frame (f, s, st, w, out);
   case MT_WK_EMA:
   case MT_WK_HOLT_WINTERS: return smooth (f, s, st, w, out);
   case MT_WK_LOCF: return mt_win_locf (f, s, st, w, out);
   case MT_WK_LINEAR_FILL: return mt_win_linear_fill (f, s, st, w, out);
   case MT_WK_DERIVATIVE: return mt_win_derivative (f, st, w, out);
   case MT_WK_EXP_AVG: return mt_win_exp_avg (f, s, st, w, out);
   case MT_WK_ACCUMULATE: return accumulated (f, s, st, w, out);
   }
   return false;
}

void mt_win_func_begin (const MtWindowNode *n, uint32_t i, MtWinState *st)
{
   const MtWinFunc *f = &n->funcs[i];
   MtWinFuncState *s = &st->funcs[i];
   s->valid = s->decimal = false;
   s->before = s->after = MT_WIN_NO_ROW;
   mt_win_smooth_begin (&s->smooth);
   if (f->kind != MT_WK_ACCUMULATE)
      return;
   if (!s->slides) {
      s->slides = mt_win_slides_new (&f->acc);
      s->scratch.arena = mt_arena_new ("window", NULL);
      s->total = mt_x_aligned (16, mt_win_state_size (&f->acc));
   }
   mt_win_slide_begin (&s->slides[0], &f->acc, st->part);
   mt_win_slide_begin (&s->slides[1], &f->acc, st->part);
}

uint64_t mt_win_func_needs (const MtWindowNode *n, uint32_t i, const MtWinState *st)
{
   const MtWinFunc *f = &n->funcs[i];
   const MtWinFuncState *s = &st->funcs[i];
   bool framed = f->frame != MT_NO_SLOT;
   const MtWinFrameState *at = framed ? &st->frames[f->frame] : NULL;
   bool fixed = framed && n->frames[f->frame].start.kind == MT_WB_UNBOUNDED;
   bool whole = framed && n->frames[f->frame].exclude == MT_WX_NOTHING;
   switch (f->kind) {
   case MT_WK_ROW_NUMBER:
   case MT_WK_RANK:
   case MT_WK_DENSE_RANK:
   case MT_WK_PERCENT_RANK:
   case MT_WK_CUME_DIST:
   case MT_WK_NTILE:
   case MT_WK_EMA:
   case MT_WK_HOLT_WINTERS:
   case MT_WK_LOCF:
   case MT_WK_EXP_AVG: return UINT64_MAX;
   case MT_WK_LINEAR_FILL: /* also reads the row before */
      return s->before < st->at ? s->before : st->at - (st->at > st->part);
   case MT_WK_SHIFT: {
      MtVal by = f->n->kind == MT_EX_CONST ? f->n->value : mt_v_missing ();
      int64_t k;
      bool known = whole_number (by, &k);
      uint64_t back = known && k < 0 ? (uint64_t) -k : 0;
      return !known || back > st->at - st->part ? st->part : st->at - back;
   }
   case MT_WK_FIRST:
      return fixed && s->valid && at->pieces.b > at->pieces.a ? UINT64_MAX : at->head;
   case MT_WK_LAST: /* keep the rows behind the frame's end, and the frame's last row */
      return whole && at->pieces.b > 0 ? at->pieces.b - 1 : at->head;
   case MT_WK_NTH:
   case MT_WK_DERIVATIVE: return at->head;
   case MT_WK_ACCUMULATE: return fixed && whole ? s->slides[0].hi : at->head;
   }
   return 0;
}

void mt_win_func_free (MtWinFuncState *s)
{
   if (s->slides) {
      mt_win_slides_free (s->slides);
      mt_arena_free (s->scratch.arena);
      free (s->total);
   }
   free (s->smooth.season);
   free (s->bytes);
}
