/* freq_agg and mcv_agg: the frequent values of a group, found by the algorithm SpaceSaving
 * (spacesaving.h). */
#include "functions/core/rows.h"
#include "functions/timeseries/spacesaving.h"

#include <math.h>
#include <string.h>

/* The state of freq_agg (then `top` is 0, and `by` is the minimum frequency) or of mcv_agg (`top`
 * is n, and `by` is the skew). */
typedef struct Frequent {
   double by;
   int64_t top;
   MtTypeId state, value; /* the types of the state, and of its values */
   MtSpaceSaving s;
} Frequent;

/* ---- zeta distributions ---- */

/* Returns the sum of (n / k)^skew over all integers k >= n, for skew > 1 and n >= 1. The first ten
 * terms are added; Euler and Maclaurin's formula gives the rest. */
static double zeta_tail (double skew, double n)
{
   /* Bernoulli numbers: B(2j) / (2j)! */
   static const double bernoulli[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600,
                                      1.0 / 47900160};
   double sum = 0, end = n + 10, at_end = pow (n / end, skew), term = at_end * skew / end;
   for (int k = 0; k < 10; k++)
      sum += pow (n / (n + k), skew);
   sum += at_end * end / (skew - 1) + at_end / 2;
   for (int j = 0; j < 5; j++) {
      sum += bernoulli[j] * term;
      term = term * ((skew + 2 * j + 1) / end) * ((skew + 2 * j + 2) / end);
   }
   return sum;
}

/* Returns the total share of the n most frequent values in a zeta distribution. */
static double zeta_share (double skew, int64_t n)
{
   double rest = zeta_tail (skew, (double) n + 1) * pow ((double) n + 1, -skew);
   return 1 - rest / zeta_tail (skew, 1);
}

/* ---- states ---- */

/* Returns the type of the values in a state type; MT_T_UNKNOWN if it can have values of any type,
 * which then is stored in the state. */
static MtTypeId fixed_type (MtTypeId state)
{
   if (state == MT_T_SPACESAVINGBIGINTAGGREGATE)
      return MT_T_INT8;
   return state == MT_T_SPACESAVINGTEXTAGGREGATE ? MT_T_TEXT : MT_T_UNKNOWN;
}

/* Returns whether MongoDB's equality of values of type t is SQL's, so that they can be counted. */
static bool can_count (MtTypeId t)
{
   return !mt_type_has_rank (t) && mt_type_element (t) != MT_T_DOCUMENT &&
          !mt_type_is_state (mt_type_element (t)) && t != MT_T_UNKNOWN;
}

/* Initializes an empty state f like `other`; otherwise checks that both were made by calls with the
 * same parameters. */
static bool same_call (Frequent *f, const Frequent *other, MtError *err)
{
   if (!f->s.total) {
      *f = *other;
      f->s = (MtSpaceSaving) {.room = other->s.room};
   }
   if (f->value != other->value)
      return mt_error (err, MT_E_DATATYPE_MISMATCH, "values of types %s and %s can't be merged",
                       mt_type_info (f->value)->display, mt_type_info (other->value)->display);
   if (f->by == other->by && f->top == other->top && f->s.room == other->s.room)
      return true;
   return mt_error (err, MT_E_PARAMETER, "%s must be the same in all rows and states",
                    f->top || other->top ? "n and the skew" : "the frequency");
}

static bool merge (MtEval *ev, void *into, const void *from)
{
   Frequent *f = into;
   const Frequent *other = from;
   return !other->s.total ||
          (same_call (f, other, ev->err) && mt_saving_merge (ev->arena, &f->s, &other->s, ev->err));
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   const Frequent *f = state;
   const MtCounter **counters = mt_saving_sorted (ev->arena, &f->s);
   mt_bson_put (b, "n", mt_v_int64 (f->s.total));
   mt_bson_put (b, "counters", mt_v_int64 (f->s.room));
   mt_bson_put (b, f->top ? "skew" : "freq", mt_v_double (f->by));
   if (f->top)
      mt_bson_put (b, "top", mt_v_int64 (f->top));
   if (fixed_type (f->state) == MT_T_UNKNOWN)
      mt_bson_put (b, "type", mt_v_cstr (mt_type_handle (f->value)));
   size_t list = mt_bson_array (b, "values");
   for (size_t i = 0; i < f->s.count; i++)
      mt_bson_put_at (b, (uint32_t) i, counters[i]->value.v);
   mt_bson_end (b, list);
   list = mt_bson_array (b, "counts");
   for (size_t i = 0; i < f->s.count; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_int64 (counters[i]->count));
   mt_bson_end (b, list);
   list = mt_bson_array (b, "overs");
   for (size_t i = 0; i < f->s.count; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_int64 (counters[i]->over));
   mt_bson_end (b, list);
   return f->s.total > 0;
}

