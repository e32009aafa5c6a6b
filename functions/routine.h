/* Lists all functions, aggregates, operators and casts, for the system catalogs pg_proc,
 * pg_operator and pg_cast. */
#ifndef MT_ROUTINE_H
#define MT_ROUTINE_H

#include "query/environment.h"

/* OIDs of temporary tables begin here. */
#define MT_FIRST_TEMPORARY_OID INT64_C (4000000000)

/* OIDs of objects of extensions begin here. */
#define MT_FIRST_EXTENSION_OID INT64_C (200000000)

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
   int64_t oid; /* may change with the version of mtsql */
   bool user;   /* made by CREATE FUNCTION or LOAD */
   const char *name;
   int argc;
   int64_t args[MT_ROUTINE_MAX_ARGS], ret;     /* OIDs of types */
   const char *arg_names[MT_ROUTINE_MAX_ARGS]; /* "": no name */
   const char *arguments;                      /* "unit text, t timestamp without time zone" */
   /* Parameter types as regprocedure prints them: "text,timestamp without time zone". */
   const char *types;
   const char *result;
   unsigned flags;                /* MT_F_… */
   const char *summary, *example; /* NULL: none */
   const MtFunc *fn;              /* for MT_ROUTINE_FUNCTION, _OPERATOR and _CAST */
} MtRoutine;

/* Returns the name of pseudo-type number `index` (anyelement, …) and sets *oid. NULL if there are
 * fewer. */
const char *mt_pseudo_type (size_t index, int64_t *oid);

/* Returns an array of all functions, aggregates, operators and casts, built-in ones and those of
 * env, sorted by name. The array is allocated in arena a; *count is its length. */
const MtRoutine *mt_routines (MtArena *a, const MtBindEnv *env, size_t *count);

#endif
