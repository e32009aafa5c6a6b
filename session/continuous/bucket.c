/* Finds the time bucket that contains a time, and its start and end. If all buckets have one width,
 * they are computed here; calendar buckets, such as months, by evaluating the bucket expression. */
#include "session/continuous/continuous.h"

#include "planner/emit/eval.h"
#include "types/datetime.h"

#include <string.h>

/* Sets *out to the start of the bucket that contains time ms, by evaluating the view's bucket
 * expression. */
static bool start_of (MtSession *s, const MtContinuous *v, int64_t ms, int64_t *out, MtError *err)
{
   MtArena *a = mt_arena_new ("bucket", NULL);
   MtType type = mt_type (v->type);
   MtVal time = mt_v_date (ms), start = mt_v_null ();
   MtParams params = {.types = &type, .values = &time, .count = 1};
   MtBindEnv env = {.ctx = s, .params = &params, .cancel = &s->cancel};
   MtExpr *e;
   MtX *x;
   env.style = (MtTextStyle) {.zone = s->settings.zone, .now_ms = s->statement_ms};
   bool ok = mt_parse_expr (a, v->bucket, strlen (v->bucket), &e, err) &&
             mt_bind_expr (a, &env, e, type, &x, err) && mt_eval_const (a, x, &env, &start, err);
   mt_arena_free (a);
   if (ok && start.type == MT_DATE && start.i <= ms) {
      *out = start.i;
      return true;
   }
   if (ok)
      mt_error (err, MT_E_CORRUPT, "the bucket of continuous view \"%s\" is damaged", v->name);
   err->span = MT_NO_SPAN;
   return false;
}

/* Sets *out to the end of the bucket that starts at lo: the first later time that is in another
 * bucket. */
static bool end_of (MtSession *s, const MtContinuous *v, int64_t lo, int64_t *out, MtError *err)
{
   int64_t in = lo, step = 1000, start = lo;
   while (start == lo) { /* doubles the step until it leaves the bucket */
      step *= 2;
      if (__builtin_add_overflow (lo, step, out)) {
         *out = MT_TIME_MAX;
         return true;
      }
      if (!start_of (s, v, *out, &start, err))
         return false;
      in = start == lo ? *out : in;
   }
   while (*out - in > 1) {
      int64_t middle = in + (*out - in) / 2;
      if (!start_of (s, v, middle, &start, err))
         return false;
      *(start == lo ? &in : out) = middle;
   }
   return true;
}

bool mt_bucket_of (MtSession *s, const MtContinuous *v, int64_t ms, MtRange *out, MtError *err)
{
   if (!v->width_ms)
      return start_of (s, v, ms, &out->lo, err) && end_of (s, v, out->lo, &out->hi, err);
   int64_t since;
   if (__builtin_sub_overflow (ms, v->origin_ms, &since))
      since = 0;
   out->lo = v->origin_ms + mt_floor_div (since, v->width_ms) * v->width_ms;
   out->hi = out->lo + v->width_ms;
   return true;
}

/* Like mt_bucket_of, but MT_TIME_MIN and MT_TIME_MAX, the ends of an unbounded range, become empty
 * ranges. */
static bool around (MtSession *s, const MtContinuous *v, int64_t ms, MtRange *out, MtError *err)
{
   *out = (MtRange) {ms, ms};
   return ms == MT_TIME_MIN || ms == MT_TIME_MAX || mt_bucket_of (s, v, ms, out, err);
}

bool mt_bucket_floor (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err)
{
   MtRange b;
   if (!around (s, v, *ms, &b, err))
      return false;
   *ms = b.lo;
   return true;
}

bool mt_bucket_ceil (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err)
{
   MtRange b;
   if (!around (s, v, *ms, &b, err))
      return false;
   *ms = b.lo == *ms ? b.lo : b.hi;
   return true;
}

bool mt_bucket_widen (MtSession *s, MtArena *a, const MtContinuous *v, MtRangeSet *ranges,
                      MtError *err)
{
   MtRangeSet all = {0};
   for (int i = 0; i < ranges->count; i++) {
      MtRange r = ranges->ranges[i];
      if (!mt_bucket_floor (s, v, &r.lo, err) || !mt_bucket_ceil (s, v, &r.hi, err))
         return false;
      all = mt_ranges_union (a, all, mt_ranges_one (a, r.lo, r.hi));
   }
   *ranges = all;
   return true;
}

bool mt_bucket_count (MtSession *s, const MtContinuous *v, MtRange range, uint64_t *count,
                      MtError *err)
{
   MtRange b = {.hi = range.lo};
   if (v->width_ms) {
      *count += (uint64_t) ((range.hi - range.lo) / v->width_ms);
      return true;
   }
   for (; b.hi < range.hi; ++*count)
      if (!mt_bucket_of (s, v, b.hi, &b, err))
         return false;
   return true;
}

bool mt_bucket_measure (MtSession *s, MtContinuous *v, bool fixed, MtError *err)
{
   MtRange b;
   v->width_ms = 0;
   if (!mt_bucket_of (s, v, 0, &b, err))
      return false;
   v->origin_ms = b.lo;
   v->width_ms = fixed ? b.hi - b.lo : 0;
   return true;
}
