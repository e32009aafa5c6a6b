#include "functions/agg.h"
#include "types/enum.h"
#include "functions/agg_list.h"

#include "functions/core/row.h"
#include "functions/timeseries/kept.h"
#include "types/numeric.h"
#include "engine/pipe.h"
#include "query/x.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool mt_agg_takes_set (const MtAggCall *g)
{
   if (!g->distinct || !g->arg)
      return false;
   return g->agg->rule == MT_AGG_PARTS ? g->agg->kind->flags & MT_AGG_SET
                                       : g->agg->rule != MT_AGG_MIN && g->agg->rule != MT_AGG_MAX;
}

/* ---- pieces of expressions ---- */

static const bson_t *null (MtArena *a) { return mt_doc_of (a, mt_v_null ()); }

static bool is_strict (const MtAgg *agg) { return !(agg->flags & MT_F_NOT_STRICT); }

static bool is_form (const MtAggInput *in, unsigned form) { return in->call->agg->form & form; }

/* Returns the expression for whether a row counts: FILTER is true, and `count` arguments from
 * number `first` on are not NULL. NULL: every row counts. */
static const bson_t *there (const MtAggInput *in, int first, int count)
{
   const bson_t *all = in->filter;
   for (int i = first; i < first + count && i < in->argc; i++) {
      if (!in->nullable[i])
         continue;
      const bson_t *one = mt_mql_op (in->a, "$gt", in->args[i], null (in->a), NULL);
      all = all ? mt_mql_op (in->a, "$and", all, one, NULL) : one;
   }
   return all;
}

static const bson_t *when (MtArena *a, const bson_t *condition, const bson_t *then,
                           const bson_t *otherwise)
{
   return condition ? mt_mql_op (a, "$cond", condition, then, otherwise, NULL) : then;
}

static const bson_t *list_of (MtArena *a, const bson_t *const *items, int count)
{
   bson_t *list = mt_doc_new (a);
   for (int i = 0; i < count; i++)
      mt_doc_add (list, mt_printf (a, "%d", i), mt_doc_value (items[i]));
   return mt_doc_of (a, mt_v_array (list));
}

static bool one_record (const bson_t *n)
{
   MtVal v = mt_doc_value (n);
   return v.type == MT_INT32 && v.i == 1;
}

static const bson_t *times (MtArena *a, const bson_t *value, const bson_t *n)
{
   return one_record (n) ? value : mt_mql_op (a, "$multiply", value, n, NULL);
}

const bson_t *mt_interval_length (MtArena *a, const bson_t *interval)
{
   const bson_t *days = mt_mql_op (a, "$add", mt_mql_path (a, "$x.d"),
                                   mt_mql_op (a, "$multiply", mt_mql_path (a, "$x.m"),
                                              mt_doc_of (a, mt_v_int64 (30)), NULL),
                                   NULL);
   const bson_t *us = mt_mql_op (a, "$multiply", mt_mql_op1 (a, "$toDecimal", days),
                                 mt_doc_of (a, mt_v_int64 (86400000000)), NULL);
   return mt_mql_let (a, "x", interval,
                      mt_mql_op (a, "$add", mt_mql_op1 (a, "$toDecimal", mt_mql_path (a, "$x.us")),
                                 us, NULL));
}

const bson_t *mt_nan_of (MtArena *a, MtTypeId type)
{
   MtVal nan = mt_v_double (__builtin_nan (""));
   return mt_doc_of (a, type == MT_T_NUMERIC ? mt_num_to_val (a, mt_num_of (nan)) : nan);
}

/* Returns the expression for the position of an enum value among the labels of its type; null for
 * null. */
static const bson_t *place_of (MtArena *a, MtTypeId type, const bson_t *value)
{
   const MtEnum *e = mt_enum_of (type);
   MtVal *list = MT_NEW_N (a, MtVal, e->count + 1), labels = mt_v_null ();
   for (size_t i = 0; i < e->count; i++)
      list[i] = mt_v_cstr (e->labels[i]);
   mt_v_make_array (a, list, e->count, &labels, &(MtError) {0});
   const bson_t *x = mt_mql_path (a, "$x"),
                *null = mt_mql_op (a, "$lte", x, mt_doc_of (a, mt_v_null ()), NULL),
                *at = mt_mql_op (a, "$indexOfArray", mt_mql_const (a, labels), x, NULL);
   return mt_mql_let (a, "x", value,
                      mt_mql_op (a, "$cond", null, mt_doc_of (a, mt_v_null ()), at, NULL));
}

const bson_t *mt_rank_of (MtArena *a, MtTypeId type, const bson_t *value)
{
   if (type == MT_T_BYTEA)
      return mt_mql_op (a, "$_mt_encode", value, mt_doc_of (a, mt_v_cstr ("hex")), NULL);
   if (mt_type_is_array (type)) {
      const char *element = mt_type_handle (mt_type_element (type));
      return mt_mql_op (a, "$_mtArrayKey", value, mt_doc_of (a, mt_v_cstr (element)), NULL);
   }
   if (mt_type_is_enum (type))
      return place_of (a, type, value);
   if (type == MT_T_RECORD)
      return mt_mql_op (a, "$_mtRecordKey", value, NULL);
   return type == MT_T_JSONB ? mt_mql_op (a, "$_mtJsonbKey", value, NULL)
                             : mt_interval_length (a, value);
}

