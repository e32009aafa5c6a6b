/* Operators of the local executor: one row and one function each.
 *
 * An operator gets its arguments evaluated. Operators that control evaluation ($cond, $and, $let,
 * $map, …) are nodes of the compiled tree, not rows. Operators whose name begins with "$_mt" exist
 * only here; servers do not have them. */
#ifndef MT_OP_H
#define MT_OP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

typedef struct MtEval {
   MtArena *arena; /* for the bytes of results; the executor resets it between batches of rows */
   MtError *err;
   void *user; /* MtOpRow.user */
   /* Polled within a call that takes long. NULL: it cannot be cancelled. */
   const struct MtCancel *cancel;
   /* Constants are computed: timestamps keep their microseconds (MtVal.len). */
   bool exact_times;
} MtEval;

/* Computes *out from args, which are borrowed; args[i].type may be MT_MISSING. *out may borrow from
 * args. Returns false with ev->err set. */
typedef bool (*MtOpFn) (MtEval *ev, const MtVal *args, int argc, MtVal *out);

/* Immutable: computed at once if all arguments are constants. */
#define MT_OP_FOLD 1u

struct MtOpRow {
   const char *name;       /* "$add" */
   int min_args, max_args; /* -1: any number */
   /* NULL: the arguments are positional. Otherwise the comma-separated names of an argument
    * document, '?' behind optional ones: "date,unit,binSize?,timezone?,startOfWeek?". They are
    * passed in this order; absent ones are MT_MISSING. */
   const char *params;
   unsigned flags;
   MtOpFn fn;
   const char *summary; /* one line */
   /* An expression and its value in extended JSON: "{\"$add\": [1, 2]} => 3". It is run as a
    * test. */
   const char *example;
   void *user;
};

typedef struct MtOpRow MtOpRow;

/* The built-in tables, defined in op_*.c. Each ends with a row without a name. */
extern const MtOpRow mt_ops_arithmetic[];
extern const MtOpRow mt_ops_compare[];
extern const MtOpRow mt_ops_string[];
extern const MtOpRow mt_ops_date[];
extern const MtOpRow mt_ops_convert[];
extern const MtOpRow mt_ops_array[];

/* Rows by name. If several have one name, the first table's counts. In the arena; borrows the
 * rows. */
typedef struct MtOpIndex MtOpIndex;
const MtOpIndex *mt_op_index_new (MtArena *a, const MtOpRow *const *tables, size_t count);
/* Returns NULL if there is no such row. x may be NULL. */
const MtOpRow *mt_op_index_find (const MtOpIndex *x, const char *name);

/* Returns 64 random bits. Each thread has its own sequence. */
uint64_t mt_op_random (void);

#endif
