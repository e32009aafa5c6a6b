/* The table of window functions: rank, lag and so on, and those for time series, such as
 * derivative. */
#include "functions/core/rows.h"
#include "functions/signature.h"

#include <math.h>

#define EXAMPLE(call_) \
   "SELECT x, " call_ " OVER (ORDER BY x) FROM (VALUES (10), (20), (20)) AS t (x)"

#define WIN(name_, sig_, op_, kind_, framed_, null_, summary_, call_) \
   {.name = name_, \
    .signature = sig_, \
    .op = op_, \
    .kind = MT_WINDOW_##kind_, \
    .framed = framed_, \
    .never_null = null_, \
    .summary = summary_, \
    .example = EXAMPLE (call_)}

/* ---- time series ---- */

#define SERIES(name_, sig_, ordered_, constants_, summary_, call_, sql_) \
   {.name = name_, \
    .signature = sig_, \
    .sql = sql_, \
    .ordered = ordered_, \
    .constants = constants_, \
    .summary = summary_, \
    .example = EXAMPLE (call_)}
#define SMOOTH(name_, sig_, op_, constants_, summary_, call_) \
   {.name = name_, \
    .signature = sig_, \
    .op = op_, \
    .kind = MT_WINDOW_LIST, \
    .ordered = true, \
    .constants = constants_, \
    .summary = summary_, \
    .example = EXAMPLE (call_)}

/* The maximum period of holt_winters, which keeps the values of two periods in memory. */
#define MOST_PERIOD 100000

static const MtWindowConstant unit2[] = {{2, "unit", 0, INFINITY, true}, {.param = 0}},
                              unit3[] = {{3, "unit", 0, INFINITY, true}, {.param = 0}},
                              count2[] = {{2, "n", 1, INFINITY, false}, {.param = 0}},
                              period2[] = {{2, "period", 1, INFINITY, false}, {.param = 0}},
                              alpha2[] = {{2, "alpha", 0, 1, true}, {.param = 0}},
                              seasons[] = {{2, "period", 2, MOST_PERIOD, false},
                                           {3, "alpha", 0, 1, false},
                                           {4, "beta", 0, 1, false},
                                           {5, "gamma", 0, 1, false},
                                           {.param = 0}};

#define CHANGE "$1 - lag($1) OVER ordered"
#define SECONDS(interval) "date_part('epoch', " interval ")"
#define STEP(ts) SECONDS (ts " - lag(" ts ") OVER ordered")
#define NOT_NEGATIVE(x) "CASE WHEN " x " >= 0 THEN " x " END"
#define LAST_ROWS "OVER (ordered ROWS BETWEEN $2 - 1 PRECEDING AND CURRENT ROW)"

/* The standard score. Because of rounding, the computed deviation of equal values is not always 0,
 * so equal values are recognized by their minimum and maximum. */
#define ZSCORE \
   "CASE WHEN min($1) OVER framed < max($1) OVER framed " \
   "THEN ($1 - avg($1) OVER framed) / nullif(stddev_pop($1) OVER framed, 0) END"
#define NUMBERS(ROW) ROW ("int8"), ROW ("numeric"), ROW ("float8")
#define TIMES(ROW) ROW ("timestamp"), ROW ("timestamptz")
#define DIFFERENCE(T) \
   SERIES ("difference", "value " T " -> " T, true, NULL, \
           "value minus the value of the row before", "difference(x)", CHANGE)
#define RISE(T) \
   SERIES ("non_negative_difference", "value " T " -> " T, true, NULL, \
           "value minus the value of the row before; NULL if negative", \
           "non_negative_difference(x)", NOT_NEGATIVE ("difference($1) OVER ordered"))
#define SEASONAL(T) \
   SERIES ("seasonal_difference", "value " T ", period int4 -> " T, true, period2, \
           "value minus the value `period` rows before", "seasonal_difference(x, 2)", \
           "$1 - lag($1, $2) OVER ordered")
#define RUNNING_SUM(T, ret) \
   SERIES ("cumulative_sum", "value " T " -> " ret, true, NULL, \
           "sum of the values up to this row; NULL is skipped", "cumulative_sum(x)", \
           "sum($1) OVER (ordered ROWS UNBOUNDED PRECEDING)")
#define MOVING_AVERAGE(T) \
   SERIES ("moving_average", "value " T ", n int4 -> " T, true, count2, \
           "average of the n rows up to this one; NULL unless there are n values in n rows", \
           "moving_average(x, 2)", \
           "CASE WHEN count($1) " LAST_ROWS " = $2 THEN avg($1) " LAST_ROWS " END")
#define DERIVATIVE(T) \
   SERIES ("derivative", "value float8, ts " T " -> float8", true, NULL, \
           "change of the value per second since the row before; NULL if the time is the same", \
           "derivative(x, to_timestamp(x))", "(" CHANGE ") / nullif(" STEP ("$2") ", 0)"), \
      SERIES ("derivative", "value float8, ts " T ", unit interval -> float8", true, unit3, \
              "change of the value per unit of time since the row before", \
              "derivative(x, to_timestamp(x), '1 min')", \
              "(" CHANGE ") / nullif(" STEP ("$2") " / " SECONDS ("$3") ", 0)")
