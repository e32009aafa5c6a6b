/* MtBindEnv: callbacks and settings of the session for analyzing (binding) and evaluating a
 * statement. MtSharing: state that all queries of one statement share. */
#ifndef MT_ENVIRONMENT_H
#define MT_ENVIRONMENT_H

#include "base/cancel.h"
#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* The parameters $1 … of a prepared statement. During PREPARE they have no values, and the first
 * use of a parameter determines its type. */
typedef struct MtParams {
   MtType *types; /* MT_T_UNKNOWN: not determined yet */
   MtVal *values; /* NULL: the statement is being prepared */
   int count;     /* The number of parameters; during PREPARE, the capacity of `types`. */
   int most;      /* During PREPARE: the highest parameter number seen. */
} MtParams;

#define MT_MAX_PARAMS 65535

typedef struct MtView {
   const char *name;
   const MtSelect *query;
   const char **columns; /* The column names of CREATE VIEW. NULL: those of the query. */
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
   } *checks; /* sorted by name */
   size_t check_count;
   int64_t oid;
} MtDomain;

/* A table of pg_catalog, with its rows as they were when the statement began. */
typedef struct MtSystemTable {
   const char *name;
   MtRelColumn *columns;
   int count;
   MtVal rows; /* An array of documents with one field for each column. */
} MtSystemTable;

/* The rows that an INSERT, UPDATE or DELETE in WITH returned. */
typedef struct MtCteRows {
   MtRelColumn *columns;
   int count;  /* -1: the statement has no RETURNING */
   MtVal rows; /* An array of documents with one field, c0 …, for each column. */
} MtCteRows;

/* State that the queries of one statement share, in its arena. Initialize to zero. */
typedef struct MtSharing {
   struct MtSharedRows *rows;
   int count; /* The number of names given to shared rows. */
   /* How often a query of WITH or of a view was bound again, because the statement reads it more
    * than once. */
   int copies;
   /* Numbers of query blocks and expression nodes that the binder added beyond the statement's
    * text. They are limited. */
   int queries, nodes;
   unsigned tick;
   /* Number of shared GROUP BY queries over one table. It may be cheaper to repeat such a query at
    * each use, with the conditions of that use. */
   int groupings;
   bool apart; /* GROUP BY queries over one table are repeated at each use, not shared. */
   bool ran;   /* A sub-select was run while the statement was bound. */
   /* How many sets of rows the statement reads that another run might not give again: those of
    * sub-selects that were run while the statement was analyzed, and of WITH queries with volatile
    * functions. */
   int varied;
   struct MtViewRead *views; /* The views that the statement reads. */
   /* Where to add the names, in the catalog, of the tables and views that are read, also within
    * views. NULL: they are not collected. */
   MtNameList **reads;
   /* A column that is to be dropped, and its table. The binder does not find it, so that statements
    * which name it fail. NULL: none. */
   const struct MtTable *hides_in;
   const char *hides;
   struct MtRecordShape *shapes; /* The shapes of records (analyze/state/record_shape.h). */
   int shape_count, shape_cap;
} MtSharing;

/* A named argument of read_csv and similar functions, as texts. */
typedef struct MtFileOption {
   const char *name; /* in lower case */
   MtSpan span;
   MtStr *values; /* one value, or the elements of an array */
   size_t count;
} MtFileOption;

/* A call of a file function in FROM: read_csv ('path', option => value, …). */
typedef struct MtFileCall {
   const char *function; /* read_file, read_csv, read_json or read_bson */
   MtStr path;
   MtSpan path_span;
   MtFileOption *options;
   size_t option_count;
} MtFileCall;

/* The table that an INSERT, UPDATE or DELETE changes, if its source and its other tables must not
 * refer to it. The names are for the error messages. */
typedef struct MtOutOfReach {
   const MtTable *table; /* NULL: there is no such table */
   const char *alias;    /* the alias of the table in the statement */
} MtOutOfReach;