static void read_counters (MtEval *ev, MtSummaryReader *r, Frequent *f)
{
   MtVal values = mt_read_array (r, "values"), counts = mt_read_array (r, "counts"),
         overs = mt_read_array (r, "overs"), v, count, over;
   MtDocIter vs = mt_doc_iter (values), cs = mt_doc_iter (counts), os = mt_doc_iter (overs);
   MtStr name;
   r->ok &= mt_doc_count (values) == mt_doc_count (counts) &&
            mt_doc_count (values) == mt_doc_count (overs);
   while (r->ok && mt_doc_next (&vs, &name, &v) && mt_doc_next (&cs, &name, &count) &&
          mt_doc_next (&os, &name, &over)) {
      v = mt_read_element (r, ev->arena, f->value, v);
      count = mt_read_element (r, ev->arena, MT_T_INT8, count);
      over = mt_read_element (r, ev->arena, MT_T_INT8, over);
      r->ok = r->ok && mt_saving_restore (ev->arena, &f->s, v, count.i, over.i);
   }
   r->ok = r->ok && mt_saving_valid (&f->s);
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Frequent *f = state;
   bool mcv = mt_doc_field (r->doc, "top").type != MT_MISSING;
   int64_t room = mt_read_int (r, "counters");
   f->s.total = mt_read_int (r, "n");
   f->by = mt_read_double (r, mcv ? "skew" : "freq");
   f->top = mcv ? mt_read_int (r, "top") : 0;
   f->state = r->type;
   f->value = fixed_type (r->type);
   f->value = f->value == MT_T_UNKNOWN ? mt_read_type (r, "type") : f->value;
   r->ok &= room > 0 && room <= MT_MAX_COUNTERS && f->top >= mcv && f->top <= MT_MAX_COUNTERS &&
            (mcv ? f->by > 1 && isfinite (f->by) : f->by > 0 && f->by < 1) && can_count (f->value);
   f->s.room = r->ok ? (uint32_t) room : 0;
   if (r->ok)
      read_counters (ev, r, f);
}

#define KIND(type_) {type_, sizeof (Frequent), merge, write_state, read_state}
static const MtStateKind KINDS[] = {
   KIND (MT_T_SPACESAVINGBIGINTAGGREGATE),
   KIND (MT_T_SPACESAVINGTEXTAGGREGATE),
   KIND (MT_T_SPACESAVINGAGGREGATE),
};

/* ---- steps ---- */

/* Sets how many values the state counts at most (each has a counter, spacesaving.h). Fails if that
 * is more than MT_MAX_COUNTERS. */
static bool set_room (Frequent *f, double counters, MtError *err)
{
   if (counters <= MT_MAX_COUNTERS) {
      f->s.room = (uint32_t) counters;
      return true;
   }
   mt_error (err, MT_E_PARAMETER, "the aggregate needs more than %d counters", MT_MAX_COUNTERS);
   return mt_error_hint (err, f->top ? "Use a smaller n, or a greater skew."
                                     : "Use a greater frequency.");
}

/* Adds the value v to the state f. `call` has the parameters of this row's call. `type` is the name
 * of the value's type, for aggregates that take any. */
static bool step (MtEval *ev, Frequent *f, Frequent *call, double counters, MtVal v,
                  const MtVal *type)
{
   const MtStateKind *kind = ev->user;
   call->state = kind->type;
   call->value = f->s.total ? f->value : fixed_type (kind->type);
   if (call->value == MT_T_UNKNOWN)
      mt_type_by_name (mt_v_text (*type), &call->value);
   if (!can_count (call->value)) {
      mt_error (ev->err, MT_E_FEATURE, "values of type %s can't be counted by frequency",
                mt_type_info (call->value)->display);
      return mt_error_hint (ev->err, "Cast the value to text.");
   }
   if (!set_room (call, counters, ev->err) || !same_call (f, call, ev->err))
      return false;
   mt_saving_add (ev->arena, &f->s, v);
   return true;
}

/* Adds a row to freq_agg's state. Arguments: min_freq, value [, name of its type]. */
static bool step_freq (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Frequent call = {.by = args[0].d};
   (void) argc;
   if (!(call.by > 0 && call.by < 1))
      return mt_error (ev->err, MT_E_PARAMETER, "the frequency must be above 0 and below 1");
   double counters = floor (1 / call.by) + 1;
   counters += counters * call.by <= 1; /* the quotient was rounded */
   return step (ev, state, &call, counters, args[1], &args[2]);
}

