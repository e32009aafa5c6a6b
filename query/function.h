/* Functions, operators, casts and aggregates: one row each.
 *
 * Built-ins, functions made by CREATE FUNCTION and those of shared libraries are rows of the same
 * kind. A row says how the function becomes an aggregation expression (a template that every server
 * knows), or which operator of the local executor computes it, or both kinds of nothing: an SQL
 * body, which the binder inlines. */
#ifndef MT_FUNCTION_H
#define MT_FUNCTION_H

#include "engine/local/expr/op.h"
#include "query/query.h"

#define MT_F_STABLE 1u     /* same answer within a statement: evaluated when planning (now()) */
#define MT_F_VOLATILE 2u   /* random(): never folded, needs rows */
#define MT_F_NOT_STRICT 4u /* is called with NULLs; otherwise NULL in gives NULL out */
#define MT_F_NEVER_NULL \
   8u                     /* non-NULL in gives non-NULL out (strict), or never NULL (not strict)
                           * \ */
#define MT_F_OPERATOR 16u /* name is an operator */
#define MT_F_CAST 32u     /* name is the target type; flags below say where it applies */
#define MT_F_CAST_IMPLICIT 64u
#define MT_F_CAST_ASSIGN 128u
#define MT_F_VARIADIC 256u /* the last parameter repeats */
#define MT_F_LINEAR \
   512u /* linear in its numeric arguments: sum(f) follows from sums (unary -, +, * by a constant)
         * \ */
#define MT_F_SET \
   4096u /* gives a set: an array of its rows, which stands in FROM or among the results \
            (functions/README.md) */
#define MT_F_FLAT 8192u /* gives an array of one dimension */
#define MT_F_NULL_SAFE \
   2048u /* the template is null by itself when an argument is null or missing: no guard is needed
          * \ */
#define MT_F_SEES \
   32768u /* LANGUAGE sql, VOLATILE: its queries see what the statement has changed so far */
#define MT_F_INFINITE \
   16384u /* gives infinite times of arguments that aren't such: text, numbers, documents */

/* A step function of time: constant between the boundaries of (unit or width, zone, origin). How
 * the planner tests that a group key or filter is constant on a time bucket. */
typedef enum MtStepKind {
   MT_STEP_NONE,
   MT_STEP_TRUNC,
   MT_STEP_BUCKET, /* time_bucket */
   MT_STEP_BIN,    /* date_bin */
   MT_STEP_PART,
   MT_STEP_DATE
} MtStepKind;

/* The comparison operators. */
typedef enum MtCmp {
   MT_CMP_NONE,
   MT_CMP_EQ,
   MT_CMP_NE,
   MT_CMP_LT,
   MT_CMP_LE,
   MT_CMP_GT,
   MT_CMP_GE
} MtCmp;

/* Functions and operators that the planner recognizes. */
typedef enum MtFuncKind {
   MT_FN_OTHER,
   MT_FN_TIME_PLUS,  /* +, with a time or an interval */
   MT_FN_TIME_MINUS, /* - */
   MT_FN_LIKE,       /* of text, also with ESCAPE as the third argument */
   MT_FN_ILIKE,
   MT_FN_JSON_KEY,       /* -> */
   MT_FN_JSON_KEY_TEXT,  /* ->> */
   MT_FN_JSON_PATH,      /* #>, jsonb_extract_path */
   MT_FN_JSON_PATH_TEXT, /* #>>, jsonb_extract_path_text */
   MT_FN_CONTAINS,       /* @> of jsonb */
   MT_FN_CONTAINED,      /* <@ of jsonb */
   MT_FN_IN_ARRAY        /* value = ANY (array of one dimension) */
} MtFuncKind;

struct MtFunc {
   const char *name;
   const char *signature; /* "timestamptz, interval -> timestamptz"; argument names may stand before
                             types: "width interval, ts timestamptz -> timestamptz" */
   unsigned flags;
   /* The template: relaxed extended JSON with "$1", "$2" … where arguments go ("$*": all, as array
    * elements). NULL: none. Strict functions may rely on non-NULL arguments: the emitter adds the
    * guards that are needed. */
   const char *mql;
   const MtOpRow *op; /* operator of the local executor; used when mql is NULL */
   const char *sql;   /* body of LANGUAGE sql: an expression over $1, $2 …; inlined by the binder */
   const char *const *defaults;   /* of each parameter, an expression in SQL, or NULL: it must be
                                     given. NULL: all must */
   const struct MtTemplate *here; /* mql as planner/emit/eval.c runs it over constants; NULL: not
                                     made, or it takes a pipeline */
   MtStepKind step;
   MtFuncKind kind;
   MtCmp cmp;           /* MT_CMP_NONE: not a comparison operator */
   const char *columns; /* MT_F_SET: "key text = k, value jsonb = v": its rows are documents, and
                           these their columns, with the fields that they are when that isn't the
                           column's name ("value jsonb = *": the row is that column's value); NULL:
                           a row is one value, of the signature's type */
   const char *summary;
   const char *example; /* "SELECT abs(-1) => 1"; run as a test */
};

typedef struct MtAggKind MtAggKind; /* functions/agg.h */

struct MtAgg {
   const char *name;
   const char *signature; /* "bigint -> numeric" */
   unsigned flags;
   const char *summary;
   const char *example;
   /* Which of the lemma's rules says how it follows from stored pre-aggregates. */
   enum {
      MT_AGG_COUNT_STAR,
      MT_AGG_COUNT,
      MT_AGG_SUM,
      MT_AGG_AVG,
      MT_AGG_MIN,
      MT_AGG_MAX,
      MT_AGG_PARTS /* from no pre-aggregate of its argument: kind says how */
   } rule;
   const MtAggKind *kind; /* MT_AGG_PARTS */
   unsigned form;         /* of the kind: MT_AGG_SAMPLE … of query/aggregate.h */
   const char *op;        /* of the kind: an operator or its argument; NULL: the kind has none */
};

/* The argument that a window function's operator takes. */
typedef enum MtWindowKind {
   MT_WINDOW_VALUE, /* the function's argument; none: {} */
   MT_WINDOW_LAG,   /* {value, n, default}: a row before */
   MT_WINDOW_LEAD,  /* {value, n, default}: a row after */
   MT_WINDOW_NTH    /* {value, n}: a row of the frame */
} MtWindowKind;

/* A function that only windows have. Aggregates over windows are rows of MtAgg. */
typedef struct MtWindowFunc {
   const char *name;
   const char *signature;
   const char *op; /* of $_mtWindow */
   MtWindowKind kind;
   bool framed; /* looks at the frame; others at the whole partition */
   bool never_null;
   const char *summary;
   const char *example; /* as a function's */
} MtWindowFunc;

#endif
