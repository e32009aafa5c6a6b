/* Parses the option `output` of the stage $setWindowFields, as MongoDB's manual describes it:
 *
 *    {field: {function: argument, window: {documents: [lower, upper]}}, …}
 *
 * A window may also be {range: [lower, upper], unit: "hour"}. Bounds are "unbounded", "current" or
 * numbers. */
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/window/window.h"
#include "engine/local/window/window_int.h"

#include <math.h>

/* The state of the parser of outputs. */
typedef struct Parsing {
   MtCompile *c;
   const MtWindowOrder *order;
   MtWindowNode plan;
   MtVal *windows; /* by frame: its specification; missing: the default */
} Parsing;

/* ---- time units ---- */

static const struct {
   const char *name;
   int64_t ms; /* 0: its length differs */
} units[] = {{"millisecond", 1}, {"second", 1000},  {"minute", 60000},
             {"hour", 3600000},  {"day", 86400000}, {"week", 604800000},
             {"month", 0},       {"quarter", 0},    {"year", 0}};

static bool parse_unit (MtCompile *c, MtVal v, int64_t *ms)
{
   for (size_t i = 0; i < sizeof units / sizeof *units; i++)
      if (mt_v_is_text (v, units[i].name)) {
         *ms = units[i].ms;
         return true;
      }
   return v.type == MT_STRING ? mt_bad (c, MT_CODE_FAILED_TO_PARSE, "unknown time unit value: %.*s",
                                        (int) (v.len > 60 ? 60 : v.len), (const char *) v.p)
                              : mt_bad (c, MT_CODE_FAILED_TO_PARSE, "'unit' must be a string");
}

/* ---- bounds ---- */

/* One bound of a window. */
typedef struct Bound {
   MtWinBoundKind kind; /* MT_WB_UNBOUNDED, MT_WB_CURRENT, or MT_WB_VALUE for a number */
   MtVal n;
} Bound;

static bool parse_bound (MtCompile *c, MtVal v, Bound *b)
{
   b->n = mt_v_int32 (0);
   b->kind = mt_v_is_text (v, "current") ? MT_WB_CURRENT : MT_WB_UNBOUNDED;
   if (mt_v_is_text (v, "unbounded") || mt_v_is_text (v, "current"))
      return true;
   if (v.type == MT_STRING)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "window bounds must be 'unbounded', 'current', or a number");
   MtExecExpr *e = mt_expr_parse (c, v);
   if (!e)
      return false;
   if (e->kind != MT_EX_CONST)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "window bounds expression must be a constant");
   b->kind = MT_WB_VALUE;
   b->n = e->value;
   return mt_is_number (b->n) ||
          mt_bad (c, MT_CODE_FAILED_TO_PARSE, "range-based bounds expression must be a number");
}

static bool parse_bounds (MtCompile *c, MtVal v, Bound *lower, Bound *upper)
{
   if (v.type != MT_ARRAY || mt_doc_count (v) != 2)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "window bounds must be a 2-element array");
   if (!parse_bound (c, mt_doc_at (v, 0), lower) || !parse_bound (c, mt_doc_at (v, 1), upper))
      return false;
   if (lower->kind != MT_WB_UNBOUNDED && upper->kind != MT_WB_UNBOUNDED &&
       mt_v_compare (lower->n, upper->n) > 0)
      return mt_bad (c, 5339900, "lower bound must not exceed upper bound");
   return true;
}

static bool whole (MtVal v, int64_t *out)
{
   *out = v.type == MT_DOUBLE && fabs (v.d) < 9e15 ? (int64_t) v.d : v.i;
   return v.type == MT_INT32 || v.type == MT_INT64 || (v.type == MT_DOUBLE && *out == v.d);
}

static bool document_bound (MtCompile *c, const Bound *b, MtWinBound *out)
{
   int64_t n = 0;
   *out = (MtWinBound) {.kind = b->kind};
   if (b->kind != MT_WB_VALUE)
      return true;
   if (!whole (b->n, &n) || n < INT32_MIN || n > INT32_MAX)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "numeric document-based bounds must be an integer");
   out->kind = n < 0 ? MT_WB_PRECEDING : MT_WB_FOLLOWING;
   out->offset = (uint64_t) (n < 0 ? -n : n);
   return true;
}