/* Adds a row to mcv_agg's state. In a zeta distribution, the n most frequent values need one
 * counter each, and the other values need so many that none of them can displace the n-th. */
static bool step_mcv (MtEval *ev, Frequent *f, const MtVal *args, double skew, const MtVal *value)
{
   Frequent call = {.by = skew, .top = args[0].i};
   if (call.top < 1 || call.top > MT_MAX_COUNTERS)
      return mt_error (ev->err, MT_E_PARAMETER, "n must be between 1 and %d", MT_MAX_COUNTERS);
   if (!(skew > 1 && isfinite (skew)))
      return mt_error (ev->err, MT_E_PARAMETER, "the skew must be above 1");
   if (call.top == f->top && call.by == f->by)
      return step (ev, f, &call, f->s.room, value[0], &value[1]);
   double counters = (double) call.top + floor (zeta_tail (skew, (double) call.top));
   return step (ev, f, &call, counters, value[0], &value[1]);
}

/* Adds a row to mcv_agg's state with the default skew. Arguments: n, value [, name of its type]. */
static bool step_mcv_plain (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return step_mcv (ev, state, args, 1.1, &args[1]);
}

/* Adds a row to mcv_agg's state. Arguments: n, skew, value [, name of its type]. */
static bool step_mcv_skew (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return step_mcv (ev, state, args, args[1].d, &args[2]);
}

/* ---- accessors ---- */

/* Reads the state v into *f. If `named` isn't NULL, it is a type name, and the state's values must
 * have that type. */
static bool read_argument (MtEval *ev, MtVal v, const MtVal *named, Frequent *f)
{
   *f = (Frequent) {0};
   return mt_summary_read (ev, &KINDS[MT_USER (ev)], v, f) &&
          (!named || mt_summary_type (f->value, *named, ev->err));
}

static double share (const Frequent *f, int64_t count)
{
   return (double) count / (double) f->s.total;
}

static bool rows (MtEval *ev, MtVal state, const MtVal *named, MtVal *out)
{
   static const MtStr names[] = {{"value", 5}, {"min_freq", 8}, {"max_freq", 8}};
   Frequent f;
   if (!read_argument (ev, state, named, &f))
      return false;
   const MtCounter **counters = mt_saving_sorted (ev->arena, &f.s);
   MtVal *list = MT_NEW_N (ev->arena, MtVal, f.s.count + 1);
   for (size_t i = 0; i < f.s.count; i++) {
      const MtCounter *c = counters[i];
      MtVal row[] = {c->value.v, mt_v_double (share (&f, c->count - c->over)),
                     mt_v_double (share (&f, c->count))};
      if (!mt_v_make_doc (ev->arena, names, row, 3, &list[i], ev->err))
         return false;
   }
   return mt_v_make_array (ev->arena, list, f.s.count, out, ev->err);
}

static bool fn_frequent_rows (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   (void) n;
   return rows (ev, a[0], NULL, out);
}

/* Computes the rows of a state whose values have any type. Arguments: state, NULL with the values'
 * type, name of that type. */
static bool fn_frequent_rows_any (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   (void) n;
   *out = mt_v_null ();
   return mt_is_nullish (a[0]) || rows (ev, a[0], &a[2], out);
}

/* Checks that the first n values of mcv_agg are frequent enough that they certainly are the most
 * frequent ones. As long as a counter is unused, all counts are exact. */
static bool check_skew (MtEval *ev, const Frequent *f, const MtCounter *const *counters, int64_t n)
{
   double needed = ceil (zeta_share (f->by, n) * (double) f->s.total);
   int64_t sum = 0;
   if (n > f->top) {
      mt_error (ev->err, MT_E_PARAMETER, "n is %lld, but mcv_agg was called with %lld",
                (long long) n, (long long) f->top);
      return mt_error_hint (ev->err, "Pass a greater n to mcv_agg.");
   }
   for (size_t i = 0; i < f->s.count && i < (size_t) n; i++)
      sum += counters[i]->count;
   if ((double) sum >= needed || !mt_saving_least (&f->s))
      return true;
   mt_error (ev->err, MT_E_PARAMETER,
             "the values are not skewed enough to find the %lld most frequent ones", (long long) n);
   return mt_error_hint (ev->err, "Pass a smaller skew than %g to mcv_agg.", f->by);
}

