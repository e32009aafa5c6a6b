/* A join whose right side is computed for each row of the left side, as a stage. */
#ifndef MT_APPLY_H
#define MT_APPLY_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* The right side. */
typedef struct MtApplied {
   const char *collection; /* NULL: the stages make their own documents */
   const bson_t *stages;
   const char *mark; /* as in MtJoinStage */
} MtApplied;

/* Writes the body of the stage $_mtApply. places: of the join's columns, each a field of its
 * side's documents; without a path for columns that nothing reads. */
bool mt_apply_emit (MtEmit *e, const MtRel *rel, const MtPlace *places, const MtApplied *right,
                    bson_t *spec);

/* Whether a value names a variable of $_mtApply. Servers don't have them. */
bool mt_is_outer (MtVal v);
/* Whether stages name a variable of an $_mtApply around them. */
bool mt_names_outer (const bson_t *stages);

#endif