/* ---- range windows ---- */

static bool check_number (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   *out = args[0];
   if (args[0].type == MT_DATE)
      return mt_error_coded (
         ev->err, MT_E_PARAMETER, 5429413,
         "invalid range: for windows that involve date or time ranges, a unit must "
         "be provided");
   return mt_is_number (args[0]) ||
          mt_error_coded (ev->err, MT_E_PARAMETER, 5429414,
                          "invalid range: expected the sortBy field to be a number, but it was %s",
                          mt_v_type_name (args[0]));
}

static bool check_date (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   *out = args[0];
   return args[0].type == MT_DATE ||
          mt_error_coded (ev->err, MT_E_PARAMETER, 5429513,
                          "invalid range: expected the sortBy field to be a Date, but it was %s",
                          mt_v_type_name (args[0]));
}

static const MtOpRow number_row = {"$_mtRangeNumber",
                                   1,
                                   1,
                                   NULL,
                                   0,
                                   check_number,
                                   "checks a number",
                                   "{\"$_mtRangeNumber\": 1} => 1",
                                   NULL};
static const MtOpRow date_row = {"$_mtRangeDate",
                                 1,
                                 1,
                                 NULL,
                                 0,
                                 check_date,
                                 "checks a date",
                                 "{\"$_mtRangeDate\": null} => null",
                                 NULL};

static MtExecExpr *call (MtCompile *c, const MtOpRow *row, MtExecExpr *arg)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 1);
   e->row = row;
   e->args[0] = arg;
   return e;
}

/* Returns the expression for the limit of a range bound: the current row's sort key plus n (of the
 * unit `unit` for dates). NULL on error. */
static MtExecExpr *limit_of (Parsing *ps, MtVal n, MtVal unit)
{
   MtBson b = {.arena = ps->c->arena};
   const char *path = mt_printf (ps->c->arena, "$%s", ps->order->field);
   mt_bson_begin (&b);
   if (unit.type != MT_MISSING)
      mt_bson_printf (&b, "$dateAdd: {startDate: %s, unit: %p, amount: %p}", path, (void *) &unit,
                      (void *) &n);
   else
      mt_bson_printf (&b, "$add: [%s, {$toDecimal: %p}]", path, (void *) &n);
   mt_bson_end (&b, 0);
   return mt_memory_check (ps->c->err) ? mt_expr_parse (ps->c, mt_bson_part (&b, 0, MT_DOC)) : NULL;
}

/* Parses one bound of a range window. "current" is the row itself, without its peers (the rows with
 * an equal sort key). The number 0 includes the peers. */
static bool range_bound (Parsing *ps, const Bound *b, MtVal unit, MtWinBound *out)
{
   int64_t n;
   *out = (MtWinBound) {.kind = b->kind == MT_WB_CURRENT ? MT_WB_ROW : b->kind};
   if (b->kind != MT_WB_VALUE)
      return true;
   if (unit.type != MT_MISSING && !whole (b->n, &n))
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE,
                     "with 'unit', range-based bounds must be an integer");
   if (mt_v_compare (b->n, mt_v_int32 (0)) == 0)
      out->kind = MT_WB_CURRENT;
   else
      out->limit = limit_of (ps, b->n, unit);
   return out->kind == MT_WB_CURRENT || out->limit;
}

static bool range_frame (Parsing *ps, const Bound *lower, const Bound *upper, MtVal unit,
                         MtWinFrame *f)
{
   MtCompile *c = ps->c;
   int64_t ms;
   if (ps->order->key_count != 1)
      return mt_bad (c, 5339902, "range-based bounds require sortBy a single field");
   if (ps->order->descending)
      return mt_bad (c, 8947401, "range-based bounds require an ascending sortBy");
   if (unit.type != MT_MISSING && !parse_unit (c, unit, &ms))
      return false;
   f->mode = MT_WF_RANGE;
   f->by = call (c, unit.type == MT_MISSING ? &number_row : &date_row,
                 mt_expr_field (c, ps->order->field));
   return range_bound (ps, lower, unit, &f->start) && range_bound (ps, upper, unit, &f->end);
}