/* Sets *out to the n most frequent values of a state. If `n` is NULL, it is the n of mcv_agg. */
static bool top (MtEval *ev, const Frequent *f, const MtVal *n, MtVal *out)
{
   int64_t most = n ? n->i : f->top;
   if (!n && !most) {
      mt_error (ev->err, MT_E_PARAMETER, "topn of freq_agg needs n");
      return mt_error_hint (ev->err, "Write topn (agg, n).");
   }
   if (most < 0)
      return mt_error (ev->err, MT_E_PARAMETER, "n must not be negative");
   const MtCounter **counters = mt_saving_sorted (ev->arena, &f->s);
   if (f->top && !check_skew (ev, f, counters, most))
      return false;
   MtVal *list = MT_NEW_N (ev->arena, MtVal, f->s.count + 1);
   size_t count = 0;
   while (count < f->s.count && count < (size_t) most &&
          (f->top || share (f, counters[count]->count) >= f->by)) {
      list[count] = counters[count]->value.v;
      count++;
   }
   return mt_v_make_array (ev->arena, list, count, out, ev->err);
}

/* Computes topn. Arguments: state [, n]. */
static bool fn_frequent_top (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Frequent f;
   return read_argument (ev, a[0], NULL, &f) && top (ev, &f, n > 1 ? &a[1] : NULL, out);
}

/* Computes topn of a state whose values have any type. Arguments: state [, n], NULL with the
 * values' type, name of that type. */
static bool fn_frequent_top_any (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Frequent f;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]) || (n > 3 && mt_is_nullish (a[1])))
      return true;
   return read_argument (ev, a[0], &a[n - 1], &f) && top (ev, &f, n > 3 ? &a[1] : NULL, out);
}

/* Sets *min and *max to the bounds of a value's frequency. Arguments: state, value [, name of its
 * type]. */
static bool bounds (MtEval *ev, const MtVal *a, int n, double *min, double *max)
{
   Frequent f;
   if (!read_argument (ev, a[0], n > 2 ? &a[2] : NULL, &f))
      return false;
   const MtCounter *c = mt_saving_find (&f.s, a[1]);
   *min = share (&f, c ? c->count - c->over : 0);
   *max = share (&f, c ? c->count : mt_saving_least (&f.s));
   return true;
}

static bool fn_frequent_min (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double min, max;
   if (!bounds (ev, a, n, &min, &max))
      return false;
   *out = mt_v_double (min);
   return true;
}

static bool fn_frequent_max (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double min, max;
   if (!bounds (ev, a, n, &min, &max))
      return false;
   *out = mt_v_double (max);
   return true;
}

/* ---- rows ---- */

#define INTS "spacesavingbigintaggregate"
#define TEXTS "spacesavingtextaggregate"
#define ANY "spacesavingaggregate"
#define OF_INTS " FROM (VALUES (7), (7), (7), (5)) AS t (x)"
#define OF_TEXTS " FROM (VALUES ('a'), ('a'), ('a'), ('b')) AS t (x)"
#define OF_ANY " FROM (VALUES (0.5), (0.5), (0.5), (1.5)) AS t (x)"

#define SET(name_, sig_, flags_, columns_, op_, fn_, kind_, doc_, example_) \
   MT_ROW_SET (name_, sig_, flags_, columns_, NULL, MT_OPN (op_, fn_, kind_), doc_, example_)
#define FIXED(kind_, state_, type_, of_, value_, first_) \
   SET ("into_values", "agg " state_ " -> " type_, 0, \
        "value " type_ ", min_freq float8, max_freq float8", state_ "_rows", frequent_rows, kind_, \
        "values of freq_agg or mcv_agg, with the bounds of their frequencies", \
        "SELECT value FROM (SELECT freq_agg(0.1, x) AS s" of_ \
        ") AS u, into_values(s) => " first_), \
      SET ("topn", "agg " state_ ", n int4 -> " type_, 0, NULL, state_ "_top", frequent_top, \
           kind_, "the n most frequent values of freq_agg or mcv_agg", \
           "SELECT topn(s, 1) FROM (SELECT mcv_agg(2, x) AS s" of_ ") AS u => " first_), \
      SET ("topn", "agg " state_ " -> " type_, 0, NULL, state_ "_top", frequent_top, kind_, \
           "the most frequent values of mcv_agg, as many as its n", \
           "SELECT topn(s) FROM (SELECT mcv_agg(1, x) AS s" of_ ") AS u => " first_), \
      BOUNDS (kind_, state_, "value " type_, "freq_agg", of_, value_)
