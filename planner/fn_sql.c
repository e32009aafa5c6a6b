/* Functions that are SQL over other functions: inlined where they are called. */
#include "planner/func_int.h"

/* Of two ends of a period: the earlier one, which is known when one of them is; the later one, known when both are. */
#define FROM(a, b) "least(" a ", " b ")"
#define TO(a, b) "CASE WHEN " a " IS NOT NULL AND " b " IS NOT NULL THEN greatest(" a ", " b ") END"
/* The standard's definition (SQL:2016, 8.14), NULL where it isn't known. */
#define OVERLAP(f1, t1, f2, t2)                                                                                        \
   "CASE WHEN " f1 " IS NULL OR " f2 " IS NULL THEN NULL"                                                               \
   " WHEN " f1 " > " f2 " THEN CASE WHEN " f1 " < " t2 " THEN true WHEN " t2 " IS NULL OR " t1 " IS NULL THEN NULL ELSE false END" \
   " WHEN " f1 " < " f2 " THEN CASE WHEN " f2 " < " t1 " THEN true WHEN " t1 " IS NULL OR " t2 " IS NULL THEN NULL ELSE false END" \
   " WHEN " t1 " IS NULL OR " t2 " IS NULL THEN NULL ELSE true END"
#define OVERLAPS(sig, e1, e2, ex)                                                                                      \
   {.name = "overlaps", .signature = sig " -> bool", .flags = MT_F_NOT_STRICT, .sql = OVERLAP (FROM ("$1", e1), "(" TO ("$1", e1) ")", FROM ("$3", e2), "(" TO ("$3", e2) ")"), \
    .summary = "whether two periods have a time in common", .example = ex}
#define ALL_OVERLAPS(T, a, b)                                                                                          \
   OVERLAPS (T ", " T ", " T ", " T, "$2", "$4", "SELECT (" T " '" a "', " T " '" b "') OVERLAPS (" T " '" b "', " T " '" a "') => t"), \
   OVERLAPS (T ", interval, " T ", interval", "($1 + $2)", "($3 + $4)", "SELECT (" T " '" a "', interval '1 h') OVERLAPS (" T " '" a "', interval '2 h') => t"), \
   OVERLAPS (T ", interval, " T ", " T, "($1 + $2)", "$4", "SELECT (" T " '" a "', interval '0') OVERLAPS (" T " '" b "', " T " '" b "') => f"), \
   OVERLAPS (T ", " T ", " T ", interval", "$2", "($3 + $4)", "SELECT (" T " '" a "', " T " '" a "') OVERLAPS (" T " '" b "', interval '0') => f")

const MtFunc mt_fn_sql[] = {
   ALL_OVERLAPS ("timestamptz", "2001-02-16 00:00+00", "2001-12-21 00:00+00"),
   ALL_OVERLAPS ("timestamp", "2001-02-16", "2001-12-21"),
   ALL_OVERLAPS ("time", "10:00", "20:00"),
   {.name = NULL},
};