/* ---- var_pop … of integers and numerics: sum, sum of squares, count ---- */

static const bson_t *exact (const MtAggInput *in, const bson_t *value)
{
   if (in->call->arg->type.id == MT_T_NUMERIC)
      return value;
   return mt_mql_op1 (in->a, "$toDecimal",
                      in->doubles ? mt_mql_op1 (in->a, "$toLong", value) : value);
}

static bool variance_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtArena *a = in->a;
   const bson_t *x = exact (in, in->args[0]), *zero = mt_mql_int (a, 0);
   (void) err;
   out[0] = (MtAggPart) {"$sum", when (a, in->filter, times (a, x, in->n), zero)};
   out[1] = (MtAggPart) {"$sum", when (a, there (in, 0, 1), in->n, zero)};
   out[2] = (MtAggPart) {
      "$sum", when (a, in->filter, times (a, mt_mql_op (a, "$multiply", x, x, NULL), in->n), zero)};
   return true;
}

static const bson_t *variance_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, in->call->agg->op, parts[0], parts[2], parts[1], NULL);
}

/* Returns the expression {$map: {input: set, in: body}}. In `body`, "$$this" is the element. */
static const bson_t *mapped (MtArena *a, const bson_t *set, const bson_t *body)
{
   bson_t *map = mt_doc_new (a);
   mt_doc_add (map, "input", mt_doc_value (set));
   mt_doc_add (map, "in", mt_doc_value (body));
   return mt_mql_op1 (a, "$map", mt_doc_of (a, mt_v_doc (map)));
}

static const bson_t *variance_of_set (const MtAggInput *in, const bson_t *set)
{
   MtArena *a = in->a;
   const bson_t *x = exact (in, mt_mql_path (a, "$this"));
   const bson_t *parts[3] = {
      mt_mql_op1 (a, "$sum", mapped (a, set, x)), mt_mql_op1 (a, "$size", set),
      mt_mql_op1 (a, "$sum", mapped (a, set, mt_mql_op (a, "$multiply", x, x, NULL)))};
   return variance_result (in, parts);
}

const MtAggKind mt_agg_variance = {
   .flags = MT_AGG_WEIGHS | MT_AGG_MERGES | MT_AGG_SET,
   .part_count = 3,
   .merge = {"$sum", "$sum", "$sum"},
   .parts = variance_parts,
   .result = variance_result,
   .of_set = variance_of_set,
   .kept = &mt_kept_sums,
   .kept_fields = {"s", "n", "q"},
};

/* ---- var_pop … of doubles: on a server MongoDB's deviation; in process PostgreSQL's sums, so
 * that the last digits are PostgreSQL's ---- */

static bool spread_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   const char *server = is_form (in, MT_AGG_SAMPLE) ? "$stdDevSamp" : "$stdDevPop";
   out[0] = (MtAggPart) {in->own ? "$_mtMoments" : server,
                         when (in->a, in->filter, in->args[0], null (in->a))};
   return true;
}

/* Returns the variance or standard deviation from MongoDB's $stdDev. Its result is infinite only if
 * finite values have squares beyond the range of doubles. Then $toLong of it raises 22003. */
static const bson_t *spread_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtArena *a = in->a;
   if (in->own)
      return mt_mql_op1 (a, in->call->agg->op, parts[0]);
   const bson_t *r = is_form (in, MT_AGG_ROOT)
                        ? parts[0]
                        : mt_mql_op (a, "$multiply", parts[0], parts[0], NULL),
                *infinite = mt_doc_of (a, mt_v_double (__builtin_inf ()));
   return mt_mql_op (a, "$cond", mt_mql_op (a, "$eq", parts[0], infinite, NULL),
                     mt_mql_op1 (a, "$toLong", parts[0]), r, NULL);
}

/* Returns the variance or standard deviation of an array of distinct values: computes the mean,
 * then the squares of the differences from it. */
static const bson_t *spread_of_set (const MtAggInput *in, const bson_t *set)
{
   MtArena *a = in->a;
   const bson_t *away = mt_mql_op (a, "$subtract", mt_mql_path (a, "$this"), mt_mql_path (a, "$x"),
                                   NULL);
   const bson_t *size = mt_mql_op1 (a, "$size", set),
                *least = mt_mql_int (a, is_form (in, MT_AGG_SAMPLE) ? 1 : 0);
   const bson_t *squares = mt_mql_let (
      a, "x", mt_mql_op1 (a, "$avg", list_of (a, &set, 1)),
      mt_mql_op1 (a, "$sum", mapped (a, set, mt_mql_op (a, "$multiply", away, away, NULL))));
   const bson_t *r = mt_mql_op (
      a, "$divide", squares,
      is_form (in, MT_AGG_SAMPLE) ? mt_mql_op (a, "$subtract", size, least, NULL) : size, NULL);
   return when (a, mt_mql_op (a, "$gt", size, least, NULL),
                is_form (in, MT_AGG_ROOT) ? mt_mql_op1 (a, "$sqrt", r) : r, null (a));
}

/* Returns the result of an aggregate such as variance from a saved state of stats_agg: `op` reads
 * the sums of the state, and the aggregate's operator computes the result from them. */
static const bson_t *result_of_sums (const MtAggInput *in, const char *op, const bson_t *state)
{
   return mt_mql_op (in->a, in->call->agg->op, mt_mql_op (in->a, op, state, NULL), NULL);
}

