/* What the binder and evaluation ask of the session, and what the queries of a statement share. */
#ifndef MT_ENVIRONMENT_H
#define MT_ENVIRONMENT_H

#include "base/cancel.h"
#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* $1 … of a prepared statement. While it is prepared there are no values, and types are found out:
 * what a parameter becomes where it is used first. */
typedef struct MtParams {
   MtType *types; /* MT_T_UNKNOWN: not known yet */
   MtVal *values; /* NULL: it is being prepared */
   int count;     /* there are so many; while it is prepared: so many have a place in types */
   int most;      /* the highest that occurs, while it is prepared */
} MtParams;

#define MT_MAX_PARAMS 65535

typedef struct MtView {
   const char *name;
   const MtSelect *query;
   const char **columns; /* what they are called; NULL: as in the query */
   const char **own;     /* what the query calls them */
   int count;
} MtView;

/* A table of the catalog, as it is when the statement begins. */
typedef struct MtSystemTable {
   const char *name;
   MtRelColumn *columns;
   int count;
   MtVal rows; /* an array of documents, by the columns' names */
} MtSystemTable;

/* What the queries of one statement share; zero at first. In the statement's arena. */
typedef struct MtSharing {
   struct MtSharedRows *rows;
   int count;  /* names that were given */
   int copies; /* queries of common table expressions and views that were bound again for another
                  reading */
   int queries, nodes; /* that were bound of what isn't in the statement's own text */
   unsigned tick;
   int groupings; /* groups of one table that are computed once, and would be cheap to put in each
                     place if they were filtered there */
   bool apart;    /* they are put in each place */
   bool ran;      /* a sub-select ran while it was bound */
   struct MtViewRead *views; /* those that were read */
} MtSharing;

typedef struct MtBindEnv {
   /* Finds a table by name (quoted: exact). NULL in *out: none; near names for the hint come from
    * `tables`. A temporary one, which hides all others of its name, only in the schema pg_temp. */
   bool (*table) (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                  MtError *err);
   /* Finds a view by name: its query, parsed in arena a, and the names of its columns. *query =
    * NULL: there is none. NULL: there are no views. */
   bool (*view) (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                 MtError *err);
   /* Finds a table of pg_catalog by name, with its rows in arena a. out->name = NULL: there is
    * none. NULL: there are none. */
   bool (*system) (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                   MtSystemTable *out, MtError *err);
   /* What a function's hidden argument is (without its "_"): a text, or a document by OID; null:
    * not known. NULL: nothing is. */
   bool (*lookup) (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);
   /* Names of tables, for hints. */
   const char *const *(*tables) (void *ctx, size_t *count);
   /* Functions and aggregates made by the user or by shared libraries, besides the built-in ones;
    * may be NULL. */
   const MtFunc *const *user_functions;
   size_t user_function_count;
   /* Runs a query now: the first column of at most `most` of its rows, in arena a. NULL:
    * sub-selects as values are refused. */
   bool (*run) (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values, size_t *count,
                MtError *err);
   /* What a query would cost to run, in no unit. NULL: nobody knows. */
   bool (*cost) (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err);
   void (*warn) (void *ctx, const char *text); /* of what is done in another way than it was said;
                                                  NULL: nobody hears it */
   void *ctx;
   MtParams *params;          /* NULL: none */
   const MtCancel *cancel;    /* looked at while the statement is bound; NULL: none */
   struct MtSharing *sharing; /* of the statement; NULL: of each binding */
   bool stored;               /* the query is a view's: it means no temporary tables */
   const MtTable *changed;    /* by the statement, row by row; NULL: none */
   bool outlives;     /* the query is a cursor's: later statements may change what it reads */
   bool seeded;       /* random() gives the session's own numbers: setseed was called */
   MtTextStyle style; /* the session's zone, the statement's time */
} MtBindEnv;

#endif
