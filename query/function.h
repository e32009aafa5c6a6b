/* The records of functions, operators, casts, aggregates and window functions: one row each.
 *
 * Built-in functions, user-defined functions and functions of shared libraries are rows of one
 * kind. A row has one of three bodies: a template of an aggregation expression, which every server
 * runs; an operator of the local executor; an SQL expression, which analysis inlines. */
#ifndef MT_FUNCTION_H
#define MT_FUNCTION_H

#include "engine/local/expr/op.h"
#include "query/query.h"

/* ---- MtFunc.flags ---- */

/* The same answer within a statement (now()): evaluated while it is planned. */
#define MT_F_STABLE (1u << 0)
/* A new answer at each call (random()): never folded. */
#define MT_F_VOLATILE (1u << 1)
/* Is called with NULLs. Without this flag a NULL argument gives NULL. */
#define MT_F_NOT_STRICT (1u << 2)
/* Never returns NULL; if strict: for arguments that aren't NULL. */
#define MT_F_NEVER_NULL (1u << 3)
/* The name is an operator. */
#define MT_F_OPERATOR (1u << 4)
/* The name is the target type of a cast. Without the next two flags only a written cast uses it. */
#define MT_F_CAST (1u << 5)
#define MT_F_CAST_IMPLICIT (1u << 6)
#define MT_F_CAST_ASSIGN (1u << 7)
/* The last parameter repeats. */
#define MT_F_VARIADIC (1u << 8)
/* Linear in its numeric arguments: sum (f (x)) follows from sum (x). Unary -, +, * by a constant. */
#define MT_F_LINEAR (1u << 9)
/* The template gives null for a null or missing argument, so the emitter adds no guard. */
#define MT_F_NULL_SAFE (1u << 11)
/* Returns a set: an array of its rows. Stands in FROM or among the results (functions/README.md). */
#define MT_F_SET (1u << 12)
/* Returns an array of one dimension. */
#define MT_F_FLAT (1u << 13)
/* Returns infinite times for arguments that aren't infinite times: text, numbers, documents. */
#define MT_F_INFINITE (1u << 14)
/* LANGUAGE sql, VOLATILE: the body's queries see the statement's changes so far. */
#define MT_F_SEES (1u << 15)
/* Has a syntax of its own. PostgreSQL's errors name it with its schema. */
#define MT_F_SYNTAX (1u << 16)
/* Arguments of type "any" become text: by a cast, or as their output functions print them. These
 * differ for booleans: true, t. */
#define MT_F_ANY_CAST (1u << 17)
#define MT_F_ANY_OUTPUT (1u << 18)
/* Arguments become jsonb. With the second flag each first one of two is a key. */
#define MT_F_JSON_VALUES (1u << 19)
#define MT_F_JSON_PAIRS (1u << 20)
/* Takes a whole row (a table's alias, ROW (…)) as a jsonb object. */
#define MT_F_JSON_ROWS (1u << 21)
/* setseed; and a function with another row for the time after setseed, "$<name>_seeded". */
#define MT_F_SETS_SEED (1u << 22)
#define MT_F_SEEDED (1u << 23)
/* Has another row for arrays of one dimension, "$<name>", without the hidden type. */
#define MT_F_FLAT_ROW (1u << 24)
/* Converts between timestamps with and without a zone, and keeps the microseconds of constants. */
#define MT_F_ZONE (1u << 25)
/* time_bucket_gapfill; locf; interpolate. */
#define MT_F_GAPFILL (1u << 26)
#define MT_F_LOCF (1u << 27)
#define MT_F_INTERPOLATE (1u << 28)

/* A step function of time: constant between the boundaries of a unit or width, in a zone, from an
 * origin. The planner uses the kind to test that a group key or filter is constant in a time
 * bucket. */
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
   /* "timestamptz, interval -> timestamptz". Parameters' names may stand before their types: "width
    * interval, ts timestamptz -> timestamptz". */
   const char *signature;
   unsigned flags;
   /* The template: relaxed extended JSON with "$1", "$2" … for the arguments, and "$*" for all of
    * them in an array. NULL: none. Strict functions may rely on non-NULL arguments; the emitter
    * adds the guards. */
   const char *mql;
   const MtOpRow *op; /* Operator of the local executor. Used if mql is NULL. */
   const char *sql;   /* Body of LANGUAGE sql: an expression over $1, $2 … that analysis inlines. */
   /* The default of each parameter, an SQL expression. An element that is NULL: no default. NULL:
    * no defaults. */
   const char *const *defaults;
   /* mql, prepared for constants (planner/emit/eval.c). NULL: not prepared, or it needs a
    * pipeline. */
   const struct MtTemplate *here;
   MtStepKind step;
   MtFuncKind kind;
   MtCmp cmp; /* MT_CMP_NONE: not a comparison operator */
   /* With MT_F_SET: the columns of a row that is a document, "key text = k, value jsonb = v". "= k"
    * names the field if it isn't the column's name; "= *" is the row itself. NULL: a row is one
    * value of the signature's type. */
   const char *columns;
   const char *summary;
   const char *example; /* "SELECT abs(-1) => 1". Run as a test. */
};

typedef struct MtAggKind MtAggKind; /* functions/agg.h */

struct MtAgg {
   const char *name;
   const char *signature; /* "bigint -> numeric" */
   unsigned flags;
   const char *summary;
   const char *example;
   /* The rule of docs/lemma.md by which it follows from stored pre-aggregates. */
   enum {
      MT_AGG_COUNT_STAR,
      MT_AGG_COUNT,
      MT_AGG_SUM,
      MT_AGG_AVG,
      MT_AGG_MIN,
      MT_AGG_MAX,
      MT_AGG_PARTS /* it follows from none: `kind` computes it */
   } rule;
   const MtAggKind *kind; /* With MT_AGG_PARTS. */
   unsigned form;         /* of the kind: MT_AGG_SAMPLE … of query/aggregate.h */
   const char *op;        /* Of the kind: an operator or its argument. NULL: none. */
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
   const char *op; /* The operator of $_mtWindow. */
   MtWindowKind kind;
   /* It depends on the frame. Others depend on the whole partition. */
   bool framed;
   bool never_null;
   const char *summary;
   const char *example; /* as MtFunc's */
} MtWindowFunc;

#endif
