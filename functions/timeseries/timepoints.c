/* Gathers points (time, value), sorts them by time, and computes summaries of them. */
#include "functions/timeseries/timepoints.h"

#include "base/memory.h"
#include "types/datetime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- gathering ---- */

/* Returns the list with room for `more` further items of `size` bytes, allocated in arena a.
 * Returns NULL if memory is exhausted, which makes the statement fail later. */
static void *room (MtArena *a, void *list, size_t count, size_t *cap, size_t more, size_t size)
{
   if (count + more <= *cap)
      return list;
   size_t larger = mt_try_room ("state", *cap, count + more, 8, size, sizeof *cap);
   void *moved = larger ? mt_try_alloc_n (a, larger, size) : NULL;
   if (!moved)
      return NULL;
   if (count)
      memcpy (moved, list, count * size);
   *cap = larger;
   return moved;
}

static void put_points (MtArena *a, MtTimePoints *s, const MtTimePoint *points, size_t count)
{
   MtTimePoint *list = room (a, s->points, s->point_count, &s->point_cap, count, sizeof *list);
   if (!list || !count)
      return;
   s->points = list;
   memcpy (list + s->point_count, points, count * sizeof *list);
   s->point_count += count;
}

static void put_runs (MtArena *a, MtTimePoints *s, const void *runs, size_t count, size_t size)
{
   uint8_t *list = room (a, s->runs, s->run_count, &s->run_cap, count, size);
   if (!list || !count)
      return;
   s->runs = list;
   memcpy (list + s->run_count * size, runs, count * size);
   s->run_count += count;
}

bool mt_timepoints_add (MtEval *ev, MtTimePoints *s, MtVal time, MtVal value)
{
   MtTimePoint p = {time.i, value.d};
   if (!mt_ts_is_finite (time.i))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "a point must have a finite time");
   put_points (ev->arena, s, &p, 1);
   return true;
}

bool mt_timepoints_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return mt_timepoints_add (ev, state, args[0], args[1]);
}

bool mt_timepoints_rollup (MtEval *ev, void *state, const MtVal *args, int argc)
{
   const MtTimePointsKind *k = ev->user;
   MtArena *scratch = mt_arena_new ("state", NULL);
   void *run = mt_alloc (scratch, k->state->size);
   bool ok = mt_summary_read (ev, k->state, args[0], run);
   (void) argc;
   if (ok)
      put_runs (ev->arena, state, run, 1, k->state->size);
   mt_arena_free (scratch);
   return ok;
}

static bool same_option (MtTimePoints *s, int option, MtError *err)
{
   if (s->option && option && s->option != option)
      return mt_error (err, MT_E_PARAMETER, "the method must be the same for all rows");
   s->option = s->option ? s->option : option;
   return true;
}

bool mt_timepoints_merge (MtEval *ev, void *into, const void *from)
{
   const MtTimePointsKind *k = ev->user;
   const MtTimePoints *f = from;
   put_points (ev->arena, into, f->points, f->point_count);
   put_runs (ev->arena, into, f->runs, f->run_count, k->state->size);
   return same_option (into, f->option, ev->err);
}

/* ---- temporary files ---- */

static MtVal bytes (const void *p, size_t n)
{
   return (MtVal) {.type = MT_BINARY, .len = (uint32_t) n, .p = n ? p : (const void *) ""};
}

bool mt_timepoints_save (MtEval *ev, const void *state, MtVal *out)
{
   const MtTimePointsKind *k = ev->user;
   const MtTimePoints *s = state;
   MtVal parts[] = {mt_v_int32 (s->option), bytes (s->points, s->point_count * sizeof *s->points),
                    bytes (s->runs, s->run_count * k->state->size)};
   return mt_v_make_array (ev->arena, parts, 3, out, ev->err);
}

bool mt_timepoints_load (MtEval *ev, void *state, MtVal saved)
{
   const MtTimePointsKind *k = ev->user;
   MtTimePoints *s = state;
   MtVal option = mt_doc_at (saved, 0), points = mt_doc_at (saved, 1), runs = mt_doc_at (saved, 2);
   if (option.type != MT_INT32 || points.type != MT_BINARY || runs.type != MT_BINARY)
      return false;
   s->option = (int) option.i;
   put_points (ev->arena, s, (const void *) points.p, points.len / sizeof *s->points);
   put_runs (ev->arena, s, runs.p, runs.len / k->state->size, k->state->size);
   return true;
}

/* ---- the summary ---- */

static int by_time (const void *a, const void *b)
{
   const MtTimePoint *p = a, *q = b;
   if (p->ms != q->ms)
      return p->ms < q->ms ? -1 : 1;
   if (isnan (p->v) || isnan (q->v)) /* NaN is the largest number, as in PostgreSQL */
      return !!isnan (p->v) - !!isnan (q->v);
   return (p->v > q->v) - (p->v < q->v);
}

