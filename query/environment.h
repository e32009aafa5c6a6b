/* MtBindEnv: what analysis and evaluation need from the session. MtSharing: what the queries of one
 * statement share. */
#ifndef MT_ENVIRONMENT_H
#define MT_ENVIRONMENT_H

#include "base/cancel.h"
#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* The parameters $1 … of a prepared statement. While a statement is prepared they have no values,
 * and each gets its type from its first use. */
typedef struct MtParams {
   MtType *types; /* MT_T_UNKNOWN: not known yet */
   MtVal *values; /* NULL: the statement is being prepared */
   int count; /* The number of parameters; while the statement is prepared, the room in `types`. */
   int most;  /* While the statement is prepared: the highest number that occurs. */
} MtParams;

#define MT_MAX_PARAMS 65535

typedef struct MtView {
   const char *name;
   const MtSelect *query;
   const char **columns; /* The names of its columns. NULL: those of the query. */
   const char **own;     /* The query's own names for them. */
   int count;
} MtView;

/* A table of pg_catalog, as of the start of the statement. */
typedef struct MtSystemTable {
   const char *name;
   MtRelColumn *columns;
   int count;
   MtVal rows; /* An array of documents, whose fields are the columns' names. */
} MtSystemTable;

/* State that the queries of one statement share, in its arena. Initially zero. */
typedef struct MtSharing {
   struct MtSharedRows *rows;
   int count; /* The number of names given to shared rows. */
   /* The number of queries of common table expressions and views that were bound again for another
    * reading. */
   int copies;
   /* The numbers of queries and expression nodes bound that aren't in the statement's own text. */
   int queries, nodes;
   unsigned tick;
   /* The number of shared groupings of one table. Such a grouping could be cheaper if it were
    * repeated in each place, with that place's conditions. */
   int groupings;
   bool apart;               /* Those groupings are repeated in each place. */
   bool ran;                 /* A sub-select ran while the statement was bound. */
   struct MtViewRead *views; /* The views that were read. */
} MtSharing;

typedef struct MtBindEnv {
   /* Finds a table; quoted names are exact. *out is NULL if there is none. A temporary table is
    * found in schema pg_temp only; it hides others of its name. */
   bool (*table) (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                  MtError *err);
   /* Finds a view: its query, parsed in arena a, and its columns' names. out->query is NULL if
    * there is none. The pointer may be NULL: there are no views. */
   bool (*view) (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                 MtError *err);
   /* Finds a table of pg_catalog, with its rows in arena a. out->name is NULL if there is none. The
    * pointer may be NULL. */
   bool (*system) (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                   MtSystemTable *out, MtError *err);
   /* Returns the value of a hidden argument by its name without "_": a text, or a document by OID.
    * *out is null if it is unknown. The pointer may be NULL: all are unknown. */
   bool (*lookup) (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);
   /* Returns the names of tables, for hints. */
   const char *const *(*tables) (void *ctx, size_t *count);
   /* User-defined functions and those of shared libraries. May be NULL. */
   const MtFunc *const *user_functions;
   size_t user_function_count;
   /* Runs a query now. Returns the first column of at most `most` rows, in arena a. The pointer may
    * be NULL: sub-selects as values are refused. */
   bool (*run) (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values, size_t *count,
                MtError *err);
   /* Estimates a query's cost, in no unit. The pointer may be NULL: no estimates. */
   bool (*cost) (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err);
   /* Warns about a deviation from the statement's text. NULL: warnings are lost. */
   void (*warn) (void *ctx, const char *text);
   void *ctx;
   MtParams *params;          /* NULL: none */
   const MtCancel *cancel;    /* Checked while the statement is bound. NULL: never. */
   struct MtSharing *sharing; /* Of the statement. NULL: each binding has its own. */
   bool stored;               /* The query is a view's, so it doesn't see temporary tables. */
   const MtTable *changed;    /* The table that the statement changes row by row. NULL: none. */
   bool outlives;             /* The query is a cursor's: later statements may change its tables. */
   bool seeded;       /* setseed was called, so random() returns the session's own numbers. */
   MtTextStyle style; /* the session's zone, the statement's time */
} MtBindEnv;

#endif
