/* The system catalog: the tables and views of pg_catalog and information_schema. */
#ifndef MT_SYSTEM_TABLES_H
#define MT_SYSTEM_TABLES_H

#include "functions/routine.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/state/session.h"

#define MT_OID_PG_CATALOG 11
#define MT_OID_PUBLIC 2200
#define MT_OID_INFORMATION_SCHEMA 13000
#define MT_OID_TEMPORARY 16383 /* the schema of temporary tables */
#define MT_OID_ROLE 10
#define MT_OID_DATABASE 5
#define MT_OID_ARRAY_IN 750 /* clients recognize array types by it; there is no such function */

typedef struct MtSystem MtSystem;

/* ---- relations ---- */

/* A column of a relation (MtRelation), as pg_attribute shows it. */
typedef struct MtSystemColumn {
   const char *name;
   MtType type;
   bool not_null;
   const char *default_sql; /* NULL: none */
   char identity;           /* 'a' GENERATED ALWAYS AS IDENTITY, 'd' BY DEFAULT; 0: neither */
   const char *domain;      /* NULL: none */
} MtSystemColumn;

typedef struct MtSystemRow MtSystemRow;
typedef struct MtSystemView MtSystemView;

typedef struct MtRelation {
   int64_t oid, schema;     /* `schema` is the OID of the schema */
   const char *schema_name; /* set only if CREATE SCHEMA made the schema; else NULL */
   const char *name;
   /* 'r' table, 'v' view, 'm' materialized view, 'i' index, 'S' sequence */
   char kind;
   const struct MtSequence *sequence; /* only for kind 'S': the sequence */
   const MtTable *table;              /* a user's table; else NULL */
   const char *id;                    /* a user's relation: its name in the catalog; else NULL */
   bool hidden;                       /* the name alone finds another relation */
   const MtIndexInfo *index;          /* only for kind 'i': the index */
   const char *definition;            /* of a view: the query */
   const MtSystemRow *row;            /* a table of the system catalog; else NULL */
   const MtSystemView *view;          /* a view of the system catalog; else NULL */
   const struct MtRelation *of;       /* of an index: its table */
   const MtTableKey *key;             /* of a key's index; else NULL */
   int64_t constraint;                /* of a key that is a constraint: its OID; else 0 */
   MtSystemColumn *columns;           /* NULL until they are read for the first time */
   size_t column_count;
} MtRelation;

/* The system catalog during one statement: its relations and routines, each list made at its first
 * use. */
struct MtSystem {
   MtSession *session;
   MtArena *arena;
   MtRelation *relations;
   size_t relation_count;
   const MtRoutine *routines;
   size_t routine_count;
   bool columns_only;              /* tables of the system catalog are made without rows */
   struct MtSystemLookup *lookups; /* lookups made so far */
};

/* Returns the system catalog of the running statement, made at the first call. Owned by the
 * session. */
MtSystem *mt_system (MtSession *s);
/* These two return the arrays of all relations and of all routines (functions), with their number
 * in *count. Each array is made at the first call and borrowed from `y`. */
MtRelation *mt_system_relations (MtSystem *y, size_t *count);
const MtRoutine *mt_system_routines (MtSystem *y, size_t *count);
/* Returns the catalog's document (name, signature, language, body) of a function that CREATE
 * FUNCTION made; NULL: the function is built in or belongs to an extension's library. */
const bson_t *mt_routine_body (const MtSystem *y, const MtRoutine *r);
/* Returns the name of a built-in schema by its OID: pg_catalog, public, pg_temp_1, otherwise
 * information_schema. */
const char *mt_schema_name (int64_t oid);
/* Returns the OID of a schema that CREATE SCHEMA made: a hash of its name. */
int64_t mt_schema_oid (const char *name);
/* Returns the name of the schema in which a relation is. */
const char *mt_relation_schema (const MtRelation *r);
/* Returns the relation's name as text for SQL, with its schema and with quotes if they are needed.
 * In arena a. */
const char *mt_relation_shown (MtArena *a, const MtRelation *r);

/* Returns the OID of the CHECK constraint with index i of a table. */
static inline int64_t mt_check_oid (const MtRelation *r, size_t i)
{
   return r->oid + 400000000 + (int64_t) i * 100000000;
}

/* Returns the OID that pg_attrdef has for the default of the column with this index. */
static inline int64_t mt_default_oid (const MtRelation *r, size_t column)
{
   return r->oid + 200000000 + (int64_t) column;
}

/* ---- tables of the catalog ---- */

typedef struct MtFillRows {
   MtSystem *system;
   MtArena *a;
   const MtSystemRow *row;
   MtRelColumn *columns;
   MtVal *defaults; /* by column; MT_MISSING: each row gives a value */
   int count;
   bson_t *rows;
   size_t row_count;
   MtError *err; /* set by a `fill` function that could not read the target */
   bool failed;  /* true: the `fill` function has set *err */
} MtFillRows;

/* A table of the system catalog, with a function that makes its rows. columns: "name type [=
 * default], …"; `null` may be the default. */
struct MtSystemRow {
   const char *schema, *name;
   int64_t oid;
   const char *columns;
   void (*fill) (MtFillRows *f); /* adds the rows with MT_ADD; NULL: there are none */
};

struct MtSystemView {
   const char *schema, *name;
   const char *sql;
};

extern const MtSystemRow mt_system_relation_tables[]; /* The lists end with a row without a name. */
extern const MtSystemRow mt_system_routine_tables[];
extern const MtSystemRow mt_system_other_tables[];
extern const MtSystemView mt_system_views[];
/* Returns the table with this index, counted through the three lists of tables; NULL: there is no
 * further table. */
const MtSystemRow *mt_system_row (size_t index);

/* Returns whether a name written in SQL, `name` with the schema `in` (may be NULL), is the name of
 * the system object `own` in `schema`. */
bool mt_system_is_named (const char *schema, const char *own, const MtName *in, const MtName *name);
/* Returns false if no table or view of the system catalog can have this name. This quick test comes
 * before the search of the lists. */
bool mt_may_be_system (const MtName *schema, const MtName *name);

/* Returns whether a view of information_schema has this name. */
bool mt_is_information_view (const MtName *name);
/* Returns whether a table or view of the system catalog has this name. */
bool mt_is_system (const MtName *schema, const MtName *name);

/* Adds a row to f->rows. `values` has `count` values for the columns without a default, in the
 * order of the columns. */
void mt_system_add (MtFillRows *f, const MtVal *values, int count);
#define MT_ADD(f, ...) \
   mt_system_add (f, (const MtVal[]) {__VA_ARGS__}, \
                  (int) (sizeof ((const MtVal[]) {__VA_ARGS__}) / sizeof (MtVal)))

static inline MtVal mt_cell_text (const char *s) { return s ? mt_v_cstr (s) : mt_v_null (); }
static inline MtVal mt_cell_oid (int64_t oid) { return mt_v_int64 (oid); }
static inline MtVal mt_cell_int (int64_t i) { return mt_v_int32 ((int32_t) i); }
/* Returns the OID of PostgreSQL's function that receives (or, if `sends`, sends) values of type t
 * in binary form; 0: there is no such function. */
int64_t mt_type_io (MtTypeId t, bool sends);
/* Returns the name of the receiving or sending function with this index, and its OID in *oid; NULL:
 * there is no further function. */
const char *mt_type_io_name (size_t index, int64_t *oid);
/* Makes an SQL array of `count` values, in f's arena. */
MtVal mt_cell_array (MtFillRows *f, const MtVal *values, size_t count);

#endif
