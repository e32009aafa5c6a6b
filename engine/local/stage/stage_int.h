/* The functions that compile the stages of this room. */
#ifndef MT_STAGE_INT_H
#define MT_STAGE_INT_H

#include "engine/local/exec/stages.h"

/* A field of $minMaxScaler, and the range of its results. */
typedef struct MtScaled {
   const char *field;
   MtVal min, max;
} MtScaled;

typedef struct MtScaler {
   MtScaled *at;
   uint32_t n;
} MtScaler;

/* Replaces the fields of $minMaxScaler in the output of $setWindowFields by fields of $min and
 * $max, and adds the stages that come before. *s begins as zeros. */
bool mt_scaler_begin (MtCompile *c, MtVal *output, MtScaler *s);
/* Adds the stages that come after $setWindowFields. */
bool mt_scaler_end (MtCompile *c, const MtScaler *s);

bool mt_stage_set_window_fields (MtCompile *c, MtVal spec);
bool mt_stage_fill (MtCompile *c, MtVal spec);
bool mt_stage_densify (MtCompile *c, MtVal spec);
bool mt_stage_bucket_auto (MtCompile *c, MtVal spec);
bool mt_stage_redact (MtCompile *c, MtVal spec);
bool mt_stage_graph_lookup (MtCompile *c, MtVal spec);

#endif
