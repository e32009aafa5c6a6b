/* Rows that describe functions, operators, casts, aggregates and window functions, one row each.
 *
 * Built-in functions, user-defined functions and functions of shared libraries are rows of one
 * kind. A function's row has one of three bodies: a template of an aggregation expression, which
 * every server runs; an operator of the local executor; an SQL expression, which analysis
 * inlines. */
#ifndef MT_FUNCTION_H
#define MT_FUNCTION_H

#include "engine/local/expr/op.h"
#include "query/query.h"

/* ---- MtFunc.flags ---- */

/* STABLE, like now(): the result is constant within a statement, and is computed at planning. */
#define MT_F_STABLE (1u << 0)
/* VOLATILE, like random(): each call has a new result, so it is never computed at planning. */
#define MT_F_VOLATILE (1u << 1)
/* CALLED ON NULL INPUT. Without this flag, any NULL argument makes the result NULL. */
#define MT_F_NOT_STRICT (1u << 2)
/* Never returns NULL. A strict function (without MT_F_NOT_STRICT) still returns NULL for NULL. */
#define MT_F_NEVER_NULL (1u << 3)
/* The row is an operator; its name is the operator's symbol. */
#define MT_F_OPERATOR (1u << 4)
/* The row is a cast; its name is the target type. Only an explicit cast uses the row, unless it
 * also has one of the next two flags. */
#define MT_F_CAST (1u << 5)
#define MT_F_CAST_IMPLICIT (1u << 6)
#define MT_F_CAST_ASSIGN (1u << 7)
/* VARIADIC: the last parameter takes any number of arguments. */
#define MT_F_VARIADIC (1u << 8)
/* Linear in its numeric arguments: sum (f (x)) can be computed from sum (x). Examples: unary -, +,
 * and * by a constant. */
#define MT_F_LINEAR (1u << 9)
/* The template yields null for a null or missing argument, so no NULL check is added. */
#define MT_F_NULL_SAFE (1u << 11)
/* Set-returning: returns an array of rows. Allowed in FROM and in the select list
 * (functions/README.md). */
#define MT_F_SET (1u << 12)
/* Returns an array of one dimension. */
#define MT_F_FLAT (1u << 13)
/* May return an infinite time although no argument is one, for example for the text 'infinity'. */
#define MT_F_INFINITE (1u << 14)
/* LANGUAGE sql, VOLATILE: the body's queries see the statement's changes so far. */
#define MT_F_SEES (1u << 15)
/* The function has special syntax, like EXTRACT. PostgreSQL's errors name its schema too. */
#define MT_F_SYNTAX (1u << 16)
/* Arguments of type "any" are converted to text by a cast, or by their output function. For
 * booleans, a cast gives "true", and output gives "t". */
#define MT_F_ANY_CAST (1u << 17)
#define MT_F_ANY_OUTPUT (1u << 18)
/* Arguments are converted to jsonb. With the second flag, arguments are pairs of key and value. */
#define MT_F_JSON_VALUES (1u << 19)
#define MT_F_JSON_PAIRS (1u << 20)
/* Takes a whole row (a table's alias, ROW (…)) as a jsonb object. */
#define MT_F_JSON_ROWS (1u << 21)
/* Like MT_F_JSON_VALUES, but arguments are converted to json. */
#define MT_F_JSON_TEXTS (1u << 29)
/* The first flag marks setseed. The second marks functions, such as random, for which
 * "$<name>_seeded" is used after setseed was called. */
#define MT_F_SETS_SEED (1u << 22)
#define MT_F_SEEDED (1u << 23)
/* A faster variant for one-dimensional arrays is the row "$<name>", without the hidden argument for
 * the element type. */
#define MT_F_FLAT_ROW (1u << 24)
/* Converts between timestamp and timestamptz, and keeps the microseconds of constants. */
#define MT_F_ZONE (1u << 25)
/* Mark time_bucket_gapfill, locf and interpolate, in this order. */
#define MT_F_GAPFILL (1u << 26)
#define MT_F_LOCF (1u << 27)
#define MT_F_INTERPOLATE (1u << 28)
/* The operator acts on the session, also in constant expressions (MtBindEnv.op). */
#define MT_F_SESSION (1u << 30)

/* Kinds of step functions of time: their value changes only at regular boundaries. The planner
 * checks by the kind that a group key or filter is constant within a stored time bucket. */
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

/* Functions and operators that the planner treats specially. */
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
   MT_FN_IN_ARRAY,       /* value = ANY (array of one dimension) */
   MT_FN_REGEX,          /* ~ */
   MT_FN_ARRAY_CONTAINS, /* @> of arrays */
   MT_FN_ARRAY_WITHIN,   /* <@ of arrays */
   MT_FN_ARRAY_OVERLAP   /* && of arrays */
} MtFuncKind;