#define GROWTH(T) \
   SERIES ("non_negative_derivative", "value float8, ts " T " -> float8", true, NULL, \
           "change per second since the row before; NULL if negative, as after a reset", \
           "non_negative_derivative(x, to_timestamp(x))", \
           NOT_NEGATIVE ("derivative($1, $2) OVER ordered")), \
      SERIES ("non_negative_derivative", "value float8, ts " T ", unit interval -> float8", true, \
              unit3, "change per unit of time since the row before; NULL if negative", \
              "non_negative_derivative(x, to_timestamp(x), '1 min')", \
              NOT_NEGATIVE ("derivative($1, $2, $3) OVER ordered"))
#define ELAPSED(T) \
   SERIES ("elapsed", "ts " T " -> float8", true, NULL, "seconds since the row before", \
           "elapsed(to_timestamp(x))", STEP ("$1")), \
      SERIES ("elapsed", "ts " T ", unit interval -> float8", true, unit2, \
              "units of time since the row before", "elapsed(to_timestamp(x), '1 min')", \
              STEP ("$1") " / " SECONDS ("$2"))

/* If several rows have the same name, a call uses the first one to whose parameters its arguments
 * can be converted. */
const MtWindowFunc mt_window_funcs[] = {
   WIN ("row_number", "-> int8", "$rowNumber", VALUE, false, true,
        "number of the row within its partition, from 1", "row_number()"),
   WIN ("rank", "-> int8", "$rank", VALUE, false, true,
        "rank with gaps: the number of the first row with an equal order", "rank()"),
   WIN ("dense_rank", "-> int8", "$denseRank", VALUE, false, true,
        "rank without gaps: counts groups of rows with an equal order", "dense_rank()"),
   WIN ("percent_rank", "-> float8", "$percentRank", VALUE, false, true,
        "(rank - 1) / (number of rows in the partition - 1)", "percent_rank()"),
   WIN ("cume_dist", "-> float8", "$cumeDist", VALUE, false, true,
        "share of the partition's rows up to the last row with an equal order", "cume_dist()"),
   WIN ("ntile", "int4 -> int4", "$ntile", VALUE, false, false,
        "number of the row's bucket, when the partition is divided as evenly as possible",
        "ntile(2)"),
   WIN ("lag", "any -> any", "$shift", LAG, false, false,
        "value of the previous row; NULL if there is none", "lag(x)"),
   WIN ("lag", "any, int4 -> any", "$shift", LAG, false, false,
        "value n rows before; NULL if there is none", "lag(x, 2)"),
   WIN ("lag", "any, int4, any -> any", "$shift", LAG, false, false,
        "value n rows before; the default if there is none", "lag(x, 2, 0)"),
   WIN ("lead", "any -> any", "$shift", LEAD, false, false,
        "value of the next row; NULL if there is none", "lead(x)"),
   WIN ("lead", "any, int4 -> any", "$shift", LEAD, false, false,
        "value n rows after; NULL if there is none", "lead(x, 2)"),
   WIN ("lead", "any, int4, any -> any", "$shift", LEAD, false, false,
        "value n rows after; the default if there is none", "lead(x, 2, 0)"),
   WIN ("first_value", "any -> any", "$firstValue", VALUE, true, false,
        "value of the frame's first row", "first_value(x)"),
   WIN ("last_value", "any -> any", "$lastValue", VALUE, true, false,
        "value of the frame's last row", "last_value(x)"),
   WIN ("nth_value", "any, int4 -> any", "$nthValue", NTH, true, false,
        "value of row n of the frame, counted from 1; NULL if there is none", "nth_value(x, 2)"),
   NUMBERS (DIFFERENCE),
   NUMBERS (RISE),
   NUMBERS (SEASONAL),
   RUNNING_SUM ("int4", "int8"),
   RUNNING_SUM ("int8", "numeric"),
   RUNNING_SUM ("numeric", "numeric"),
   RUNNING_SUM ("float8", "float8"),
   MOVING_AVERAGE ("numeric"),
   MOVING_AVERAGE ("float8"),
   TIMES (DERIVATIVE),
   TIMES (GROWTH),
   TIMES (ELAPSED),
   SERIES ("zscore", "value float8 -> float8", false, NULL,
           "(value - average of the frame) / its population's standard deviation; NULL if it is 0",
           "zscore(x)", ZSCORE),
   SERIES ("modified_zscore", "value float8 -> float8", false, NULL,
           "0.6745 * (value - median of the frame) / mad of the frame; NULL if the mad is 0",
           "modified_zscore(x)",
           "0.6745::float8 * ($1 - median($1) OVER framed) / nullif(mad($1) OVER framed, 0)"),
   SMOOTH ("exponential_moving_average", "value float8, alpha float8 -> float8", "$ema", alpha2,
           "alpha * value + (1 - alpha) * average of the row before; the first value to begin with",
           "exponential_moving_average(x, 0.5)"),
   SMOOTH ("holt_winters",
           "value float8, period int4, alpha float8, beta float8, gamma float8 -> float8",
           "$holtWinters", seasons,
           "forecast of the value from the rows before, with a trend and an additive season",
           "holt_winters(x, 2, 0.5, 0.1, 0.1)"),
   {.name = NULL},
};

const MtWindowFunc *mt_builtin_windows (size_t *count)
{
   *count = 0;
   while (mt_window_funcs[*count].name)
      ++*count;
   return mt_window_funcs;
}

bool mt_is_window_function (const char *name)
{
   for (const MtWindowFunc *f = mt_window_funcs; f->name; f++)
      if (mt_ieq (f->name, name))
         return true;
   return false;
}