static bool window_keys (MtCompile *c, MtVal window)
{
   MtDocIter it = mt_doc_iter (window);
   MtStr key;
   MtVal v;
   bool documents = mt_doc_field (window, "documents").type != MT_MISSING,
        range = mt_doc_field (window, "range").type != MT_MISSING;
   if (documents && range)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "window bounds can specify either 'documents' or 'range', not both");
   while (mt_doc_next (&it, &key, &v)) {
      if (mt_str_is (key, "unit") && !range)
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "window bounds can only specify 'unit' with range-based bounds");
      if (!mt_str_is (key, "documents") && !mt_str_is (key, "range") && !mt_str_is (key, "unit"))
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "'window' field can only contain 'documents', or 'range' with an "
                        "optional 'unit'");
   }
   return true;
}

static bool parse_window (Parsing *ps, MtVal window, MtWinFrame *f)
{
   MtCompile *c = ps->c;
   Bound lower = {MT_WB_UNBOUNDED, mt_v_int32 (0)}, upper = lower;
   *f = (MtWinFrame) {.mode = MT_WF_ROWS};
   if (window.type != MT_DOC && window.type != MT_MISSING)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "'window' field must be an object");
   MtVal documents = mt_doc_field (window, "documents"), range = mt_doc_field (window, "range");
   if (!window_keys (c, window))
      return false;
   if (range.type != MT_MISSING)
      return parse_bounds (c, range, &lower, &upper) &&
             range_frame (ps, &lower, &upper, mt_doc_field (window, "unit"), f);
   if (documents.type != MT_MISSING && !parse_bounds (c, documents, &lower, &upper))
      return false;
   if ((lower.kind != MT_WB_UNBOUNDED || upper.kind != MT_WB_UNBOUNDED) && !ps->order->key_count)
      return mt_bad (c, 5339901, "document-based bounds require a sortBy");
   return document_bound (c, &lower, &f->start) && document_bound (c, &upper, &f->end);
}

/* Sets *out to the index of the frame for a window. Functions with equal windows share a frame. */
static bool frame_of (Parsing *ps, MtVal window, uint32_t *out)
{
   MtWindowNode *n = &ps->plan;
   for (*out = 0; *out < n->frame_count; ++*out) {
      MtVal have = ps->windows[*out];
      if (have.type == window.type && mt_v_compare (have, window) == 0)
         return true;
   }
   ps->windows[n->frame_count++] = window;
   return parse_window (ps, window, &n->frames[*out]);
}

/* ---- functions ---- */

/* Checks that an argument is an object that has only fields listed in `names` (a list that ends
 * with NULL). */
static bool object_of (MtCompile *c, const char *op, MtVal arg, const char *const *names)
{
   MtDocIter it = mt_doc_iter (arg);
   MtStr key;
   MtVal v;
   if (arg.type != MT_DOC)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "argument to %s must be an object", op);
   while (mt_doc_next (&it, &key, &v)) {
      size_t i = 0;
      while (names[i] && !mt_str_is (key, names[i]))
         i++;
      if (!names[i])
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s got unexpected argument: %.*s", op,
                        (int) (key.n > 60 ? 60 : key.n), key.p);
   }
   return true;
}

static MtExecExpr *argument (MtCompile *c, const char *op, MtVal arg, const char *name)
{
   MtVal v = mt_doc_field (arg, name);
   if (v.type != MT_MISSING)
      return mt_expr_parse (c, v);
   mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s requires an '%s' expression", op, name);
   return NULL;
}

static bool parse_rank (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   return (arg.type == MT_DOC && mt_doc_count (arg) == 0) ||
          mt_bad (ps->c, 5371603, "%s must be specified with '{}' as the value", op);
}

