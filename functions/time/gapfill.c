/* TimescaleDB's time_bucket_gapfill, locf and interpolate. Analysis replaces these calls
 * (analyze/gapfill.c) by the operator $_mtGapfill here, which fills the gaps of one series. */
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/time/gapfill.h"

#include "types/bucket.h"
#include "base/limits.h"

#include <string.h>

/* ---- the series of buckets ---- */

typedef struct Buckets {
   MtEval *ev;
   int64_t *starts; /* starts of the buckets, sorted */
   size_t count, room;
   size_t next; /* index of the first start whose bucket has no row so far */
} Buckets;

static bool bad (MtEval *ev, const char *what)
{
   return mt_error (ev->err, MT_E_PARAMETER, "invalid time_bucket_gapfill argument: %s", what);
}

static bool too_many (MtEval *ev)
{
   return mt_error (ev->err, MT_E_LIMIT, "time_bucket_gapfill makes more than %d rows of one group",
                    MT_MAX_GAPFILL_ROWS);
}

static int64_t floor_to (int64_t x, int64_t width)
{
   int64_t r = x % width;
   return x - (r < 0 ? r + width : r);
}

/* Inserts the start of a bucket into the sorted list, once. Starts can be out of order when a
 * zone's clock is set back. */
static bool add_start (Buckets *b, int64_t start)
{
   size_t at = b->count;
   while (at > 0 && b->starts[at - 1] > start)
      at--;
   if (at > 0 && b->starts[at - 1] == start)
      return true;
   if (b->count == MT_MAX_GAPFILL_ROWS)
      return too_many (b->ev);
   MT_GROW_IN (b->ev->arena, b->starts, b->count, b->room, 64);
   memmove (b->starts + at + 1, b->starts + at, (b->count - at) * sizeof *b->starts);
   b->starts[at] = start;
   b->count++;
   return true;
}

/* Adds the buckets of integers from start to finish, as far as the type `type` has them. */
static bool number_buckets (Buckets *b, MtTypeId type, int64_t width, int64_t start, int64_t finish)
{
   int64_t least = type == MT_T_INT4 ? INT32_MIN : INT64_MIN, at;
   if (type == MT_T_INT2)
      least = INT16_MIN;
   int64_t most = -(least + 1);
   if (width <= 0)
      return bad (b->ev, "bucket_width must be greater than 0");
   if (start < least)
      start = least;
   bool more = !__builtin_sub_overflow (start, start % width + (start % width < 0 ? width : 0),
                                        &at);
   if (more && at < least)
      more = !__builtin_add_overflow (at, width, &at);
   for (; more && at < finish && at <= most; more = !__builtin_add_overflow (at, width, &at))
      if (!add_start (b, at))
         return false;
   return true;
}

/* Adds the buckets that time_bucket returns for times from start up to finish. */
static bool time_buckets (Buckets *b, const MtBuckets *of, int64_t start, int64_t finish)
{
   MtInterval w = of->width;
   int64_t first;
   if (w.months < 0 || w.days < 0 || w.us < 0 || (w.months == 0 && w.days == 0 && w.us < 1000))
      return bad (b->ev, "bucket_width must be greater than 0");
   if (!mt_ts_is_finite (start) || !mt_ts_is_finite (finish))
      return bad (b->ev, "start and finish must be finite");
   for (int64_t at = start;;) {
      if (!mt_bucket_start (of, at, &first, b->ev->err))
         return false;
      if (first < finish && !add_start (b, first))
         return false;
      if (!mt_bucket_next (of, at, &at, b->ev->err))
         return false;
      if (at >= finish)
         return true;
   }
}

/* Returns whether a bucket that starts before `until` has no row yet. */
static bool missing (const Buckets *b, int64_t until)
{
   return b->next < b->count && b->starts[b->next] < until;
}

/* ---- fields that are filled ---- */

#define MAX_FILLS 1600

typedef struct Fill {
   MtStr name;
   bool linear, nulls_too;
   MtTypeId type; /* for interpolate */
   /* the last value before the current row: locf repeats it, interpolate starts from it */
   MtVal prev;
   int64_t prev_at;
   bool asked; /* the value before the first row was used */
   MtVal before;
   MtVal before_at;         /* its time, for interpolate */
   MtVal behind, behind_at; /* the value behind the last row, and its time, for interpolate */
} Fill;

typedef struct Series {
   MtEval *ev;
   Buckets b;
   MtTypeId type; /* the type of the time column */
   int64_t begin;
   Fill *fills;
   size_t fill_count;
   MtVals out;
} Series;