typedef struct MtBindEnv {
   /* Callback: finds a table. *out is set to NULL if it does not exist. Quoted names are compared
    * exactly. A temporary table is in schema pg_temp, and hides other tables of the same name. */
   bool (*table) (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                  MtError *err);
   /* Callback: finds the schema of a relation that a query names without a schema, by the search
    * path. *out is the schema, in arena a; NULL: it is public, or a schema that is always searched.
    * 42P01 if public is not in the search path. May be NULL. */
   bool (*place) (void *ctx, MtArena *a, const MtName *name, const char **out, MtError *err);
   /* The query is bound to be stored (as in CREATE VIEW), so `place` also adds schemas to the names
    * in its syntax tree. */
   bool completes;
   /* Callback: returns the table that a file in FROM is read as, valid as long as arena a. May be
    * NULL: files are then not supported. */
   bool (*file) (void *ctx, MtArena *a, const MtFileCall *call, const MtTable **out, MtError *err);
   /* Callback: finds a view and parses its query, in arena a. out->query is NULL if the view does
    * not exist. May be NULL: there are no views. */
   bool (*view) (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                 MtError *err);
   /* Callback: finds a table of pg_catalog, with its rows, in arena a. out->name is NULL if it does
    * not exist. May be NULL: there are none. */
   bool (*system) (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                   MtSystemTable *out, MtError *err);
   /* Callback: returns the value of a hidden argument, which is added to a call, such as the
    * session's time zone. what: the parameter's name without "_". *out is null if the name is
    * unknown. May be NULL. */
   bool (*lookup) (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);
   /* Callback: finds a domain, in arena a; false if it does not exist. May be NULL: there are
    * none. */
   bool (*domain) (void *ctx, MtArena *a, const char *name, MtDomain *out);
   /* Callback: finds a type that CREATE TYPE made; false if it does not exist. May be NULL: there
    * are none. */
   bool (*type) (void *ctx, const char *name, MtTypeId *out);
   /* Callback: returns the names of all tables, for hints that suggest a similar name. */
   const char *const *(*tables) (void *ctx, size_t *count);
   /* Functions of CREATE FUNCTION, and of loaded shared libraries. May be NULL. */
   const MtFunc *const *user_functions;
   size_t user_function_count;
   /* Aggregates of extensions. May be NULL. */
   const MtAgg *const *user_aggregates;
   size_t user_aggregate_count;
   /* Name of an extension in the catalog that could not be loaded, for hints. NULL: none. */
   const char *unusable_extension;
   /* Callback: runs a query while the statement is analyzed. Sets *out to the first column of at
    * most `most` rows, in arena a. May be NULL: sub-selects as values are then an error. */
   bool (*run) (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out, MtError *err);
   /* Callback: estimates a query's cost, for comparison with other queries. May be NULL. */
   bool (*cost) (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err);
   /* Callback: sends a WARNING to the client. NULL: warnings are dropped. */
   void (*warn) (void *ctx, const char *text);
   void *ctx;
   MtParams *params;          /* NULL: none */
   const MtCancel *cancel;    /* Checked during analysis. NULL: no cancellation. */
   struct MtSharing *sharing; /* State of the statement. NULL: each query has its own. */
   bool stored;               /* The query belongs to a view and can't read temporary tables. */
   const MtTable *changed;    /* The table that the statement changes row by row. NULL: none. */
   MtOutOfReach out_of_reach;
   bool locks;    /* The statement holds the writer's lock, as FOR UPDATE needs. */
   bool outlives; /* The query is a cursor's; later statements may change its tables. */
   /* Callback: returns the session's own operator of this name; NULL: it has none. May be NULL:
    * there is no session. */
   const MtOpRow *(*op) (void *ctx, const char *name);
   bool seeded;       /* setseed was called; random() returns the session's own sequence. */
   MtTextStyle style; /* the session's time zone, and the statement's start time */
} MtBindEnv;

#endif