static const bson_t *spread_of_state (const MtAggInput *in, const bson_t *state)
{
   return result_of_sums (in, "$_mtMomentsOf", state);
}

const MtAggKind mt_agg_spread = {.flags = MT_AGG_SET,
                                 .part_count = 1,
                                 .parts = spread_parts,
                                 .result = spread_result,
                                 .of_set = spread_of_set,
                                 .states = MT_T_STATSSUMMARY1D,
                                 .of_state = spread_of_state};

/* ---- corr, covar_pop, regr_slope … ---- */

static bool pairs_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {"$_mtPairs", when (in->a, there (in, 0, 2), list_of (in->a, in->args, 2),
                                            null (in->a))};
   return true;
}

static const bson_t *pairs_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, in->call->agg->op, parts[0], NULL);
}

static const bson_t *pairs_of_state (const MtAggInput *in, const bson_t *state)
{
   return result_of_sums (in, "$_mtPairsOf", state);
}

const MtAggKind mt_agg_pairs = {.part_count = 1,
                                .parts = pairs_parts,
                                .result = pairs_result,
                                .states = MT_T_STATSSUMMARY2D,
                                .of_state = pairs_of_state};

static bool pair_count_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {"$sum", when (in->a, there (in, 0, 2), in->n, mt_mql_int (in->a, 0))};
   return true;
}

static const bson_t *pair_count_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op1 (in->a, "$toLong", parts[0]);
}

const MtAggKind mt_agg_pair_count = {
   .flags = MT_AGG_WEIGHS | MT_AGG_MERGES | MT_AGG_NEVER_NULL,
   .part_count = 1,
   .merge = {"$sum"},
   .parts = pair_count_parts,
   .result = pair_count_result,
   .states = MT_T_STATSSUMMARY2D,
   .kept_fields = {"n"},
};

/* ---- first (value, time), last (value, time): an extreme of {n: whether NaN, t: time, v:
 * value}; the value decides between equal times ---- */

static MtTypeId arg_type (const MtAggInput *in, int i)
{
   const MtX *x = in->call->arg;
   return x->kind == MT_X_CALL && x->call.fn == &mt_agg_row ? x->call.args[i]->type.id : x->type.id;
}

/* Makes the accumulator of first or last: `op` ("$min" or "$max") of {n, t, v}, the time t and the
 * value v. n is true for NaN, so that it sorts last as in SQL. `from`: rows count if the arguments
 * from this number on are not NULL. */
static bool at_time (const MtAggInput *in, const char *op, int from, MtAggPart *out)
{
   bson_t *pair = mt_doc_new (in->a);
   MtTypeId type = arg_type (in, 1);
   if (type == MT_T_FLOAT8 || type == MT_T_NUMERIC)
      mt_doc_add (
         pair, "n",
         mt_doc_value (mt_mql_op (in->a, "$eq", in->args[1], mt_nan_of (in->a, type), NULL)));
   mt_doc_add (pair, "t", mt_doc_value (in->args[1]));
   mt_doc_add (pair, "v", mt_doc_value (in->args[0]));
   out[0] = (MtAggPart) {op, when (in->a, there (in, from, 2 - from),
                                   mt_doc_of (in->a, mt_v_doc (pair)), null (in->a))};
   return true;
}

static bool first_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return at_time (in, "$min", 1, out);
}

static bool last_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return at_time (in, "$max", 1, out);
}

static bool arg_min_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return at_time (in, "$min", 0, out);
}

static bool arg_max_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return at_time (in, "$max", 0, out);
}

static const bson_t *field_of (MtArena *a, const bson_t *part, const char *field)
{
   const bson_t *path = mt_mql_path (a, mt_printf (a, "$x.%s", field));
   return mt_mql_op (a, "$ifNull", mt_mql_let (a, "x", part, path), null (a), NULL);
}

static const bson_t *value_field (const MtAggInput *in, const bson_t *const *parts)
{
   return field_of (in->a, parts[0], "v");
}

const MtAggKind mt_agg_first = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                                .part_count = 1,
                                .merge = {"$min"},
                                .parts = first_parts,
                                .result = value_field,
                                .kept = &mt_kept_first,
                                .kept_fields = {""}};
const MtAggKind mt_agg_last = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                               .part_count = 1,
                               .merge = {"$max"},
                               .parts = last_parts,
                               .result = value_field,
                               .kept = &mt_kept_last,
                               .kept_fields = {""}};

const MtAggKind mt_agg_arg_min = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                                  .part_count = 1,
                                  .merge = {"$min"},
                                  .parts = arg_min_parts,
                                  .result = value_field};
const MtAggKind mt_agg_arg_max = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                                  .part_count = 1,
                                  .merge = {"$max"},
                                  .parts = arg_max_parts,
                                  .result = value_field};

static bool is_of_kind (const MtAggCall *g, const MtAggKind *kind, const MtAggKind *without_null)
{
   if (g->agg->rule != MT_AGG_PARTS)
      return false;
   return g->agg->kind == kind || (g->agg->kind == without_null && !g->arg->call.args[0]->nullable);
}

bool mt_agg_is_first (const MtAggCall *g) { return is_of_kind (g, &mt_agg_first, &mt_agg_arg_min); }
bool mt_agg_is_last (const MtAggCall *g) { return is_of_kind (g, &mt_agg_last, &mt_agg_arg_max); }

