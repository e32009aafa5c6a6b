/* Macros that write a row, and functions that many rows' C functions use. */
#ifndef MT_ROW_H
#define MT_ROW_H

#include "query/function.h"
#include "types/numeric.h"

/* An operator, written within its row: MT_OP (int4_add) is {"$_mt_int4_add", fn_int4_add}. u:
 * its `user`, a number. */
#define MT_OPU(ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" #ident, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_OP(ident) MT_OPU (ident, 0)
/* An operator whose name differs from its function's name, since several operators share the
 * function. */
#define MT_OPN(name_, ident, u) \
   (&(const MtOpRow) {.name = "$_mt_" name_, \
                      .min_args = 0, \
                      .max_args = -1, \
                      .flags = MT_OP_FOLD, \
                      .fn = fn_##ident, \
                      .user = (void *) (uintptr_t) (u)})
#define MT_USER(ev) ((int) (uintptr_t) (ev)->user)

/* A row with a template that is exact on every server and an operator beside it, or with one of
 * both. */
#define MT_ROW(name_, sig_, flags_, mql_, op_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = flags_, \
    .mql = mql_, \
    .op = op_, \
    .summary = summary_, \
    .example = example_}
/* A row of a function that the planner recognizes: MT_FN_<kind>. */
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
/* A row of a function that returns a set. columns_: as MtFunc.columns; NULL: each row is one
 * value. */
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

/* Writes a timestamp as a result. Only constants keep its microseconds. */
struct MtMoment;
void mt_put_moment (const MtEval *ev, struct MtMoment t, MtVal *out);

static inline MtStr mt_v_text (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }

/* Finds a time zone by its name, by PostgreSQL's rules. Keeps the last zone found. 22023: there
 * is none. */
struct MtZone;
bool mt_zone_arg (MtEval *ev, MtVal name, const struct MtZone **out);
/* Rounds x to an integer of so many bits (16, 32 or 64). 22003 when x is out of range. */
bool mt_num_to_bits (MtNum x, int bits, int64_t *out, MtError *err);
/* SQL's name of the integer type of so many bits (16, 32 or 64). */
static inline const char *mt_int_name (int bits)
{
   if (bits == 16)
      return "smallint";
   return bits == 32 ? "integer" : "bigint";
}

/* Returns a copy of buf's bytes as a text value. Frees buf. */
MtVal mt_text_result (MtEval *ev, MtBuf *buf);

/* 22008 for a date after the last timestamp. */
bool mt_date_fits_timestamp (MtVal date, MtError *err);

#endif
