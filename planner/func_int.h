/* The built-in rows, file by file, and what their C functions share. Private to planner/fn_*.c, func*.c, eval*.c. */
#ifndef MT_FUNC_INT_H
#define MT_FUNC_INT_H

#include "planner/bind_int.h"

/* Each ended by a row without a name. Names that begin with "$" are for the binder only. */
extern const MtFunc mt_fn_arithmetic[];
extern const MtFunc mt_fn_numeric[];
extern const MtFunc mt_fn_math[];
extern const MtFunc mt_fn_compare[];
extern const MtFunc mt_fn_text[];
extern const MtFunc mt_fn_text_more[];
extern const MtFunc mt_fn_text_format[];
extern const MtFunc mt_fn_sql[];
extern const MtFunc mt_fn_bytea[];
extern const MtFunc mt_fn_unicode[];
extern const MtFunc mt_fn_ident[];
extern const MtFunc mt_fn_pattern[];
extern const MtFunc mt_fn_regex[];
extern const MtFunc mt_fn_time[];
extern const MtFunc mt_fn_time_make[];
extern const MtFunc mt_fn_time_arith[];
extern const MtFunc mt_fn_bucket[];
extern const MtFunc mt_fn_gapfill[];
extern const MtFunc mt_fn_format[];
extern const MtFunc mt_fn_format_number[];
extern const MtFunc mt_fn_format_read[];
extern const MtFunc mt_fn_json[];
extern const MtFunc mt_fn_json_make[];
extern const MtFunc mt_fn_cast[];
extern const MtFunc mt_fn_catalog[];
extern const MtFunc mt_fn_process[];
extern const MtFunc mt_fn_hidden[];
extern const MtFunc mt_fn_array_hidden[];
extern const MtFunc mt_fn_set[];
extern const MtFunc mt_fn_json_set[];
extern const MtFunc mt_fn_json_path[];
extern const MtFunc mt_fn_size[];
extern const MtFunc mt_fn_forms[];
extern const MtFunc mt_fn_array[];
extern const MtFunc mt_fn_array_compare[];
extern const MtFunc mt_fn_array_text[];
extern const MtAgg mt_agg_rows[];
/* Operators that no function has: what plans need after $group. Ended by a row without a name. */
extern const MtOpRow mt_agg_ops[];
extern const MtOpRow mt_agg_stat_ops[];
extern const MtOpRow mt_gapfill_ops[];
extern const MtOpRow mt_array_ops[];
extern const MtOpRow mt_json_ops[];
extern const MtOpRow mt_json_make_ops[];

/* A row's operator, written in place: OP (int4_add) is {"$_mt_int4_add", fn_int4_add}. */
#define MT_OPU(ident, u)                                                                                              \
   (&(const MtOpRow){.name = "$_mt_" #ident, .min_args = 0, .max_args = -1, .flags = MT_OP_FOLD, .fn = fn_##ident, .user = (void *) (uintptr_t) (u)})
#define MT_OP(ident) MT_OPU (ident, 0)
/* The same function under a second name, with another `user`. */
#define MT_OPN(name_, ident, u)                                                                                       \
   (&(const MtOpRow){.name = "$_mt_" name_, .min_args = 0, .max_args = -1, .flags = MT_OP_FOLD, .fn = fn_##ident, .user = (void *) (uintptr_t) (u)})
#define MT_USER(ev) ((int) (uintptr_t) (ev)->user)

/* A row: a template that is exact on every server and the C function beside it, or the C function alone. */
#define MT_ROW(name_, sig_, flags_, mql_, op_, summary_, example_)                                                     \
   {.name = name_, .signature = sig_, .flags = flags_, .mql = mql_, .op = op_, .summary = summary_, .example = example_}
#define MT_ROW_STEP(name_, sig_, flags_, mql_, op_, step_, summary_, example_)                                         \
   {.name = name_, .signature = sig_, .flags = flags_, .mql = mql_, .op = op_, .step = step_, .summary = summary_, .example = example_}
/* A function that gives a set; columns_: of its rows, NULL when each is one value (MtFunc.columns). */
#define MT_ROW_SET(name_, sig_, flags_, columns_, mql_, op_, summary_, example_)                                       \
   {.name = name_, .signature = sig_, .flags = MT_F_SET | (flags_), .mql = mql_, .op = op_, .columns = columns_, .summary = summary_, .example = example_}
#define MT_NN MT_F_NEVER_NULL

/* A timestamp as a result: with its microseconds in a constant alone. */
struct MtMoment;
void mt_put_moment (const MtEval *ev, struct MtMoment t, MtVal *out);

static inline MtStr mt_v_text (MtVal v) { return (MtStr){(const char *) v.p, v.len}; }

/* The zone of that name (PostgreSQL's rules), the last one remembered. False: 22023. */
struct MtZone;
bool mt_zone_arg (MtEval *ev, MtVal name, const struct MtZone **out);
/* A copy of buf's bytes as a text value; buf is released. */
MtVal mt_text_result (MtEval *ev, MtBuf *buf);

/* The type that an operator of arrays is given by name. */
bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out);

/* regexp_like of a text, a pattern and flags. */
bool mt_regexp_like (MtEval *ev, const MtVal a[3], MtVal *out);

/* Runs an operator row on values: NULL in gives NULL out when strict. */
bool mt_run_op (MtEval ev, const MtOpRow *op, bool strict, const MtVal *args, int argc, MtVal *out);

/* A built-in row's template for constants; NULL: f isn't built in, or its template takes a pipeline. */
const struct MtTemplate *mt_builtin_template (const MtFunc *f);

/* PostgreSQL's order of two non-NULL values of a type: NaN is the largest number, intervals by their estimated length. */
int mt_datum_compare (MtTypeId t, MtVal a, MtVal b);

#endif