/* ---- any_value: the smallest value in BSON's order, so that every plan returns the same ---- */

static bool any_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {"$min", when (in->a, in->filter, in->args[0], null (in->a))};
   return true;
}

static const bson_t *any_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$ifNull", parts[0], null (in->a), NULL);
}

const MtAggKind mt_agg_any = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                              .part_count = 1,
                              .merge = {"$min"},
                              .parts = any_parts,
                              .result = any_result};

/* ---- bit_and, bit_or, bit_xor ---- */

static bool bits_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {in->call->agg->op, when (in->a, in->filter, in->args[0], null (in->a))};
   return true;
}

static const bson_t *bits_result (const MtAggInput *in, const bson_t *const *parts)
{
   return in->call->type.id == MT_T_INT8 ? parts[0] : mt_mql_op1 (in->a, "$toInt", parts[0]);
}

const MtAggKind mt_agg_bits = {
   .flags = MT_AGG_ONCE, .part_count = 1, .parts = bits_parts, .result = bits_result};
const MtAggKind mt_agg_bit_xor = {.part_count = 1, .parts = bits_parts, .result = bits_result};

/* ---- histogram (value, min, max, count) ---- */

static bool constant (const MtAggInput *in, int i, MtVal *out, MtError *err)
{
   const MtX *x = in->call->arg->call.args[i];
   if (x->kind != MT_X_CONST) {
      mt_error_at (err, x->span, MT_E_FEATURE,
                   "an argument of %s that isn't constant is not supported", in->call->agg->name);
      return false;
   }
   *out = x->value;
   return true;
}

static const bson_t *bin_of (const MtAggInput *in, double low, double high, int64_t count)
{
   MtArena *a = in->a;
   return mt_mql_op (a, "$_mt_width_bucket", in->args[0], mt_mql_const (a, mt_v_double (low)),
                     mt_mql_const (a, mt_v_double (high)), mt_mql_int (a, count), NULL);
}

static bool histogram_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtVal low, high, count;
   if (!constant (in, 1, &low, err) || !constant (in, 2, &high, err) ||
       !constant (in, 3, &count, err))
      return false;
   if (low.type != MT_DOUBLE || high.type != MT_DOUBLE || count.type != MT_INT32)
      return mt_error (err, MT_E_NULL_NOT_ALLOWED,
                       "histogram's bounds and number of buckets can't be null");
   if (count.i < 1 || count.i > 100000)
      return mt_error (err, MT_E_PARAMETER,
                       "number of buckets of histogram must be from 1 to 100000");
   if (!(low.d < high.d) || low.d - low.d != 0 || high.d - high.d != 0)
      return mt_error (
         err, MT_E_PARAMETER,
         "lower bound of histogram must be below its upper bound, both of them finite");
   const bson_t *pair[2] = {bin_of (in, low.d, high.d, count.i), mt_mql_int (in->a, count.i + 2)};
   out[0] = (MtAggPart) {"$_mtTally",
                         when (in->a, there (in, 0, 1), list_of (in->a, pair, 2), null (in->a))};
   return true;
}

static const bson_t *first_part (const MtAggInput *in, const bson_t *const *parts)
{
   (void) in;
   return parts[0];
}

const MtAggKind mt_agg_histogram = {
   .part_count = 1, .parts = histogram_parts, .result = first_part};

/* ---- aggregates that need their values in order ---- */

typedef struct Sorting {
   MtArena *a;
   bson_t *input, *order;
   int values, keys;
} Sorting;

static int put_value (Sorting *s, const bson_t *x)
{
   mt_doc_add (s->input, mt_printf (s->a, "%d", s->values), mt_doc_value (x));
   return s->values++;
}

/* Adds a sort key: the gathered value number `at`. For intervals and jsonb, whose BSON order
 * differs from SQL's, a key expression is gathered, too. */
static void put_key (Sorting *s, MtTypeId type, const bson_t *x, int at, bool descending,
                     bool nulls_first)
{
   bson_t *key = mt_doc_new (s->a);
   if (mt_type_order_has_rank (type))
      at = put_value (s, mt_rank_of (s->a, type, x));
   mt_doc_add_int (key, "at", at);
   mt_doc_add (key, "down", mt_v_bool (descending));
   mt_doc_add (key, "nulls", mt_v_bool (nulls_first));
   mt_doc_add_doc (s->order, mt_printf (s->a, "%d", s->keys++), key);
}

static const bson_t *sorted_spec (const MtAggInput *in, const Sorting *s, const bson_t *input,
                                  const bson_t *condition, const char *take, double share)
{
   bson_t *spec = mt_doc_new (in->a);
   mt_doc_add (spec, "input", mt_doc_value (when (in->a, condition, input, null (in->a))));
   mt_doc_add_array (spec, "order", s->order);
   mt_doc_add (spec, "distinct", mt_v_bool (in->call->distinct));
   mt_doc_add_text (spec, "take", take);
   mt_doc_add (spec, "share", mt_v_double (share));
   return mt_doc_of (in->a, mt_v_doc (spec));
}

/* Makes the accumulator that gathers rows of `values` arguments in the order of the aggregate's
 * ORDER BY. `condition`: which rows count; NULL: all. For DISTINCT, the first `compared` arguments
 * are compared, as the types `different`. */
