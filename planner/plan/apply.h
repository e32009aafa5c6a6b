/* A join whose right side is made for each row of the left one, as a stage. */
#ifndef MT_APPLY_H
#define MT_APPLY_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* The body of the stage $_mtApply. places: of the join's columns, each a field of its side's
 * documents; without a path where nobody wants it. collection (NULL: its stages make their own
 * documents) and stages: the right side. mark: as MtJoinStage's. */
bool mt_apply_emit (MtEmit *e, const MtRel *rel, const MtPlace *places, const char *collection,
                    const bson_t *stages, const char *mark, bson_t *spec, MtError *err);

/* Whether a value is the name of such a variable: no server knows it. */
bool mt_is_outer (MtVal v);
/* Whether stages name a variable of an $_mtApply around them. */
bool mt_names_outer (const bson_t *stages);

#endif