struct MtFunc {
   const char *name;
   /* Parameter types and result type: "timestamptz, interval -> timestamptz". Each type may follow
    * a parameter name: "width interval, ts timestamptz -> timestamptz". */
   const char *signature;
   unsigned flags;
   /* The template, a MongoDB expression as relaxed extended JSON. "$1", "$2" … are the arguments,
    * and "$*" is an array of all arguments. Arguments of strict functions are never NULL here.
    * NULL: no template. */
   const char *mql;
   const MtOpRow *op; /* Operator of the local executor. Used if mql is NULL. */
   const char *sql;   /* Body of LANGUAGE sql: an expression over $1, $2 … that analysis inlines. */
   /* By parameter: the default, an SQL expression, or NULL. NULL instead of the array: no
    * defaults. */
   const char *const *defaults;
   /* `mql` parsed, to compute calls with constant arguments in process (planner/emit/eval.c). NULL:
    * not parsed, or the template needs a pipeline. */
   const struct MtTemplate *here;
   MtStepKind step;
   MtFuncKind kind;
   MtCmp cmp; /* MT_CMP_NONE: not a comparison operator */
   /* For set-returning functions: the result columns, "key text = k, value jsonb = v". "= k" names
    * the field of the row if it differs from the column's name; "= *" is the whole row. NULL: each
    * row is one value of the result type. */
   const char *columns;
   const char *summary;
   const char *example; /* "SELECT abs(-1) => 1". Run as a test. */
};

typedef struct MtAggKind MtAggKind; /* functions/agg.h */
struct MtAggState;                  /* engine/local/group/state.h */

/* An aggregate. An extension sets name, signature, summary, example and state, and MT_F_NOT_STRICT
 * in `flags` if step gets rows with a NULL, too. It can't set the other members. */
struct MtAgg {
   const char *name;
   const char *signature; /* "bigint -> numeric" */
   unsigned flags;
   const char *summary;
   const char *example;
   /* How the aggregate is computed from stored pre-aggregates (docs/lemma.md). */
   enum {
      MT_AGG_COUNT_STAR,
      MT_AGG_COUNT,
      MT_AGG_SUM,
      MT_AGG_AVG,
      MT_AGG_MIN,
      MT_AGG_MAX,
      MT_AGG_PARTS /* not from pre-aggregates: by `kind`, from rows */
   } rule;
   const MtAggKind *kind; /* How to compute an aggregate with MT_AGG_PARTS. */
   unsigned form;  /* for `kind`: flags such as MT_AGG_SAMPLE (query/aggregate.h), or a limit */
   const char *op; /* The operator or accumulator that MtAggKind uses. NULL: none. */
   const struct MtAggState *state; /* Its functions in C. NULL: a built-in aggregate. */
   /* Merges saved states of parts of a group's rows. NULL: rollup does. */
   const struct MtStateAccumulator *merger;
};

/* The argument that the $_mtWindow operator of a window function takes. */
typedef enum MtWindowKind {
   MT_WINDOW_VALUE, /* the value of the only SQL argument; {} if there is none */
   MT_WINDOW_LAG,   /* {value, n, default}: n rows before the current one */
   MT_WINDOW_LEAD,  /* {value, n, default}: n rows after the current one */
   MT_WINDOW_NTH,   /* {value, n}: row n of the frame */
   MT_WINDOW_LIST   /* {value, n}: n is an array of the other SQL arguments */
} MtWindowKind;

/* An argument of a window function that must be a constant and not NULL: a number, or an interval
 * in seconds. */
typedef struct MtWindowConstant {
   int param; /* from 1 on; 0 ends a list */
   const char *name;
   double least, most;
   bool positive; /* `least` itself is too small */
} MtWindowConstant;

/* A function that needs OVER, such as rank. Aggregates can also have OVER, and are MtAgg rows. */
typedef struct MtWindowFunc {
   const char *name;
   const char *signature;
   const char *op; /* The operator of $_mtWindow. NULL: the function has a body in SQL. */
   /* The body: an expression over $1, $2 … that analysis inlines. Its window calls use the window
    * of the replaced call by two names: "framed" is that window, "ordered" is the window without
    * its frame. */
   const char *sql;
   const MtWindowConstant *constants; /* NULL: none */
   bool ordered;                      /* The window must have an ORDER BY. */
   MtWindowKind kind;
   /* The window function depends on the frame. False: it depends on the whole partition. */
   bool framed;
   bool never_null;
   const char *summary;
   const char *example; /* as MtFunc's */
} MtWindowFunc;

#endif
