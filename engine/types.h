/* The types that all headers of the engine share. */
#ifndef MT_ENGINE_TYPES_H
#define MT_ENGINE_TYPES_H

#include "base/cancel.h"
#include "base/error.h"
#include "base/value.h"

typedef struct MtEngine MtEngine;
typedef struct MtCursor MtCursor;
typedef struct MtOpRow MtOpRow;

/* The prefix of temporary collections (engine/engine.h). */
#define MT_TEMPORARY "pg_temp."

#endif