static bool gather (const MtAggInput *in, int values, const bson_t *condition, int compared,
                    const MtTypeId *different, MtAggPart *out)
{
   const MtAggCall *g = in->call;
   Sorting s = {.a = in->a, .input = mt_doc_new (in->a), .order = mt_doc_new (in->a)};
   for (int i = 0; i < values; i++)
      put_value (&s, in->args[i]);
   for (int i = 0; i < g->order_count; i++)
      put_key (&s, arg_type (in, values + i), in->args[values + i],
               put_value (&s, in->args[values + i]), g->order[i].descending,
               g->order[i].nulls_first);
   for (int i = 0; i < compared && g->distinct; i++)
      put_key (&s, different[i], in->args[i], i, false, false);
   out[0] = (MtAggPart) {"$_mtSorted", sorted_spec (in, &s, mt_doc_of (in->a, mt_v_array (s.input)),
                                                    condition, "all", 0)};
   return true;
}

/* string_agg (text, separator ORDER BY …): gathers pairs of text and separator. */
static bool joined_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtTypeId type = arg_type (in, 0) == MT_T_BYTEA ? MT_T_BYTEA : MT_T_TEXT;
   (void) err;
   return gather (in, 2, there (in, 0, 1), 2, (MtTypeId[]) {type, type}, out);
}

static const bson_t *joined_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJoined", parts[0], NULL);
}

static const bson_t *joined_bytes_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJoinedBytes", parts[0], NULL);
}

const MtAggKind mt_agg_joined_bytes = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                       .part_count = 1,
                                       .parts = joined_parts,
                                       .result = joined_bytes_result};
const MtAggKind mt_agg_joined = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                 .part_count = 1,
                                 .parts = joined_parts,
                                 .result = joined_result};

/* array_agg, jsonb_agg (value ORDER BY …) and jsonb_object_agg (key, value …): gathers one or two
 * arguments, including NULLs. */
static bool gathered (const MtAggInput *in, int values, MtTypeId different, MtAggPart *out)
{
   return gather (in, values, in->filter, values, (MtTypeId[]) {different, different}, out);
}

/* sparkline (value [, min, max, width] ORDER BY …): gathers the arguments of the rows whose value
 * isn't NULL. */
static bool sparkline_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtTypeId type = arg_type (in, 0);
   (void) err;
   return gather (in, is_form (in, MT_AGG_LIMITS) ? 4 : 1, there (in, 0, 1), 1, &type, out);
}

static const bson_t *sparkline_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtSparkline", parts[0],
                     mt_doc_of (in->a, mt_v_bool (is_form (in, MT_AGG_LIMITS))), NULL);
}

const MtAggKind mt_agg_sparkline = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                    .part_count = 1,
                                    .parts = sparkline_parts,
                                    .result = sparkline_result};

static bool jsonb_array_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return gathered (in, 1, MT_T_JSONB, out);
}

static bool jsonb_object_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return gathered (in, 2, MT_T_JSONB, out);
}

/* json_agg (value, zone) and json_object_agg (key, value, zone): gathers the arguments. The values
 * are converted to JSON only in the result, because DISTINCT compares the original values. */
static bool json_array_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return gather (in, 2, in->filter, 1, (MtTypeId[]) {arg_type (in, 0)}, out);
}

static bool json_object_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return gather (in, 3, in->filter, 2, (MtTypeId[]) {arg_type (in, 0), arg_type (in, 1)}, out);
}

static const bson_t *name_of_type (const MtAggInput *in, int i)
{
   return mt_doc_of (in->a, mt_v_cstr (mt_type_handle (arg_type (in, i))));
}

static const bson_t *json_array_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJsonArray", parts[0], name_of_type (in, 0), NULL);
}

static const bson_t *json_object_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJsonObject", parts[0], name_of_type (in, 0), name_of_type (in, 1),
                     NULL);
}

const MtAggKind mt_agg_json_array = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                     .part_count = 1,
                                     .parts = json_array_parts,
                                     .result = json_array_result};
const MtAggKind mt_agg_json_object = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                      .part_count = 1,
                                      .parts = json_object_parts,
                                      .result = json_object_result};

static const bson_t *jsonb_array_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJsonbArray", parts[0], NULL);
}

static const bson_t *jsonb_object_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$_mtJsonbObject", parts[0], NULL);
}

const MtAggKind mt_agg_jsonb_array = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET | MT_AGG_JSON,
                                      .part_count = 1,
                                      .parts = jsonb_array_parts,
                                      .result = jsonb_array_result};
const MtAggKind mt_agg_jsonb_object = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET | MT_AGG_JSON,
                                       .part_count = 1,
                                       .parts = jsonb_object_parts,
                                       .result = jsonb_object_result};

/* Returns whether array_agg has neither ORDER BY nor DISTINCT, so that MongoDB's $push can be
 * used. */
static bool takes_all (const MtAggInput *in)
{
   return !in->call->order_count && !in->call->distinct;
}

static bool array_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   if (!takes_all (in))
      return gathered (in, 1, arg_type (in, 0), out);
   out[0] = (MtAggPart) {"$push",
                         when (in->a, in->filter, in->args[0], mt_mql_path (in->a, "$REMOVE"))};
   return true;
}