static bool parse_shift (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   static const char *const names[] = {"output", "by", "default", NULL};
   MtCompile *c = ps->c;
   int64_t by;
   if (!object_of (c, op, arg, names) || !(f->arg = argument (c, op, arg, "output")))
      return false;
   MtVal n = mt_doc_field (arg, "by"), otherwise = mt_doc_field (arg, "default");
   if (!whole (n, &by) || by < INT32_MIN || by > INT32_MAX)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "'$shift.by' field must be an integer");
   f->n = mt_expr_const (c, mt_v_int64 (by));
   if (otherwise.type == MT_MISSING)
      return true;
   f->otherwise = mt_expr_parse (c, otherwise);
   return f->otherwise && (f->otherwise->kind == MT_EX_CONST ||
                           mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                                   "'$shift.default' expression must yield a constant value"));
}

static bool parse_value (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   return (f->arg = mt_expr_parse (ps->c, arg)) != NULL;
}

/* Sets f->n to the sort key, for a function that needs a sortBy with exactly one key. */
static bool parse_key (Parsing *ps, const char *op, MtWinFunc *f)
{
   if (ps->order->key_count != 1)
      return mt_bad (ps->c, 5371602,
                     "%s must be specified with a top level sortBy expression with exactly "
                     "one element",
                     op);
   return (f->n = mt_expr_field (ps->c, ps->order->field)) != NULL;
}

static bool parse_linear (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   return parse_key (ps, op, f) && parse_value (ps, op, arg, f);
}

static bool input_and_unit (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   static const char *const names[] = {"input", "unit", NULL};
   MtVal unit = mt_doc_field (arg, "unit");
   if (!object_of (ps->c, op, arg, names) || !parse_key (ps, op, f) ||
       !(f->arg = argument (ps->c, op, arg, "input")))
      return false;
   if (unit.type == MT_MISSING)
      return true;
   return parse_unit (ps->c, unit, &f->unit_ms) &&
          (f->unit_ms || mt_bad (ps->c, 5490710, "unit must be 'week' or smaller"));
}

/* Parses $integral. It is compiled into an accumulator whose argument is the array [sort key,
 * input]. */
static bool parse_integral (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   if (!input_and_unit (ps, op, arg, f))
      return false;
   MtExecExpr *pair = mt_expr_new (ps->c, MT_EX_ARRAY, mt_ev_literal, 2);
   pair->args[0] = f->n;
   pair->args[1] = f->arg;
   f->n = NULL;
   f->acc.row = mt_acc_window_row (op);
   f->acc.arg = f->arg = pair;
   if (f->unit_ms)
      f->acc.extra = &f->unit_ms;
   return true;
}

static bool parse_covariance (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   if (arg.type != MT_ARRAY || mt_doc_count (arg) != 2)
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE, "%s takes an array of two expressions", op);
   f->acc.row = mt_acc_window_row (op);
   f->acc.arg = f->arg = mt_expr_parse (ps->c, arg);
   return f->arg != NULL;
}

/* Sets the weights of $expMovingAvg as decimals: alpha, given or computed as 2 / (n + 1), and 1 -
 * alpha. */
static bool set_weights (MtCompile *c, MtWinFunc *f, MtVal n, MtVal alpha)
{
   MtEval ev = {.arena = c->arena, .err = c->err};
   MtVal zero = mt_v_int32 (0), one = mt_v_int32 (1);
   const MtOpRow *to_decimal = mt_op_row (mt_ops_convert, "$toDecimal");
   int64_t k;
   if (alpha.type == MT_MISSING) {
      if (!whole (n, &k) || k < 1)
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "'N' field of $expMovingAvg must be an integer greater than zero");
      MtVal two = mt_v_int32 (2);
      ev.user = to_decimal->user;
      if (!to_decimal->fn (&ev, &two, 1, &two) ||
          !mt_op_arith (&ev, "$divide", two, mt_v_int64 (k + 1), &alpha))
         return false;
   } else if (!mt_is_number (alpha) || mt_v_compare (alpha, zero) <= 0 ||
              mt_v_compare (alpha, one) >= 0)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "'alpha' of $expMovingAvg must be between 0 and 1 (exclusive)");
   ev.user = to_decimal->user;
   return to_decimal->fn (&ev, &alpha, 1, &f->alpha) &&
          mt_op_arith (&ev, "$subtract", one, f->alpha, &f->rest);
}

