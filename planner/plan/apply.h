/* $_mtApply: the stage for joins whose right side runs for each left row (LATERAL joins, correlated
 * sub-selects). */
#ifndef MT_APPLY_H
#define MT_APPLY_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* The right side of an $_mtApply join. */
typedef struct MtApplied {
   const char *collection; /* collection that `stages` read; NULL: they begin with $documents */
   const bson_t *stages;
   const char *mark; /* name of a field that is true if the left row has a match; NULL: none */
} MtApplied;

/* Writes the body of the stage $_mtApply to spec. places: for each column of the join, its field;
 * columns that are not used have no path. */
bool mt_apply_emit (MtEmit *e, const MtRel *rel, const MtPlace *places, const MtApplied *right,
                    bson_t *spec);

/* Returns whether v is a text that names a variable of $_mtApply, which is a left column. Servers
 * don't support these variables. */
bool mt_is_outer (MtVal v);
/* Returns whether the stages use a variable (a left column) of an $_mtApply around them. */
bool mt_names_outer (const bson_t *stages);

#endif