static const bson_t *array_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtArena *a = in->a;
   bool nested = mt_type_is_array (arg_type (in, 0));
   if (nested || !takes_all (in))
      return mt_mql_op (a, "$_mtArray", parts[0], mt_doc_of (a, mt_v_bool (!takes_all (in))),
                        mt_doc_of (a, mt_v_bool (nested)), NULL);
   const bson_t *none = mt_doc_new (a),
                *list = mt_mql_op (a, "$ifNull", parts[0], mt_doc_of (a, mt_v_array (none)), NULL);
   return mt_mql_op (a, "$cond", mt_mql_op (a, "$eq", list, mt_doc_of (a, mt_v_array (none)), NULL),
                     null (a), parts[0], NULL);
}

const MtAggKind mt_agg_array = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                .part_count = 1,
                                .parts = array_parts,
                                .result = array_result};

/* Returns the argument of the accumulator $_mtSorted over argument i: the values sorted, of which
 * `take` says which one to return (at `share`). An interval or jsonb is gathered together with its
 * sort key. */
static const bson_t *taken (const MtAggInput *in, int i, const char *take, double share)
{
   bool ranked = mt_type_order_has_rank (arg_type (in, i));
   Sorting s = {.a = in->a, .input = mt_doc_new (in->a), .order = mt_doc_new (in->a)};
   if (ranked)
      put_value (&s, in->args[i]);
   bool descending = in->call->order_count && in->call->order[0].descending;
   put_key (&s, arg_type (in, i), in->args[i], -1, descending, false);
   return sorted_spec (in, &s, ranked ? mt_doc_of (in->a, mt_v_array (s.input)) : in->args[i],
                       there (in, i, 1), take, share);
}

/* Returns the accumulator for a percentile (`share`) of argument i: an array of all values if the
 * result can be computed with MongoDB's operators, otherwise $_mtSorted. */
static MtAggPart sorted_or_listed (const MtAggInput *in, int i, bool continuous, double share)
{
   if (mt_listed (in, arg_type (in, i), continuous))
      return (MtAggPart) {"$push", when (in->a, in->filter, in->args[i], null (in->a))};
   return (MtAggPart) {"$_mtSorted", taken (in, i, continuous ? "continuous" : "discrete", share)};
}

static bool percentile_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtVal share;
   bool continuous = is_form (in, MT_AGG_CONTINUOUS);
   if (!constant (in, 0, &share, err))
      return false;
   if (mt_is_nullish (share)) {
      out[0] = (MtAggPart) {"$max", null (in->a)};
      return true;
   }
   if (!mt_check_fraction (share.d, err))
      return false;
   out[0] = sorted_or_listed (in, 1, continuous, share.d);
   return true;
}

static const bson_t *plain_or_ranked (const MtAggInput *in, const bson_t *part)
{
   const bson_t *first = mt_mql_op (in->a, "$arrayElemAt", part, mt_mql_int (in->a, 0), NULL);
   return mt_type_order_has_rank (in->call->type.id)
             ? mt_mql_op (in->a, "$ifNull", first, null (in->a), NULL)
             : part;
}

/* Returns the expression for the percentile from `part`, the result of the accumulator of
 * sorted_or_listed. */
static const bson_t *picked (const MtAggInput *in, int i, double share, const bson_t *part)
{
   bool continuous = is_form (in, MT_AGG_CONTINUOUS);
   if (mt_listed (in, arg_type (in, i), continuous))
      return mt_of_list (in, arg_type (in, i), part, mt_v_double (share), continuous);
   return continuous ? mt_mql_op (in->a, "$_mtBetween", part, NULL) : plain_or_ranked (in, part);
}

static const bson_t *percentile_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtVal share = mt_v_null ();
   constant (in, 0, &share, &(MtError) {0}); /* it was read for the parts, too */
   return mt_is_nullish (share) ? parts[0] : picked (in, 1, share.d, parts[0]);
}

const MtAggKind mt_agg_percentile = {
   .flags = MT_AGG_WITHIN, .part_count = 1, .parts = percentile_parts, .result = percentile_result};

/* median (value) is percentile_cont (0.5), or for texts percentile_disc (0.5). */
static bool median_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = sorted_or_listed (in, 0, is_form (in, MT_AGG_CONTINUOUS), 0.5);
   return true;
}

static const bson_t *median_result (const MtAggInput *in, const bson_t *const *parts)
{
   return picked (in, 0, 0.5, parts[0]);
}

const MtAggKind mt_agg_median = {
   .flags = MT_AGG_OWN_SET, .part_count = 1, .parts = median_parts, .result = median_result};

/* mad (value), the median absolute deviation */
static bool deviation_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {"$_mtSorted", taken (in, 0, "deviation", 0)};
   return true;
}

const MtAggKind mt_agg_deviation = {
   .flags = MT_AGG_OWN_SET, .part_count = 1, .parts = deviation_parts, .result = first_part};

/* ---- lttb, asap_smooth (time, value, n): by operators of functions/timeseries/ ---- */

/* Checks that the number of points (the third argument) is a constant from 2 to MtAgg.form, the
 * maximum. */