static bool parse_exp_avg (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   static const char *const names[] = {"input", "N", "alpha", NULL};
   MtVal n = mt_doc_field (arg, "N"), alpha = mt_doc_field (arg, "alpha");
   if (!object_of (ps->c, op, arg, names) || !(f->arg = argument (ps->c, op, arg, "input")))
      return false;
   if ((n.type == MT_MISSING) == (alpha.type == MT_MISSING))
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE, "%s must have exactly one of 'N' and 'alpha'",
                     op);
   return set_weights (ps->c, f, n, alpha);
}

static bool parse_accumulator (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f)
{
   if (!mt_acc_parse (ps->c, &f->acc, op, arg))
      return false;
   f->acc.int_slot = MT_NO_SLOT;
   f->arg = f->acc.arg;
   f->keys = MT_NEW_N (ps->c->arena, MtExecExpr *, f->acc.key_count + 1u);
   for (uint32_t i = 0; i < f->acc.key_count; i++)
      f->keys[i] = f->acc.keys[i];
   return true;
}

/* Whether a function may, must, or must not have a window; the same for sortBy. */
typedef enum { MAY, MUST, NEVER } Wants;

typedef struct Row {
   const char *name;
   MtWinKind kind;
   bool (*parse) (Parsing *ps, const char *op, MtVal arg, MtWinFunc *f);
   Wants window;
   bool sorted; /* needs sortBy */
} Row;

#define ACCUMULATOR(name) {name, MT_WK_ACCUMULATE, parse_accumulator, MAY, false}

static const Row rows[] = {
   {"$documentNumber", MT_WK_ROW_NUMBER, parse_rank, NEVER, true},
   {"$rank", MT_WK_RANK, parse_rank, NEVER, true},
   {"$denseRank", MT_WK_DENSE_RANK, parse_rank, NEVER, true},
   {"$shift", MT_WK_SHIFT, parse_shift, NEVER, true},
   {"$locf", MT_WK_LOCF, parse_value, NEVER, true},
   {"$linearFill", MT_WK_LINEAR_FILL, parse_linear, NEVER, true},
   {"$expMovingAvg", MT_WK_EXP_AVG, parse_exp_avg, NEVER, true},
   {"$derivative", MT_WK_DERIVATIVE, input_and_unit, MUST, true},
   {"$integral", MT_WK_ACCUMULATE, parse_integral, MAY, true},
   {"$covariancePop", MT_WK_ACCUMULATE, parse_covariance, MAY, false},
   {"$covarianceSamp", MT_WK_ACCUMULATE, parse_covariance, MAY, false},
   {"$first", MT_WK_FIRST, parse_value, MAY, false},
   {"$last", MT_WK_LAST, parse_value, MAY, false},
   ACCUMULATOR ("$sum"),
   ACCUMULATOR ("$avg"),
   ACCUMULATOR ("$count"),
   ACCUMULATOR ("$min"),
   ACCUMULATOR ("$max"),
   ACCUMULATOR ("$push"),
   ACCUMULATOR ("$addToSet"),
   ACCUMULATOR ("$concatArrays"),
   ACCUMULATOR ("$setUnion"),
   ACCUMULATOR ("$mergeObjects"),
   ACCUMULATOR ("$stdDevPop"),
   ACCUMULATOR ("$stdDevSamp"),
   ACCUMULATOR ("$percentile"),
   ACCUMULATOR ("$median"),
   ACCUMULATOR ("$firstN"),
   ACCUMULATOR ("$lastN"),
   ACCUMULATOR ("$minN"),
   ACCUMULATOR ("$maxN"),
   ACCUMULATOR ("$top"),
   ACCUMULATOR ("$bottom"),
   ACCUMULATOR ("$topN"),
   ACCUMULATOR ("$bottomN"),
};

#define ROWS (sizeof rows / sizeof *rows)

