/* Accumulators that compute partial results of plain aggregates, such as variance, in a form that
 * can be stored and merged. */
#include "functions/timeseries/kept.h"

#include "functions/timeseries/summary.h"
#include "types/numeric.h"

static bool damaged (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "a stored partial result of an aggregate is damaged");
}

/* ---- sums: of values and squares ---- */

/* The state for variances. All zeros means no values yet; then `sum` and `squares` are not valid
 * numbers. */
typedef struct Sums {
   int64_t n;
   MtNum sum, squares;
} Sums;

static bool sums_merge (MtEval *ev, void *into, const void *from)
{
   Sums *s = into;
   const Sums *f = from;
   if (!f->n)
      return true;
   if (!s->n) {
      *s = *f;
      return true;
   }
   if (__builtin_add_overflow (s->n, f->n, &s->n))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "bigint out of range");
   return mt_num_add (s->sum, f->sum, &s->sum, ev->err) &&
          mt_num_add (s->squares, f->squares, &s->squares, ev->err);
}

static bool sums_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Sums one = {.n = 1, .sum = mt_num_of (args[0])};
   (void) argc;
   return mt_num_mul (one.sum, one.sum, &one.squares, ev->err) && sums_merge (ev, state, &one);
}

static bool sums_final (MtEval *ev, const void *state, MtVal *out)
{
   const Sums *s = state;
   const MtStr keys[] = {MT_STR ("n"), MT_STR ("s"), MT_STR ("q")};
   *out = mt_v_null ();
   if (!s->n)
      return true;
   MtVal v[] = {mt_v_int64 (s->n), mt_num_to_val (ev->arena, s->sum),
                mt_num_to_val (ev->arena, s->squares)};
   return mt_v_make_doc (ev->arena, keys, v, 3, out, ev->err);
}

static bool sums_load (MtEval *ev, void *state, MtVal saved)
{
   MtVal n = mt_doc_field (saved, "n"), sum = mt_doc_field (saved, "s"),
         squares = mt_doc_field (saved, "q");
   Sums *s = state;
   (void) ev;
   if (mt_is_nullish (saved))
      return true;
   *s = (Sums) {.n = n.i};
   return (n.type == MT_INT64 || n.type == MT_INT32) && n.i > 0 && sum.type == MT_DECIMAL &&
          squares.type == MT_DECIMAL && mt_num_from_val (sum, &s->sum) &&
          mt_num_from_val (squares, &s->squares);
}

static bool sums_rollup (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Sums one = {0};
   (void) argc;
   return args[0].type == MT_DOC && sums_load (ev, &one, args[0]) ? sums_merge (ev, state, &one)
                                                                  : damaged (ev->err);
}

/* ---- the value at the first or last time ---- */

typedef struct AtTime {
   MtKept time, value; /* time: zeros if there is none yet */
   bool set;
} AtTime;

/* Returns whether a row's time and value replace those of the state. ev->user is NULL for the first
 * time, else the last time counts. */
static bool is_better (const MtEval *ev, const AtTime *s, MtVal time, MtVal value)
{
   int c = s->set ? mt_v_compare (time, s->time.v) : 0;
   if (s->set && !c)
      c = mt_v_compare (value, s->value.v);
   return !s->set || (ev->user ? c > 0 : c < 0);
}

static bool at_time_put (MtEval *ev, AtTime *s, MtVal time, MtVal value)
{
   if (value.type == MT_MISSING)
      value = mt_v_null ();
   if (is_better (ev, s, time, value)) {
      mt_keep (ev->arena, &s->time, time);
      mt_keep (ev->arena, &s->value, value);
      s->set = true;
   }
   return true;
}

/* Adds a row to the state. Arguments: value, time. */
static bool at_time_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return mt_is_nullish (args[1]) || at_time_put (ev, state, args[1], args[0]);
}

static bool at_time_merge (MtEval *ev, void *into, const void *from)
{
   const AtTime *f = from;
   return !f->set || at_time_put (ev, into, f->time.v, f->value.v);
}

static bool at_time_final (MtEval *ev, const void *state, MtVal *out)
{
   const AtTime *s = state;
   const MtStr keys[] = {MT_STR ("t"), MT_STR ("v")};
   const MtVal v[] = {s->time.v, s->value.v};
   *out = mt_v_null ();
   return !s->set || mt_v_make_doc (ev->arena, keys, v, 2, out, ev->err);
}

static bool at_time_load (MtEval *ev, void *state, MtVal saved)
{
   MtVal time = mt_doc_field (saved, "t");
   return mt_is_nullish (saved) || (saved.type == MT_DOC && !mt_is_nullish (time) &&
                                    at_time_put (ev, state, time, mt_doc_field (saved, "v")));
}

static bool at_time_rollup (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return (args[0].type == MT_DOC && at_time_load (ev, state, args[0])) || damaged (ev->err);
}

/* ---- accumulators ---- */

static const MtTypeId any[] = {MT_T_COUNT, MT_T_COUNT}; /* values stay as they are */

#define STATE(type_, step_, part_, user_) \
   &(const MtAggState) \
   { \
      .size = sizeof (type_), .step = step_, .merge = part_##_merge, .final = part_##_final, \
      .save = part_##_final, .load = part_##_load, .user = user_ \
   }
/* Defines an accumulator of partial results (id_), and the accumulator that merges its results
 * (id_##_rollup). */
#define PARTIAL(id_, name_, function_, argc_, type_, part_, user_) \
   static const MtStateAccumulator id_##_rollup = {.name = name_ "Rollup", \
                                                   .function = "", \
                                                   .state = STATE (type_, part_##_rollup, part_, \
                                                                   user_), \
                                                   .result = MT_T_DOCUMENT, \
                                                   .strict = true, \
                                                   .types = any, \
                                                   .argc = 1, \
                                                   .bare = true}; \
   const MtStateAccumulator id_ = {.name = name_, \
                                   .function = function_, \
                                   .state = STATE (type_, part_##_step, part_, user_), \
                                   .result = MT_T_DOCUMENT, \
                                   .strict = argc_ == 1, \
                                   .types = any, \
                                   .argc = argc_, \
                                   .bare = argc_ == 1, \
                                   .rollup = &id_##_rollup};

static char latest; /* its address means the last time */

PARTIAL (mt_kept_sums, "$_mtKeptSums", "variance", 1, Sums, sums, NULL)
PARTIAL (mt_kept_first, "$_mtKeptFirst", "first", 2, AtTime, at_time, NULL)
PARTIAL (mt_kept_last, "$_mtKeptLast", "last", 2, AtTime, at_time, &latest)

void mt_kept_add (void)
{
   static const MtStateAccumulator *const all[] = {&mt_kept_sums, &mt_kept_first, &mt_kept_last};
   for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      mt_accumulator_add (all[i]);
      mt_accumulator_add (all[i]->rollup);
   }
}