static int by_first (const void *a, const void *b)
{
   const MtStretch *r = a, *s = b;
   return by_time (&r->first, &s->first);
}

/* Sorts all points, and computes one summary of them in *run. */
static bool sum_up (MtEval *ev, const MtTimePointsKind *k, const MtTimePoints *s, void *run)
{
   size_t n = s->point_count;
   MtTimePoint *sorted = MT_TRY_NEW_N (ev->arena, MtTimePoint, n);
   if (!sorted)
      return mt_memory_check (ev->err);
   memcpy (sorted, s->points, n * sizeof *sorted);
   qsort (sorted, n, sizeof *sorted, by_time);
   bool ok = k->start (run, sorted[0], s->option, ev->err);
   for (size_t i = 1; i < n && ok; i++)
      if (sorted[i].ms != sorted[i - 1].ms)
         ok = k->add (run, sorted[i], ev->err);
   return ok;
}

static bool join_runs (const MtTimePointsKind *k, uint8_t *runs, size_t count, MtError *err)
{
   const size_t size = k->state->size;
   qsort (runs, count, size, by_first);
   for (size_t i = 1; i < count; i++) {
      const MtStretch *before = (const void *) runs, *next = (const void *) (runs + i * size);
      if (before->last.ms >= next->first.ms) {
         mt_error (err, MT_E_PARAMETER, "states of type %s overlap in time",
                   mt_type_info (k->state->type)->display);
         return mt_error_hint (err, "Group by what tells the series apart, such as the host.");
      }
      if (!k->join (runs, next, err))
         return false;
   }
   return true;
}

bool mt_timepoints_final (MtEval *ev, const void *state, MtVal *out)
{
   const MtTimePointsKind *k = ev->user;
   const MtTimePoints *s = state;
   const size_t size = k->state->size, count = s->run_count + (s->point_count > 0);
   *out = mt_v_null ();
   if (!count)
      return true;
   uint8_t *runs = mt_try_alloc_n (ev->arena, count, size);
   if (!runs)
      return mt_memory_check (ev->err);
   if (s->run_count)
      memcpy (runs, s->runs, s->run_count * size);
   return (!s->point_count || sum_up (ev, k, s, runs + s->run_count * size)) &&
          join_runs (k, runs, count, ev->err) && mt_summary_write (ev, k->state, runs, out);
}

/* ---- points ---- */

void mt_timepoint_write (MtBson *b, const char *name, MtTimePoint p)
{
   size_t at = mt_bson_doc (b, name);
   mt_bson_put (b, "t", mt_v_date (p.ms));
   mt_bson_put (b, "v", mt_v_double (p.v));
   mt_bson_end (b, at);
}

MtTimePoint mt_timepoint_read (MtSummaryReader *r, const char *name)
{
   MtSummaryReader inner = mt_read_doc (r, name);
   MtTimePoint p = {mt_read_time (&inner, "t"), mt_read_double (&inner, "v")};
   inner.ok &= mt_ts_is_finite (p.ms);
   mt_read_end (r, &inner);
   return p;
}

MtTimePoint mt_timepoint_between (MtTimePoint a, MtTimePoint b, int64_t ms)
{
   double part = (double) (ms - a.ms) / (double) (b.ms - a.ms);
   return (MtTimePoint) {ms, a.v + (b.v - a.v) * part};
}

/* ---- states beside a bucket ---- */

static bool read_beside (MtEval *ev, const MtTimePointsKind *kind, MtVal v, const void **out)
{
   *out = NULL;
   if (mt_is_nullish (v))
      return true;
   void *run = mt_alloc (ev->arena, kind->state->size);
   *out = run;
   return mt_summary_read (ev, kind->state, v, run);
}

bool mt_timepoints_beside (MtEval *ev, const MtTimePointsKind *kind, const MtStretch *run,
                           const MtVal *args, MtNeighbours *out)
{
   const MtZone *zone;
   out->start = args[0].i;
   if (!mt_zone_arg (ev, args[4], &zone) ||
       !mt_ts_add_interval (out->start, mt_v_to_interval (args[1]), zone, &out->end, ev->err) ||
       !read_beside (ev, kind, args[2], &out->prev) || !read_beside (ev, kind, args[3], &out->next))
      return false;
   if (run->first.ms < out->start || run->last.ms >= out->end)
      return mt_error (ev->err, MT_E_PARAMETER, "the state has points outside of the interval");
   const MtStretch *prev = out->prev, *next = out->next;
   if (prev && (prev->last.ms > out->start || prev->last.ms >= run->first.ms))
      return mt_error (ev->err, MT_E_PARAMETER, "the previous state must end before the interval");
   if (next && next->first.ms < out->end)
      return mt_error (ev->err, MT_E_PARAMETER, "the next state must begin after the interval");
   return true;
}
