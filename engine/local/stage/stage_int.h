/* Functions that compile the stages of this folder. */
#ifndef MT_STAGE_INT_H
#define MT_STAGE_INT_H

#include "engine/local/exec/stages.h"

/* One field of $setWindowFields that uses $minMaxScaler, and the range to which its values are
 * scaled. */
typedef struct MtScaled {
   const char *field;
   MtVal min, max;
} MtScaled;

typedef struct MtScaler {
   MtScaled *at;
   uint32_t n;
} MtScaler;

/* Replaces the $minMaxScaler fields in `output` (the argument of $setWindowFields) by $min and $max
 * fields, and appends the stages that must come before $setWindowFields. *s must be all zeros. */
bool mt_scaler_begin (MtCompile *c, MtVal *output, MtScaler *s);
/* Appends to the pipeline the stages that must come after $setWindowFields: they compute the scaled
 * values from $min and $max. */
bool mt_scaler_end (MtCompile *c, const MtScaler *s);

bool mt_stage_set_window_fields (MtCompile *c, MtVal spec);
bool mt_stage_fill (MtCompile *c, MtVal spec);
bool mt_stage_densify (MtCompile *c, MtVal spec);
bool mt_stage_bucket_auto (MtCompile *c, MtVal spec);
bool mt_stage_redact (MtCompile *c, MtVal spec);
bool mt_stage_graph_lookup (MtCompile *c, MtVal spec);

#endif
