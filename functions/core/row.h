/* Macros to declare a function (one MtFunc row), and helpers for the C code of functions. */
#ifndef MT_ROW_H
#define MT_ROW_H

#include "query/function.h"
#include "types/numeric.h"

/* The local executor's operator of a function: MT_OP (int4_add) is {"$_mt_int4_add", fn_int4_add}.
 * MT_OPU also sets `user` to u, a number. */
#define MT_OPU(ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" #ident, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_OP(ident) MT_OPU (ident, 0)
/* Like MT_OPU, with an explicit operator name, for several operators that share a C function. */
#define MT_OPN(name_, ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" name_, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_USER(ev) ((int) (uintptr_t) (ev)->user)

/* Declares a function with a MongoDB template, an operator of the local executor, or both. The
 * template must be exact on every server. */
#define MT_ROW(name_, sig_, flags_, mql_, op_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = flags_, \
    .mql = mql_, \
    .op = op_, \
    .summary = summary_, \
    .example = example_}
/* Declares a function that the planner treats specially, as MT_FN_<kind>. */
#define MT_ROW_KIND(kind_, name_, sig_, flags_, mql_, op_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = flags_, \
    .mql = mql_, \
    .op = op_, \
    .kind = MT_FN_##kind_, \
    .summary = summary_, \
    .example = example_}
#define MT_ROW_STEP(name_, sig_, flags_, mql_, op_, step_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = flags_, \
    .mql = mql_, \
    .op = op_, \
    .step = step_, \
    .summary = summary_, \
    .example = example_}
/* Declares a set-returning function. columns_: as MtFunc.columns; NULL: each row is one value. */
#define MT_ROW_SET(name_, sig_, flags_, columns_, mql_, op_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = MT_F_SET | (flags_), \
    .mql = mql_, \
    .op = op_, \
    .columns = columns_, \
    .summary = summary_, \
    .example = example_}
#define MT_NN MT_F_NEVER_NULL

/* Sets *out to a timestamp. Microseconds are kept only during constant folding
 * (ev->exact_times). */
struct MtMoment;
void mt_put_moment (const MtEval *ev, struct MtMoment t, MtVal *out);

static inline MtStr mt_v_text (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }

/* Finds a time zone by a name in PostgreSQL's syntax. Caches the last zone. Fails with 22023 if the
 * zone is unknown. */
struct MtZone;
bool mt_zone_arg (MtEval *ev, MtVal name, const struct MtZone **out);
/* Rounds x to an integer of `bits` bits (16, 32 or 64). Fails with 22003 if x is out of range. */
bool mt_num_to_bits (MtNum x, int bits, int64_t *out, MtError *err);
/* Returns SQL's name of the integer type with `bits` bits (16, 32 or 64). */
static inline const char *mt_int_name (int bits)
{
   if (bits == 16)
      return "smallint";
   return bits == 32 ? "integer" : "bigint";
}

/* Returns a copy of buf's bytes as a text value. Frees buf. */
MtVal mt_text_result (MtEval *ev, MtBuf *buf);

/* Checks a fraction of percentile_cont and similar functions; 22003. */
bool mt_check_fraction (double fraction, MtError *err);

/* Checks that a date can be converted to a timestamp. Fails with 22008 if the date is too late. */
bool mt_date_fits_timestamp (MtVal date, MtError *err);

#endif
