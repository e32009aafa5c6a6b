/* The functions that compile the stages of this room. */
#ifndef MT_STAGE_INT_H
#define MT_STAGE_INT_H

#include "engine/local/exec/stages.h"

bool mt_stage_set_window_fields (MtCompile *c, MtVal spec);
bool mt_stage_fill (MtCompile *c, MtVal spec);
bool mt_stage_densify (MtCompile *c, MtVal spec);
bool mt_stage_bucket_auto (MtCompile *c, MtVal spec);
bool mt_stage_redact (MtCompile *c, MtVal spec);
bool mt_stage_graph_lookup (MtCompile *c, MtVal spec);

#endif
