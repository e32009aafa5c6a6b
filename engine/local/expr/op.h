/* The operators of the local executor. Each one has a row in a table, and a function.
 *
 * The executor evaluates the arguments before it calls the function. Operators that evaluate only
 * some arguments ($cond, $and, $let, $map, …) are special kinds of expressions instead. Operators
 * whose names begin with "$_mt" exist only here; servers do not have them. */
#ifndef MT_OP_H
#define MT_OP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

typedef struct MtEval {
   MtArena *arena; /* memory for results; the executor resets it between batches of rows */
   MtError *err;
   void *user; /* MtOpRow.user of the called operator */
   /* Checked during long calls. NULL: the call can't be cancelled. */
   const struct MtCancel *cancel;
   /* Set while constants are computed at analysis: times then keep their microseconds
    * (MtVal.len). */
   bool exact_times;
} MtEval;

/* A function that computes *out from `args`, which are borrowed; *out may borrow from them. An
 * argument may be MT_MISSING. Returns false with ev->err set on failure. */
typedef bool (*MtOpFn) (MtEval *ev, const MtVal *args, int argc, MtVal *out);

/* The result depends only on the arguments. So it is computed at compile time if all arguments are
 * constants. */
#define MT_OP_FOLD 1u
/* Pipelines with this operator run only on the thread of their cursor, because the operator
 * writes. */
#define MT_OP_ALONE 2u

struct MtOpRow {
   const char *name;       /* "$add" */
   int min_args, max_args; /* max_args -1: any number of arguments */
   /* NULL: the arguments are an array. Otherwise the operator's argument is a document with these
    * comma-separated names; '?' marks optional ones: "date,unit,binSize?,timezone?,startOfWeek?".
    * The function gets the arguments in this order, and MT_MISSING for absent ones. */
   const char *params;
   unsigned flags;
   MtOpFn fn;
   const char *summary; /* one line */
   /* An expression and its value in extended JSON: "{\"$add\": [1, 2]} => 3". It is also used as a
    * test. */
   const char *example;
   void *user;
};

typedef struct MtOpRow MtOpRow;

/* The tables of built-in operators, defined in op_*.c. The last row of each table has no name. */
extern const MtOpRow mt_ops_arithmetic[];
extern const MtOpRow mt_ops_compare[];
extern const MtOpRow mt_ops_string[];
extern const MtOpRow mt_ops_date[];
extern const MtOpRow mt_ops_convert[];
extern const MtOpRow mt_ops_array[];
extern const MtOpRow mt_ops_stat[];
extern const MtOpRow mt_ops_hash[];
extern const MtOpRow mt_ops_encode[];

/* A hash table of operators by name. If several tables have the same name, the first one counts. It
 * is in an arena, and borrows the rows. */
typedef struct MtOpIndex MtOpIndex;
/* Makes an empty hash table for at most `rows` operators. */
MtOpIndex *mt_op_index_sized (MtArena *a, size_t rows);
/* Adds an operator, and returns it. If there already is one with this name, returns that one. */
const MtOpRow *mt_op_index_add (MtOpIndex *x, const MtOpRow *row);
const MtOpIndex *mt_op_index_new (MtArena *a, const MtOpRow *const *tables, size_t count);
/* Returns the operator with this name, or NULL. x may be NULL. */
const MtOpRow *mt_op_index_find (const MtOpIndex *x, const char *name);

/* Returns the row with this name in a table of built-in operators. The table must have one. */
const MtOpRow *mt_op_row (const MtOpRow *table, const char *name);
/* Computes the arithmetic operator `name`, such as "$subtract", of a and b. Returns false with
 * ev->err set on failure. */
bool mt_op_arith (MtEval *ev, const char *name, MtVal a, MtVal b, MtVal *out);

/* The arguments p and method of $percentile. */
typedef struct MtPercentiles {
   double *p; /* the n elements of p, each from 0 to 1 */
   size_t n;
   bool continuous; /* method: may interpolate between two numbers; false: takes one of them */
} MtPercentiles;

/* Reads the arguments p (an array) and `method` of $percentile. The result is in ev->arena. Returns
 * false with ev->err set; the message mentions the operator `name`. */
bool mt_op_percentiles (MtEval *ev, const char *name, MtVal p, MtVal method, MtPercentiles *out);
/* The position of a percentile among n sorted numbers: a rank (from 0), and how far it is from the
 * number at this rank to the next one, as a share from 0 to 1. */
typedef struct MtPercentilePlace {
   uint64_t rank;
   double share; /* from 0 to 1; always 0 without interpolation */
} MtPercentilePlace;

/* Returns the position of the percentile p (0 to 1) among n > 0 sorted numbers. */
MtPercentilePlace mt_op_percentile_place (uint64_t n, double p, bool continuous);
/* Interpolates: returns the number at this share (0 to 1) of the way from `low` to `high`. */
double mt_op_between (double low, double high, double share);

/* Returns 64 random bits. Each thread has its own sequence. */
uint64_t mt_op_random (void);

/* Converts a number to a double. */
double mt_op_double (MtVal v);
/* Converts a number to a 64-bit integer. Returns false if the number is not whole. */
bool mt_op_whole (MtVal v, int64_t *out);
/* Converts a number to a 32-bit integer. Returns false if the number is not whole. */
bool mt_op_whole32 (MtVal v, int32_t *out);

#endif
