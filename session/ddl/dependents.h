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
   const char *name; /* its name in the catalog */
} MtRelationRef;

typedef struct MtRelationRefs {
   MtRelationRef *list;
   size_t count, cap;
} MtRelationRefs;

/* Returns "table", "view" … */
const char *mt_relation_word (MtRelationKind kind);
void mt_relations_add (MtArena *a, MtRelationRefs *r, MtRelationKind kind, const char *name);

/* Adds the views, also materialized and continuous ones, that read one of the relations, directly or
 * through other views. Adds a line such as "view v depends on table t" to `lines` for each of them;
 * lines may be NULL. */
void mt_add_readers (MtStatement *st, MtRelationRefs *r, MtBuf *lines);

/* Drops relations, views first. Does not look for views that read them. */
bool mt_drop_relations (MtStatement *st, const MtRelationRefs *r, MtError *err);

/* Sends the notice that DROP … CASCADE drops these relations, too, if there are any. */
void mt_report_cascade (MtStatement *st, const MtRelationRefs *r);

/* Call it before DROP removes the relations of this kind that it names. If other views read them,
 * CASCADE drops these views with a notice; without CASCADE it is error 2BP01. */
bool mt_drop_readers (MtStatement *st, MtRelationKind kind, MtError *err);

bool mt_run_drop_view (MtStatement *st, MtError *err);

#endif
