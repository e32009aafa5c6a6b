/* The catalog as tables: pg_catalog and information_schema. */
#ifndef MT_SYSTEM_TABLES_H
#define MT_SYSTEM_TABLES_H

#include "functions/routine.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/state/session.h"

#define MT_OID_PG_CATALOG 11
#define MT_OID_PUBLIC 2200
#define MT_OID_INFORMATION_SCHEMA 13000
#define MT_OID_TEMPORARY 16383 /* the schema of the session's own tables */
#define MT_OID_ROLE 10
#define MT_OID_DATABASE 5
#define MT_OID_ARRAY_IN 750 /* what clients know array types by; no function here */

typedef struct MtSystem MtSystem;

/* ---- relations ---- */

/* A column of a table, of a view, of a table of the catalog, or of an index. */
typedef struct MtSystemColumn {
   const char *name;
   MtType type;
   bool not_null;
   const char *default_sql; /* NULL: none */
} MtSystemColumn;

typedef struct MtSystemRow MtSystemRow;
typedef struct MtSystemView MtSystemView;

typedef struct MtRelation {
   int64_t oid, schema; /* schema: its OID */
   const char *name;
   char kind;                   /* 'r' table, 'v' view, 'm' materialized view, 'i' index */
   const MtTable *table;        /* of public, or temporary; NULL: none */
   const char *id;              /* of public and temporary ones: what the catalog calls it */
   bool hidden;                 /* by a temporary table */
   const MtIndexInfo *index;    /* 'i' */
   const char *definition;      /* of a view: its query */
   const MtSystemRow *row;      /* of the catalog: a table */
   const MtSystemView *view;    /* of the catalog: a view */
   const struct MtRelation *of; /* of an index: its table */
   int64_t constraint;      /* of the index that stands for a PRIMARY KEY: the constraint's OID; 0:
                               another one */
   MtSystemColumn *columns; /* NULL: not looked at yet, mt_relation_columns */
   size_t column_count;
} MtRelation;

/* What there is while a statement runs. */
struct MtSystem {
   MtSession *session;
   MtArena *arena;
   MtRelation *relations;
   size_t relation_count;
   const MtRoutine *routines;
   size_t routine_count;
   bool columns_only;              /* tables of the catalog are wanted without rows */
   struct MtSystemLookup *lookups; /* documents for functions, made so far */
};

MtSystem *mt_system (MtSession *s);
MtRelation *mt_system_relations (MtSystem *y, size_t *count);
const MtRoutine *mt_system_routines (MtSystem *y, size_t *count);
/* The catalog's document of a function that CREATE FUNCTION made; NULL: it is another one. */
const bson_t *mt_routine_body (const MtSystem *y, const MtRoutine *r);
/* A relation's columns; a view whose tables are gone has none. */
void mt_relation_columns (MtSystem *y, MtRelation *r);
const char *mt_schema_name (int64_t oid);
/* The name as SQL finds it: with its schema where that is needed, in quotes where these are. In
 * arena a. */
const char *mt_relation_shown (MtArena *a, const MtRelation *r);

/* ---- tables of the catalog ---- */

typedef struct MtFillRows {
   MtSystem *system;
   MtArena *a;
   const MtSystemRow *row;
   MtRelColumn *columns;
   MtVal *defaults; /* by column; MT_MISSING: a row says it */
   int count;
   bson_t *rows;
   size_t row_count;
} MtFillRows;

/* A table: "name type [= default], …"; `null` is a default, too. */
struct MtSystemRow {
   const char *schema, *name;
   int64_t oid;
   const char *columns;
   void (*fill) (MtFillRows *f); /* NULL: no rows */
};

struct MtSystemView {
   const char *schema, *name;
   const char *sql;
};

extern const MtSystemRow mt_system_relation_tables[]; /* each ended by a row without a name */
extern const MtSystemRow mt_system_routine_tables[];
extern const MtSystemRow mt_system_other_tables[];
extern const MtSystemView mt_system_views[];
/* The tables of all lists; NULL: no more. */
const MtSystemRow *mt_system_row (size_t index);

/* Whether a name in SQL, with the schema `in` (may be NULL), means the system object schema.own. */
bool mt_system_is_named (const char *schema, const char *own, const MtName *in, const MtName *name);
/* False: no table or view of the system catalog can have that name. */
bool mt_may_be_system (const MtName *schema, const MtName *name);

/* Whether a table or view of the catalog has that name. */
bool mt_is_system (const MtName *schema, const MtName *name);

/* Adds a row: values for the columns without a default, in order. */
void mt_system_add (MtFillRows *f, const MtVal *values, int count);
#define MT_ADD(f, ...) \
   mt_system_add (f, (const MtVal[]) {__VA_ARGS__}, \
                  (int) (sizeof ((const MtVal[]) {__VA_ARGS__}) / sizeof (MtVal)))

static inline MtVal mt_cell_text (const char *s)
{
   return s ? mt_v_str (s, strlen (s)) : mt_v_null ();
}
static inline MtVal mt_cell_oid (int64_t oid) { return mt_v_int64 (oid); }
static inline MtVal mt_cell_int (int64_t i) { return mt_v_int32 ((int32_t) i); }
/* An array of values; in f's arena. */
MtVal mt_cell_array (MtFillRows *f, const MtVal *values, size_t count);

#endif
