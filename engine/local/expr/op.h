/* Operators of the local executor: one row and one function each.
 *
 * A strict operator gets its arguments evaluated. Operators that steer evaluation ($cond, $and,
 * $let, $map, …) are nodes of the compiled tree and not rows. Operators whose name begins with
 * "$_mt" exist only here: no server knows them. */
#ifndef MT_OP_H
#define MT_OP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

typedef struct MtEval {
   MtArena *arena; /* for results' bytes; reset by the executor between batches of rows */
   MtError *err;
   void *user; /* MtOpRow.user */
   const struct MtCancel
      *cancel;       /* looked at within a call that takes long; NULL: nobody cancels */
   bool exact_times; /* constants are computed: timestamps keep their microseconds (MtVal.len) */
} MtEval;

/* Computes *out from args (borrowed; args[i].type may be MT_MISSING). False: ev->err is set. *out
 * may borrow from args. */
typedef bool (*MtOpFn) (MtEval *ev, const MtVal *args, int argc, MtVal *out);

#define MT_OP_FOLD 1u /* immutable: folded when all arguments are constants */

struct MtOpRow {
   const char *name;       /* "$add" */
   int min_args, max_args; /* -1: any number */
   const char *params; /* NULL: positional; else comma-separated names of an argument document, '?'
                          after optional ones, handed over in this order:
                          "date,unit,binSize?,timezone?,startOfWeek?"; absent: MT_MISSING */
   unsigned flags;
   MtOpFn fn;
   const char *summary; /* one line */
   const char *example; /* an expression and its value in extended JSON: "{\"$add\": [1, 2]} => 3";
                           run as a test */
   void *user;
};

typedef struct MtOpRow MtOpRow;

/* Built-in tables, each ended by a row without a name; defined in op_*.c. */
extern const MtOpRow mt_ops_arithmetic[];
extern const MtOpRow mt_ops_compare[];
extern const MtOpRow mt_ops_string[];
extern const MtOpRow mt_ops_date[];
extern const MtOpRow mt_ops_convert[];
extern const MtOpRow mt_ops_array[];

/* Rows by name: of several with one name that of the first table. In the arena, the rows are
 * borrowed. */
typedef struct MtOpIndex MtOpIndex;
const MtOpIndex *mt_op_index_new (MtArena *a, const MtOpRow *const *tables, size_t count);
const MtOpRow *mt_op_index_find (const MtOpIndex *x,
                                 const char *name); /* NULL: there is none; x may be NULL */

/* 64 random bits; each thread has its own sequence. */
uint64_t mt_op_random (void);

#endif
