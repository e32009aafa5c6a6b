/* Macros that declare a function (a row of type MtFunc), and helpers for the C code of
 * functions. */
#ifndef MT_ROW_H
#define MT_ROW_H

#include "query/function.h"
#include "types/numeric.h"

/* The operator with which the local executor computes a function: MT_OP (int4_add) is named
 * "$_mt_int4_add", and its C function is fn_int4_add. In that function, MT_USER (ev) is u. */
#define MT_OPU(ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" #ident, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_OP(ident) MT_OPU (ident, 0)
/* Like MT_OPU, with the operator's name given: several operators can share a C function, which
 * tells them apart by MT_USER (ev). */
#define MT_OPN(name_, ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" name_, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_USER(ev) ((int) (uintptr_t) (ev)->user)

/* Declares a function with an expression template for MongoDB (mql_), an operator for the local
 * executor (op_), or both. On every server, the template must give exactly SQL's result. */
#define MT_ROW(name_, sig_, flags_, mql_, op_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = flags_, \
    .mql = mql_, \
    .op = op_, \
    .summary = summary_, \
    .example = example_}
/* Like MT_ROW, for a function that the planner treats specially: its kind is MT_FN_<kind_>. */
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
/* Declares a set-returning function. columns_ are its columns (MtFunc.columns); NULL: each row is a
 * single value. */
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

/* Sets *out to the timestamp t. Microseconds are kept only if ev->exact_times is set, for
 * constants; otherwise the value is in milliseconds. */
struct MtMoment;
void mt_put_moment (const MtEval *ev, struct MtMoment t, MtVal *out);

static inline MtStr mt_v_text (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }

/* Sets *out to the time zone with this name, in PostgreSQL's syntax. The last zone is cached. Fails
 * with 22023 if it is unknown. */
struct MtZone;
bool mt_zone_arg (MtEval *ev, MtVal name, const struct MtZone **out);
/* Sets *out to x, rounded to an integer of `bits` bits (16, 32 or 64). Fails with 22003 if x is out
 * of range. */
bool mt_num_to_bits (MtNum x, int bits, int64_t *out, MtError *err);
/* Returns SQL's name for integers of `bits` bits (16, 32 or 64). */
static inline const char *mt_int_name (int bits)
{
   if (bits == 16)
      return "smallint";
   return bits == 32 ? "integer" : "bigint";
}

/* Returns a copy of buf's bytes as a text value. Frees buf. */
MtVal mt_text_result (MtEval *ev, MtBuf *buf);

/* Checks that a fraction for percentile_cont and similar functions is from 0 to 1. Fails with
 * 22003. */
bool mt_check_fraction (double fraction, MtError *err);

/* Checks that a date is in the range of timestamps. Fails with 22008 if it is too late. */
bool mt_date_fits_timestamp (MtVal date, MtError *err);

#endif
