/* Computes the first and the last row of a window frame for the current row. Within a partition
 * both only move forward: ROWS and GROUPS offsets are constant, and the limits of RANGE ascend with
 * the sort order. */
#include "engine/local/window/window_int.h"

/* ---- orders ---- */

static int compare (MtVal a, MtVal b)
{
   if (a.type == b.type && (a.type == MT_INT32 || a.type == MT_INT64 || a.type == MT_DATE))
      return (a.i > b.i) - (a.i < b.i);
   return mt_x_compare (a, b);
}

/* Compares a row's ORDER BY value with `limit` (the current row's value plus or minus the offset).
 * Returns < 0, 0 or > 0 in the sort order. NULL and NaN have no distance, so their sort keys `rank`
 * are compared instead. */
static int beside (const MtWinFrame *f, const MtWinRow *row, MtVal rank, MtVal limit)
{
   int sign = f->rank ? compare (row->v[f->rank_at], rank) : 0;
   if (sign || (f->rank && rank.i != 0))
      return sign;
   sign = compare (row->v[f->by_at], limit);
   return f->descending ? -sign : sign;
}

/* ---- moving ---- */

typedef struct Move {
   const MtWinFrame *f;
   const MtWinBound *bound;
   MtWinState *st;
   MtWork *w;
   bool tail;
   MtVal rank, limit; /* rank and limit of the current row, for MT_WB_VALUE */
} Move;

/* Returns whether `row` comes before the bound that is searched. For the frame's start (head) the
 * bound is the frame's first row; for its end (tail), the row behind the frame's last row. */
static bool still_before (const Move *m, const MtWinRow *row)
{
   uint64_t mine = m->st->group_number;
   int sign = 0;
   switch (m->bound->kind) {
   case MT_WB_UNBOUNDED: return m->tail;
   case MT_WB_CURRENT: sign = (row->group > mine) - (row->group < mine); break;
   case MT_WB_PRECEDING:
      mine = mine - m->st->part_group < m->bound->offset ? 0 : mine - m->bound->offset;
      sign = (row->group > mine) - (row->group < mine);
      break;
   case MT_WB_FOLLOWING:
      mine = UINT64_MAX - mine < m->bound->offset ? UINT64_MAX : mine + m->bound->offset;
      sign = (row->group > mine) - (row->group < mine);
      break;
   case MT_WB_VALUE: sign = beside (m->f, row, m->rank, m->limit); break;
   case MT_WB_ROW: break;
   }
   return m->tail ? sign <= 0 : sign < 0;
}

/* Moves *at forward to the frame's bound. Returns MT_WIN_WAIT if the bound may lie behind the rows
 * received so far. */
static MtWinStep step (const Move *m, uint64_t *at)
{
   MtWinState *st = m->st;
   for (; *at < st->part_end; ++*at) {
      const MtWinRow *row = mt_win_row (&st->rows, *at, m->w);
      if (!row || !mt_tick (m->w))
         return MT_WIN_ERROR;
      if (!still_before (m, row))
         return MT_WIN_READY;
   }
   return st->complete ? MT_WIN_READY : MT_WIN_WAIT;
}

/* Sets *at to the bound of a ROWS frame, computed from the current row's number. Returns
 * MT_WIN_WAIT if that row has not been received yet. */
static MtWinStep count_rows (const Move *m, uint64_t *at)
{
   const MtWinState *st = m->st;
   uint64_t offset = m->bound->offset, past = m->tail ? 1 : 0;
   switch (m->bound->kind) {
   case MT_WB_PRECEDING:
      *at = st->at + past - st->part < offset ? st->part : st->at + past - offset;
      break;
   case MT_WB_FOLLOWING:
      if (st->part_end - st->at >= past && st->part_end - st->at - past >= offset)
         *at = st->at + past + offset;
      else if (!st->complete)
         return MT_WIN_WAIT;
      else
         *at = st->part_end;
      break;
   case MT_WB_CURRENT:
   case MT_WB_UNBOUNDED:
   case MT_WB_VALUE:
   case MT_WB_ROW: *at = st->at + past; break;
   }
   return MT_WIN_READY;
}

static MtWinStep move (const Move *m, uint64_t *at)
{
   const MtWinState *st = m->st;
   const MtWinBound *b = m->bound;
   if (b->state[0]) {
      mt_error (&m->w->err, b->state, "%s", b->message);
      return MT_WIN_ERROR;
   }
   if (b->kind == MT_WB_UNBOUNDED) {
      *at = m->tail ? st->part_end : st->part;
      return m->tail && !st->complete ? MT_WIN_WAIT : MT_WIN_READY;
   }
   if (m->f->mode == MT_WF_ROWS || b->kind == MT_WB_ROW)
      return count_rows (m, at);
   return step (m, at);
}

/* ---- excluding rows of a frame, and the rows that a frame needs ---- */

static uint64_t least (uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most (uint64_t a, uint64_t b) { return a > b ? a : b; }

static void cut (const MtWinFrame *f, MtWinFrameState *s, const MtWinState *st)
{
   uint64_t head = s->head, tail = most (s->head, s->tail), from = st->at, to = st->at + 1;
   bool here = st->at >= head && st->at < tail;
   if (f->exclude == MT_WX_NOTHING) {
      s->pieces = (MtWinPieces) {head, tail, tail, tail, false};
      return;
   }
   if (f->exclude != MT_WX_CURRENT) {
      from = st->group_first;
      to = st->group_end;
   }
   s->pieces = (MtWinPieces) {head, most (head, least (tail, from)), most (head, to), tail,
                              f->exclude == MT_WX_TIES && here};
   if (s->pieces.c > tail)
      s->pieces.c = tail;
}

static bool read_limit (Move *m)
{
   if (m->bound->kind != MT_WB_VALUE)
      return true;
   const MtWinRow *row = mt_win_row (&m->st->rows, m->st->at, m->w);
   if (!row)
      return false;
   /* Copy the limit, because reading other rows can remove this row from memory. */
   m->limit = mt_v_copy (m->w->arena, row->v[m->bound->limit_at]);
   m->rank = m->f->rank ? row->v[m->f->rank_at] : mt_v_null ();
   return true;
}

MtWinStep mt_win_frame_move (const MtWinFrame *f, MtWinFrameState *s, MtWinState *st, MtWork *w)
{
   Move head = {.f = f, .bound = &f->start, .st = st, .w = w},
        tail = {.f = f, .bound = &f->end, .st = st, .w = w, .tail = true};
   if (!read_limit (&head) || !read_limit (&tail))
      return MT_WIN_ERROR;
   MtWinStep step = move (&head, &s->head);
   if (step == MT_WIN_READY)
      step = move (&tail, &s->tail);
   if (step == MT_WIN_READY)
      cut (f, s, st);
   return step;
}

uint64_t mt_win_frame_needs (const MtWinFrame *f, const MtWinFrameState *s)
{
   bool steps = f->mode != MT_WF_ROWS;
   uint64_t head = steps && f->start.kind != MT_WB_UNBOUNDED ? s->head : UINT64_MAX;
   uint64_t tail = steps && f->end.kind != MT_WB_UNBOUNDED ? s->tail : UINT64_MAX;
   return least (head, tail);
}