static bool check_points (const MtAggInput *in, MtError *err)
{
   const char *name = in->call->agg->name;
   MtSpan span = in->call->arg->call.args[2]->span;
   int64_t most = in->call->agg->form;
   MtVal n;
   if (!constant (in, 2, &n, err))
      return false;
   if (mt_is_nullish (n))
      return mt_error_at (err, span, MT_E_NULL_NOT_ALLOWED,
                          "number of points of %s must not be null", name);
   return (n.i >= 2 && n.i <= most) ||
          mt_error_at (err, span, MT_E_PARAMETER,
                       "number of points of %s must be from 2 to %" PRId64, name, most);
}

static bool series_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   Sorting s = {.a = in->a, .input = mt_doc_new (in->a), .order = mt_doc_new (in->a)};
   if (!check_points (in, err))
      return false;
   for (int i = 0; i < 2; i++)
      put_key (&s, arg_type (in, i), in->args[i], put_value (&s, in->args[i]), false, false);
   out[0] = (MtAggPart) {"$_mtSorted", sorted_spec (in, &s, mt_doc_of (in->a, mt_v_array (s.input)),
                                                    there (in, 0, 2), "all", 0)};
   return true;
}

static const bson_t *series_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtVal n = in->call->arg->call.args[2]->value;
   return mt_mql_op (in->a, in->call->agg->op, parts[0], mt_mql_int (in->a, n.i), NULL);
}

const MtAggKind mt_agg_series = {.part_count = 1, .parts = series_parts, .result = series_result};

/* ---- approx_count_distinct, approx_quantile: in bounded memory ---- */

static bool distinct_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtTypeId type = arg_type (in, 0);
   const bson_t *x = mt_type_order_has_rank (type) ? mt_rank_of (in->a, type, in->args[0])
                                                   : in->args[0];
   (void) err;
   out[0] = (MtAggPart) {"$_mtDistinct", when (in->a, there (in, 0, 1), x, null (in->a))};
   return true;
}

static const bson_t *distinct_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op (in->a, "$ifNull", parts[0], mt_doc_of (in->a, mt_v_int64 (0)), NULL);
}

const MtAggKind mt_agg_distinct = {.flags = MT_AGG_ONCE | MT_AGG_NEVER_NULL,
                                   .part_count = 1,
                                   .parts = distinct_parts,
                                   .result = distinct_result};

static bool quantile_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtVal fractions;
   MtTypeId type = arg_type (in, 0);
   const bson_t *x = in->args[0];
   if (!constant (in, 1, &fractions, err))
      return false;
   if (type == MT_T_FLOAT8)
      x = mt_mql_op1 (in->a, "$toDouble", x);
   else if (type == MT_T_INT8)
      x = mt_mql_op1 (in->a, "$toLong", x);
   out[0] = (MtAggPart) {"$_mtBins", when (in->a, there (in, 0, 1), x, null (in->a))};
   return true;
}

static const bson_t *quantile_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtVal fractions;
   constant (in, 1, &fractions, &(MtError) {0});
   return mt_mql_op (in->a, "$_mtQuantiles", parts[0], mt_mql_const (in->a, fractions), NULL);
}

const MtAggKind mt_agg_quantile = {
   .part_count = 1, .parts = quantile_parts, .result = quantile_result};

/* Returns whether percentiles of several fractions read an array of their values. */
static bool are_listed (const MtAggInput *in, MtVal fractions)
{
   return fractions.type == MT_ARRAY && mt_fractions_valid (fractions) &&
          mt_listed (in, arg_type (in, 1), is_form (in, MT_AGG_CONTINUOUS));
}

/* Several fractions need all values, in order. */
static bool percentiles_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   MtVal fractions;
   Sorting s = {.a = in->a, .input = mt_doc_new (in->a), .order = mt_doc_new (in->a)};
   if (!constant (in, 0, &fractions, err))
      return false;
   if (are_listed (in, fractions)) {
      out[0] = (MtAggPart) {"$push", when (in->a, in->filter, in->args[1], null (in->a))};
      return true;
   }
   put_key (&s, arg_type (in, 1), in->args[1], put_value (&s, in->args[1]),
            in->call->order[0].descending, false);
   out[0] = (MtAggPart) {"$_mtSorted", sorted_spec (in, &s, mt_doc_of (in->a, mt_v_array (s.input)),
                                                    there (in, 1, 1), "all", 0)};
   return true;
}

static const bson_t *percentiles_result (const MtAggInput *in, const bson_t *const *parts)
{
   MtVal fractions;
   constant (in, 0, &fractions, &(MtError) {0});
   if (are_listed (in, fractions))
      return mt_of_list (in, arg_type (in, 1), parts[0], fractions,
                         is_form (in, MT_AGG_CONTINUOUS));
   return mt_mql_op (
      in->a, is_form (in, MT_AGG_CONTINUOUS) ? "$_mtPercentilesCont" : "$_mtPercentilesDisc",
      parts[0], mt_mql_const (in->a, fractions), NULL);
}

const MtAggKind mt_agg_percentiles = {.flags = MT_AGG_WITHIN,
                                      .part_count = 1,
                                      .parts = percentiles_parts,
                                      .result = percentiles_result};

static bool mode_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   out[0] = (MtAggPart) {"$_mtSorted", taken (in, 0, "mode", 0)};
   return true;
}

static const bson_t *mode_result (const MtAggInput *in, const bson_t *const *parts)
{
   return plain_or_ranked (in, parts[0]);
}

const MtAggKind mt_agg_mode = {
   .flags = MT_AGG_WITHIN, .part_count = 1, .parts = mode_parts, .result = mode_result};

