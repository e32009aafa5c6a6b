/* Window functions such as rank and lag. */
#include "functions/core/rows.h"
#include "functions/signature.h"

#define WIN(name_, sig_, op_, kind_, framed_, null_, summary_, call_) \
   {.name = name_, \
    .signature = sig_, \
    .op = op_, \
    .kind = MT_WINDOW_##kind_, \
    .framed = framed_, \
    .never_null = null_, \
    .summary = summary_, \
    .example = "SELECT x, " call_ " OVER (ORDER BY x) FROM (VALUES (10), (20), (20)) AS t (x)"}

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
