/* The views that read relations which a statement drops. */
#ifndef MT_SESSION_DEPENDENTS_H
#define MT_SESSION_DEPENDENTS_H

#include "session/core/core.h"

typedef enum MtRelationKind {
   MT_RELATION_VIEW,
   MT_RELATION_MATVIEW,
   MT_RELATION_TABLE,
   MT_RELATION_SEQUENCE
} MtRelationKind;

typedef struct MtRelationRef {
   MtRelationKind kind;
   const char *name; /* its name in the catalog; of tables the mt_table_id */
} MtRelationRef;

typedef struct MtRelationRefs {
   MtRelationRef *list;
   size_t count, cap;
} MtRelationRefs;

/* Returns "table", "view" … */
const char *mt_relation_word (MtRelationKind kind);
void mt_relations_add (MtArena *a, MtRelationRefs *r, MtRelationKind kind, const char *name);

/* Adds the views, also materialized and continuous ones, that read one of the relations, directly
 * or through other views. Adds a line such as "view v depends on table t" to `lines` for each of
 * them; lines may be NULL. */
void mt_add_readers (MtStatement *st, MtRelationRefs *r, MtBuf *lines);

/* Drops relations, views first. Does not look for views that read them. */
bool mt_drop_relations (MtStatement *st, const MtRelationRefs *r, MtError *err);

/* Sends the notice that DROP … CASCADE drops these relations, too, if there are any. */
void mt_report_cascade (MtStatement *st, const MtRelationRefs *r);

/* Finds a relation that DROP names. *out: its name in the catalog. NULL: there is none, and IF
 * EXISTS has reported that. Errors: 42P01 if there is none, 42809 if it is of another kind. */
typedef bool MtFindDropped (MtStatement *st, const MtName *name, const char **out, MtError *err);

/* Runs a DROP of relations of one kind. Finds all of them before it drops any. If views that are
 * not named read them, CASCADE drops these views, too, with a notice; without CASCADE the error is
 * 2BP01. */
bool mt_drop_named (MtStatement *st, MtRelationKind kind, MtFindDropped *find, MtError *err);

/* An object that a statement drops, and that is no relation. */
typedef struct MtDropped {
   const char *shown; /* as messages name it, such as "function f(integer)" */
   const char *name;  /* a function's name; NULL: it is no function */
   /* a column of `table`; NULL: it is no column */
   const MtTable *table;
   const char *column;
   /* The functions, where a copy of the dropped one has a body with an error. So the texts that
    * call it cannot be analyzed. NULL: no function is dropped. */
   const MtFunc **functions;
   /* a sequence's name, which is a word of the queries that use it, and the defaults that use it */
   const char *word, *default_sql;
} MtDropped;

/* Finds the views, defaults and CHECK constraints that use an object. Fails with 2BP01 if there are
 * any. `cascade`: sends a notice, and drops them. Tables of the catalog that the caller holds are
 * no longer valid then. */
bool mt_drop_users (MtStatement *st, const MtDropped *d, bool cascade, MtError *err);

bool mt_run_drop_function (MtStatement *st, MtError *err);
bool mt_run_drop_view (MtStatement *st, MtError *err);

#endif