/* ---- aggregates of extensions ---- */

/* Returns the expression for whether a row counts: FILTER, and for a strict aggregate, no NULL
 * argument. NULL: always. */
static const bson_t *steps_on (const MtAggInput *in, int argc)
{
   return is_strict (in->call->agg) ? there (in, 0, argc) : in->filter;
}

/* Without DISTINCT and ORDER BY, the aggregate's own accumulator processes each row. Otherwise the
 * rows are gathered and sorted, and the operator of the result processes them. */
static bool state_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   int argc = in->argc - in->call->order_count;
   MtTypeId types[MT_AGG_MAX_ARGS];
   MtAggInput ranked = *in;
   const bson_t *on = steps_on (in, argc);
   (void) err;
   for (int i = 0; i < argc; i++) {
      types[i] = arg_type (in, i);
      if (in->call->agg->state->ranks && mt_type_order_has_rank (types[i])) {
         ranked.args[i] = mt_rank_of (in->a, types[i], in->args[i]);
         types[i] = MT_T_TEXT;
      }
   }
   in = &ranked;
   if (!takes_all (in)) {
      return gather (in, argc, on, argc, types, out);
   }
   const bson_t *row = argc == 1 && is_strict (in->call->agg) ? in->args[0]
                                                              : list_of (in->a, in->args, argc);
   out[0] = (MtAggPart) {in->call->agg->op, when (in->a, on, row, null (in->a))};
   return true;
}

static const bson_t *state_result (const MtAggInput *in, const bson_t *const *parts)
{
   return mt_mql_op1 (in->a, mt_printf (in->a, "%s" MT_AGG_RESULT, in->call->agg->op), parts[0]);
}

const MtAggKind mt_agg_state = {.flags = MT_AGG_ORDERED | MT_AGG_OWN_SET,
                                .part_count = 1,
                                .parts = state_parts,
                                .result = state_result};

/* ---- intervals: sums of months, days and microseconds, and a count; extremes by length ---- */

static bool interval_sum_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   static const char *const fields[] = {"$x.m", "$x.d", "$x.us"};
   MtArena *a = in->a;
   (void) err;
   for (int i = 0; i < 3; i++)
      out[i] = (MtAggPart) {
         "$sum", when (a, there (in, 0, 1),
                       times (a,
                              mt_mql_let (a, "x", in->args[0],
                                          mt_mql_op1 (a, "$toDecimal", mt_mql_path (a, fields[i]))),
                              in->n),
                       mt_mql_int (a, 0))};
   out[3] = (MtAggPart) {"$sum", when (a, there (in, 0, 1), in->n, mt_mql_int (a, 0))};
   return true;
}

static const bson_t *interval_sum_of (const MtAggInput *in, const bson_t *const *parts)
{
   MtArena *a = in->a;
   bool average = is_form (in, MT_AGG_AVERAGE);
   const bson_t *sum = mt_mql_op (a, "$_mtIntervalSum", parts[0], parts[1], parts[2],
                                  average ? parts[3] : NULL, NULL);
   return mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", parts[3], mt_mql_int (a, 0), NULL), sum,
                     null (a), NULL);
}

static const bson_t *interval_sum_of_set (const MtAggInput *in, const bson_t *set)
{
   static const char *const fields[] = {"$this.m", "$this.d", "$this.us"};
   const bson_t *parts[4];
   for (int i = 0; i < 3; i++)
      parts[i] = mt_mql_op1 (
         in->a, "$sum",
         mapped (in->a, set, mt_mql_op1 (in->a, "$toDecimal", mt_mql_path (in->a, fields[i]))));
   parts[3] = mt_mql_op1 (in->a, "$size", set);
   return interval_sum_of (in, parts);
}

const MtAggKind mt_agg_interval_sum = {
   .flags = MT_AGG_WEIGHS | MT_AGG_MERGES | MT_AGG_SET,
   .part_count = 4,
   .merge = {"$sum", "$sum", "$sum", "$sum"},
   .parts = interval_sum_parts,
   .result = interval_sum_of,
   .of_set = interval_sum_of_set,
};

static bool ranked_extreme (const MtAggInput *in, const char *op, MtAggPart *out)
{
   bson_t *pair = mt_doc_new (in->a);
   mt_doc_add (pair, "t", mt_doc_value (mt_rank_of (in->a, arg_type (in, 0), in->args[0])));
   mt_doc_add (pair, "v", mt_doc_value (in->args[0]));
   out[0] = (MtAggPart) {op, when (in->a, there (in, 0, 1), mt_doc_of (in->a, mt_v_doc (pair)),
                                   null (in->a))};
   return true;
}

static bool ranked_min_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return ranked_extreme (in, "$min", out);
}

static bool ranked_max_parts (const MtAggInput *in, MtAggPart *out, MtError *err)
{
   (void) err;
   return ranked_extreme (in, "$max", out);
}

const MtAggKind mt_agg_ranked_min = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                                     .part_count = 1,
                                     .merge = {"$min"},
                                     .parts = ranked_min_parts,
                                     .result = value_field};
const MtAggKind mt_agg_ranked_max = {.flags = MT_AGG_ONCE | MT_AGG_MERGES,
                                     .part_count = 1,
                                     .merge = {"$max"},
                                     .parts = ranked_max_parts,
                                     .result = value_field};