static bool unknown_function (MtCompile *c, const char *op)
{
   const char *names[ROWS];
   if (mt_refused (c, op))
      return false;
   for (size_t i = 0; i < ROWS; i++)
      names[i] = rows[i].name;
   mt_error_coded (c->err, MT_E_FEATURE, MT_CODE_FAILED_TO_PARSE,
                   "unrecognized window function, %s", op);
   const char *near = mt_nearest (op, names, ROWS);
   return near ? mt_error_hint (c->err, "Perhaps you meant \"%s\".", near) : false;
}

static bool parse_func (Parsing *ps, const char *op, MtVal arg, MtVal window)
{
   MtCompile *c = ps->c;
   MtWinFunc *f = &ps->plan.funcs[ps->plan.func_count++];
   const Row *r = NULL;
   for (size_t i = 0; i < ROWS && !r; i++)
      r = strcmp (rows[i].name, op) == 0 ? &rows[i] : NULL;
   if (!r)
      return unknown_function (c, op);
   *f = (MtWinFunc) {.kind = r->kind, .frame = MT_NO_SLOT, .mongo = true};
   if (r->window == NEVER && window.type != MT_MISSING)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s does not accept a 'window' field", op);
   if (r->window == MUST && window.type == MT_MISSING)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s requires explicit window bounds", op);
   if (r->sorted && !ps->order->key_count)
      return mt_bad (c,
                     MT_CODE_IF ({r->parse == parse_rank, 5371602},
                                 {r->parse == parse_linear, 605001},
                                 {true, MT_CODE_FAILED_TO_PARSE}),
                     "%s requires a sortBy", op);
   return r->parse (ps, op, arg, f) && (r->window == NEVER || frame_of (ps, window, &f->frame));
}

static bool parse_output (Parsing *ps, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key, op = {NULL, 0}, other = {NULL, 0};
   MtVal e, arg = mt_v_missing (), window = arg;
   if (v.type != MT_DOC)
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE,
                     "the field of a window function must be an object");
   while (mt_doc_next (&it, &key, &e)) {
      if (!op.p && key.n && key.p[0] == '$') {
         op = key;
         arg = e;
      } else if (mt_str_is (key, "window"))
         window = e;
      else
         other = key;
   }
   if (!op.p)
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE, "expected a $-prefixed window function%s%.*s",
                     other.p ? ", " : "", (int) (other.n > 60 ? 60 : other.n),
                     other.p ? other.p : "");
   if (other.p)
      return mt_bad (ps->c, MT_CODE_FAILED_TO_PARSE,
                     "window function %.*s found an unknown argument: %.*s",
                     (int) (op.n > 60 ? 60 : op.n), op.p, (int) (other.n > 60 ? 60 : other.n),
                     other.p);
   return parse_func (ps, mt_strndup (ps->c->arena, op.p, op.n), arg, window);
}

bool mt_window_outputs (MtCompile *c, const MtWindowOrder *order, MtVal output,
                        MtWindowOutput **out, uint32_t *count)
{
   size_t n = mt_doc_count (output);
   Parsing ps = {.c = c, .order = order, .windows = MT_NEW_N (c->arena, MtVal, n + 1)};
   MtWindowNode *plan = &ps.plan;
   MtDocIter it = mt_doc_iter (output);
   MtStr key;
   MtVal v;
   *out = MT_NEW_N (c->arena, MtWindowOutput, n + 1);
   *count = 0;
   plan->frames = MT_NEW_N (c->arena, MtWinFrame, n + 1);
   plan->funcs = MT_NEW_N (c->arena, MtWinFunc, n + 1);
   plan->partition = MT_NEW_N (c->arena, MtExecExpr *, 1);
   plan->partition[0] = order->partition;
   plan->partition_count = order->partition != NULL;
   plan->order = order->keys;
   plan->order_count = order->key_count;
   while (mt_doc_next (&it, &key, &v)) {
      (*out)[(*count)++].path = mt_strndup (c->arena, key.p, key.n);
      if (!parse_output (&ps, v))
         return false;
   }
   MtWindowNode *node = *count ? mt_window_node_add (c, plan) : NULL;
   for (uint32_t i = 0; node && i < *count; i++)
      (*out)[i].var = node->funcs[i].var;
   return node || !*count;
}