#define BOUNDS(kind_, state_, args_, agg_, of_, value_) \
   MT_ROW ("min_frequency", "agg " state_ ", " args_ " -> float8", 0, NULL, \
           MT_OPN (state_ "_min", frequent_min, kind_), \
           "least possible frequency of a value of freq_agg or mcv_agg, from 0 to 1", \
           "SELECT min_frequency(" agg_ "(0.1, x), " value_ ")" of_ " => 0.75"), \
      MT_ROW ("max_frequency", "agg " state_ ", " args_ " -> float8", 0, NULL, \
              MT_OPN (state_ "_max", frequent_max, kind_), \
              "greatest possible frequency of a value of freq_agg or mcv_agg, from 0 to 1", \
              "SELECT max_frequency(" agg_ "(0.1, x), " value_ ")" of_ " => 0.75")

const MtFunc mt_fn_frequency[] = {
   FIXED (0, INTS, "int8", OF_INTS, "7", "7"),
   FIXED (1, TEXTS, "text", OF_TEXTS, "'a'", "a"),
   SET ("into_values", "agg " ANY ", type anyelement, _type text -> anyelement", MT_F_NOT_STRICT,
        "value anyelement, min_freq float8, max_freq float8", ANY "_rows", frequent_rows_any, 2,
        "values of raw_freq_agg or raw_mcv_agg, with the bounds of their frequencies; the second "
        "argument is NULL of their type",
        "SELECT value FROM (SELECT raw_freq_agg(0.1, x) AS s" OF_ANY
        ") AS u, into_values(s, NULL::numeric) => 0.5"),
   SET ("topn", "agg " ANY ", n int4, type anyelement, _type text -> anyelement", MT_F_NOT_STRICT,
        NULL, ANY "_top", frequent_top_any, 2,
        "the n most frequent values of raw_freq_agg or raw_mcv_agg; the last argument is NULL of "
        "their type",
        "SELECT topn(s, 1, NULL::numeric) FROM (SELECT raw_mcv_agg(2, x) AS s" OF_ANY
        ") AS u => 0.5"),
   SET ("topn", "agg " ANY ", type anyelement, _type text -> anyelement", MT_F_NOT_STRICT, NULL,
        ANY "_top", frequent_top_any, 2,
        "the most frequent values of raw_mcv_agg, as many as its n; the last argument is NULL of "
        "their type",
        "SELECT topn(s, NULL::numeric) FROM (SELECT raw_mcv_agg(1, x) AS s" OF_ANY ") AS u => 0.5"),
   BOUNDS (2, ANY, "value anyelement, _type text", "raw_freq_agg", OF_ANY, "0.5"),
   {.name = NULL},
};

#define FREQ_DOC \
   "state of the values at least as frequent as min_freq, from 0 to 1: into_values, topn, " \
   "min_frequency, max_frequency"
#define MCV_DOC \
   "state of the n most frequent values: topn, into_values, min_frequency, max_frequency"
#define SKEW_DOC MCV_DOC "; skew: of the zeta distribution of the values, 1.1 by default"
#define AGGS(kind_, prefix_, state_, args_, of_, value_) \
   MT_SUMMARY_AGG (prefix_ "freq_agg", "min_freq float8, " args_ " -> " state_, step_freq, \
                   Frequent, KINDS[kind_], FREQ_DOC, \
                   "SELECT max_frequency(" prefix_ "freq_agg(0.1, x), " value_ ")" of_ \
                   " => 0.75"), \
      MT_SUMMARY_AGG (prefix_ "mcv_agg", "n int4, " args_ " -> " state_, step_mcv_plain, Frequent, \
                      KINDS[kind_], MCV_DOC, \
                      "SELECT max_frequency(" prefix_ "mcv_agg(2, x), " value_ ")" of_ \
                      " => 0.75"), \
      MT_SUMMARY_AGG (prefix_ "mcv_agg", "n int4, skew float8, " args_ " -> " state_, \
                      step_mcv_skew, Frequent, KINDS[kind_], SKEW_DOC, \
                      "SELECT max_frequency(" prefix_ "mcv_agg(2, 1.5, x), " value_ ")" of_ \
                      " => 0.75"), \
      MT_SUMMARY_ROLLUP (state_, Frequent, KINDS[kind_], \
                         "SELECT max_frequency(rollup(s), " value_ ") FROM (SELECT " prefix_ \
                         "freq_agg(0.1, x) AS s" of_ " GROUP BY x) AS u => 0.75")

const MtAgg mt_agg_frequency[] = {
   AGGS (0, "", INTS, "value int8", OF_INTS, "7"),
   AGGS (1, "", TEXTS, "value text", OF_TEXTS, "'a'"),
   AGGS (2, "raw_", ANY, "value anyelement, _type text", OF_ANY, "0.5"),
   {.name = NULL},
};