static bool emit (Series *s, MtVal row)
{
   if (s->out.n == MT_MAX_GAPFILL_ROWS)
      return too_many (s->ev);
   mt_vals_add (&s->out, s->ev->arena, row);
   return true;
}

static MtVal time_value (const Series *s, int64_t t)
{
   switch (s->type) {
   case MT_T_INT2:
   case MT_T_INT4: return mt_v_int32 ((int32_t) t);
   case MT_T_INT8: return mt_v_int64 (t);
   default: return mt_v_date (t);
   }
}

/* Converts a time to the unit in which TimescaleDB interpolates: days for dates, microseconds for
 * timestamps. */
static int64_t ticks (const Series *s, int64_t t)
{
   if (mt_type_is_integer (s->type))
      return t;
   return s->type == MT_T_DATE ? t / 86400000 : t * 1000;
}

static bool between_doubles (const Series *s, const Fill *f, int64_t t, MtVal next, int64_t next_at,
                             MtVal *out)
{
   double y0 = f->prev.d, y1 = next.d;
   *out = f->prev;
   if (y0 == y1)
      return true;
   double x = (double) (ticks (s, t) - ticks (s, f->prev_at)),
          rest = (double) (ticks (s, next_at) - ticks (s, t));
   double y = (y0 * rest + y1 * x) / (double) (ticks (s, next_at) - ticks (s, f->prev_at));
   *out = mt_v_double (f->type == MT_T_FLOAT4 ? (double) (float) y : y);
   return true;
}

/* Sets *out to the interpolated value at time t, between f->prev and `next` at time next_at.
 * Integers are computed as numeric and then rounded. */
static bool between (const Series *s, const Fill *f, int64_t t, MtVal next, int64_t next_at,
                     MtVal *out)
{
   MtNum y0, y1, r;
   MtError *err = s->ev->err;
   if (f->type == MT_T_FLOAT4 || f->type == MT_T_FLOAT8)
      return between_doubles (s, f, t, next, next_at, out);
   MtNum x = mt_num_from_int64 (ticks (s, t) - ticks (s, f->prev_at)),
         rest = mt_num_from_int64 (ticks (s, next_at) - ticks (s, t));
   if (!mt_num_from_val (f->prev, &y0) || !mt_num_from_val (next, &y1) ||
       !mt_num_mul (y0, rest, &y0, err) || !mt_num_mul (y1, x, &y1, err) ||
       !mt_num_add (y0, y1, &r, err) ||
       !mt_num_div (r, mt_num_from_int64 (ticks (s, next_at) - ticks (s, f->prev_at)), &r, err))
      return false;
   if (f->type == MT_T_NUMERIC) {
      *out = mt_num_to_val (s->ev->arena, r);
      return true;
   }
   int64_t whole;
   if (!mt_num_to_int64 (r, &whole, err))
      return false;
   *out = f->type == MT_T_INT8 ? mt_v_int64 (whole) : mt_v_int32 ((int32_t) whole);
   return true;
}

/* Returns the value of locf for time t, which has no value: the last one. At the beginning of the
 * series, it is the value given for the time before. */
static MtVal carried (Series *s, Fill *f, int64_t t)
{
   if (mt_is_nullish (f->prev) && t == s->begin && !f->asked) {
      f->asked = true;
      f->prev = f->before;
   }
   return f->prev;
}

/* Sets *out to the value of interpolate for the missing bucket `at`. next_row is the next existing
 * row, or missing behind the last one; then the value given for the time behind is used. */
static bool interpolated (Series *s, Fill *f, int64_t at, MtVal next_row, MtVal *out)
{
   bool last = next_row.type == MT_MISSING;
   MtVal next = last ? f->behind : mt_doc_get (mt_doc_at (next_row, 1), f->name.p, f->name.n),
         time = last ? f->behind_at : mt_doc_at (next_row, 0);
   *out = mt_v_null ();
   if (mt_is_nullish (f->prev) && at == s->begin && !mt_is_nullish (f->before_at)) {
      f->prev = f->before;
      f->prev_at = f->before_at.i;
   }
   if (mt_is_nullish (next) || mt_is_nullish (time) || mt_is_nullish (f->prev) ||
       time.i == f->prev_at)
      return true;
   return between (s, f, at, next, time.i, out);
}

