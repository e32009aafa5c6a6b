/* Descriptions of functions, operators, casts, aggregates and window functions, as rows of tables
 * in C.
 *
 * Built-in functions, user-defined functions, and functions of shared libraries all have rows of
 * type MtFunc. A row has one of three bodies: a template of an aggregation expression, which every
 * server can run; an operator of the local executor; or an SQL expression, which the binder
 * inlines. */
#ifndef MT_FUNCTION_H
#define MT_FUNCTION_H

#include "engine/local/expr/op.h"
#include "query/query.h"

/* ---- MtFunc.flags ---- */

/* STABLE, like now(): the result is constant within a statement, so it is computed when the
 * statement is planned. */
#define MT_F_STABLE (1u << 0)
/* VOLATILE, like random(): each call can have another result, so it is never computed when the
 * statement is planned. */
#define MT_F_VOLATILE (1u << 1)
/* CALLED ON NULL INPUT. Without this flag, any NULL argument makes the result NULL. */
#define MT_F_NOT_STRICT (1u << 2)
/* Never returns NULL; but a strict function (without MT_F_NOT_STRICT) returns NULL for a NULL
 * argument. */
#define MT_F_NEVER_NULL (1u << 3)
/* The row is an operator; its name is the operator's symbol. */
#define MT_F_OPERATOR (1u << 4)
/* The row is a cast, and its name is the target type. Without one of the next two flags it is used
 * only for explicit casts. */
#define MT_F_CAST (1u << 5)
#define MT_F_CAST_IMPLICIT (1u << 6)
#define MT_F_CAST_ASSIGN (1u << 7)
/* VARIADIC: the last parameter takes any number of arguments. */
#define MT_F_VARIADIC (1u << 8)
/* Linear in its numeric arguments, so that sum (f (x)) can be computed from sum (x). Examples:
 * unary -, and +, - and * with a constant. */
#define MT_F_LINEAR (1u << 9)
/* The template gives null for a null or missing argument, so that no check for NULL is added. */
#define MT_F_NULL_SAFE (1u << 11)
/* Set-returning: returns an array of rows. It can be called in FROM and in the select list
 * (functions/README.md). */
#define MT_F_SET (1u << 12)
/* Returns only arrays of one dimension. */
#define MT_F_FLAT (1u << 13)
/* May return an infinite time although no argument is one, for example from the text 'infinity'. */
#define MT_F_INFINITE (1u << 14)
/* LANGUAGE sql, VOLATILE: queries in the body see what the statement has changed so far. */
#define MT_F_SEES (1u << 15)
/* The function has special syntax, like EXTRACT. In errors, PostgreSQL qualifies its name by the
 * schema. */
#define MT_F_SYNTAX (1u << 16)
/* Arguments of type "any" are converted to text by a cast (the first flag), or by their output
 * function (the second flag). For a boolean, a cast gives "true", and output gives "t". */
#define MT_F_ANY_CAST (1u << 17)
#define MT_F_ANY_OUTPUT (1u << 18)
/* Arguments are converted to jsonb. With the second flag they are pairs of key and value. */
#define MT_F_JSON_VALUES (1u << 19)
#define MT_F_JSON_PAIRS (1u << 20)
/* A whole row (a table's alias, or ROW (…)) as an argument is converted to a jsonb object. */
#define MT_F_JSON_ROWS (1u << 21)
/* Like MT_F_JSON_VALUES, but arguments are converted to json. */
#define MT_F_JSON_TEXTS (1u << 29)
/* The first flag marks setseed. The second marks functions such as random, which are replaced by
 * "$<name>_seeded" after setseed was called. */
#define MT_F_SETS_SEED (1u << 22)
#define MT_F_SEEDED (1u << 23)
/* A faster variant for one-dimensional arrays exists in the row "$<name>". It has no hidden
 * argument for the element type. */
#define MT_F_FLAT_ROW (1u << 24)
/* The function converts between timestamp and timestamptz, and keeps the microseconds of
 * constants. */
#define MT_F_ZONE (1u << 25)
/* Mark, in this order, time_bucket_gapfill, locf and interpolate. */
#define MT_F_GAPFILL (1u << 26)
#define MT_F_LOCF (1u << 27)
#define MT_F_INTERPOLATE (1u << 28)
/* The operator acts on the session, even in constant expressions (MtBindEnv.op). */
#define MT_F_SESSION (1u << 30)

/* Kinds of step functions of time, whose value changes only at regular boundaries, such as
 * date_trunc. For each kind the planner can check whether a group key or filter is constant within
 * a stored time bucket. */
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

