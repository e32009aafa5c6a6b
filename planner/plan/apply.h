/* $_mtApply, the stage for joins whose right side runs once for each left row (LATERAL, correlated
 * sub-selects). */
#ifndef MT_APPLY_H
#define MT_APPLY_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* The right side of an $_mtApply join. */
typedef struct MtApplied {
   const char *collection; /* collection that `stages` read; NULL: they start with $documents */
   const bson_t *stages;
   const char *mark; /* field that is true if the left row had a partner; NULL: none */
} MtApplied;

/* Writes the body of the stage $_mtApply to spec. places: the field of each column of the join;
 * unused columns have no path. */
bool mt_apply_emit (MtEmit *e, const MtRel *rel, const MtPlace *places, const MtApplied *right,
                    bson_t *spec);

/* Returns whether v is a string that names a variable of $_mtApply (a left column). Servers don't
 * support these variables. */
bool mt_is_outer (MtVal v);
/* Returns whether stages use a variable (left column) of an $_mtApply that encloses them. */
bool mt_names_outer (const bson_t *stages);

#endif