static bool gap (Series *s, MtVal next_row)
{
   MtStr *keys = MT_NEW_N (s->ev->arena, MtStr, s->fill_count + 1);
   MtVal *vals = MT_NEW_N (s->ev->arena, MtVal, s->fill_count + 1), row;
   int64_t at = s->b.starts[s->b.next++];
   keys[0] = mt_str ("t");
   vals[0] = time_value (s, at);
   for (size_t i = 0; i < s->fill_count; i++) {
      Fill *f = &s->fills[i];
      keys[i + 1] = f->name;
      if (!f->linear)
         vals[i + 1] = carried (s, f, at);
      else if (!interpolated (s, f, at, next_row, &vals[i + 1]))
         return false;
   }
   return mt_v_make_doc (s->ev->arena, keys, vals, s->fill_count + 1, &row, s->ev->err) &&
          emit (s, row);
}

/* Appends an existing row with its fields and its time. If locf treats NULLs as gaps, they are
 * filled. */
static bool real (Series *s, MtVal row)
{
   MtVal t = mt_doc_at (row, 0), fields = mt_doc_at (row, 1), v, out;
   size_t n = 0, count = mt_doc_count (fields);
   MtStr key, *keys = MT_NEW_N (s->ev->arena, MtStr, count + 1);
   MtVal *vals = MT_NEW_N (s->ev->arena, MtVal, count + 1);
   MtDocIter it = mt_doc_iter (fields);
   keys[n] = mt_str ("t");
   vals[n++] = t;
   while (mt_doc_next (&it, &key, &v)) {
      for (size_t i = 0; i < s->fill_count; i++) {
         Fill *f = &s->fills[i];
         if (!mt_str_eq (f->name, key))
            continue;
         if (mt_is_nullish (v) && f->nulls_too)
            v = carried (s, f, t.i);
         else {
            f->prev = v;
            f->prev_at = t.i;
         }
      }
      keys[n] = key;
      vals[n++] = v;
   }
   return mt_v_make_doc (s->ev->arena, keys, vals, n, &out, s->ev->err) && emit (s, out);
}

static bool merge (Series *s, MtVal rows)
{
   MtDocIter it = mt_doc_iter (rows);
   MtStr key;
   MtVal row;
   while (mt_doc_next (&it, &key, &row)) {
      MtVal t = mt_doc_at (row, 0);
      if (mt_is_nullish (t))
         return bad (s->ev, "ts cannot be NULL");
      while (missing (&s->b, t.i))
         if (!gap (s, row))
            return false;
      s->b.next += s->b.next < s->b.count && s->b.starts[s->b.next] == t.i;
      if (!real (s, row))
         return false;
   }
   while (s->b.next < s->b.count)
      if (!gap (s, mt_v_missing ()))
         return false;
   return true;
}

/* Reads the fields to be filled. Each element of `list` is [name, "locf" or the type for
 * interpolate, whether a NULL is a gap]. Each element of `before` is the value before the first
 * row; for interpolate [time before, value before, time behind, value behind]. */
static bool read_fills (Series *s, MtVal list, MtVal before)
{
   size_t n = 0;
   MtVal *v = mt_v_elements (s->ev->arena, list, &n);
   s->fills = MT_NEW_N (s->ev->arena, Fill, n + 1);
   s->fill_count = n;
   for (size_t i = 0; i < n; i++) {
      Fill *f = &s->fills[i];
      MtVal name = mt_doc_at (v[i], 0), how = mt_doc_at (v[i], 1);
      *f = (Fill) {.name = mt_v_text (name),
                   .linear = !mt_str_is (mt_v_text (how), "locf"),
                   .nulls_too = mt_doc_at (v[i], 2).i,
                   .prev = mt_v_null (),
                   .before = mt_doc_at (before, i),
                   .before_at = mt_v_null (),
                   .behind = mt_v_null (),
                   .behind_at = mt_v_null ()};
      if (f->linear && f->before.type == MT_ARRAY) {
         MtVal edges = f->before;
         f->before_at = mt_doc_at (edges, 0);
         f->before = mt_doc_at (edges, 1);
         f->behind_at = mt_doc_at (edges, 2);
         f->behind = mt_doc_at (edges, 3);
      }
      if (n > MAX_FILLS || name.type != MT_STRING || how.type != MT_STRING ||
          (f->linear && !mt_type_by_name (mt_v_text (how), &f->type)))
         return bad (s->ev, "a filled field needs a name and a kind");
   }
   return true;
}