/* Functions and operators that the planner handles specially. */
typedef enum MtFuncKind {
   MT_FN_OTHER,
   MT_FN_TIME_PLUS,  /* +, where one operand is a time or an interval */
   MT_FN_TIME_MINUS, /* the operator -, with a time as the left operand */
   MT_FN_LIKE,       /* LIKE of text; ESCAPE may be a third argument */
   MT_FN_ILIKE,
   MT_FN_JSON_KEY,       /* the operator -> */
   MT_FN_JSON_KEY_TEXT,  /* the operator ->> */
   MT_FN_JSON_PATH,      /* the operator #>, and jsonb_extract_path */
   MT_FN_JSON_PATH_TEXT, /* the operator #>>, and jsonb_extract_path_text */
   MT_FN_CONTAINS,       /* the operator @> of jsonb */
   MT_FN_CONTAINED,      /* the operator <@ of jsonb */
   MT_FN_IN_ARRAY,       /* value = ANY (array of one dimension) */
   MT_FN_REGEX,          /* the operator ~ (matches a regular expression) */
   MT_FN_ARRAY_CONTAINS, /* the operator @> of arrays */
   MT_FN_ARRAY_WITHIN,   /* the operator <@ of arrays */
   MT_FN_ARRAY_OVERLAP   /* the operator && of arrays */
} MtFuncKind;

struct MtFunc {
   const char *name;
   /* Parameter types and result type, such as "timestamptz, interval -> timestamptz". A parameter's
    * name may precede its type: "width interval, ts timestamptz -> timestamptz". */
   const char *signature;
   unsigned flags;
   /* The template: a MongoDB expression in relaxed extended JSON. "$1", "$2" … stand for the
    * arguments, and "$*" for an array of all arguments. Arguments of strict functions are never
    * NULL in it. NULL: the function has no template. */
   const char *mql;
   const MtOpRow *op; /* Operator of the local executor, which is used if mql is NULL. */
   const char *sql;   /* Body of LANGUAGE sql: an expression over $1 … that the binder inlines. */
   /* For each parameter: its default, an SQL expression; NULL: it has none. The array is NULL if no
    * parameter has a default. */
   const char *const *defaults;
   /* The parsed `mql`, for computing calls with constant arguments in process
    * (planner/emit/eval.c). NULL: not parsed, or the template can only run in a pipeline. */
   const struct MtTemplate *here;
   MtStepKind step;
   MtFuncKind kind;
   MtCmp cmp; /* MT_CMP_NONE: not a comparison operator */
   /* For set-returning functions: the result columns, such as "key text = k, value jsonb = v". "=
    * k" is the field in the row document, if its name is not the column's; "= *" is the whole row.
    * NULL: each row is a single value of the result type. */
   const char *columns;
   const char *summary;
   const char *example; /* such as "SELECT abs(-1) => 1"; it is run as a test */
};

typedef struct MtAggKind MtAggKind; /* defined in functions/agg.h */
struct MtAggState;                  /* defined in engine/local/group/state.h */

/* An aggregate. Extensions set only name, signature, summary, example and state, and in `flags`
 * MT_F_NOT_STRICT if `step` must also be called for rows with a NULL. */
struct MtAgg {
   const char *name;
   const char *signature; /* such as "bigint -> numeric" */
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
      MT_AGG_PARTS /* not from pre-aggregates, but from rows, as `kind` defines */
   } rule;
   const MtAggKind *kind; /* How to compute an aggregate of MT_AGG_PARTS. */
   unsigned form;  /* for `kind`: flags such as MT_AGG_SAMPLE (query/aggregate.h), or a limit */
   const char *op; /* The operator or accumulator that MtAggKind uses. NULL: none. */
   const struct MtAggState *state; /* Its functions in C. NULL: a built-in aggregate. */
   /* Merges saved states of parts of a group's rows. NULL: rollup does. */
   const struct MtStateAccumulator *merger;
};

/* The form of the argument that a window function's operator in $_mtWindow takes. */
typedef enum MtWindowKind {
   MT_WINDOW_VALUE, /* the value of the SQL argument; {} if there is none */
   MT_WINDOW_LAG,   /* {value, n, default}: the value n rows before the current row */
   MT_WINDOW_LEAD,  /* {value, n, default}: the value n rows after the current row */
   MT_WINDOW_NTH,   /* {value, n}: the value in row n of the frame */
   MT_WINDOW_LIST   /* {value, n}: n is an array of all SQL arguments but the first */
} MtWindowKind;

/* A parameter of a window function for which only a constant is allowed that is not NULL: a number,
 * or an interval in seconds. */
typedef struct MtWindowConstant {
   int param; /* number of the parameter, from 1; 0 ends the list */
   const char *name;
   double least, most;
   bool positive; /* `least` itself is not allowed */
} MtWindowConstant;

/* A window function that is no aggregate, such as rank. Aggregates that are called with OVER are
 * MtAgg rows. */
typedef struct MtWindowFunc {
   const char *name;
   const char *signature;
   const char *op; /* The operator in $_mtWindow. NULL: the function has a body in SQL. */
   /* The body: an expression over $1, $2 …, which the binder inlines. Window calls in it refer to
    * the window of the replaced call by one of two names: "framed" is this window, "ordered" is
    * this window without its frame. */
   const char *sql;
   const MtWindowConstant *constants; /* NULL: none */
   bool ordered;                      /* The window must have an ORDER BY. */
   MtWindowKind kind;
   /* The result depends on the frame. False: it depends on the whole partition. */
   bool framed;
   bool never_null;
   const char *summary;
   const char *example; /* like MtFunc.example */
} MtWindowFunc;

#endif
