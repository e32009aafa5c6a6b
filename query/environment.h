/* MtBindEnv: callbacks and settings that analysis and evaluation need from the session. MtSharing:
 * state shared by the queries of one statement. */
#ifndef MT_ENVIRONMENT_H
#define MT_ENVIRONMENT_H

#include "base/cancel.h"
#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* The parameters $1 … of a prepared statement. During PREPARE, parameters have no values, and the
 * first use of a parameter decides its type. */
typedef struct MtParams {
   MtType *types; /* MT_T_UNKNOWN: not known yet */
   MtVal *values; /* NULL: the statement is being prepared */
   int count;     /* The number of parameters; during PREPARE, the capacity of `types`. */
   int most;      /* During PREPARE: the highest parameter number so far. */
} MtParams;

#define MT_MAX_PARAMS 65535

typedef struct MtView {
   const char *name;
   const MtSelect *query;
   const char **columns; /* The column names of the view. NULL: the names in the view's query. */
   const char **own;     /* The column names in the view's query. */
   int count;
} MtView;

/* A domain: a type with constraints, whose values are those of its base type. */
typedef struct MtDomain {
   const char *name;
   MtType base;
   bool not_null;
   const char *default_sql; /* NULL: none */
   struct MtDomainCheck {
      const char *name, *sql; /* the condition, in which VALUE is the value */
      int64_t oid;
   } *checks; /* by name */
   size_t check_count;
   int64_t oid;
} MtDomain;

/* A table of pg_catalog, with its rows at the start of the statement. */
typedef struct MtSystemTable {
   const char *name;
   MtRelColumn *columns;
   int count;
   MtVal rows; /* An array of documents with one field for each column. */
} MtSystemTable;

/* The rows that an INSERT, UPDATE or DELETE in WITH returned. */
typedef struct MtCteRows {
   MtRelColumn *columns;
   int count;  /* -1: there is no RETURNING */
   MtVal rows; /* An array of documents with one field, c0 …, for each column. */
} MtCteRows;

/* State that the queries of one statement share, in its arena. Initially zero. */
typedef struct MtSharing {
   struct MtSharedRows *rows;
   int count; /* The number of names given to shared rows. */
   /* How often the query of a WITH entry or a view was analyzed again, because it is read more than
    * once. */
   int copies;
   /* The numbers of queries and expression nodes that analysis added beyond the statement's text,
    * for limits. */
   int queries, nodes;
   unsigned tick;
   /* The number of shared GROUP BY queries over one table. Repeating such a query at each place,
    * with the conditions of that place, may be cheaper. */
   int groupings;
   bool apart; /* GROUP BY queries over one table are repeated, not shared. */
   bool ran;   /* A sub-select was run during analysis. */
   /* How often the statement reads rows that another computation might not give again: those of
    * sub-selects that were run, and of WITH entries, with volatile functions. */
   int varied;
   struct MtViewRead *views; /* The views that the statement reads. */
   /* Where to add the names, in the catalog, of the tables and views that are read, also within
    * views. NULL: they are not collected. */
   MtNameList **reads;
   struct MtRecordShape *shapes; /* The shapes of records (analyze/state/record_shape.h). */
   int shape_count, shape_cap;
} MtSharing;

/* An argument of read_csv and similar functions, as texts. */
typedef struct MtFileOption {
   const char *name; /* in lower case */
   MtSpan span;
   MtStr *values; /* one value, or the elements of an array */
   size_t count;
} MtFileOption;

/* A file in FROM: read_csv ('path', option => value, …). */
typedef struct MtFileCall {
   const char *function; /* read_file, read_csv, read_json or read_bson */
   MtStr path;
   MtSpan path_span;
   MtFileOption *options;
   size_t option_count;
} MtFileCall;

/* The table that the statement changes. Its source and its other tables can't refer to this table.
 * Errors about such a reference name it. */
typedef struct MtOutOfReach {
   const MtTable *table; /* NULL: none */
   const char *alias;    /* the name by which the statement refers to the table */
} MtOutOfReach;

typedef struct MtBindEnv {
   /* Finds a table. *out is NULL if there is no such table. Quoted names are compared exactly. A
    * temporary table is in schema pg_temp, and hides other tables of its name. */
   bool (*table) (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                  MtError *err);
   /* Finds the schema of a relation that a query names without one. *out, in arena a: the schema;
    * NULL: it is public, or a schema that is always searched. 42P01 if public is not searched. The
    * callback may be NULL. */
   bool (*place) (void *ctx, MtArena *a, const MtName *name, const char **out, MtError *err);
   /* The query is bound to be stored: `place` also completes the names of its tree. */
   bool completes;
   /* Finds the table of a file. The table is valid as long as arena a. The callback may be NULL:
    * files are refused. */
   bool (*file) (void *ctx, MtArena *a, const MtFileCall *call, const MtTable **out, MtError *err);
   /* Finds a view and parses its query, in arena a. out->query is NULL if there is no such view.
    * The callback may be NULL: there are no views. */
   bool (*view) (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                 MtError *err);
   /* Finds a table of pg_catalog, with its rows in arena a. out->name is NULL if there is no such
    * table. The callback may be NULL: there are none. */
   bool (*system) (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                   MtSystemTable *out, MtError *err);
   /* Returns the value of a hidden argument (one that the session adds to a call, such as its time
    * zone). what: the argument's name without "_". *out is null if the name is unknown. The
    * callback may be NULL. */
   bool (*lookup) (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);
   /* Finds a domain, in arena a. The callback may be NULL: there are none. */
   bool (*domain) (void *ctx, MtArena *a, const char *name, MtDomain *out);
   /* Finds a type that users have created. The callback may be NULL: there are none. */
   bool (*type) (void *ctx, const char *name, MtTypeId *out);
   /* Returns the names of all tables, to suggest a similar name in hints. */
   const char *const *(*tables) (void *ctx, size_t *count);
   /* Functions made by CREATE FUNCTION or loaded from shared libraries. May be NULL. */
   const MtFunc *const *user_functions;
   size_t user_function_count;
   /* Aggregates of extensions. May be NULL. */
   const MtAgg *const *user_aggregates;
   size_t user_aggregate_count;
   /* An extension of the catalog that can't be used, for hints. NULL: none. */
   const char *unusable_extension;
   /* Runs a query during analysis. Returns the first column of at most `most` rows, in arena a. The
    * callback may be NULL: sub-selects as values are then refused. */
   bool (*run) (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out, MtError *err);
   /* Estimates a query's cost, to compare with other estimates. The callback may be NULL. */
   bool (*cost) (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err);
   /* Reports a WARNING to the client. NULL: warnings are dropped. */
   void (*warn) (void *ctx, const char *text);
   void *ctx;
   MtParams *params;          /* NULL: none */
   const MtCancel *cancel;    /* Checked during analysis. NULL: no cancellation. */
   struct MtSharing *sharing; /* State of the statement. NULL: each analysis has its own. */
   bool stored;               /* The query belongs to a view and can't read temporary tables. */
   const MtTable *changed;    /* The table that the statement changes row by row. NULL: none. */
   MtOutOfReach out_of_reach;
   bool locks;    /* The statement holds the writer's lock, for FOR UPDATE. */
   bool outlives; /* The query belongs to a cursor; later statements may change its tables. */
   /* Returns the session's own operator of this name; NULL: it has none. NULL: there is no
    * session. */
   const MtOpRow *(*op) (void *ctx, const char *name);
   bool seeded;       /* setseed was called, so random() returns the session's own numbers. */
   MtTextStyle style; /* the session's time zone, and the statement's start time */
} MtBindEnv;

#endif