/* Computes the buckets s->b of the series. a[] are the n arguments of $_mtGapfill. */
static bool make_buckets (Series *s, const MtVal *a, int n)
{
   MtVal width = a[2], zone = a[3];
   int64_t start = a[4].i, finish = a[5].i;
   MtBuckets of = {.zone = NULL};
   if (n > 8 && a[8].type == MT_DATE) {
      of.origin = a[8].i;
      of.has_origin = true;
   }
   if (n > 9 && !mt_is_nullish (a[9]))
      of.offset = mt_v_to_interval (a[9]);
   if (mt_type_is_integer (s->type))
      return number_buckets (&s->b, s->type, width.i, start, finish);
   of.width = mt_v_to_interval (width);
   return (zone.type != MT_STRING || mt_zone_arg (s->ev, zone, &of.zone)) &&
          (s->type != MT_T_DATE || of.width.months || mt_bucket_of_dates (of.width, s->ev->err)) &&
          time_buckets (&s->b, &of, start, finish);
}

const int64_t *mt_gapfill_starts (MtArena *a, const MtVal *args, size_t *count)
{
   MtError ignored = {0};
   MtEval ev = {.arena = a, .err = &ignored};
   Series s = {.ev = &ev, .b = {.ev = &ev}};
   if (!mt_type_by_name (mt_v_text (args[1]), &s.type) || !make_buckets (&s, args, 10))
      return NULL;
   *count = s.b.count;
   return s.b.starts ? s.b.starts : MT_NEW (a, int64_t);
}

/* Computes $_mtGapfill. Arguments: rows [time, fields] sorted by time, the time's type, width,
 * zone, start, finish, the fields to be filled, the values before the first row [, origin,
 * offset]. */
static bool fn_gapfill (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Series s = {.ev = ev, .b = {.ev = ev}};
   if (a[1].type != MT_STRING || !mt_type_by_name (mt_v_text (a[1]), &s.type) ||
       a[4].type != MT_INT64 || a[5].type != MT_INT64)
      return mt_error (ev->err, MT_E_PARAMETER,
                       "$_mtGapfill takes rows, a type, a width, a zone and a range");
   if (!make_buckets (&s, a, n) || !read_fills (&s, a[6], a[7]))
      return false;
   s.begin = s.b.count ? s.b.starts[0] : a[4].i;
   return merge (&s, a[0]) && mt_v_make_array (ev->arena, s.out.v, s.out.n, out, ev->err);
}

const MtOpRow mt_gapfill_ops[] = {
   {.name = "$_mtGapfill",
    .min_args = 8,
    .max_args = 10,
    .flags = MT_OP_FOLD,
    .fn = fn_gapfill,
    .summary = "a series of rows with rows for the buckets that are missing",
    .example =
       "{\"$_mtGapfill\": [[[2, {\"f0\": 7}]], \"int4\", 2, null, {\"$numberLong\": \"2\"}, "
       "{\"$numberLong\": \"5\"}, [[\"f0\", \"locf\", false]], [null]]} => [{\"t\": 2, \"f0\": 7}, "
       "{\"t\": 4, \"f0\": 7}]"},
   {.name = NULL},
};

/* ---- the functions: without FROM they are plain functions ---- */

static bool fn_bucket (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuckets b = {.zone = NULL};
   int64_t ms;
   bool zoned = n == 3 || n == 5;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]) || mt_is_nullish (a[1]) || (zoned && mt_is_nullish (a[2])))
      return true;
   if (a[1].type != MT_DATE) {
      if (a[0].i <= 0)
         return bad (ev, "bucket_width must be greater than 0");
      *out = a[1].type == MT_INT32 ? mt_v_int32 ((int32_t) floor_to (a[1].i, a[0].i))
                                   : mt_v_int64 (floor_to (a[1].i, a[0].i));
      return true;
   }
   b.width = mt_v_to_interval (a[0]);
   if ((zoned && !mt_zone_arg (ev, a[2], &b.zone)) || !mt_bucket_start (&b, a[1].i, &ms, ev->err))
      return false;
   *out = mt_v_date (ms);
   return true;
}

