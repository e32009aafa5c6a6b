/* All functions, aggregates, window functions, operators and casts as rows of the catalog: pg_proc,
 * pg_operator, pg_cast. */
#ifndef MT_ROUTINE_H
#define MT_ROUTINE_H

#include "query/environment.h"

#define MT_FIRST_TEMPORARY_OID \
   INT64_C (4000000000) /* of relations that are a session's own, all of which lie behind it */

#define MT_ROUTINE_MAX_ARGS 12

typedef enum MtRoutineKind {
   MT_ROUTINE_FUNCTION,
   MT_ROUTINE_AGGREGATE,
   MT_ROUTINE_WINDOW,
   MT_ROUTINE_OPERATOR,
   MT_ROUTINE_CAST
} MtRoutineKind;

typedef struct MtRoutine {
   MtRoutineKind kind;
   int64_t oid; /* of this version of mtsql */
   bool user;   /* made by CREATE FUNCTION or LOAD */
   const char *name;
   int argc;
   int64_t args[MT_ROUTINE_MAX_ARGS], ret;     /* OIDs of types */
   const char *arg_names[MT_ROUTINE_MAX_ARGS]; /* "": none */
   const char *arguments;                      /* "unit text, t timestamp without time zone" */
   const char *types; /* "text,timestamp without time zone": what regprocedure shows between its
                         parentheses */
   const char *result;
   unsigned flags;                /* MT_F_… */
   const char *summary, *example; /* NULL: none */
   const MtFunc *fn;              /* MT_ROUTINE_FUNCTION, _OPERATOR, _CAST */
} MtRoutine;

/* Types that stand for others in signatures (anyelement …), with PostgreSQL's OIDs; NULL: no
 * more. */
const char *mt_pseudo_type (size_t index, int64_t *oid);

/* Sorted by name; `user`: those that the session has. In arena a. */
const MtRoutine *mt_routines (MtArena *a, const MtFunc *const *user, size_t user_count,
                              size_t *count);

#endif