static bool fn_itself (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

#define WHAT \
   "start of the bucket; in GROUP BY, adds rows for missing buckets from start to finish " \
   "(default: from WHERE)"
#define B(sig, ex) \
   MT_ROW ("time_bucket_gapfill", sig, MT_F_NOT_STRICT | MT_F_GAPFILL, NULL, \
           MT_OPN ("gapfill_bucket", bucket, 0), WHAT, ex)
/* Rows of time_bucket_gapfill: BOUNDED with the arguments start and finish, BOTH with and without
 * them. */
#define BOUNDED(sig, ex, ...) \
   {.name = "time_bucket_gapfill", \
    .signature = sig, \
    .flags = MT_F_NOT_STRICT | MT_F_GAPFILL, \
    .op = MT_OPN ("gapfill_bucket", bucket, 0), \
    .defaults = (const char *const[]) {NULL, NULL, __VA_ARGS__}, \
    .summary = WHAT, \
    .example = ex}
#define BOTH(T, v, r) \
   B ("bucket_width interval, ts " T " -> " T, \
      "SELECT time_bucket_gapfill('1 day', " v ") => " r), \
      BOUNDED ("bucket_width interval, ts " T ", start " T ", finish " T " -> " T, \
               "SELECT time_bucket_gapfill('1 day', " v ", NULL, NULL) => " r, "NULL", "NULL")
#define NUMBERS(T, ex) \
   B ("bucket_width " T ", ts " T " -> " T, ex), \
      BOUNDED ("bucket_width " T ", ts " T ", start " T ", finish " T " -> " T, ex, "NULL", \
               "NULL")
#define OF_GAPS " FROM (VALUES (0, 2), (10, 7)) v (t, n) GROUP BY time_bucket_gapfill(5, t, 0, 15)"
#define LINEAR(T) \
   MT_ROW ( \
      "interpolate", "value " T " -> " T, MT_F_NOT_STRICT | MT_F_INTERPOLATE, NULL, \
      MT_OPN ("interpolate", itself, 0), \
      "aggregate with gaps of time_bucket_gapfill filled by linear interpolation; a second and a " \
      "third argument, prev and next, are records (time, value) before and behind the rows", \
      "SELECT interpolate(min(n::" T "))" OF_GAPS " => 2")
#define CARRY \
   "aggregate with gaps of time_bucket_gapfill filled by the last value before (prev: before the " \
   "first)"

const MtFunc mt_fn_gapfill[] = {
   BOTH ("timestamptz", "timestamptz '2020-01-01 10:07+00'", "2020-01-01 00:00:00+00"),
   BOTH ("timestamp", "timestamp '2020-01-01 10:07'", "2020-01-01 00:00:00"),
   BOTH ("date", "date '2020-01-01'", "2020-01-01"),
   B ("bucket_width interval, ts timestamptz, timezone text -> timestamptz",
      "SELECT time_bucket_gapfill('1 day', timestamptz '2020-01-01 23:30+00', 'Europe/Berlin') => "
      "2020-01-01 23:00:00+00"),
   B ("bucket_width interval, ts timestamptz, timezone text, start timestamptz, finish timestamptz "
      "-> timestamptz",
      "SELECT time_bucket_gapfill('1 day', timestamptz '2020-01-01 23:30+00', 'Europe/Berlin', "
      "NULL, NULL) => 2020-01-01 23:00:00+00"),
   NUMBERS ("int2", "SELECT time_bucket_gapfill(5::smallint, 13::smallint) => 10"),
   NUMBERS ("int4", "SELECT time_bucket_gapfill(5, 13) => 10"),
   NUMBERS ("int8", "SELECT time_bucket_gapfill(5::bigint, 13) => 10"),
   MT_ROW ("locf", "value anyelement -> anyelement", MT_F_NOT_STRICT | MT_F_LOCF, NULL,
           MT_OPN ("locf", itself, 0), CARRY, "SELECT locf(sum(n))" OF_GAPS " => 2"),
   MT_ROW ("locf", "value anyelement, prev anyelement -> anyelement", MT_F_NOT_STRICT | MT_F_LOCF,
           NULL, MT_OPN ("locf", itself, 0), CARRY, "SELECT locf(min(n), 1)" OF_GAPS " => 2"),
   {.name = "locf",
    .signature = "value anyelement, prev anyelement, treat_null_as_missing bool -> anyelement",
    .flags = MT_F_NOT_STRICT | MT_F_LOCF,
    .op = MT_OPN ("locf", itself, 0),
    .defaults = (const char *const[]) {NULL, "NULL", "false"},
    .summary = CARRY,
    .example = "SELECT locf(min(n), 1, true)" OF_GAPS " => 2"},
   LINEAR ("int2"),
   LINEAR ("int4"),
   LINEAR ("int8"),
   LINEAR ("numeric"),
   LINEAR ("float4"),
   LINEAR ("float8"),
   {.name = NULL},
};
